"""Whether two values name one thing, by number, alias, order, initials, a part left out, or one slip of spelling."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from memory.intake.alias_names import ALIASES
from memory.intake.clean import HAN, normalise
from memory.intake.numbers import amounts, same_amount
from memory.intake.words import content

# Short forms of given names.
_SHORT_NAMES = dict(
    pair.split("/")
    for pair in (
        "joe/joseph bill/william will/william bob/robert rob/robert mike/michael jim/james tom/thomas dave/david steve/stephen "
        "steven/stephen liz/elizabeth kate/katherine tony/anthony dan/daniel chris/christopher alex/alexander sam/samuel "
        "nick/nicholas ben/benjamin matt/matthew ed/edward ted/theodore hank/henry rick/richard greg/gregory jeff/jeffrey "
        "andy/andrew fred/frederick ron/ronald ken/kenneth don/donald tim/timothy pat/patrick charlie/charles larry/lawrence"
    ).split()
)
_LEGAL = re.compile(r"\b(?:inc|ltd|llc|corp|corporation|company|co|gmbh|plc|the|a|an|city|continent|mr|mrs|ms|dr|sir|prof|jr|sr)\b\.?|(?:有限公司|公司|集团|股份)$")
_SMALL = frozenset({"of", "the", "and", "for", "de", "in"})


@lru_cache(maxsize=4096)
def _folded(value: str) -> str:
    folded = re.sub(r"\.(?!\d)", "", normalise(value))
    folded = " ".join(_SHORT_NAMES.get(word, word) for word in folded.split())
    return " ".join(_LEGAL.sub(" ", folded).split()) or folded


@lru_cache(maxsize=4096)
def same_value(one: str, other: str) -> bool:
    """True when two values name the same thing: numbers by what they measure, names by alias, order, initials or a
    part left out, spelling by one slip. Digits must agree."""
    first, second = _folded(one), _folded(other)
    if first == second:
        return True
    numbers = _same_numbers(one, other)
    if numbers is not None:
        return numbers and (not _words_beside(one, other) or _same_names(first, second))
    if first in ALIASES and ALIASES[first] == ALIASES.get(second):
        return True
    if re.findall(r"\d+", first) != re.findall(r"\d+", second):
        return False
    return _same_names(first, second)


def _same_numbers(one: str, other: str) -> bool | None:
    """None when no number of one can be compared with a number of the other."""
    pairs = [same_amount(a, b) for a in amounts(one)[:4] for b in amounts(other)[:4]]
    compared = [pair for pair in pairs if pair is not None]
    return any(compared) if compared else None


def _words_beside(one: str, other: str) -> bool:
    """True when both values have words beside their numbers that could differ: "Python 3", "Ruby 3"."""
    return bool(_proper(one)) and bool(_proper(other))


def _proper(value: str) -> list[str]:
    bare = value
    for amount in reversed(amounts(value)):
        bare = bare[: amount.start] + bare[amount.end :]
    return re.findall(r"\b[A-Z][\w+#]+", bare)


def _same_names(first: str, second: str) -> bool:
    known, other_known = ALIASES.get(first), ALIASES.get(second)
    if known is not None and known == other_known:
        return True
    if HAN.search(first) or HAN.search(second):
        return known is None and other_known is None and _han_part(first, second)
    words, others = first.split(), second.split()
    if sorted(words) == sorted(others) or content(first) == content(second) and content(first):
        return True
    if _initials(words) == second.replace(".", "").replace(" ", "") or _initials(others) == first.replace(".", "").replace(" ", ""):
        return True
    short, long = sorted((words, others), key=len)
    kept = [word for word in short if word not in _SMALL]
    if kept and set(kept) <= set(long) and (len(kept) > 1 or len(long) <= 3 or kept[0] == long[-1]):
        return True
    return len(first) > 6 and first[0] == second[0] and SequenceMatcher(None, first, second).ratio() >= 0.85


def _han_part(first: str, second: str) -> bool:
    """西安 and 西安市: a Chinese name that the other only extends."""
    short, long = sorted((first, second), key=len)
    return len(short) >= 2 and (long.startswith(short) or long.endswith(short)) and len(long) - len(short) <= 2


def _initials(words: list[str]) -> str:
    letters = "".join(word[0] for word in words if word not in _SMALL)
    return letters if len(letters) > 1 else "-"
