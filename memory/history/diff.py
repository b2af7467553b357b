"""What changed between two texts, word by word; Chinese by word, not by space. Pure."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from memory.index.text import HAN, han_words

# a Han run, white space, a word or number with the marks inside it, or a single other sign
_PIECE = re.compile(rf"([{HAN}]+)|\s+|(?:(?![{HAN}])\w)+(?:[-.:,'’/](?:(?![{HAN}])\w)+)*|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text that is in both ("same"), only in the old ("removed") or only in the new one ("added")."""

    kind: str
    text: str


def word_diff(old: str, new: str) -> list[Segment]:
    """The segments in reading order: all but the added ones give `old`, all but the removed ones give `new`."""
    before, after = _tokens(old), _tokens(new)
    segments: list[Segment] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            segments.append(Segment("same", "".join(before[i1:i2])))
            continue
        if i2 > i1:
            segments.append(Segment("removed", "".join(before[i1:i2])))
        if j2 > j1:
            segments.append(Segment("added", "".join(after[j1:j2])))
    return segments


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for match in _PIECE.finditer(text):
        tokens.extend(han_words(match.group()) if match.group(1) else [match.group()])
    return tokens
