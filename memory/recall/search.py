"""Recall: one user's memories that answer a query, with explained scores, and a row that says what was told."""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from datetime import datetime
from uuid import UUID

from django_q.tasks import async_task

from memory.counter import counter
from memory.index import lookup, serving
from memory.models import Conflict, EndUser, Memory
from memory.models.memory import MemoryStatus
from memory.recall import log as recall_log
from memory.recall import ranking, rivals
from memory.recall.answer import Answer, Clock, Found, Hit, Withheld
from memory.recall.consensus import Dispute
from memory.recall.query import plan_query
from memory.recall.question import Question

# Seconds until searches look again whether a person must be asked about one thing.
ASK_AGAIN = 60
NO_EMBEDDER = "no_embedder"  # answered by words alone


def search(*, log: bool = True, **asked) -> Answer:
    """The best memories of one user for the Question(**asked), best first; an unrelated one gets none.

    What other memories of the same thing outvote is withheld, and the next best stands in for it. With `log`, what was
    told is stored and later warms the memories. Raises ValueError on a blank query.
    """
    question = Question(**asked)
    found = find(question)
    recall_id = None
    if log:
        recall_id = recall_log.keep(question, found)
        if recall_log.NOT_LOGGED not in found.degraded:
            _ask_a_person(question.user, found.disputes)
    return Answer(recall_id, found)


def find(question: Question) -> Found:
    """What `search` finds, with its stages; writes nothing."""
    user, now = question.user, question.now
    clock = Clock()
    embedder = serving.get_embedder()
    index, degraded = lookup.for_question(
        user, question.query, embedder=embedder, now=now, categories=question.categories
    )
    clock.lap("candidates")
    plan = plan_query(question.query, now=now, common_terms=index.common_terms)
    clock.lap("question")
    vector = serving.query_vector(embedder, plan.text)
    clock.lap("embed")
    settings = question.ranking()
    weighed = ranking.weigh(
        index, terms=plan.terms, vector=vector, now=now.timestamp(), settings=settings,
        session_id=question.session_id, periods=plan.periods, categories=question.categories or None,
    )  # fmt: skip
    clock.lap("weigh")
    hits, withheld, disputes = _agreed(user, weighed.best, question.top_k, now, index.shared_slots)
    clock.lap("consensus")
    if vector is None:
        degraded.append(NO_EMBEDDER)
    return Found(plan, settings, weighed, hits, withheld, disputes, degraded, clock.times)


def _agreed(
    user: EndUser,
    best: Callable[[int], list[ranking.Hit]],
    top_k: int,
    now: datetime,
    shared: Collection[rivals.Slot] | None,
) -> tuple[list[Hit], list[Withheld], list[Dispute]]:
    """What is told, what is withheld, and the disputes found.

    The next best stand in for what is withheld, so that a flood of the outvoted leaves an answer standing.
    """
    hits = _hits(user, best(top_k))
    found = rivals.among(user, _memories(hits), now=now, shared=shared)
    told, withheld = parted(hits, found)
    if withheld:
        found = rivals.among(user, _memories(hits), now=now, shared=shared, most=rivals.FOR_A_PERSON)
        outvoted = {each.id for dispute in found for each in dispute.withheld}
        ranked = [entry for entry in best(top_k + len(outvoted)) if entry.id not in outvoted]
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
