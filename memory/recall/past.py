"""Recall at a past moment: the same ranking over the versions that were current then.

The index is made for one question and thrown away. Track records and the workspace's settings are those of today.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory.embedding import Embedder
from memory.history import asof
from memory.index import serving, text
from memory.models import Conflict, EndUser, IndexEntry, Memory
from memory.recall import log as recall_log
from memory.recall import ranking, rivals
from memory.recall.answer import Answer, Clock, Found, Hit
from memory.recall.query import plan_query
from memory.recall.question import Question
from memory.recall.ranking import IndexRow, UserIndex
from memory.recall.search import NO_EMBEDDER, parted

# Wordings that one question may have embedded anew; older ones beyond it are found by words alone.
EMBEDDED_AT_ONCE = 500
WORDS_ONLY = "past_words_only"  # some wordings of then were too many to embed


def search_at(*, log: bool = True, **asked) -> Answer:
    """What search() would have found at the Question's `at`, each memory in its state of then. With `log` it is stored
    as any recall, and warms nothing. Raises InFuture, and ValueError on a blank query.
    """
    question = Question(**asked)
    found = find_at(question)
    # a look at the past says nothing of what is needed today
    recall_id = recall_log.keep(question, found, folded=True) if log else None
    return Answer(recall_id, found)


def find_at(question: Question) -> Found:
    """What `search_at` finds, with its stages; writes nothing. Ranked by the workspace's settings of today."""
    user, at = question.user, question.moment
    clock = Clock()
    memories = {version.memory_id: asof.as_it_was(version) for version in asof.versions_at(user, at)}
    clock.lap("versions")
    embedder = serving.get_embedder()
    index, degraded = _index(user, list(memories.values()), embedder)
    clock.lap("candidates")
    plan = plan_query(question.query, now=at, common_terms=index.common_terms)
    clock.lap("question")
    vector = serving.query_vector(embedder, plan.text)
    if vector is None:
        degraded = [NO_EMBEDDER]
    clock.lap("embed")
    settings = question.ranking()
    weighed = ranking.weigh(
        index, terms=plan.terms, vector=vector, now=at.timestamp(), settings=settings,
        session_id=question.session_id, periods=plan.periods, categories=question.categories or None,
    )  # fmt: skip
    clock.lap("weigh")
    disputes = rivals.among_these(user, memories.values(), now=at)
    outvoted = {each.id for dispute in disputes for each in dispute.withheld}
    contested = frozenset().union(*(each.contested for each in disputes))
    hits = _hits(user, weighed.best(question.top_k + len(outvoted)), memories, contested, at)
    _, withheld = parted(hits[: question.top_k], disputes)
    told = [hit for hit in hits if hit.memory.pk not in outvoted][: question.top_k]
    clock.lap("consensus")
    return Found(plan, settings, weighed, told, withheld, disputes, degraded, clock.times, memories)


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
