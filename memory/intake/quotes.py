"""Whether words are literally in a text: compared without case, width, spaces and the shape of quotation marks."""

import unicodedata
from functools import lru_cache

_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‑": "-"})
# What JSON makes of a path such as C:\new\table when its backslashes are not doubled.
_UNESCAPED = str.maketrans({"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"})
# Two signs of Latin letters are in nearly every text.
FEWEST = 3


def find(text: str, words: str) -> tuple[int, int] | None:
    """Where in `text` the words stand, as (start, end); None when they do not, or are too few to say."""
    folded, places = _folded(text)
    for given in (words, words.translate(_UNESCAPED)):
        wanted, _ = _folded(given.strip(" \n\t\"'“”「」…"))
        if not wanted or len(wanted) < FEWEST and wanted.isascii() and not wanted.isdigit():
            continue
        at = folded.find(wanted)
        while at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            if not (_inside_a_word(text, start) or _inside_a_word(text, end)):
                return start, end
            at = folded.find(wanted, at + 1)
    return None


def literal(text: str, words: str) -> str:
    """The words as the text has them, "" when it has not."""
    place = find(text, words)
    return text[place[0] : place[1]] if place else ""


def _inside_a_word(text: str, place: int) -> bool:
    around = text[max(0, place - 1) : place + 1]
    return len(around) == 2 and place > 0 and around.isascii() and around.isalnum()


@lru_cache(maxsize=32)
def _folded(text: str) -> tuple[str, list[int]]:
    """The text without what does not count, and where each of its signs stood."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        for part in unicodedata.normalize("NFKC", sign).translate(_MARKS).casefold():
            if not part.isspace():
                signs.append(part)
                places.append(place)
    return "".join(signs), places
