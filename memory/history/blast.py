"""Who was told a memory: the recalls, sessions and agents given it, at which version, and what it says now."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum

from memory.actions.configure import RECALL_LOG_ACTION
from memory.models import AuditEvent, Memory, MemoryVersion, Recall, RecallHit, UnloggedDay, Workspace
from memory.policy import policy_of

CHUNK = 500
COLUMNS = [
    "recall_id", "at", "asked_by", "agent_id", "run_id", "query", "rank", "score", "version", "told", "now",
    "status_now",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a memory went. `callers` are distinct pairs of a key or person and the agent it asked for."""

    recalls: int
    sessions: int
    callers: int


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the log of recalls does not know, so that who was told is at least those named.

    `share` of the searches is logged now, all but `partial_until`, a moment within the kept `days`; `unlogged` of the
    kept days could not be.
    """

    share: float
    partial_until: datetime | None
    unlogged: int
    days: int

    @property
    def percent(self) -> float:
        return round(100 * self.share, 2)

    @property
    def any(self) -> bool:
        return self.share < 1 or self.partial_until is not None or self.unlogged > 0


def gaps(workspace: Workspace, *, now: datetime) -> Gaps:
    """Two queries."""
    policy = policy_of(workspace)
    since = now - timedelta(days=policy.recall_days)
    earlier = AuditEvent.objects.filter(
        object_type="workspace", object_id=str(workspace.pk), workspace=workspace, action=RECALL_LOG_ACTION,
        at__gte=since,
    )  # fmt: skip
    sampled = [at for at, before in earlier.values_list("at", "before") if before.get("recall_log_share", 1) < 1]
    days = UnloggedDay.objects.filter(workspace=workspace, day__gte=since.date())
    return Gaps(
        policy.recall_log_share, max(sampled, default=None), days.aggregate(n=Sum("count"))["n"] or 0,
        policy.recall_days,
    )  # fmt: skip


def told(memory: Memory, *, version: int | None = None) -> QuerySet[RecallHit]:
    """The hits that gave it to somebody, latest first, with the wording told as `wording`; only of one version, if
    given. What a recall withheld was told to nobody."""
    hits = RecallHit.objects.filter(
        memory=memory, withheld=False, recall__workspace_id=memory.workspace_id, recall__user_id=memory.user_id
    )
    if version is not None:
        hits = hits.filter(version=version)
    return _worded(hits).select_related("recall__session").order_by("-recall__created_at", "recall_id")


def of_recall(recall: Recall) -> QuerySet[RecallHit]:
    """All hits of one recall, those it withheld last, with their memories and the wording of then as `wording`."""
    hits = RecallHit.objects.filter(recall=recall, memory__user_id=recall.user_id)
    return _worded(hits).select_related("memory").order_by("rank")


def reach(memory: Memory, *, version: int | None = None) -> Reach:
    """Two queries, however many were told."""
    hits = told(memory, version=version).order_by()
    counted = hits.aggregate(recalls=Count("pk"), sessions=Count("recall__session", distinct=True))
    callers = hits.values("recall__asked_by", "recall__agent_id").distinct().count()
    return Reach(counted["recalls"], counted["sessions"], callers)


def lines(memory: Memory) -> Iterator[dict[str, Any]]:
    """One flat record per recall that told it, read in pieces however many there are."""
    for hit in told(memory).iterator(chunk_size=CHUNK):
        recall = hit.recall
        yield {
            "recall_id": str(recall.pk),
            "at": recall.created_at.isoformat(),
            "asked_by": recall.asked_by,
            "agent_id": recall.agent_id,
            "run_id": recall.session.run_id if recall.session else "",
            "query": recall.query,
            "rank": hit.rank,
            "score": hit.score,
            "version": hit.version,
            "told": hit.wording or "",
            "now": memory.text,
            "status_now": memory.status,
        }


def _worded(hits: QuerySet[RecallHit]) -> QuerySet[RecallHit]:
    then = MemoryVersion.objects.filter(memory=OuterRef("memory"), number=OuterRef("version")).values("text")[:1]
    return hits.annotate(wording=Subquery(then))
