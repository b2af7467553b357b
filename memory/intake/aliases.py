"""Whether two values name one thing, by number, alias, order, initials, a part left out, or one slip of spelling."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from memory.intake.alias_names import ALIASES
from memory.intake.clean import HAN, normalise
from memory.intake.numbers import amounts, same_amount
from memory.intake.words import content

# Short forms of given names.
_GIVEN_NAMES = (
    "joe/joseph bill/william will/william bob/robert rob/robert mike/michael jim/james tom/thomas dave/david "
    "steve/stephen steven/stephen liz/elizabeth kate/katherine tony/anthony dan/daniel chris/christopher "
    "alex/alexander sam/samuel nick/nicholas ben/benjamin matt/matthew ed/edward ted/theodore hank/henry "
    "rick/richard greg/gregory jeff/jeffrey andy/andrew fred/frederick ron/ronald ken/kenneth don/donald "
    "tim/timothy pat/patrick charlie/charles larry/lawrence"
)
_SHORT_NAMES = dict(pair.split("/") for pair in _GIVEN_NAMES.split())
_LEGAL = re.compile(
    r"\b(?:inc|ltd|llc|corp|corporation|company|co|gmbh|plc|the|a|an|city|continent|mr|mrs|ms|dr|sir|prof|jr|"
    r"sr)\b\.?|(?:有限公司|公司|集团|股份)$"
)
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
        beside, other_beside = _beside(one), _beside(other)
        return numbers and (
            not beside or not other_beside or beside == other_beside or _same_names(beside, other_beside)
        )
    if first in ALIASES and ALIASES[first] == ALIASES.get(second):
        return True
    if re.findall(r"\d+", first) != re.findall(r"\d+", second):
        return False
    return _same_names(first, second)


def _same_numbers(one: str, other: str) -> bool | None:
    """None when no number of one can be compared with a number of the other."""
    first, second = amounts(one)[:4], amounts(other)[:4]
    if len(first) == len(second) > 1:
        compared = [same_amount(a, b) for a, b in zip(first, second, strict=True)]
        return None if None in compared else all(compared)
    compared = [pair for a in first for b in second if (pair := same_amount(a, b)) is not None]
    return any(compared) if compared else None


def _beside(value: str) -> str:
    """What stands in a value beside its numbers."""
    for amount in reversed(amounts(value)):
        value = value[: amount.start] + " " + value[amount.end :]
    return _folded(value) if any(sign.isalpha() for sign in value) else ""


def _same_names(first: str, second: str) -> bool:
    known, other_known = ALIASES.get(first), ALIASES.get(second)
    if known is not None and known == other_known:
        return True
    if HAN.search(first) or HAN.search(second):
        return known is None and other_known is None and _han_part(first, second)
    nearer, further = sorted((first, second), key=len)
    if re.match(r" (?:in|at|on|with|as|for|near|by) ", further.removeprefix(nearer)) and further.startswith(nearer):
        return True
    words, others = first.split(), second.split()
    if sorted(words) == sorted(others) or content(first) == content(second) and content(first):
        return True
    if _initials(words) == second.replace(".", "").replace(" ", "") or _initials(others) == first.replace(
        ".", ""
    ).replace(" ", ""):
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
