"""Events older than a workspace keeps in the database: in compressed files by month, each with its digest.

Only what nothing rests on moves (evidence of a memory or a conflict stays in the database). Files are written whole
before the rows go, are checked against their digests, can be brought back, and an erasure rewrites those of a user.
"""
