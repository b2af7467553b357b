"""Where the nodes of a graph stand: the user in the middle, what belongs together close by, no two boxes overlapping.

Pure and deterministic. Lengths are pixels, positions are the middles of boxes, arrays are n x 2 (x, y).

Each component is laid out by stress majorization (distances on paper follow distances in the graph, Gansner 2004),
stretched to the room that its boxes need, and pushed apart until no boxes overlap; then components are packed side by
side (review/graph_packing.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from review.graph_packing import MARGIN, Layout, in_rows, packed

GAP = (12.0, 13.0)  # free room between two boxes, across and down
FILL = 0.66  # of a component's area are boxes with their gaps, before what is left is pushed apart
ROUNDS = 25  # of stress majorization; more than this moves nothing by a pixel
PUSHES = 60
SIDEWAYS = 1.6  # boxes are wide: they are pushed down rather than sideways
ASPECT = 1.7  # width to height of a component, where the width is free
CROWD = 150  # nodes from which a component is spread evenly over its area
CORNERS = 0.8  # 0 leaves a component round, 1 makes it a rectangle
STRANGERS = 1.35  # how much further apart two are that have only the middle in common and differ in kind
COMPANIONS = 0.72  # and how much nearer two are that hang on the same node and nowhere else


@dataclass(frozen=True, slots=True)
class Box:
    """What stands at a node: its size with the label in it, and the group it would rather stand with."""

    width: float
    height: float
    group: str


def lay_out(
    boxes: Sequence[Box],
    links: Sequence[tuple[int, int]],
    *,
    middle: int | None = None,
    width: float = 980,
    gap: tuple[float, float] = GAP,
) -> Layout:
    """Places for boxes joined by `links` (pairs of their positions in `boxes`); `middle` is put in the middle of its
    component. The result is at most `width` wide, unless one box alone is wider."""
    if not boxes:
        return Layout(np.zeros((0, 2)), 0, 0)
    sizes = np.array([(box.width, box.height) for box in boxes], dtype=float)
    inner = max(width - 2 * MARGIN, float(sizes[:, 0].max()))
    near = np.zeros((len(boxes), len(boxes)), dtype=bool)
    for one, other in links:
        if one != other:
            near[one, other] = near[other, one] = True
    parts, lone = [], None
    for part in _components(near, middle):
        own = sizes[part]
        if near[part].any():
            centre = part.index(middle) if middle in part else int(near[np.ix_(part, part)].sum(axis=0).argmax())
            groups = [boxes[node].group for node in part]
            places = _component(own, near[np.ix_(part, part)], groups, centre, inner, np.array(gap))
        elif part == [middle]:
            places = np.zeros((1, 2))
        else:
            part.sort(key=lambda node: (boxes[node].group, node))
            lone = (part, in_rows(sizes[part], inner, gap=np.array(gap) / 2))
            continue
        parts.append((part, places))
    return packed(sizes, parts, lone, inner)


def _components(near: np.ndarray, middle: int | None) -> list[list[int]]:
    """The component of `middle` first, then the largest first; nodes that nothing is joined to come last, as one."""
    left, found, lone = set(range(len(near))), [], []
    while left:
        start = min(left)
        part, edge = {start}, [start]
        while edge:
            reached = set(np.flatnonzero(near[edge].any(axis=0)).tolist()) - part
            part |= reached
            edge = sorted(reached)
        left -= part
        if len(part) == 1 and start != middle:
            lone.append(start)
        else:
            found.append(sorted(part))
    found.sort(key=lambda part: (middle not in part, -len(part), part[0]))
    return found + ([lone] if lone else [])


def _component(
    sizes: np.ndarray, near: np.ndarray, groups: list[str], centre: int, width: float, gap: np.ndarray
) -> np.ndarray:
    without = near.copy()
    without[centre] = without[:, centre] = False
    steps, families = _steps(near), _families(without)
    places = _stress(_start(steps[centre], families, groups), _ideal(near, steps, families, groups))
    return _apart(_stretched(places - places[centre], sizes, width, gap), sizes, centre, width, gap)


def _steps(near: np.ndarray) -> np.ndarray:
    """How many links lie between each two nodes of a component."""
    others = [np.flatnonzero(row).tolist() for row in near]
    steps = np.zeros(near.shape)
    for start in range(len(near)):
        done, edge, step = {start}, [start], 0
        while edge:
            steps[start, edge] = step
            edge = list({other for node in edge for other in others[node]} - done)
            done.update(edge)
            step += 1
    return steps


def _ideal(near: np.ndarray, steps: np.ndarray, families: list[list[int]], groups: list[str]) -> np.ndarray:
    """The wished distance of each two nodes, in links. Two that only the middle joins stand near when they are of one
    group and both end there, and far when they differ."""
    family = np.zeros(len(near), dtype=int)
    for number, members in enumerate(families):
        family[members] = number
    strangers = family[:, None] != family
    kinds = np.array(groups)
    alike = kinds[:, None] == kinds
    ends = near.sum(axis=0) == 1
    companions = alike & ends[:, None] & ends & (steps == 2)
    # a link to the middle stays a link, whatever kind it leads to
    ideal = np.where(strangers & ~alike & (steps > 1), steps * STRANGERS, steps)
    ideal = np.where(companions, steps * COMPANIONS, ideal)
    return np.where(ideal == 0, 1.0, ideal)


def _start(steps: np.ndarray, families: list[list[int]], groups: list[str]) -> np.ndarray:
    """Rings around the middle, in an order that keeps what hangs together, and groups, in one sector; `steps` are
    those from the middle."""
    order = [
        node
        for part in sorted(families, key=lambda part: (len(part) == 1, groups[part[0]], part[0]))
        for node in part
        if steps[node]
    ]
    places = np.zeros((len(steps), 2))
    angles = 2 * np.pi * np.arange(len(order)) / max(len(order), 1)
    # not exactly on rings: three in a line would stay in a line
    radii = steps[order] + 0.15 * np.sin(7 * np.arange(len(order)))
    places[order] = np.column_stack([np.cos(angles), np.sin(angles)]) * radii[:, None]
    return places


def _families(near: np.ndarray) -> list[list[int]]:
    """Components by a walk, so that neighbours follow each other."""
    seen, found = np.zeros(len(near), dtype=bool), []
    for start in range(len(near)):
        if seen[start]:
            continue
        walk, stack = [], [start]
        seen[start] = True
        while stack:
            node = stack.pop()
            walk.append(node)
            for other in np.flatnonzero(near[node] & ~seen)[::-1]:
                seen[other] = True
                stack.append(int(other))
        found.append(walk)
    return found


def _stress(places: np.ndarray, ideal: np.ndarray) -> np.ndarray:
    count = len(places)
    if count < 3:
        return places
    weights = ideal**-2
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    # its null space is the shift of all: adding 1/n makes it invertible and changes nothing else
    inverse = np.linalg.inv(laplacian + 1 / count)
    pull = weights * ideal
    for _round in range(ROUNDS):
        ratio = pull / np.maximum(np.hypot(*(places.T[:, :, None] - places.T[:, None])), 1e-9)
        places = inverse @ (ratio.sum(axis=1)[:, None] * places - ratio @ places)
    return places


def _stretched(places: np.ndarray, sizes: np.ndarray, width: float, gap: np.ndarray) -> np.ndarray:
    """The same places over the area that the boxes need, not wider than `width`; the middle stays at 0, 0."""
    area = float((sizes + gap).prod(axis=1).sum()) / FILL
    across = min(max(np.sqrt(area * ASPECT), 2.2 * float(sizes[:, 0].max())), width)
    room = np.array([across, area / across]) - sizes.mean(axis=0)
    return _spread(places) * np.maximum(room / 2, 40)


def _spread(places: np.ndarray) -> np.ndarray:
    """The same directions from 0, 0 at distances that fill a square from -1 to 1; a few keep their own distances."""
    far = np.hypot(*places.T)
    own = far / max(float(far.max()), 1e-9)
    even = np.sqrt(np.argsort(np.argsort(far, kind="stable"), kind="stable") / max(len(far) - 1, 1))
    share = min(len(far) / CROWD, 1.0) * 0.8
    ways = places / np.maximum(far, 1e-9)[:, None]
    corner = np.maximum(np.abs(ways).max(axis=1), 0.5) ** CORNERS
    return ways * ((share * even + (1 - share) * own) / corner)[:, None]


def _apart(places: np.ndarray, sizes: np.ndarray, centre: int, width: float, gap: np.ndarray) -> np.ndarray:
    """Pushes overlapping boxes apart along the shorter way, then puts down one by one what still overlaps."""
    (x, y), (wide, high) = places.T.astype(np.float32), sizes.T.astype(np.float32)
    across, down = (wide[:, None] + wide) / 2 + gap[0], (high[:, None] + high) / 2 + gap[1]
    np.fill_diagonal(across, -1)
    order = np.arange(len(x), dtype=np.float32)
    bound = np.maximum((width - wide) / 2, 0)
    for _push in range(PUSHES):
        from_x, from_y = x[:, None] - x, y[:, None] - y
        lack_x, lack_y = across - np.abs(from_x), down - np.abs(from_y)
        one, other = np.nonzero((lack_x > 0.5) & (lack_y > 0.5))
        if not len(one):
            break
        lack_x, lack_y = lack_x[one, other], lack_y[one, other]
        sideways = lack_x < lack_y * SIDEWAYS
        side = np.sign(order[one] - order[other])
        way_x, way_y = np.sign(from_x[one, other]), np.sign(from_y[one, other])
        move_x = np.where(sideways, lack_x * np.where(way_x == 0, side, way_x), 0)
        move_y = np.where(sideways, 0, lack_y * np.where(way_y == 0, side, way_y))
        soft = 0.8 / np.sqrt(np.maximum(np.bincount(one, minlength=len(x)), 1))
        x = x + np.bincount(one, move_x, len(x)) * soft
        y = y + np.bincount(one, move_y, len(y)) * soft
        x, y = np.clip(x - x[centre], -bound, bound), y - y[centre]
    return _settled(np.column_stack([x, y]).astype(float), sizes, centre, bound, gap / 2)


def _settled(places: np.ndarray, sizes: np.ndarray, centre: int, bound: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """From the middle outwards each box keeps its place, or takes the nearest free one."""
    order = np.argsort(np.hypot(*(places - places[centre]).T), kind="stable")
    done: list[int] = []
    for node in order:
        taken, needed = places[done], (sizes[done] + sizes[node]) / 2 + gap
        for offsets in _SPIRAL:
            tried = places[node] + offsets
            apart = np.abs(tried[:, None] - taken)
            free = ~(apart < needed).all(axis=2).any(axis=1) & (np.abs(tried[:, 0]) <= bound[node] + 1e-3)
            if free.any():
                places[node] = tried[free.argmax()]
                break
        done.append(int(node))
    return places


def _spiral() -> list[np.ndarray]:
    """Offsets by growing distance, over more than any picture; the first is none, and they come in growing lots."""
    across, down = np.meshgrid(np.arange(-60, 61) * 14.0, np.arange(-90, 91) * 10.0)
    offsets = np.column_stack([across.ravel(), down.ravel()])
    offsets = offsets[np.argsort(np.hypot(*offsets.T), kind="stable")]
    return np.split(offsets, [1, 25, 75, 175, 375, 775, 1575, 3175, 6375])


_SPIRAL = _spiral()
