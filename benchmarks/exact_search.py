"""The answer to a question as the documentation of scoring says it, by plain loops over every memory of the user.

Shares with the product only how a text becomes terms and the settings; what it reads are the texts and vectors stored.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log1p
from uuid import UUID

import numpy as np

from memory.index.bm25 import K1, B
from memory.index.text import terms
from memory.recall.scoring import (
    CHATTY_DISCOUNT,
    CLEAR,
    DOUBT,
    IN_DOUBT,
    NEARLY,
    TERMS_OF_A_QUESTION,
    RankingSettings,
)

HALF_AN_HOUR = 1800.0
SAME = 2e-4  # scores are told with four digits, and ages grow between two answers


@dataclass(frozen=True, slots=True)
class Stored:
    id: UUID
    text: str
    vector: Sequence[float] | None  # unit
    time: float  # epoch seconds
    credibility: float
    session: int


def exact(
    memories: Sequence[Stored],
    question: str,
    vector: Sequence[float],
    *,
    now: float,
    settings: RankingSettings,
) -> dict[UUID, float]:
    """The total score of every memory that may answer. `memories` in the order they were said; no session asks."""
    asked = set(terms(question))
    shares = _shares([terms(memory.text) for memory in memories], asked)
    cosines = [None if memory.vector is None else float(np.dot(memory.vector, vector)) for memory in memories]
    relevance = [_relevance(cosine, share, settings) for cosine, share in zip(cosines, shares, strict=True)]
    excess = max(len(asked) - TERMS_OF_A_QUESTION, 0)
    least_share = settings.min_relevance * (TERMS_OF_A_QUESTION / (TERMS_OF_A_QUESTION + excess)) ** 2
    least_cosine = settings.min_relevance * (1 - CHATTY_DISCOUNT * min(excess / 10, 1))
    answers, clear, nearness = {}, False, {}
    for place, before in enumerate(_said_before(memories)):
        lent = max((relevance[other] for other in before), default=0.0) - relevance[place]
        whole = relevance[place] + settings.context_weight * max(lent, 0.0)
        near = -1.0 if cosines[place] is None else cosines[place]
        carried = near >= NEARLY * settings.min_relevance and whole >= settings.min_relevance
        if (shares[place] >= least_share and shares[place] > 0) or near >= least_cosine or carried:
            days = max(now - memories[place].time, 0.0) / 86_400
            decay = settings.decay_floor + (1 - settings.decay_floor) / (1 + settings.decay_rate * days)
            trust = 1 - settings.credibility_weight * (1 - memories[place].credibility)
            answers[memories[place].id], nearness[memories[place].id] = whole * decay * trust, near
            clear |= shares[place] > 0 or near >= min(least_cosine + DOUBT, CLEAR)
    if not clear and settings.min_relevance > 0:
        answers = {id: answers[id] for id in sorted(answers, key=nearness.get, reverse=True)[:IN_DOUBT]}
    return answers


def difference(told: Sequence[tuple[Hashable, float]], right: dict[Hashable, float], *, top_k: int) -> str:
    """What is wrong with an answer (id and score, best first); empty when nothing is.

    Memories of equal score may change places, but every place must have the score that the exact search has there.
    """
    best = sorted(right.values(), reverse=True)[:top_k]
    if len(told) != len(best):
        return f"{len(told)} memories instead of {len(best)}"
    if len({id for id, _ in told}) != len(told):
        return "a memory is there twice"
    for place, ((id, score), expected) in enumerate(zip(told, best, strict=True), start=1):
        if abs(right.get(id, -1.0) - score) > SAME or abs(score - expected) > SAME:
            return f"place {place}: {id} with {score}, exact {right.get(id)}, the exact search has {expected:.4f} there"
    return ""


def _shares(documents: Sequence[Sequence[str]], asked: set[str]) -> list[float]:
    counted = [Counter(document) for document in documents]
    mean = sum(map(len, documents)) / max(len(documents), 1) or 1.0
    rarity = {}
    for term in asked:
        holders = sum(term in counts for counts in counted)
        rarity[term] = log1p((len(documents) - holders + 0.5) / (holders + 0.5))
    whole = max(sum(rarity.values()), 1e-9)
    shares = []
    for document, counts in zip(documents, counted, strict=True):
        handicap = K1 * (1 - B + B * len(document) / mean)
        won = sum(rarity[term] * counts[term] * (K1 + 1) / (counts[term] + handicap) for term in asked & counts.keys())
        shares.append(min(won / whole, 1.0))
    return shares


def _relevance(cosine: float | None, share: float, settings: RankingSettings) -> float:
    if cosine is None:
        return min(max(share, 0.0), 1.0)
    weights = settings.dense_weight + settings.lexical_weight
    mean = (settings.dense_weight * min(max(cosine, 0.0), 1.0) + settings.lexical_weight * share) / weights
    return min(max(mean, 0.0), 1.0)


def _said_before(memories: Sequence[Stored]) -> list[list[int]]:
    """For each memory the two said before it in its session, those of the last half hour."""
    said: dict[int, list[int]] = {}
    before = []
    for place, memory in enumerate(memories):
        earlier = said.setdefault(memory.session, [])
        before.append([other for other in earlier[-2:] if memory.time - memories[other].time <= HALF_AN_HOUR])
        earlier.append(place)
    return before
