"""Recall at a past moment: the same ranking over the versions that were current then.

The index is made for one question and thrown away. Track records and the workspace's settings are those of today.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory.embedding import Embedder
from memory.history import asof
from memory.index import serving, text
from memory.models import Conflict, EndUser, IndexEntry, Memory, Session
from memory.policy import policy_of
from memory.recall import ranking, rivals
from memory.recall.query import plan_query
from memory.recall.ranking import IndexRow, UserIndex
from memory.recall.search import NO_EMBEDDER, Answer, Hit, parted, recall_row, store

# Wordings that one question may have embedded anew; older ones beyond it are found by words alone.
EMBEDDED_AT_ONCE = 500
WORDS_ONLY = "past_words_only"  # some wordings of then were too many to embed


class InFuture(ValueError):
    """The moment asked about has not come yet."""


def search_at(
    *,
    user: EndUser,
    at: datetime,
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
    """What search() would have found at `at`, each memory in its state of then; "yesterday" in the query counts from
    `at`. With `log` it is stored as any recall, and warms nothing. Raises InFuture, and ValueError on a blank query.
    """
    if not query.strip():
        raise ValueError("The query is empty.")
    if at > now:
        raise InFuture("This time is in the future.")
    started = time.perf_counter()
    settings = policy_of(user.workspace).ranking_settings()
    if threshold is not None:
        settings = replace(settings, min_relevance=max(threshold, settings.min_relevance))
    memories = {version.memory_id: asof.as_it_was(version) for version in asof.versions_at(user, at)}
    embedder = serving.get_embedder()
    index, degraded = _index(user, list(memories.values()), embedder)
    plan = plan_query(query, now=at, common_terms=index.common_terms)
    vector = serving.query_vector(embedder, plan.text)
    if vector is None:
        degraded = [NO_EMBEDDER]
    found = rivals.among_these(user, memories.values(), now=at)
    outvoted = {each.id for dispute in found for each in dispute.withheld}
    ranked = ranking.rank(
        index, terms=plan.terms, vector=vector, now=at.timestamp(),
        settings=settings, top_k=top_k + len(outvoted), session_id=session.pk if session else None,
        periods=plan.periods, categories=categories or None,
        exact={id for id, memory in memories.items() if plan.phrase and plan.phrase in text.plain(memory.text)},
    )  # fmt: skip
    hits = _hits(user, ranked, memories, frozenset().union(*(each.contested for each in found)), at)
    _, withheld = parted(hits[:top_k], found)
    told = [hit for hit in hits if hit.memory.pk not in outvoted][:top_k]
    took_ms = (time.perf_counter() - started) * 1000
    recall_id = None
    if log:
        params = {"top_k": top_k, "threshold": threshold, "categories": sorted(categories)}
        params["reference_time"] = at.isoformat()
        row = recall_row(user, query, asked_by, now, session, agent_id, params, degraded, len(index), took_ms)
        row.folded = True  # a look at the past says nothing of what is needed today
        recall_id = store(row, told, withheld)
    return Answer(recall_id, told, withheld, degraded, round(took_ms, 2))


def _index(user: EndUser, memories: Sequence[Memory], embedder: Embedder | None) -> tuple[UserIndex, list[str]]:
    """The states, oldest event first, as an index, and what it had to do without."""
    vectors, degraded = _vectors(user, memories, embedder)
    rows = [
        IndexRow(
            id=memory.pk, terms=text.terms(memory.text), vector=vectors.get(memory.pk), category=memory.category,
            event_time=memory.event_time.timestamp(), credibility=memory.credibility, session_id=memory.session_id,
            slot=(memory.subject, memory.attribute),
        )
        for memory in memories
    ]  # fmt: skip
    return UserIndex.build(rows), degraded


def _vectors(
    user: EndUser, memories: Sequence[Memory], embedder: Embedder | None
) -> tuple[dict[UUID, object], list[str]]:
    """A vector of each wording: the stored one where the wording is still the memory's, else made, newest first."""
    if embedder is None:
        return {}, []
    stored = IndexEntry.objects.filter(
        workspace_id=user.workspace_id, user_id=user.pk, model_id=embedder.model_id, vector__isnull=False
    ).values_list("memory_id", "vector", "memory__text")
    today = {id: (bytes(vector), wording) for id, vector, wording in stored}
    vectors = {
        memory.pk: today[memory.pk][0]
        for memory in memories
        if memory.pk in today and today[memory.pk][1] == memory.text
    }
    missing = sorted((memory for memory in memories if memory.pk not in vectors), key=lambda each: each.event_time)
    newest = missing[::-1][:EMBEDDED_AT_ONCE]
    fresh = serving.text_vectors(embedder, [memory.text for memory in newest]) if newest else []
    made = {memory.pk: vector for memory, vector in zip(newest, fresh, strict=True) if vector is not None}
    return vectors | made, [WORDS_ONLY] if len(missing) > len(made) else []


def _hits(user: EndUser, ranked, memories: dict[UUID, Memory], contested: Collection[UUID], at: datetime) -> list[Hit]:
    open_then = Conflict.objects.filter(
        Q(decided_at=None) | Q(decided_at__gt=at), workspace_id=user.workspace_id, user_id=user.pk, opened_at__lte=at
    )
    conflicts: dict[UUID, list[UUID]] = {}
    pairs = open_then.values_list("memory_id", "id").union(open_then.values_list("rivals", "id"))
    for memory_id, conflict_id in pairs:
        conflicts.setdefault(memory_id, []).append(conflict_id)
    return [
        Hit(
            memory=memories[entry.id], score=round(entry.score.total, 4), scores=asdict(entry.score),
            conflicts=conflicts.get(entry.id, []), contested=entry.id in conflicts or entry.id in contested,
        )
        for entry in ranked
    ]  # fmt: skip
