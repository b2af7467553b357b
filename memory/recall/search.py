"""Recall: one user's memories that answer a query, with explained scores, and a row that says what was told."""

import hashlib
import time
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import transaction
from django_q.tasks import async_task

from memory.counter import counter
from memory.index import embedded, lookup, serving
from memory.intake.types import Reason
from memory.models import Conflict, EndUser, Memory, Recall, RecallHit, Session
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.recall import ranking, rivals
from memory.recall.consensus import Dispute
from memory.recall.query import plan_query

# Seconds until searches look again whether a person must be asked about one thing.
ASK_AGAIN = 60
NO_EMBEDDER = "no_embedder"  # answered by words alone


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory told. `conflicts` are the ids of open conflicts that contest it; `scores` the score's parts.

    `contested`: a conflict is open, or other memories of the same thing differ and none outvotes the rest.
    """

    memory: Memory
    score: float
    scores: dict[str, float]
    conflicts: list[UUID]
    contested: bool


@dataclass(frozen=True, slots=True)
class Withheld:
    """One memory that would have been told, were it not outvoted by the memories `outvoted_by`."""

    memory: Memory
    score: float
    scores: dict[str, float]
    reason: Reason
    outvoted_by: list[UUID]


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

    What other memories of the same thing outvote is withheld, and the next best stands in for it.
    `threshold` raises the workspace's minimum relevance, 0 to 1. A hit of `session` earns the session bonus.
    With `log`, what was told is stored and later warms the memories. Raises ValueError on a blank query.
    """
    if not query.strip():
        raise ValueError("The query is empty.")
    started = time.perf_counter()
    embedder = serving.get_embedder()
    settings = policy_of(user.workspace).ranking_settings()
    if threshold is not None:
        settings = replace(settings, min_relevance=max(threshold, settings.min_relevance))
    index, degraded = lookup.for_question(user, query, embedder=embedder, now=now, categories=categories)
    plan = plan_query(query, now=now, common_terms=index.common_terms)
    vector = serving.query_vector(embedder, plan.text)
    best = partial(
        ranking.rank,
        index,
        terms=plan.terms,
        vector=vector,
        now=now.timestamp(),
        settings=settings,
        session_id=session.pk if session else None,
        periods=plan.periods,
        categories=categories or None,
        exact=embedded.holding(user, plan.phrase),
    )
    hits, withheld, found = _agreed(user, best, top_k, now, index.shared_slots)
    if vector is None:
        degraded.append(NO_EMBEDDER)
    took_ms = (time.perf_counter() - started) * 1000
    recall_id = None
    if log:
        params = {"top_k": top_k, "threshold": threshold, "categories": sorted(categories)}
        row = recall_row(user, query, asked_by, now, session, agent_id, params, degraded, len(index), took_ms)
        recall_id = store(row, hits, withheld)
        _ask_a_person(user, found)
    return Answer(recall_id, hits, withheld, degraded, round(took_ms, 2))


def _agreed(
    user: EndUser,
    best: Callable[..., list[ranking.Hit]],
    top_k: int,
    now: datetime,
    shared: Collection[rivals.Slot] | None,
) -> tuple[list[Hit], list[Withheld], list[Dispute]]:
    """What is told, what is withheld, and the disputes found.

    The next best stand in for what is withheld, so that a flood of the outvoted leaves an answer standing.
    """
    hits = _hits(user, best(top_k=top_k))
    found = rivals.among(user, _memories(hits), now=now, shared=shared)
    told, withheld = parted(hits, found)
    if withheld:
        found = rivals.among(user, _memories(hits), now=now, shared=shared, most=rivals.FOR_A_PERSON)
        outvoted = {each.id for dispute in found for each in dispute.withheld}
        ranked = [entry for entry in best(top_k=top_k + len(outvoted)) if entry.id not in outvoted]
        hits = _hits(user, ranked[:top_k])
        known = {dispute.slot for dispute in found}
        found += [
            each for each in rivals.among(user, _memories(hits), now=now, shared=shared) if each.slot not in known
        ]
        told, more = parted(hits, found)
        withheld += more
    return _marked(told, found), withheld, found


def _memories(hits: list[Hit]) -> list[Memory]:
    return [hit.memory for hit in hits]


def parted(hits: list[Hit], found: list[Dispute]) -> tuple[list[Hit], list[Withheld]]:
    """What may be told of `hits`, and what the disputes `found` outvote, each in the order it came."""
    outvoted = {each.id: each for dispute in found for each in dispute.withheld}
    withheld = [
        Withheld(hit.memory, hit.score, hit.scores, out.reason, list(out.outvoted_by))
        for hit in hits
        if (out := outvoted.get(hit.memory.pk))
    ]
    return [hit for hit in hits if hit.memory.pk not in outvoted], withheld


def _marked(hits: list[Hit], found: list[Dispute]) -> list[Hit]:
    contested = frozenset().union(*(dispute.contested for dispute in found))
    if not contested:
        return hits
    asked = rivals.open_conflicts(list(contested))
    return [
        replace(hit, contested=True, conflicts=list(dict.fromkeys([*hit.conflicts, *asked.get(hit.memory.pk, [])])))
        if hit.memory.pk in contested
        else hit
        for hit in hits
    ]


def _ask_a_person(user: EndUser, found: list[Dispute]) -> None:
    """Leaves the opening of conflicts to a job: the agent waits for its answer."""
    for dispute in found:
        slot = hashlib.sha256(repr(dispute.slot).encode()).hexdigest()[:16]
        if not dispute.is_open or counter.step(f"dispute:{user.pk}:{slot}", seconds=ASK_AGAIN) > 1:
            continue
        if not rivals.is_raised(user, dispute):
            async_task("memory.tasks.open_dispute", user.pk, dispute.subject, dispute.attribute, group="recall")


def _hits(user: EndUser, ranked: list[ranking.Hit]) -> list[Hit]:
    """Reads the ranked memories again: the database, not the index, says what may be told."""
    wanted = [entry.id for entry in ranked]
    memories = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    found = memories.select_related("session").prefetch_related("stale_marks").in_bulk(wanted)
    contested: dict[UUID, list[UUID]] = {}
    open_conflicts = Conflict.objects.filter(memory_id__in=wanted, status=Conflict.Status.OPEN)
    for memory_id, conflict_id in open_conflicts.values_list("memory_id", "id"):
        contested.setdefault(memory_id, []).append(conflict_id)
    return [
        Hit(
            memory=found[entry.id],
            score=round(entry.score.total, 4),
            scores=asdict(entry.score),
            conflicts=contested.get(entry.id, []),
            contested=entry.id in contested,
        )
        for entry in ranked
        if entry.id in found
    ]


def recall_row(user, query, asked_by, now, session, agent_id, params, degraded, candidates, took_ms) -> Recall:
    """The row of one search, not stored yet."""
    return Recall(
        workspace_id=user.workspace_id, user=user, session=session, agent_id=agent_id, asked_by=asked_by[:200],
        query=query, params=params, degraded=degraded, candidates=candidates, took_ms=took_ms, created_at=now,
    )  # fmt: skip


@transaction.atomic
def store(recall: Recall, hits: list[Hit], withheld: list[Withheld]) -> UUID:
    """Stores what was told and, after it, what was withheld and why."""
    recall.save(force_insert=True)
    rows = [
        RecallHit(
            recall=recall, memory=each.memory, version=each.memory.version, rank=place, score=each.score,
            scores=each.scores,
        )
        for place, each in enumerate([*hits, *withheld], start=1)
    ]  # fmt: skip
    for row, each in zip(rows[len(hits) :], withheld, strict=True):
        row.withheld, row.reason_code, row.reason_params = True, each.reason.code, each.reason.params
    RecallHit.objects.bulk_create(rows)
    return recall.pk
