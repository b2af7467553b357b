"""What runs by the clock. `manage.py setup_schedules` writes it to the database before each worker starts.

Every app of settings.SCHEDULED has a module `schedules` with MINUTES of its own.
"""

from datetime import timedelta
from importlib import import_module

from django.conf import settings
from django_q.models import Schedule

# three heartbeats missed
WORKER_SILENT = timedelta(minutes=3)

MINUTES = {
    "memory.tasks.beat": 1,
    "memory.tasks.sweep": 1,
    "memory.tasks.sync_index": 1,
    "memory.tasks.embed_missing": 1,
    "memory.tasks.erase_waiting": 1,
    "memory.tasks.judge_again": 5,
    "memory.tasks.fold_heat": 5,
    "memory.tasks.seal_audit": 5,
    "memory.tasks.tidy": 60,
    "memory.tasks.count_days": 60,
    "memory.tasks.rescore": 24 * 60,
    "memory.tasks.archive_cold": 24 * 60,
    "memory.tasks.drop_recalls": 24 * 60,
    "memory.tasks.file_episodes": 24 * 60,
    "memory.tasks.make_partitions": 24 * 60,
    "memory.tasks.retire_audit": 24 * 60,
    "memory.tasks.verify_audit": 24 * 60,
}


def install() -> int:
    """Makes the schedules what this version says, however often it is called; answers how many there are."""
    return sum(_install(app) for app in settings.SCHEDULED)


def _install(app: str) -> int:
    wanted = import_module(f"{app}.schedules").MINUTES
    for function, minutes in wanted.items():
        Schedule.objects.update_or_create(
            name=function, defaults={"func": function, "schedule_type": Schedule.MINUTES, "minutes": minutes}
        )
    Schedule.objects.filter(name__startswith=f"{app}.tasks.").exclude(name__in=wanted).delete()
    return len(wanted)
