"""One user's graph as pages and the API show it."""

from dataclasses import dataclass
from uuid import UUID

from memory.models import EndUser

MOST = 200  # nodes of one picture


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
    """The user's graph, brought up to date first. Reads nothing of anybody else."""
    return Graph(nodes=[], edges=[], total_nodes=0, doubts=[], fresh=False)
