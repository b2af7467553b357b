"""Recall: one user's memories that answer a query, with explained scores, and a row that says what was told."""

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory import embedding
from memory.index import lookup
from memory.intake.types import Reason
from memory.models import Conflict, EndUser, Memory, Recall, RecallHit, Session
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.recall import ranking
from memory.recall.query import plan_query

NO_EMBEDDER = "no_embedder"  # answered by words alone


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory told. `conflicts` are the ids of open conflicts that contest it; `scores` the score's parts."""

    memory: Memory
    score: float
    scores: dict[str, float]
    conflicts: list[UUID]


@dataclass(frozen=True, slots=True)
class Withheld:
    memory_id: UUID
    reason: Reason


@dataclass(frozen=True, slots=True)
class Answer:
    recall_id: UUID | None
    results: list[Hit]
    withheld: list[Withheld]
    degraded: list[str]
    took_ms: float


def search(
    *,
    user: EndUser,
    query: str,
    asked_by: str,
    now: datetime,
    top_k: int = 10,
    threshold: float | None = None,
    session: Session | None = None,
    agent_id: str = "",
    categories: Collection[str] = (),
    log: bool = True,
) -> Answer:
    """The best `top_k` active memories of one user for `query`, best first; an unrelated query gets none.

    `threshold` raises the workspace's minimum relevance, 0 to 1. A hit of `session` earns the session bonus.
    With `log`, what was told is stored and later warms the memories. Raises ValueError on a blank query.
    """
    if not query.strip():
        raise ValueError("The query is empty.")
    started = time.perf_counter()
    embedder = embedding.get_embedder()
    settings = policy_of(user.workspace).ranking_settings()
    if threshold is not None:
        settings = replace(settings, min_relevance=max(threshold, settings.min_relevance))
    index, degraded = lookup.for_question(user, query, now=now, categories=categories)
    plan = plan_query(query, now=now, common_terms=index.common_terms)
    ranked = ranking.rank(
        index,
        terms=plan.terms,
        vector=embedder.embed([plan.text])[0] if embedder else None,
        now=now.timestamp(),
        settings=settings,
        top_k=top_k,
        session_id=session.pk if session else None,
        periods=plan.periods,
        categories=categories or None,
    )
    hits = _hits(user, ranked)
    if not embedder:
        degraded.append(NO_EMBEDDER)
    took_ms = (time.perf_counter() - started) * 1000
    recall_id = None
    if log:
        params = {"top_k": top_k, "threshold": threshold, "categories": sorted(categories)}
        recall_id = _log(user, query, asked_by, now, session, agent_id, params, degraded, len(index), took_ms, hits)
    return Answer(recall_id, hits, [], degraded, round(took_ms, 2))


def _hits(user: EndUser, ranked: list[ranking.Hit]) -> list[Hit]:
    """Reads the ranked memories again: the database, not the index, says what may be told."""
    wanted = [entry.id for entry in ranked]
    memories = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    found = memories.select_related("session").in_bulk(wanted)
    contested: dict[UUID, list[UUID]] = {}
    open_conflicts = Conflict.objects.filter(memory_id__in=wanted, status=Conflict.Status.OPEN)
    for memory_id, conflict_id in open_conflicts.values_list("memory_id", "id"):
        contested.setdefault(memory_id, []).append(conflict_id)
    return [
        Hit(found[entry.id], round(entry.score.total, 4), asdict(entry.score), contested.get(entry.id, []))
        for entry in ranked
        if entry.id in found
    ]


@transaction.atomic
def _log(user, query, asked_by, now, session, agent_id, params, degraded, candidates, took_ms, hits) -> UUID:
    recall = Recall.objects.create(
        workspace_id=user.workspace_id, user=user, session=session, agent_id=agent_id, asked_by=asked_by[:200],
        query=query, params=params, degraded=degraded, candidates=candidates, took_ms=took_ms, created_at=now,
    )  # fmt: skip
    RecallHit.objects.bulk_create(
        RecallHit(
            recall=recall, memory=hit.memory, version=hit.memory.version, rank=place, score=hit.score, scores=hit.scores
        )
        for place, hit in enumerate(hits, start=1)
    )
    return recall.pk
