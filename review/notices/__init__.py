"""Telling those who do not look at the console: a signed webhook for programs, a digest by mail for people.

Nothing here carries a remembered text: a notice names the conflict, and whoever may read it reads it in the console.
"""
