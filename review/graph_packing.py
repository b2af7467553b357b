"""Parts of a graph side by side on one picture. Pure; pixels, positions are the middles of boxes."""

from dataclasses import dataclass

import numpy as np

MARGIN = 16.0  # around the whole, and half of it between components
CAPTION = 30.0  # room for words above the lone ones
# nodes of a component, and their places
Part = tuple[list[int], np.ndarray]


@dataclass(frozen=True, slots=True)
class Layout:
    """The middles of the boxes (n x 2), all within `width` and `height`. `lone_top`: from where on there are only
    boxes that nothing is joined to, with room for a line of text above them; None where there are none."""

    places: np.ndarray
    width: float
    height: float
    lone_top: float | None = None


def in_rows(sizes: np.ndarray, width: float, *, gap: np.ndarray) -> np.ndarray:
    """One after another in lines, as words are; each line in the middle."""
    places, line, top, high = np.zeros_like(sizes), [], 0.0, float(sizes[:, 1].max())
    for node in range(len(sizes) + 1):
        across = sizes[[*line, node], 0].sum() + gap[0] * len(line) if node < len(sizes) else np.inf
        if line and across > width:
            wide = sizes[line, 0]
            starts = np.concatenate([[0.0], np.cumsum(wide + gap[0])[:-1]])
            places[line, 0] = starts + wide / 2 - (wide.sum() + gap[0] * (len(line) - 1)) / 2
            places[line, 1] = top + high / 2
            line, top = [], top + high + gap[1]
        line.append(node)
    return places


def packed(sizes: np.ndarray, parts: list[Part], lone: Part | None, width: float) -> Layout:
    """The first component on top, the others in lines below it, each line in the middle; last the lone ones."""
    places, top, widest, lone_top = np.zeros_like(sizes), 0.0, 0.0, None
    lines = _lines([_framed(sizes, part) for part in parts], width)
    if lone:
        lines.append([_framed(sizes, lone)])
    for line in lines:
        if lone and line is lines[-1]:
            lone_top = top + MARGIN
            top += CAPTION if len(lines) > 1 else 0
        across = sum(room[0] for _part, _places, room in line) + MARGIN * (len(line) - 1) * 2
        down = max(room[1] for _part, _places, room in line)
        left = -across / 2
        for part, own, room in line:
            places[part] = own + (left + room[0] / 2, top + down / 2)
            left += room[0] + 2 * MARGIN
        top, widest = top + down + 2 * MARGIN, max(widest, across)
    places += (widest / 2 + MARGIN, MARGIN)
    return Layout(places, widest + 2 * MARGIN, top, lone_top)


def _framed(sizes: np.ndarray, part: Part) -> tuple[list[int], np.ndarray, np.ndarray]:
    """A component with its places around 0, 0 and the room that its boxes take."""
    nodes, own = part
    low, high = (own - sizes[nodes] / 2).min(axis=0), (own + sizes[nodes] / 2).max(axis=0)
    return nodes, own - (low + high) / 2, high - low


def _lines(framed: list[tuple], width: float) -> list[list[tuple]]:
    """Components broken into lines, as words are."""
    lines: list[list[tuple]] = []
    left = width + 1.0
    for each in framed:
        across = each[2][0]
        if left + 2 * MARGIN + across > width:
            lines.append([])
            left = -2 * MARGIN
        lines[-1].append(each)
        left += 2 * MARGIN + across
    return lines
