"""Recall: one user's memories that answer a query, with explained scores, and a row that says what was told."""

import hashlib
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from functools import partial
from uuid import UUID

from django_q.tasks import async_task

from memory.counter import counter
from memory.graph import lead
from memory.index import embedded, lookup, serving
from memory.models import Conflict, EndUser, Memory
from memory.models.memory import MemoryStatus
from memory.recall import log as recall_log
from memory.recall import made_index, neighbours, ranking, rivals
from memory.recall.answer import Answer, Clock, Found, Hit, Neighbour, Withheld
from memory.recall.consensus import Dispute
from memory.recall.query import plan_query
from memory.recall.question import Question
from memory.recall.ranking import UserIndex

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
        recall_id = recall_log.keep(question, found, beside=partial(lead.ask_if_behind, question.user))
        if recall_log.NOT_LOGGED not in found.degraded:
            _ask_a_person(question.user, found.disputes)
    return Answer(recall_id, found)


def find(question: Question) -> Found:
    """What `search` finds, with its stages; writes nothing."""
    user, now = question.user, question.now
    clock = Clock()
    embedder = serving.get_embedder()
    settings = question.ranking()
    reached = lead.reach(user, question.query) if settings.graph_weight else {}
    if question.include_archived:
        index, degraded = made_index.with_archived(user, embedder)
    else:
        index, degraded = lookup.for_question(
            user, question.query, embedder=embedder, now=now, categories=question.categories, also=reached
        )
    clock.lap("candidates")
    plan = plan_query(question.query, now=now, common_terms=index.common_terms)
    clock.lap("question")
    vector = serving.query_vector(embedder, plan.text)
    clock.lap("embed")
    weighed = ranking.weigh(
        index, terms=plan.terms, vector=vector, now=now.timestamp(), settings=settings,
        session_id=question.session_id, periods=plan.periods, categories=question.categories or None,
        reached=reached, exact=embedded.holding(user, plan.phrase),
    )  # fmt: skip
    clock.lap("weigh")
    hits, withheld, disputes = _agreed(question, weighed.best, index.shared_slots)
    clock.lap("consensus")
    around = {}
    if question.context_window:
        around = _neighbours(question, hits, withheld, index)
        clock.lap("neighbours")
    if vector is None:
        degraded.append(NO_EMBEDDER)
    return Found(plan, settings, weighed, hits, withheld, disputes, degraded, clock.times, neighbours=around)


def _agreed(
    question: Question, best: Callable[[int], list[ranking.Hit]], shared: Collection[rivals.Slot] | None
) -> tuple[list[Hit], list[Withheld], list[Dispute]]:
    """What is told, what is withheld, and the disputes found.

    The next best stand in for what is withheld, so that a flood of the outvoted leaves an answer standing.
    """
    top_k = question.top_k

    def disputes(hits: list[Hit], most: int = rivals.AT_RECALL) -> list[Dispute]:
        vote = partial(rivals.among, question.user, now=question.now, shared=shared, most=most)
        return rivals.voted([hit.memory for hit in hits], vote)

    hits = _hits(question, best(top_k))
    found = disputes(hits)
    told, withheld = parted(hits, found)
    if withheld:
        found = disputes(hits, rivals.FOR_A_PERSON)
        outvoted = {each.id for dispute in found for each in dispute.withheld}
        ranked = [entry for entry in best(top_k + len(outvoted)) if entry.id not in outvoted]
        hits = _hits(question, ranked[:top_k])
        known = {dispute.slot for dispute in found}
        found += [each for each in disputes(hits) if each.slot not in known]
        told, more = parted(hits, found)
        withheld += more
    return _marked(told, found), withheld, found


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


def _hits(question: Question, ranked: list[ranking.Hit]) -> list[Hit]:
    found = _read(question.user, [entry.id for entry in ranked], question.statuses)
    return [
        Hit(memory, round(entry.score.total, 4), asdict(entry.score), conflicts, bool(conflicts))
        for entry in ranked
        if entry.id in found
        for memory, conflicts in [found[entry.id]]
    ]


def _read(user: EndUser, ids: Collection[UUID], statuses: Collection[str]) -> dict[UUID, tuple[Memory, list[UUID]]]:
    """Reads memories again, with the open conflicts that contest each: the database, not the index, says what may be
    told."""
    memories = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status__in=statuses)
    found = memories.select_related("session").prefetch_related("stale_marks").in_bulk(ids)
    contested: dict[UUID, list[UUID]] = {}
    # a doubt about who is who contests no memory
    open_conflicts = Conflict.objects.filter(memory_id__in=ids, status=Conflict.Status.OPEN, identity_doubt=None)
    for memory_id, conflict_id in open_conflicts.values_list("memory_id", "id"):
        contested.setdefault(memory_id, []).append(conflict_id)
    return {id: (memory, contested.get(id, [])) for id, memory in found.items()}


def _neighbours(
    question: Question, hits: list[Hit], withheld: list[Withheld], index: UserIndex
) -> dict[UUID, list[Neighbour]]:
    """What was said around the hits, without what is outvoted: that would be told by the back door."""
    memories, shared = [hit.memory for hit in hits], index.shared_slots
    # an index of candidates does not know what is around them, and one with the archive knows too much
    if shared is None or question.include_archived:
        places = neighbours.in_database(question.user, memories, question.context_window)
    else:
        places = neighbours.in_index(index, [memory.pk for memory in memories], question.context_window)
    ids = {id for found in places.values() for _, id in found}
    if not ids:
        return {}
    read = _read(question.user, ids, (MemoryStatus.ACTIVE,))
    found = rivals.among(question.user, [memory for memory, _ in read.values()], now=question.now, shared=shared)
    outvoted = {each.id for dispute in found for each in dispute.withheld} | {each.memory.pk for each in withheld}
    contested = frozenset().union(*(dispute.contested for dispute in found))
    asked = rivals.open_conflicts(list(contested)) if contested else {}

    def shown(place: int, id: UUID) -> Neighbour:
        memory, conflicts = read[id]
        conflicts = list(dict.fromkeys([*conflicts, *asked.get(id, [])]))
        return Neighbour(place, memory, conflicts, bool(conflicts) or id in contested)

    return {
        id: [shown(place, other) for place, other in around if other in read and other not in outvoted]
        for id, around in places.items()
    }
