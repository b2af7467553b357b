"""A part of a graph: found by name, walked outwards without passing through the user, cut to a size."""

from uuid import UUID

import pytest

from memory.graph import around
from memory.graph.read import Edge, Graph, Node

NAMES = ["u1", "Ana", "Porto", "Northwind", "Git"]
# u1 - Ana - Porto - Northwind, u1 - Git
LINKS = [(0, 1), (1, 2), (3, 2), (0, 4)]


def id_of(name: str) -> UUID:
    return UUID(int=NAMES.index(name) + 1)


@pytest.fixture
def graph():
    also = {"Ana": ["Anna Silva"], "Porto": ["波尔图"]}
    nodes = [Node(id_of(name), name, "person", also.get(name, []), 1, name == "u1") for name in NAMES]
    edges = [Edge(nodes[one].id, nodes[other].id, "related", []) for one, other in LINKS]
    return Graph(nodes, edges, 9, [], True)


def names(graph: Graph) -> set[str]:
    return {node.name for node in graph.nodes}


@pytest.mark.parametrize("wanted", ["Ana", "ANA", " ana ", "anna  silva", "Ａｎａ", str(UUID(int=2))])
def test_a_node_is_found_by_id_name_or_alias(wanted, graph):
    assert around.found(graph, wanted).name == "Ana"


@pytest.mark.parametrize("wanted", ["An", "", "Bob", str(UUID(int=99))])
def test_what_is_not_there_is_not_found(wanted, graph):
    assert around.found(graph, wanted) is None


def test_a_chinese_alias_is_found(graph):
    assert around.found(graph, "波尔图").name == "Porto"


def test_a_name_goes_before_an_alias(graph):
    graph.nodes[1].aliases.append("Git")
    assert around.found(graph, "git").name == "Git"


@pytest.mark.parametrize(
    "start, hops, reached",
    [
        ("Porto", 1, {"Porto", "Ana", "Northwind"}),
        ("Porto", 2, {"Porto", "Ana", "Northwind", "u1"}),
        ("Git", 2, {"Git", "u1"}),
        ("u1", 1, {"u1", "Ana", "Git"}),
        ("u1", 2, {"u1", "Ana", "Git", "Porto"}),
    ],
)
def test_the_way_leads_outwards_and_never_on_through_the_user(start, hops, reached, graph):
    assert names(around.around(graph, id_of(start), hops=hops)) == reached


def test_a_part_keeps_the_relations_between_its_nodes_and_the_total(graph):
    part = around.around(graph, id_of("Porto"), hops=1)
    assert {(edge.source, edge.target) for edge in part.edges} == {
        (id_of("Ana"), id_of("Porto")),
        (id_of("Northwind"), id_of("Porto")),
    }
    assert part.total_nodes == 9


def test_the_first_ones_are_the_user_those_asked_for_and_then_the_graphs_own_order(graph):
    assert names(around.first(graph, 2)) == {"u1", "Ana"}
    assert names(around.first(graph, 3, always=[id_of("Git")])) == {"u1", "Git", "Ana"}
    assert around.first(graph, 5) is graph
