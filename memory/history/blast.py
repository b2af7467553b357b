"""Who was told a memory: the recalls, sessions and agents given it, at which version, and what it says now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, QuerySet, Subquery

from memory.models import Memory, MemoryVersion, Recall, RecallHit

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
