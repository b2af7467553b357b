"""Where nodes stand: nothing overlaps, the user is in the middle, what belongs together is near, quickly and always
the same. Graphs here are made by a fixed rule that gives a hub, chains, clusters and strangers."""

import random
import time

import numpy as np
import pytest

from review.graph_layout import Box, lay_out
from review.graph_packing import MARGIN

KINDS = ("person", "place", "organisation", "tool", "project")


def overlaps(places: np.ndarray, sizes: np.ndarray) -> int:
    """How many pairs of boxes overlap."""
    apart = np.abs(places[:, None] - places[None])
    needed = (sizes[:, None] + sizes[None]) / 2
    touching = np.triu((apart < needed - 1e-6).all(axis=2), k=1)
    return int(touching.sum())


def made(count: int, seed: int = 1) -> tuple[list[Box], list[tuple[int, int]]]:
    """Boxes and links of a person (the first) and what they know: three in five hang on them, some on each other."""
    luck = random.Random(seed)
    boxes = [Box(70, 32, "person")] + [
        Box(luck.randint(56, 190), luck.choice([28, 30]), luck.choice(KINDS)) for _ in range(count - 1)
    ]
    links = []
    for node in range(1, count):
        lot = luck.random()
        if lot < 0.6 or node == 1:
            links.append((0, node))
        elif lot < 0.9:
            links.append((luck.randrange(1, node), node))
        if lot > 0.8 and node > 5:
            links.append((luck.randrange(1, node), node))
    return boxes, links


def sizes(boxes: list[Box]) -> np.ndarray:
    return np.array([(box.width, box.height) for box in boxes])


@pytest.mark.parametrize("count", [1, 2, 3, 12, 60, 200])
@pytest.mark.parametrize("width", [640, 980])
def test_no_box_overlaps_another_or_leaves_the_picture(count, width):
    for seed in (1, 2):
        boxes, links = made(count, seed)
        laid = lay_out(boxes, links, middle=0, width=width)
        assert overlaps(laid.places, sizes(boxes)) == 0
        low, high = laid.places - sizes(boxes) / 2, laid.places + sizes(boxes) / 2
        assert low.min() >= 0 and laid.width <= width
        assert (high.max(axis=0) <= (laid.width, laid.height)).all()


def test_two_hundred_nodes_take_less_than_300_ms():
    boxes, links = made(200)
    took = []
    for _try in range(3):
        start = time.thread_time()
        lay_out(boxes, links, middle=0)
        took.append(time.thread_time() - start)
    assert min(took) < 0.3


def test_two_hundred_nodes_fill_their_picture():
    boxes, links = made(200)
    laid = lay_out(boxes, links, middle=0)
    assert sizes(boxes).prod(axis=1).sum() / (laid.width * laid.height) > 0.3


@pytest.mark.parametrize("count", [5, 40, 200])
def test_the_middle_is_in_the_middle_of_its_own(count):
    boxes, links = made(count)
    links = [(0, node) for node in range(1, count)]
    laid = lay_out(boxes, links, middle=0)
    assert np.abs(laid.places[0] / (laid.width, laid.height) - 0.5).max() < 0.12


def test_the_same_graph_is_always_laid_out_the_same():
    boxes, links = made(80)
    one, other = lay_out(boxes, links, middle=0), lay_out(boxes, links, middle=0)
    assert (one.places == other.places).all()


def test_what_is_linked_stands_nearer_than_what_is_not():
    """Two clusters that only the middle joins: each is closer to itself than to the other."""
    boxes = [Box(60, 28, "person")] * 17
    one, other = range(1, 9), range(9, 17)
    links = [(0, 1), (0, 9)] + [(a, b) for part in (one, other) for a in part for b in part if a < b]
    places = lay_out(boxes, links, middle=0).places
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    within = np.mean([apart[np.ix_(part, part)].mean() for part in (list(one), list(other))])
    assert within < 0.6 * apart[np.ix_(list(one), list(other))].mean()


def test_leaves_of_one_kind_stand_together():
    boxes = [Box(60, 28, "person")] + [Box(80, 28, KINDS[node % 5]) for node in range(60)]
    places = lay_out(boxes, [(0, node) for node in range(1, 61)], middle=0).places
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))[1:, 1:]
    alike = np.array([[one.group == other.group for other in boxes[1:]] for one in boxes[1:]])
    assert apart[alike].mean() < 0.75 * apart[~alike].mean()


def test_components_lie_side_by_side_and_lone_nodes_in_lines_below():
    boxes = [Box(60, 28, "person")] * 12
    links = [(0, 1), (0, 2), (3, 4), (5, 6)]
    laid = lay_out(boxes, links, middle=0)
    frames = [laid.places[list(part)] for part in ((0, 1, 2), (3, 4), (5, 6), range(7, 12))]
    boxes_of = [(part.min(axis=0) - (30, 14), part.max(axis=0) + (30, 14)) for part in frames]
    for number, (low, high) in enumerate(boxes_of):
        for other_low, other_high in boxes_of[number + 1 :]:
            assert (low >= other_high + MARGIN).any() or (other_low >= high + MARGIN).any()
    assert len({y for _x, y in laid.places[7:].tolist()}) == 1
    assert max(high[1] for _low, high in boxes_of[:3]) < laid.lone_top < boxes_of[3][0][1]


def test_nothing_is_an_empty_picture_and_odd_links_do_no_harm():
    assert lay_out([], [], middle=None).places.shape == (0, 2)
    laid = lay_out([Box(60, 28, "person")] * 3, [(0, 0), (1, 2), (2, 1), (1, 2)], middle=0)
    assert overlaps(laid.places, np.array([(60, 28)] * 3)) == 0


def test_a_box_wider_than_the_picture_makes_it_wider():
    laid = lay_out([Box(900, 28, "person"), Box(60, 28, "tool")], [(0, 1)], middle=0, width=300)
    assert laid.width >= 900


def test_many_that_nothing_is_joined_to_stand_in_lines_by_kind():
    boxes = [Box(60, 28, "person")] + [Box(90, 28, KINDS[node % 5]) for node in range(60)]
    laid = lay_out(boxes, [], middle=0)
    order = np.lexsort(laid.places[1:].T)
    kinds = [boxes[node + 1].group for node in order]
    assert kinds == sorted(kinds) and overlaps(laid.places, sizes(boxes)) == 0
