"""A part of a graph: what lies around one entity, or the best connected of it. Pure."""

import unicodedata
from collections.abc import Container, Iterable
from dataclasses import replace
from uuid import UUID

from memory.graph.read import Graph, Node

HOPS = 2  # at most
EVERY = 100_000  # nodes to ask for where any may be meant: more than a user has


def found(graph: Graph, wanted: str) -> Node | None:
    """The node of this id, name or alias; upper and lower case, full and half width are one. A name goes before an
    alias, the better connected before others of the same name."""
    try:
        id = UUID(wanted)
        return next((node for node in graph.nodes if node.id == id), None)
    except ValueError:
        pass
    key = _folded(wanted)
    named = [node for node in graph.nodes if _folded(node.name) == key]
    also = [node for node in graph.nodes if key in map(_folded, node.aliases)]
    return next(iter(named + also), None)


def around(graph: Graph, id: UUID, *, hops: int) -> Graph:
    """The entity and what is up to `hops` relations away. The way never leads on through the user, to whom nearly
    everything is related, except when they are asked about."""
    self_ids = {node.id for node in graph.nodes if node.is_self}
    reached = edge = {id}
    for _hop in range(hops):
        edge = _next(graph, edge if id in self_ids else edge - self_ids) - reached
        reached = reached | edge
    return kept(graph, reached)


def kept(graph: Graph, ids: Container[UUID]) -> Graph:
    """The graph with these nodes only, and the relations between them; its total stays."""
    nodes = [node for node in graph.nodes if node.id in ids]
    left = {node.id for node in nodes}
    return replace(graph, nodes=nodes, edges=[e for e in graph.edges if e.source in left and e.target in left])


def first(graph: Graph, limit: int, *, always: Iterable[UUID] = ()) -> Graph:
    """At most `limit` nodes: the user, `always`, then the others in the graph's order."""
    if len(graph.nodes) <= limit:
        return graph
    wanted = set(always)
    order = sorted(graph.nodes, key=lambda node: not (node.is_self or node.id in wanted))
    return kept(graph, {node.id for node in order[:limit]})


def _next(graph: Graph, ids: set[UUID]) -> set[UUID]:
    ends = [(edge.source, edge.target) for edge in graph.edges]
    return {other for one, other in ends if one in ids} | {one for one, other in ends if other in ids}


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
