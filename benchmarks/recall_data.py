"""What the recall benchmark stores and asks: texts, their vectors, and questions no two of which are alike."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

import numpy as np

from benchmarks.quick import ASKED, FACTS, THINGS

ENDINGS = {
    "en": ("", " since we moved to the coast", ", as I told Rosa at the weekend", " and that will stay so"),
    "zh": ("", "，这是搬到海边以后的事", "，周末我和Rosa说过", "，以后也不会变"),
}
ASIDES = {
    "en": (
        "", " at present", ", do you remember", " these days", ", I wonder", " after the trip", " in our home", " then",
    ),
    "zh": ("", "，你还记得吗", "，现在", "，我想知道", "，旅行之后", "，在家里", "，最近", "，到底"),
}  # fmt: skip
# How far a stored vector is from that of the sentence its text varies: enough that no two are alike.
NOISE = 0.3


def sentences() -> list[str]:
    """2,000 different ones, in English and Chinese."""
    return [fact.format(thing) + ending for fact in FACTS for ending in ENDINGS[_language(fact)] for thing in THINGS]


def memories(user_id: str, count: int, *, kinds: int, now: datetime) -> Iterator[tuple[int, dict]]:
    """`count` rows of an import with the number of the sentence (below `kinds`) that each one's text varies.

    Told over a year, in threes ten minutes apart, so that one can stand in the context of another.
    """
    known, chance = sentences(), random.Random(user_id)
    start = now - timedelta(days=365)
    step = timedelta(days=364) / max(count, 1)
    for place in range(count):
        number = chance.randrange(kinds)
        at = start + (place - place % 3) * step + place % 3 * timedelta(minutes=10)
        yield number, {
            "user_id": user_id, "memory": f"{known[number]} (note {place + 1})", "event_time": at.isoformat(),
            "category": ("preference", "knowledge", "profile")[place % 3],
            "source_class": ("user_input", "unknown")[place % 2],
        }  # fmt: skip


def vectors(numbers: list[int], known: np.ndarray, *, seed: int) -> np.ndarray:
    """Unit vectors (n, size) near those of the sentences `numbers`, each a little off in a way of its own."""
    chance = np.random.default_rng(seed)
    off = chance.standard_normal((len(numbers), known.shape[1])).astype(np.float32)
    near = known[numbers] + off * (NOISE / np.sqrt(known.shape[1]))
    return near / np.linalg.norm(near, axis=1, keepdims=True)


def questions() -> list[str]:
    """2,400 different ones, mixed."""
    asked = [
        question.format(thing) + aside
        for question in ASKED
        for aside in ASIDES[_language(question)]
        for thing in THINGS
    ]
    random.Random(7).shuffle(asked)
    return asked


def _language(pattern: str) -> str:
    return "en" if pattern.isascii() else "zh"
