"""Recall at a past moment: the same ranking over the versions that were current then.

The index is made for one question and thrown away. Track records and the workspace's settings are those of today.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch, Q, prefetch_related_objects

from memory.graph import lead
from memory.history import asof
from memory.index import serving, text
from memory.models import Conflict, EndUser, Memory, StaleMark
from memory.recall import log as recall_log
from memory.recall import made_index, neighbours, ranking, rivals
from memory.recall.answer import Answer, Clock, Found, Hit, Neighbour
from memory.recall.query import plan_query
from memory.recall.question import Question
from memory.recall.search import NO_EMBEDDER, parted

NO_GRAPH = "past_without_graph"  # some wordings of then were too many to read anew


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
    memories = {version.memory_id: asof.as_it_was(version) for version in asof.versions_at(user, at, question.statuses)}
    clock.lap("versions")
    embedder = serving.get_embedder()
    index, degraded = made_index.of_states(user, list(memories.values()), embedder)
    clock.lap("candidates")
    plan = plan_query(question.query, now=at, common_terms=index.common_terms)
    clock.lap("question")
    vector = serving.query_vector(embedder, plan.text)
    if vector is None:
        degraded = [NO_EMBEDDER]
    clock.lap("embed")
    settings = question.ranking()
    reached = lead.reach_then(user, list(memories.values()), question.query) if settings.graph_weight else {}
    if reached is None:
        degraded.append(NO_GRAPH)
    weighed = ranking.weigh(
        index, terms=plan.terms, vector=vector, now=at.timestamp(), settings=settings,
        session_id=question.session_id, periods=plan.periods, categories=question.categories or None,
        reached=reached,
        exact={id for id, memory in memories.items() if plan.phrase and plan.phrase in text.plain(memory.text)},
    )  # fmt: skip
    clock.lap("weigh")
    disputes = rivals.voted(memories.values(), lambda voting: rivals.among_these(user, voting, now=at))
    outvoted = {each.id for dispute in disputes for each in dispute.withheld}
    marks = _Marks(_conflicts(user, at), frozenset().union(*(each.contested for each in disputes)))
    hits = [
        Hit(memories[entry.id], round(entry.score.total, 4), asdict(entry.score), *marks.of(entry.id))
        for entry in weighed.best(question.top_k + len(outvoted))
    ]
    _, withheld = parted(hits[: question.top_k], disputes)
    told = [hit for hit in hits if hit.memory.pk not in outvoted][: question.top_k]
    clock.lap("consensus")
    places = neighbours.among([hit.memory for hit in told], memories.values(), question.context_window)
    around = {
        id: [Neighbour(place, memories[other], *marks.of(other)) for place, other in found if other not in outvoted]
        for id, found in places.items()
    }
    _with_marks_of_then([hit.memory for hit in told] + [each.memory for found in around.values() for each in found], at)
    return Found(plan, settings, weighed, told, withheld, disputes, degraded, clock.times, memories, around)


@dataclass(frozen=True, slots=True)
class _Marks:
    """The open conflicts of then by memory, and what differed without being outvoted."""

    conflicts: Mapping[UUID, list[UUID]]
    contested: Collection[UUID]

    def of(self, id: UUID) -> tuple[list[UUID], bool]:
        return self.conflicts.get(id, []), id in self.conflicts or id in self.contested


def _conflicts(user: EndUser, at: datetime) -> dict[UUID, list[UUID]]:
    open_then = Conflict.objects.filter(
        Q(decided_at=None) | Q(decided_at__gt=at), workspace_id=user.workspace_id, user_id=user.pk, opened_at__lte=at,
        identity_doubt=None,
    )  # fmt: skip
    found: dict[UUID, list[UUID]] = {}
    pairs = open_then.values_list("memory_id", "id").union(open_then.values_list("rivals", "id"))
    for memory_id, conflict_id in pairs:
        found.setdefault(memory_id, []).append(conflict_id)
    return found


def _with_marks_of_then(memories: list[Memory], at: datetime) -> None:
    """Reads which of them were stale then, for all at once."""
    prefetch_related_objects(memories, Prefetch("stale_marks", StaleMark.objects.filter(created_at__lte=at)))
