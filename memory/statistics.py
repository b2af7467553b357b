"""What the database knows of its tables when it plans a query. PostgreSQL counts by itself; SQLite has to be told."""

from django.db import connection

# rows looked at for each index: enough to tell a user's index from a workspace's, and done in milliseconds
LOOKED_AT = 1000


def refresh() -> None:
    """Lets SQLite count anew; elsewhere nothing. Without it SQLite takes every index for equally good, and read a
    whole workspace to find one user's memories: 37 ms of 70 among 50,000 (benchmarks.recall)."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA analysis_limit={LOOKED_AT}")
            cursor.execute("ANALYZE")
