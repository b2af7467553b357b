"""What changed between two texts, word by word; Chinese by word, not by space. Pure."""

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate, groupby
from operator import attrgetter

from memory.index.text import HAN, han_words

# a Han run, white space, a word or number with the marks inside it, or a single other sign
_PIECE = re.compile(rf"([{HAN}]+)|\s+|(?:(?![{HAN}])\w)+(?:[-.:,'’/](?:(?![{HAN}])\w)+)*|.", re.DOTALL)

# Pairs of equal words that one search looks at. The matcher searches again for every match it finds, so that a text of
# a thousand exclamation marks would cost seconds; prose of 8,000 characters has half as many pairs.
PAIRS = 50_000


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text that is in both ("same"), only in the old ("removed") or only in the new one ("added")."""

    kind: str
    text: str


def word_diff(old: str, new: str) -> list[Segment]:
    """The segments in reading order: all but the added ones give `old`, all but the removed ones give `new`.

    In texts that repeat a word very often, that word is only matched beside rarer ones.
    """
    before, after = _tokens(old), _tokens(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    segments = [
        Segment("same", "".join(before[:head])),
        *_compare(before[head : len(before) - tail], after[head : len(after) - tail]),
        Segment("same", "".join(before[len(before) - tail :])),
    ]
    return _joined(segments)


def _common(before: list[str], after: list[str]) -> int:
    """How many tokens both begin with."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((n for n, (one, other) in pairs if one != other), min(len(before), len(after)))


def _compare(before: list[str], after: list[str]) -> list[Segment]:
    anchors = _anchors(before, after)
    segments = []
    matcher = SequenceMatcher(lambda token: token not in anchors, before, after, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            segments.append(Segment("same", "".join(before[i1:i2])))
            continue
        segments += [Segment("removed", "".join(before[i1:i2])), Segment("added", "".join(after[j1:j2]))]
    return segments


def _anchors(before: list[str], after: list[str]) -> set[str]:
    """The words a match may begin with: no white space, and the rarest first, up to PAIRS."""
    held, came = Counter(before), Counter(after)
    pairs = {token: n * came[token] for token, n in held.items() if token in came and not token.isspace()}
    rarest = sorted(pairs, key=pairs.__getitem__)
    sums = accumulate(pairs[token] for token in rarest)
    return {token for token, total in zip(rarest, sums, strict=True) if total <= PAIRS}


def _joined(segments: list[Segment]) -> list[Segment]:
    """Without empty ones, and neighbours of one kind as one."""
    filled = [segment for segment in segments if segment.text]
    runs = groupby(filled, key=attrgetter("kind"))
    return [Segment(kind, "".join(part.text for part in run)) for kind, run in runs]


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for match in _PIECE.finditer(text):
        tokens.extend(han_words(match.group()) if match.group(1) else [match.group()])
    return tokens
