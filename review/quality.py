"""How well reviewing goes: agreement, pace, and what waits. Counted of the decisions that people took."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import NamedTuple

from django.db.models import Count, Q

from memory.models import Conflict, Workspace
from review.models import BacklogDay, Decision, SecondLook
from review.tally import everywhere

PERIODS = (7, 30, 90)  # days
# Of more decisions than this in a period the latest are counted; the page says so.
MOST = 3000
DIFFERING = 20


class Row(NamedTuple):
    """One decision that a person took, as far as it is counted."""

    decider: str
    kind: str
    source_class: str
    choice: str
    suggestion: str
    opened_at: datetime
    decided_at: datetime
    taken_at: datetime | None
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Of some decisions: how many, how many had a suggestion and followed it, how many were undone; the median and the
    ninetieth percentile of seconds from filed to decided and from taken to decided (None without any); and how many
    there were for each hour in which one was."""

    n: int
    advised: int
    followed: int
    undone: int
    waited: tuple[float, float] | None
    worked: tuple[float, float] | None
    per_hour: float

    @property
    def agreement(self) -> float | None:
        """The share of suggestions that were followed; None without any."""
        return self.followed / self.advised if self.advised else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Between a decision and a second look at it: of `n`, how many `agree`."""

    n: int
    agree: int

    @property
    def share(self) -> float | None:
        return self.agree / self.n if self.n else None


def rows(workspace: Workspace, *, since: datetime) -> list[Row]:
    """The MOST latest decisions of people since then, undoings left out."""
    found = Decision.objects.filter(conflict__workspace=workspace, decided_at__gte=since, undoes=None)
    found = found.filter(decider__isnull=False)
    columns = (
        "decider__username", "conflict__kind", "conflict__source_class", "choice", "conflict__suggestion",
        "conflict__opened_at", "decided_at", "handling__taken_at", "undone_by",
    )  # fmt: skip
    latest = found.order_by("-decided_at").values_list(*columns)[:MOST]
    return [Row(*values, undone_by is not None) for *values, undone_by in latest]


def figures(counted: Iterable[Row]) -> Figures:
    counted = list(counted)
    advised = [row for row in counted if row.suggestion]
    hours = {(row.decider, row.decided_at.replace(minute=0, second=0, microsecond=0)) for row in counted}
    return Figures(
        n=len(counted),
        advised=len(advised),
        followed=sum(row.choice == row.suggestion for row in advised),
        undone=sum(row.is_undone for row in counted),
        waited=_spread([(row.decided_at - row.opened_at).total_seconds() for row in counted]),
        worked=_spread([(row.decided_at - row.taken_at).total_seconds() for row in counted if row.taken_at]),
        per_hour=len(counted) / len(hours) if hours else 0.0,
    )


def grouped(counted: Iterable[Row], by: Callable[[Row], Hashable]) -> list[tuple[Hashable, Figures]]:
    """The figures of each group, the largest first."""
    groups: dict[Hashable, list[Row]] = {}
    for row in counted:
        groups.setdefault(by(row), []).append(row)
    return sorted(((name, figures(some)) for name, some in groups.items()), key=lambda pair: (-pair[1].n, str(pair[0])))


def agreement(workspace: Workspace, *, since: datetime) -> Agreement:
    answered = SecondLook.objects.filter(workspace=workspace, answered_at__gte=since, decision__undone_by=None)
    counted = answered.aggregate(n=Count("*"), agree=Count("pk", filter=Q(agrees=True)))
    return Agreement(**counted)


def _spread(seconds: list[float]) -> tuple[float, float] | None:
    """Median and ninetieth percentile, each a value that occurred."""
    if not seconds:
        return None
    seconds.sort()
    return seconds[ceil(len(seconds) * 0.5) - 1], seconds[ceil(len(seconds) * 0.9) - 1]


@dataclass(frozen=True, slots=True)
class Backlog:
    """What was open when the day ended, or is now, and how much of it overdue. `place`: which day of those looked back
    on it is, the first being 0."""

    day: date
    open: int
    overdue: int
    place: int

    @property
    def in_time(self) -> int:
        return self.open - self.overdue


def backlog(workspace: Workspace, *, days: int, now: datetime) -> list[Backlog]:
    """The last days, oldest first, as `count_backlog` stored them, and today as it stands now."""
    today = now.date()
    first = today - timedelta(days=days - 1)
    stored = BacklogDay.objects.filter(workspace=workspace, day__gte=first, day__lt=today).order_by("day")
    past = [Backlog(*row, place=(row[0] - first).days) for row in stored.values_list("day", "open", "overdue")]
    return [*past, Backlog(today, *everywhere(workspace, now=now), place=days - 1)]


def count_backlog(workspace: Workspace, *, now: datetime) -> int:
    """Stores the days of UTC that have ended and are not stored, as far back as pages look; answers how many.

    A conflict that was decided and opened again counts for the days between as open.
    """
    wanted = {now.date() - timedelta(days=back) for back in range(1, max(PERIODS))}
    first = (
        Conflict.objects.filter(workspace=workspace).order_by("opened_at").values_list("opened_at", flat=True).first()
    )
    stored = set(BacklogDay.objects.filter(workspace=workspace, day__in=wanted).values_list("day", flat=True))
    missing = sorted(day for day in wanted - stored if first and day >= first.date())
    made = [BacklogDay(workspace=workspace, day=day, **_at_the_end_of(workspace, day, now)) for day in missing]
    BacklogDay.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def _at_the_end_of(workspace: Workspace, day: date, now: datetime) -> dict[str, int]:
    end = datetime.combine(day + timedelta(days=1), datetime.min.time(), tzinfo=now.tzinfo)
    waited = Conflict.objects.filter(workspace=workspace, opened_at__lt=end)
    waited = waited.filter(Q(status=Conflict.Status.OPEN) | Q(decided_at__gte=end))
    return {"open": waited.count(), "overdue": waited.filter(due_at__lt=end).count()}
