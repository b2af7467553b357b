"""The shapes of a picture: labels fit into their boxes, words lie on nothing, curves end at borders."""

from uuid import UUID

import pytest

from memory.graph.read import Edge, Graph, Node
from review.graph_picture import LABEL_LENGTH, WORD_SIZE, draw, shortened, text_width


def id_of(number: int) -> UUID:
    return UUID(int=number + 1)


def graph(*names: str, edges: list[tuple[int, int, str]] = ()) -> Graph:
    """The first name is the user."""
    nodes = [Node(id_of(n), name, "person" if n == 0 else "tool", [], 1, n == 0) for n, name in enumerate(names)]
    made = [Edge(id_of(one), id_of(other), predicate, []) for one, other, predicate in edges]
    return Graph(nodes, made, len(nodes), [], True)


def drawn(given: Graph, **options):
    return draw(given, words=lambda predicate: predicate.replace("_", " "), **options)


STAR = graph("u1", *(f"tool number {n}" for n in range(9)), edges=[(0, n, "uses_tool") for n in range(1, 10)])


@pytest.mark.parametrize("name", ["Git", "数据迁移平台", "x" * 200, "  many\n spaces  ", "é" * 30, "👩‍👩‍👧‍👧 family"])
def test_a_label_fits_into_its_box(name):
    shape = drawn(graph("u1", name, edges=[(0, 1, "owns")])).shapes[1]
    assert text_width(shape.label, 12.5) <= shape.left + shape.width - shape.text_x + 1
    assert shape.node.name == name


def test_a_long_name_is_cut_by_columns_and_says_so():
    assert shortened("Git") == "Git"
    assert shortened("a" * 40) == "a" * (LABEL_LENGTH - 1) + "…"
    assert shortened("迁" * 40) == "迁" * (LABEL_LENGTH // 2 - 1) + "…"


def test_words_of_relations_lie_on_no_box_and_not_on_each_other():
    picture = drawn(STAR)
    boxes = [(s.left, s.top, s.left + s.width, s.top + s.height) for s in picture.shapes]
    said = [curve for curve in picture.curves if curve.words]
    assert len(said) >= 8
    for curve in said:
        half = text_width(curve.words, WORD_SIZE) / 2
        box = (curve.x - half, curve.y - WORD_SIZE / 2, curve.x + half, curve.y + WORD_SIZE / 2)
        assert not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in boxes)
        boxes.append(box)


def test_a_curve_begins_and_ends_at_its_boxes_borders():
    picture = drawn(STAR)
    shapes = {shape.node.id: shape for shape in picture.shapes}
    for curve in picture.curves:
        x, y = map(float, curve.path.split("Q")[1].split()[2:])
        end = shapes[curve.edge.target]
        outside = max(end.left - x, x - end.left - end.width, end.top - y, y - end.top - end.height)
        assert 0 < outside < 6


def test_two_relations_of_the_same_two_do_not_lie_upon_each_other():
    both = drawn(graph("u1", "Git", edges=[(0, 1, "owns"), (1, 0, "held_by"), (0, 1, "uses_tool")])).curves
    assert len({curve.path.split("Q")[1].split()[1] for curve in both}) == 3


def test_a_relation_to_itself_is_no_curve_and_no_error():
    assert drawn(graph("u1", "Git", edges=[(1, 1, "related")])).curves == []


def test_the_chosen_one_its_neighbours_and_the_rest_are_told_apart():
    given = graph("u1", "Git", "Ana", "Porto", edges=[(0, 1, "uses_tool"), (0, 2, "friend"), (2, 3, "residence")])
    picture = drawn(given, chosen=id_of(2))
    assert [shape.state for shape in picture.shapes] == ["near", "far", "chosen", "near"]
    assert [curve.state for curve in picture.curves] == ["far", "near", "near"]
    around = drawn(given, chosen=id_of(2), middle=True, width=640)
    assert [shape.state for shape in around.shapes] == ["near", "", "chosen", "near"]
    assert [shape.state for shape in drawn(given).shapes] == [""] * 4


def test_many_relations_are_drawn_without_words():
    many = graph("u1", *(f"t{n}" for n in range(40)), edges=[(0, n, "uses_tool") for n in range(1, 41)])
    assert not any(curve.words for curve in drawn(many).curves)
    assert sum(bool(curve.words) for curve in drawn(many, chosen=id_of(3)).curves) == 1
