"""One user's graph as pages and the API show it."""

from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django_q.tasks import async_task

from memory.counter import counter
from memory.graph import sync
from memory.graph.reading import SELF_KEY
from memory.models import EndUser, Entity, EntityMention, IdentityDoubt, Memory, Relation
from memory.models.memory import MemoryStatus

MOST = 200  # nodes of one picture
# Seconds until somebody's look asks for another job to bring the graph up to date.
ASK_AGAIN = 30


@dataclass(frozen=True, slots=True)
class Node:
    """`kind`: person, place, organisation, tool or project. `memories`: how many active memories speak of it.
    `is_self`: it is the user."""

    id: UUID
    name: str
    kind: str
    aliases: list[str]
    memories: int
    is_self: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """All that is known of one predicate between two nodes, with the memories that say it, oldest first."""

    source: UUID
    target: UUID
    predicate: str
    memory_ids: list[UUID]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two nodes that go by one name and may be one; `conflict` is where a person decides it, None until it is asked."""

    first: str
    second: str
    kind: str
    conflict: UUID | None


@dataclass(frozen=True, slots=True)
class Graph:
    """`nodes` are the most connected ones where there are more than was asked for; `total_nodes` counts all. Edges
    lie between nodes that are here. `fresh`: nothing has changed since it was built."""

    nodes: list[Node]
    edges: list[Edge]
    total_nodes: int
    doubts: list[Doubt]
    fresh: bool


def graph_of(user: EndUser, *, limit: int = MOST) -> Graph:
    """The user's graph, brought up to date first where that is quick. Reads nothing of anybody else.

    Where it is behind, what no active memory says any more is left out all the same, aliases too, for they may come
    from one that is gone; and a job is asked for the rest.
    """
    fresh = sync.sync_if_small(user)
    if not fresh:
        ask_for_sync(user, seconds=ASK_AGAIN)
    gone = set() if fresh else _gone(user)
    relations = [row for row in _relations(user) if row[3] not in gone]
    degree = Counter()
    for source, target in {(source, target) for source, target, _, _ in relations}:
        degree.update((source, target))
    entities = list(Entity.objects.filter(workspace_id=user.workspace_id, user_id=user.pk))
    mentions = (
        Counter({row.pk: row.memories for row in entities})
        if fresh
        else Counter(entity for entity, memory in _mentions(user) if memory not in gone)
    )
    alive = {pk for pk, memories in mentions.items() if memories}
    rows = [row for row in entities if row.pk in alive or row.key == SELF_KEY and alive]
    rows.sort(key=lambda row: (row.key != SELF_KEY, -degree[row.pk], -mentions.get(row.pk, 0), row.key, row.kind))
    shown = {row.pk for row in rows[:limit]}
    return Graph(
        nodes=[
            Node(
                row.pk,
                row.name,
                row.kind,
                list(row.aliases) if fresh else [],
                mentions.get(row.pk, 0),
                row.key == SELF_KEY,
            )
            for row in rows[:limit]
        ],
        edges=_edges(relations, shown),
        total_nodes=len(rows),
        doubts=_doubts(user),
        fresh=fresh,
    )


def ask_for_sync(user: EndUser, *, seconds: int) -> None:
    """Leaves the building to a job, at most once in `seconds` for one user."""
    if counter.step(f"graph:{user.pk}", seconds=seconds) == 1:
        async_task("memory.tasks.sync_graph", user.pk, group="graph")


def _gone(user: EndUser) -> set[UUID]:
    """The memories in the tables that are no longer active."""
    active = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    return {memory for _, memory in _mentions(user)} - set(active.values_list("pk", flat=True))


def _mentions(user: EndUser) -> QuerySet:
    return EntityMention.objects.filter(user_id=user.pk).values_list("entity_id", "memory_id")


def _relations(user: EndUser) -> QuerySet:
    rows = Relation.objects.filter(user_id=user.pk).order_by("pk")
    return rows.values_list("source_id", "target_id", "predicate", "memory_id")


def _edges(relations: list[tuple], shown: set[UUID]) -> list[Edge]:
    found: dict[tuple[UUID, UUID, str], list[UUID]] = {}
    for source, target, predicate, memory in relations:
        if source in shown and target in shown:
            found.setdefault((source, target, predicate), []).append(memory)
    return [Edge(*key, memories) for key, memories in found.items()]


def _doubts(user: EndUser) -> list[Doubt]:
    rows = IdentityDoubt.objects.filter(
        workspace_id=user.workspace_id, user_id=user.pk, status=IdentityDoubt.Status.OPEN
    )
    return [Doubt(row.first_name, row.second_name, row.kind, row.conflict_id) for row in rows.order_by("pk")]
