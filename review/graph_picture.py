"""A graph as shapes: boxes with their labels, curves between them, words on the curves. Pure; pixels throughout."""

import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from memory.graph.read import Edge, Graph, Node
from review.graph_layout import Box, lay_out

WIDTH = 980
SIZES = {"small": 12.5, "medium": 14.0, "large": 16.0}  # of the text; static/css/graph.css has the same
ICON = 16
PADDING = 10
LABEL_LENGTH = 22  # columns of a label, as ruff counts them: a Chinese character is two
WORDS_UP_TO = 30  # relations; the words of more would hide the picture
WORD_SIZE = 11.5
BEND = 0.09  # how far a curve leaves the straight line, in its length
BOLD = 1.13  # how much wider bold text is
FEW, MANY = 10, 45  # nodes up to which a picture is airy, and from which it is dense
AIRY, DENSE = (108.0, 46.0), (12.0, 13.0)  # room between boxes; words want some
Point = tuple[float, float]
Bow = tuple[Point, Point, Point]  # a quadratic curve: its start, what it bends towards, its end
_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!()[] -"), frozenset("mwMW@%")


@dataclass(frozen=True, slots=True)
class Shape:
    """A node's box from its left upper corner, the size of its text, and how it stands to the chosen one:
    "", "chosen", "near" or "far"."""

    node: Node
    left: float
    top: float
    width: float
    height: float
    label: str
    size: str
    state: str

    @property
    def text_x(self) -> float:
        return round(self.left + PADDING + ICON + 6, 1)

    @property
    def middle(self) -> float:
        return round(self.top + self.height / 2, 1)

    @property
    def icon_x(self) -> float:
        return round(self.left + PADDING, 1)

    @property
    def icon_y(self) -> float:
        return round(self.middle - ICON / 2, 1)

    @property
    def radius(self) -> float:
        return self.height / 2 if self.node.kind == "person" else 7


@dataclass(frozen=True, slots=True)
class Curve:
    """A relation as a path, with its words and their place where there is room for them."""

    edge: Edge
    path: str
    words: str
    x: float
    y: float
    state: str


@dataclass(frozen=True, slots=True)
class Picture:
    width: float
    height: float
    shapes: list[Shape]
    curves: list[Curve]
    caption: tuple[float, float] | None  # the middle of the words above those without a relation


def draw(
    graph: Graph,
    *,
    words: Callable[[str], str],
    chosen: UUID | None = None,
    middle: bool = False,
    width: float = WIDTH,
) -> Picture:
    """The picture of a graph, at most `width` wide; `words` says a predicate in the reader's language. The user is in
    the middle, or the chosen one with `middle`."""
    labels = [shortened(node.name) for node in graph.nodes]
    sizes = [_size(node) for node in graph.nodes]
    boxes = [
        Box(
            text_width(label, SIZES[size]) * (BOLD if node.is_self else 1) + 2 * PADDING + ICON + 6,
            round(SIZES[size] * 1.2 + 13),
            node.kind,
        )
        for node, label, size in zip(graph.nodes, labels, sizes, strict=True)
    ]
    place = {node.id: number for number, node in enumerate(graph.nodes)}
    links = [(place[edge.source], place[edge.target]) for edge in graph.edges]
    centre = next((number for number, node in enumerate(graph.nodes) if node.is_self), None)
    laid = _laid(
        tuple(boxes),
        tuple(links),
        middle=place.get(chosen, centre) if middle else centre,
        width=width,
        gap=_gap(len(boxes)),
    )
    near = _near(graph, chosen)
    rest = "" if middle else "far"
    shapes = [
        Shape(
            node, round(x - box.width / 2, 1), round(y - box.height / 2, 1), round(box.width, 1), box.height, label,
            size, _state(node.id, chosen, near, rest),
        )
        for node, box, label, size, (x, y) in zip(graph.nodes, boxes, labels, sizes, laid.places.tolist(), strict=True)
    ]  # fmt: skip
    curves = _curves(graph.edges, {shape.node.id: shape for shape in shapes}, words, chosen, rest)
    caption = (round(laid.width / 2, 1), round(laid.lone_top + 8, 1)) if laid.lone_top and len(shapes) > 1 else None
    return Picture(round(laid.width), round(laid.height), shapes, curves, caption)


# the next look at the same graph, with another node chosen, need not wait for it again
_laid = lru_cache(maxsize=32)(lay_out)


def shortened(name: str, length: int = LABEL_LENGTH) -> str:
    """The name in at most `length` columns, with an ellipsis where it was longer."""
    name = " ".join(name.split())
    if sum(map(_columns, name)) <= length:
        return name
    kept, used = "", 0
    for sign in name:
        used += _columns(sign)
        if used >= length:
            break
        kept += sign
    return kept.rstrip() + "…"


def text_width(text: str, size: float) -> float:
    """About how wide a text is in the product's fonts; rather too much than too little."""
    return size * sum(_ems(sign) for sign in text)


def _gap(nodes: int) -> tuple[float, float]:
    dense = min(max((nodes - FEW) / (MANY - FEW), 0.0), 1.0)
    across, down = (airy + (tight - airy) * dense**0.5 for airy, tight in zip(AIRY, DENSE, strict=True))
    return across, down


def _columns(sign: str) -> int:
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 0 if unicodedata.combining(sign) else 1


def _ems(sign: str) -> float:
    if columns := _columns(sign) != 1:
        return 1.02 if unicodedata.east_asian_width(sign) in "WF" else 0.0 * columns
    if sign in _NARROW:
        return 0.4
    return 0.95 if sign in _WIDE else 0.7 if sign.isupper() else 0.62


def _size(node: Node) -> str:
    if node.is_self:
        return "large"
    return "medium" if node.memories > 3 else "small"


def _near(graph: Graph, chosen: UUID | None) -> set[UUID]:
    ends = [(edge.source, edge.target) for edge in graph.edges]
    return {end for pair in ends if chosen in pair for end in pair} if chosen else set()


def _state(id: UUID, chosen: UUID | None, near: set[UUID], rest: str) -> str:
    if chosen is None:
        return ""
    return "chosen" if id == chosen else "near" if id in near else rest


def _curves(
    edges: list[Edge], shapes: dict[UUID, Shape], words: Callable[[str], str], chosen: UUID | None, rest: str
) -> list[Curve]:
    between: Counter[frozenset] = Counter()
    taken = [(shape.left, shape.top, shape.left + shape.width, shape.top + shape.height) for shape in shapes.values()]
    made = []
    # the chosen one's relations have their words first, and lie on top of the others
    for edge in sorted(edges, key=lambda edge: chosen not in (edge.source, edge.target)):
        pair = frozenset((edge.source, edge.target))
        between[pair] += 1
        if edge.source == edge.target:
            continue
        turn = between[pair]
        bow = _bow(shapes[edge.source], shapes[edge.target], BEND * (turn if turn % 2 else -turn - 1))
        state = "" if chosen is None else "near" if chosen in pair else rest
        said, x, y = "", 0.0, 0.0
        if len(edges) <= WORDS_UP_TO or state == "near":
            said, x, y = _worded(shortened(words(edge.predicate)), bow, taken)
        path = "M{} {}Q{} {} {} {}".format(*(round(value, 1) for point in bow for value in point))
        made.append(Curve(edge, path, said, round(x, 1), round(y, 1), state))
    return made[::-1]


def _bow(one: Shape, other: Shape, bend: float) -> Bow:
    """A curve from box to box; it starts and ends at their borders."""
    x, y, end_x, end_y = one.left + one.width / 2, one.middle, other.left + other.width / 2, other.middle
    # by the nodes' order and not the edge's, so that two relations there and back do not lie upon each other
    bend = bend if str(one.node.id) < str(other.node.id) else -bend
    turn = ((x + end_x) / 2 - (end_y - y) * bend, (y + end_y) / 2 + (end_x - x) * bend)
    bow = ((x, y), turn, (end_x, end_y))
    return _piece(bow, _leaves(bow, one, 1), 1 - _leaves(bow[::-1], other, 2))


def _leaves(bow: Bow, shape: Shape, room: float) -> float:
    """Where on the curve (0 to 1) its first end's box is left behind, by `room`."""
    inside, outside = 0.0, 1.0
    wide, high = shape.width / 2 + room, shape.height / 2 + room
    for _step in range(9):
        tried = (inside + outside) / 2
        x, y = _at(bow, tried)
        if abs(x - bow[0][0]) < wide and abs(y - bow[0][1]) < high:
            inside = tried
        else:
            outside = tried
    return min(outside, 0.49)


def _at(bow: Bow, along: float) -> Point:
    return _blossom(bow, along, along)


def _piece(bow: Bow, start: float, end: float) -> Bow:
    """The piece of a quadratic curve between two of its points."""
    return (_at(bow, start), _blossom(bow, start, end), _at(bow, end))


def _blossom(bow: Bow, one: float, other: float) -> Point:
    """De Casteljau's construction with another share in each of its two rounds."""
    (x0, y0), (x1, y1), (x2, y2) = bow
    first = (x0 + (x1 - x0) * one, y0 + (y1 - y0) * one)
    second = (x1 + (x2 - x1) * one, y1 + (y2 - y1) * one)
    return (first[0] + (second[0] - first[0]) * other, first[1] + (second[1] - first[1]) * other)


def _worded(said: str, bow: Bow, taken: list[tuple]) -> tuple[str, float, float]:
    """The words and the middle of their place on the curve, taken from then on; "" where no place is free."""
    wide, high = text_width(said, WORD_SIZE) + 4, WORD_SIZE + 4
    for along in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
        x, y = _at(bow, along)
        box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        if not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken):
            taken.append(box)
            return said, x, y
    return "", 0.0, 0.0
