"""The jobs of the clock: each says when it ran and how it ended, so that one that stopped is seen."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import TypeVar

from django.utils import timezone
from django_q.models import Schedule

from memory.models import JobRun

T = TypeVar("T")
PATIENCE = timedelta(minutes=5)  # beyond twice its interval: a busy worker is no broken one


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it stands. `is_late`: it should have ended well since; `failed`: its last end was an error."""

    name: str
    minutes: int
    finished_at: datetime | None
    failed: str
    is_late: bool

    @property
    def is_well(self) -> bool:
        return not (self.is_late or self.failed)


def kept(job: Callable[..., T]) -> Callable[..., T]:
    """Writes down a job's runs. The error itself stays with django-q's record of the failure."""
    name = f"{job.__module__}.{job.__name__}"

    @wraps(job)
    def run(*args, **options) -> T:
        JobRun.objects.update_or_create(name=name, defaults={"started_at": timezone.now()})
        try:
            answer = job(*args, **options)
        except Exception as error:
            JobRun.objects.filter(name=name).update(failed_at=timezone.now(), error=type(error).__name__[:120])
            raise
        JobRun.objects.filter(name=name).update(finished_at=timezone.now(), error="")
        return answer

    return run


def jobs(now: datetime) -> list[Job]:
    """Every scheduled job, those that need a look first."""
    runs = JobRun.objects.in_bulk()
    found = [_job(schedule, runs.get(schedule.func), now) for schedule in Schedule.objects.order_by("func")]
    return sorted(found, key=lambda job: job.is_well)


def _job(schedule: Schedule, run: JobRun | None, now: datetime) -> Job:
    finished = run and run.finished_at
    wait = 2 * timedelta(minutes=schedule.minutes or 0) + PATIENCE
    # of one that never ended well: how long its turn has been over
    since = finished or (schedule.next_run - timedelta(minutes=schedule.minutes or 0))
    return Job(
        name=schedule.func, minutes=schedule.minutes or 0, finished_at=finished, failed=run.error if run else "",
        is_late=now - since > wait,
    )  # fmt: skip
