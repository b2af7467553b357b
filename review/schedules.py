"""What of reviewing runs by the clock (memory/schedules.py)."""

MINUTES = {"review.tasks.count_backlog": 60}
