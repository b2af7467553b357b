"""The dashboard's figures: what came in, what became of it and why, and whether the machinery works."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Count, Min
from django.db.models.functions import TruncDate
from django.utils import timezone

from memory import llm
from memory.index import follower, serving, state, sync
from memory.index.sync import Lag
from memory.llm import usage
from memory.models import Episode, IndexEntry, LlmUsage, Verdict, WorkerBeat, Workspace
from memory.policy import policy_of
from memory.schedules import WORKER_SILENT

DAYS = 14
WHY = 8


@dataclass(frozen=True, slots=True)
class Day:
    """Verdicts of one day by outcome, and their sum."""

    day: date
    added: int
    known: int
    queued: int
    rejected: int

    @property
    def total(self) -> int:
        return self.added + self.known + self.queued + self.rejected


@dataclass(frozen=True, slots=True)
class Machinery:
    """`worker_silent_since` is None while a worker's heartbeat is fresh; `never` when there was none at all."""

    pending: int
    pending_since: datetime | None
    parked: list[Episode]
    parked_count: int
    worker_silent_since: datetime | None
    worker_never: bool
    without_vector: int
    embedder_reason: str
    index_problem: str  # vectors of another embedder are left, in English, with the command that helps
    vector_db_problem: str  # why recall does not use the vector database; empty when it does or there is none
    vector_db_lag: Lag | None  # what of this workspace waits for it; None without one
    llm_today: LlmUsage | None  # what the language model was used for today (UTC); None without one
    llm_budget: int  # tokens that the workspace allows for a day

    @property
    def well(self) -> bool:
        silent = self.worker_silent_since or self.worker_never
        index = self.without_vector or self.embedder_reason or self.index_problem or self.vector_db_problem
        return not (silent or self.parked_count or index or self.vector_db_late or self.llm_fell_back)

    @property
    def llm_fell_back(self) -> int:
        """Events of today that rules judged in the language model's place."""
        today = self.llm_today
        return today.unavailable + today.unreadable + today.over_budget if today else 0

    @property
    def vector_db_late(self) -> bool:
        """Whether the vector database failed to take something over; what merely waits its turn is not late."""
        return self.vector_db_lag is not None and bool(self.vector_db_lag.error)


def days(workspace: Workspace, *, now: datetime) -> list[Day]:
    """The last DAYS days of verdicts by the day they were given, oldest first, in the present time zone."""
    zone: ZoneInfo = timezone.get_current_timezone()
    first = (now.astimezone(zone) - timedelta(days=DAYS - 1)).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = (
        Verdict.objects.filter(workspace=workspace, created_at__gte=first)
        .annotate(day=TruncDate("created_at", tzinfo=zone))
        .values_list("day", "outcome")
        .annotate(n=Count("*"))
    )
    found: Counter = Counter()
    for day, outcome, n in rows:
        found[day, outcome] += n
    dates = [first.date() + timedelta(days=step) for step in range(DAYS)]
    return [
        Day(
            day,
            added=found[day, Verdict.Outcome.ADD],
            known=found[day, Verdict.Outcome.DUPLICATE],
            queued=found[day, Verdict.Outcome.QUEUED],
            rejected=found[day, Verdict.Outcome.REJECTED],
        )
        for day in dates
    ]


def why_rejected(workspace: Workspace, *, now: datetime) -> list[tuple[str, dict, int]]:
    """The commonest reasons for not keeping something, of the same days: (reason code, its params, how often)."""
    rows = (
        Verdict.objects.filter(
            workspace=workspace, outcome=Verdict.Outcome.REJECTED, created_at__gte=now - timedelta(days=DAYS)
        )
        .values_list("reason_code")
        .annotate(n=Count("*"))
        .order_by("-n", "reason_code")
    )
    return [(code, {}, n) for code, n in rows[:WHY]]


def machinery(workspace: Workspace, *, now: datetime) -> Machinery:
    waiting = Episode.objects.filter(workspace=workspace, judging=Episode.Judging.PENDING)
    pending = waiting.aggregate(n=Count("*"), since=Min("recorded_at"))
    parked = Episode.objects.filter(workspace=workspace, judging=Episode.Judging.PARKED).select_related("user")
    beat = WorkerBeat.objects.order_by("-at").first()
    return Machinery(
        pending=pending["n"],
        pending_since=pending["since"],
        parked=list(parked.order_by("-recorded_at")[:5]),
        parked_count=parked.count(),
        worker_silent_since=beat.at if beat and beat.at < now - WORKER_SILENT else None,
        worker_never=beat is None,
        without_vector=IndexEntry.objects.filter(workspace=workspace, vector=None).count(),
        embedder_reason=serving.problem(),
        index_problem=state.stored_vectors(),
        vector_db_problem=state.vector_db(),
        vector_db_lag=sync.lag(workspace) if follower.is_set_up() else None,
        llm_today=usage.of_day(workspace, usage.today()) if llm.is_set_up() else None,
        llm_budget=policy_of(workspace).llm_tokens_per_day,
    )
