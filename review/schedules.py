"""What of reviewing runs by the clock (memory/schedules.py)."""

MINUTES = {
    "review.tasks.notify": 1,
    "review.tasks.apply_rules": 1,
    "review.tasks.mail_overdue": 15,
    "review.tasks.count_backlog": 60,
}
