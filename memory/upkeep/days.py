"""What came in each day of UTC and what became of it, and how old and how warm what is remembered is.

Counted by the hour, so that a page of a million memories reads a few hundred rows.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.db.models import Count, F, Q
from django.db.models.functions import TruncDate

from memory.models import Conflict, DayFigure, Episode, GraphState, Memory, Recall, Verdict, Workspace
from memory.models.memory import MemoryStatus
from memory.upkeep import trust

BACK = 90  # days that are counted at the first time
AGES = (7, 30, 90, 365)  # days
HEATS = (0.1, 1, 5)
EVENTS, KEPT, OPENED, DECIDED, RECALLS = "events", "kept", "opened", "decided", "recalls"
TRUST = "c_"
FLOW = (EVENTS, KEPT, OPENED, DECIDED, RECALLS, *Verdict.Outcome.values)


def count(workspace: Workspace, *, now: datetime) -> int:
    """Counts the days that are not yet counted to their end, and today; answers how many. The same twice."""
    today = now.astimezone(UTC).date()
    first = _first_open(workspace, today)
    days = [first + timedelta(days=step) for step in range((today - first).days + 1)]
    rows = [
        DayFigure(workspace=workspace, day=day, figure=figure, count=number, counted_at=now)
        for figure, found in _flow(workspace, first)
        for day in days
        for number in [found.get(day, 0)]
    ]
    rows += [
        DayFigure(workspace=workspace, day=today, figure=figure, count=number, counted_at=now)
        for figure, number in _state(workspace, now)
    ]
    with transaction.atomic():
        # of these only the last count is kept, and a tenth that is empty by now has no row
        DayFigure.objects.filter(workspace=workspace, figure__startswith=TRUST).delete()
        DayFigure.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["workspace", "day", "figure"],
            update_fields=["count", "counted_at"],
        )  # fmt: skip
    return len(days)


def flow(workspace: Workspace, *, days: int, now: datetime) -> list[tuple[date, dict[str, int]]]:
    """The last days, oldest first, each with every figure of FLOW."""
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=days - 1)
    rows = DayFigure.objects.filter(workspace=workspace, day__gte=first, figure__in=FLOW)
    found = {(day, figure): number for day, figure, number in rows.values_list("day", "figure", "count")}
    dates = [first + timedelta(days=step) for step in range(days)]
    return [(day, {figure: found.get((day, figure), 0) for figure in FLOW}) for day in dates]


def state(workspace: Workspace) -> tuple[dict[str, int], datetime | None]:
    """The last count of what is remembered, by figure (`_state`), and when it was taken; None before the first."""
    last = DayFigure.objects.filter(workspace=workspace, figure="active").order_by("-day").first()
    if last is None:
        return {}, None
    rows = DayFigure.objects.filter(workspace=workspace, day=last.day).exclude(figure__in=FLOW)
    return dict(rows.values_list("figure", "count")), last.counted_at


def _first_open(workspace: Workspace, today: date) -> date:
    """The oldest day of which a later hour is to be counted; the day before yesterday's midnight is long over."""
    counted = DayFigure.objects.filter(workspace=workspace, figure=EVENTS).order_by("-day").first()
    oldest = today - timedelta(days=BACK - 1)
    return oldest if counted is None else max(oldest, min(counted.day, today) - timedelta(days=1))


def _flow(workspace: Workspace, first: date) -> Iterator[tuple[str, dict[date, int]]]:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    mine = {"workspace": workspace}
    verdicts = Verdict.objects.filter(**mine, created_at__gte=start)
    yield EVENTS, _by_day(Episode.objects.filter(**mine, recorded_at__gte=start), "recorded_at")
    yield OPENED, _by_day(Conflict.objects.filter(**mine, opened_at__gte=start), "opened_at")
    yield DECIDED, _by_day(Conflict.objects.filter(**mine, status="decided", decided_at__gte=start), "decided_at")
    yield RECALLS, _by_day(Recall.objects.filter(**mine, created_at__gte=start), "created_at")
    # an event may hold several claims, and is kept when one of them is
    kept = verdicts.filter(outcome=Verdict.Outcome.ADD)
    yield KEPT, _by_day(kept, "created_at", Count("episode", distinct=True))
    for outcome in Verdict.Outcome.values:
        yield outcome, _by_day(verdicts.filter(outcome=outcome), "created_at")


def _by_day(rows, moment: str, number: Count | None = None) -> dict[date, int]:
    grouped = rows.order_by().annotate(day=TruncDate(moment, tzinfo=UTC)).values("day")
    return dict(grouped.annotate(n=number or Count("*")).values_list("day", "n"))


def _state(workspace: Workspace, now: datetime) -> Iterable[tuple[str, int]]:
    """active, archived; of the active by age in days (age_0, age_7 …: that old or older) and by heat at its last hit;
    whose graph is behind; and how far they may be trusted."""
    mine = Memory.objects.filter(workspace=workspace)
    ages = {f"age_{low}": _aged(now, low, high) for low, high in zip((0, *AGES), (*AGES, None), strict=True)}
    heats = {f"heat_{low}": _warm(low, high) for low, high in zip((0, *HEATS), (*HEATS, None), strict=True)}
    shares = {name: Count("pk", filter=wanted) for name, wanted in (ages | heats).items()}
    found = mine.filter(status=MemoryStatus.ACTIVE).aggregate(active=Count("pk"), **shares)
    found["archived"] = mine.filter(status=MemoryStatus.ARCHIVED).count()
    behind = GraphState.objects.filter(user__workspace=workspace).exclude(revision=F("user__revision"))
    # c_user_input_9: of a source class, with credibility from 0.9 on
    trusted = [(f"{TRUST}{source_class}_{tenth}", n) for (source_class, tenth), n in trust.spread(workspace).items()]
    return [*found.items(), ("graph_behind", behind.count()), *trusted]


def _aged(now: datetime, low: int, high: int | None) -> Q:
    young = Q(event_time__lte=now - timedelta(days=low)) if low else Q()
    return young & Q(event_time__gt=now - timedelta(days=high)) if high else young


def _warm(low: float, high: float | None) -> Q:
    return Q(heat__gte=low) & (Q(heat__lt=high) if high else Q())
