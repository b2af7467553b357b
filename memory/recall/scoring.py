"""How much a memory counts for a question: relevance, age, credibility and session, each kept for the explanation.

Every function takes plain numbers or numpy arrays of one shape; nothing here reads a clock or a database.
"""

from dataclasses import dataclass, fields

import numpy as np

# A question of more distinct terms than this is chatty: no memory holds much of it, so less is asked for.
TERMS_OF_A_QUESTION = 5
CHATTY_DISCOUNT = 0.2  # from the nearness asked for, reached ten terms later
REACHED = 0.5  # of a graph's weight, enough alone: about somebody the question names by another name, or asks on from
NEARLY = 0.75  # of the nearness asked for, enough for what continues something relevant
# What shares no word with the question and is less than so much nearer than asked for is in doubt: the best of 200
# memories about something else come as near. Where nothing is beyond doubt, so few are told. From CLEAR on nothing is.
DOUBT, CLEAR, IN_DOUBT = 0.06, 0.32, 2

Number = float | np.ndarray


# These are rates and ratios; everything else is a share of 1.
UP_TO_TEN = frozenset({"dense_weight", "lexical_weight", "decay_rate"})


def highest(name: str) -> float:
    """The highest value that a ranking setting may have; the lowest is 0."""
    return 10.0 if name in UP_TO_TEN else 1.0


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """What a workspace may tune. Values out of range raise ValueError naming the field."""

    # Relevance is the weighted mean of the two; only their ratio matters.
    dense_weight: float = 1.0
    lexical_weight: float = 1.0
    # Less related than this by meaning and by words is no answer, whatever its age or session.
    min_relevance: float = 0.26
    # What was said just after something more relevant shares this much of the difference: answers follow questions.
    context_weight: float = 0.4
    # What a memory earns that the question reaches through the people and things it names; 0 switches the graph off.
    graph_weight: float = 0.2
    # A memory loses 1 - 1/(1 + rate·days) of what is above the floor. The floor is high because an old exact match
    # beats a fresh vague one: age decides between about equally relevant memories only.
    decay_rate: float = 0.1
    decay_floor: float = 0.95
    # What full distrust (credibility 0) takes off.
    credibility_weight: float = 0.3
    # Added for a memory of the asking session.
    session_bonus: float = 0.2
    # Added for a memory of the time the question names ("on 3 May").
    period_bonus: float = 0.15

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            most = highest(field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
                raise ValueError(f"{field.name} must be a number from 0 to {most:g}, not {value!r}")
        if not self.dense_weight + self.lexical_weight:
            raise ValueError("dense_weight and lexical_weight cannot both be 0")


@dataclass(frozen=True, slots=True)
class Score:
    """Why a memory stands where it does: total = (relevance + context + graph) × decay × credibility + the bonuses."""

    dense: float | None  # cosine of the centred vectors; None where there is no vector
    lexical: float  # share of the question's words, weighed by rarity, 0..1
    relevance: float  # the two together, 0..1
    context: float  # lent by what was said just before it
    graph: float  # earned by who and what it is about
    decay: float
    credibility: float
    session_bonus: float
    period_bonus: float
    total: float


def fuse(dense: np.ndarray | None, lexical: np.ndarray, settings: RankingSettings) -> np.ndarray:
    """Relevance 0..1 (n,). `dense` are cosines (n,), NaN where a memory has no vector; None: no vectors at all.

    What has no vector is judged by its words alone, at their full range. A weighted mean of absolute values, because
    on no measured set did reciprocal ranks or z-scores find more within ten and, unlike those, it can say that nothing
    is relevant.
    """
    if dense is None:
        return np.clip(lexical, 0.0, 1.0)
    near = np.clip(dense, 0.0, 1.0)
    both = (settings.dense_weight * near + settings.lexical_weight * lexical) / (
        settings.dense_weight + settings.lexical_weight
    )
    return np.clip(np.where(np.isnan(dense), lexical, both), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Line:
    """What makes a memory an answer: `dense`, `lexical` or `graph` reached, or else `carried` by meaning, if relevance,
    context and graph together reach `in_context`. All from 0 to 1; `graph` None where the graph is off."""

    dense: float
    lexical: float
    carried: float
    in_context: float
    clear: float  # nearness of meaning that leaves no doubt
    graph: float | None = None


def line(term_count: int, settings: RankingSettings) -> Line:
    """The line for a question of so many distinct terms. A chatty one has many, of which no memory holds a large
    share and to which none is as near, so less is asked for."""
    least = settings.min_relevance
    excess = max(term_count - TERMS_OF_A_QUESTION, 0)
    asked_for = least * (1 - CHATTY_DISCOUNT * min(excess / 10, 1))
    return Line(
        dense=asked_for,
        lexical=least * (TERMS_OF_A_QUESTION / (TERMS_OF_A_QUESTION + excess)) ** 2,
        carried=NEARLY * least,
        in_context=least,
        clear=min(asked_for + DOUBT, CLEAR),
        graph=REACHED if settings.graph_weight else None,
    )


def is_relevant(
    dense: np.ndarray | None,
    lexical: np.ndarray,
    *,
    in_context: np.ndarray,
    line: Line,
    reached: np.ndarray | float = 0.0,
) -> np.ndarray:
    """Which memories (n,) bool may be an answer at all: meaning or words alone must reach the line.

    Not their mean: an exact rare word needs no likeness of meaning, nor the other way round. What is nearly near
    enough may be carried by what was said just before it (`in_context`: relevance, context and graph together).
    What the graph leads to (`reached`, 0..1) needs no likeness when it leads there surely.
    Where all is in doubt, only the nearest IN_DOUBT are.
    """
    enough = lexical >= line.lexical
    if line.graph is not None:
        enough = enough | (np.asarray(reached) >= line.graph)
    if dense is None:
        return enough
    near = np.nan_to_num(dense, nan=-1.0)
    enough = enough | (near >= line.dense) | ((near >= line.carried) & (in_context >= line.in_context))
    beyond_doubt = (near >= line.clear) | (lexical > 0)
    if line.graph is not None:
        beyond_doubt = beyond_doubt | (np.asarray(reached) >= line.graph)
    if line.dense > 0 and not (enough & beyond_doubt).any():
        rows = np.flatnonzero(enough)
        enough[rows[np.argsort(-near[rows], kind="stable")[IN_DOUBT:]]] = False
    return enough


def decay(age_days: Number, settings: RankingSettings) -> Number:
    """1 for something said now, falling to the floor; what lies in the future counts as now."""
    age_days = np.maximum(age_days, 0.0)
    return settings.decay_floor + (1 - settings.decay_floor) / (1 + settings.decay_rate * age_days)


def trust(credibility: Number, settings: RankingSettings) -> Number:
    """1 for full credibility, 1 - credibility_weight for none."""
    return 1 - settings.credibility_weight * (1 - np.clip(credibility, 0.0, 1.0))


def score(
    relevance: Number,
    *,
    age_days: Number,
    credibility: Number,
    settings: RankingSettings,
    context: Number = 0.0,
    graph: Number = 0.0,
    same_session: Number = False,
    in_period: Number = False,
) -> dict[str, Number]:
    """The parts of Score that follow from relevance, for one memory or, with arrays (n,), for all at once."""
    parts = {
        "relevance": relevance,
        "context": context,
        "graph": graph,
        "decay": decay(age_days, settings),
        "credibility": trust(credibility, settings),
        "session_bonus": settings.session_bonus * np.asarray(same_session, dtype=float),
        "period_bonus": settings.period_bonus * np.asarray(in_period, dtype=float),
    }
    weighed = (relevance + context + graph) * parts["decay"] * parts["credibility"]
    return parts | {"total": weighed + parts["session_bonus"] + parts["period_bonus"]}
