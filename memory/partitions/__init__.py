"""Episodes by month, on PostgreSQL, for installations that chose it with `manage.py partition_episodes`.

Nothing else knows of it: the table keeps its name, its columns, its indexes and its one sequence of ids.
"""
