"""How much a memory counts for a question: relevance, age, credibility and session, each kept for the explanation.

Every function takes plain numbers or numpy arrays of one shape; nothing here reads a clock or a database.
"""

from dataclasses import dataclass, fields

import numpy as np

Number = float | np.ndarray


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """What a workspace may tune. Values out of range raise ValueError naming the field."""

    # Relevance is the weighted mean of the two; only their ratio matters.
    dense_weight: float = 1.0
    lexical_weight: float = 1.0
    # Less relevant than this is not an answer, whatever its age or session. Without vectors words alone must do.
    min_relevance: float = 0.2
    # A memory loses 1 - 1/(1 + rate·days) of what is above the floor. The floor is high because an old exact match
    # beats a fresh vague one: age decides between about equally relevant memories only.
    decay_rate: float = 0.1
    decay_floor: float = 0.9
    # What full distrust (credibility 0) takes off the relevance.
    credibility_weight: float = 0.3
    # Added for a memory of the asking session, if it is relevant in itself.
    session_bonus: float = 0.2
    # Added for a memory of the time the question names ("on 3 May").
    period_bonus: float = 0.15

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            highest = 10.0 if field.name in ("dense_weight", "lexical_weight", "decay_rate") else 1.0
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= highest:
                raise ValueError(f"{field.name} must be a number from 0 to {highest:g}, not {value!r}")
        if not self.dense_weight + self.lexical_weight:
            raise ValueError("dense_weight and lexical_weight cannot both be 0")


@dataclass(frozen=True, slots=True)
class Score:
    """One memory's score and where it comes from: total = relevance × decay × credibility + bonuses."""

    dense: float | None  # cosine of the centred vectors; None where there is no vector
    lexical: float  # share of the question's words, weighed by rarity, 0..1
    relevance: float  # 0..1
    decay: float
    credibility: float
    session_bonus: float
    period_bonus: float
    total: float


def fuse(dense: np.ndarray | None, lexical: np.ndarray, settings: RankingSettings) -> np.ndarray:
    """Relevance 0..1 (n,) of n memories. `dense` are cosines, NaN where a memory has no vector; None: no vectors at all.

    What has no vector is judged by its words alone, at their full range.
    """
    if dense is None:
        return np.clip(lexical, 0.0, 1.0)
    near = np.clip(dense, 0.0, 1.0)
    both = (settings.dense_weight * near + settings.lexical_weight * lexical) / (
        settings.dense_weight + settings.lexical_weight
    )
    return np.clip(np.where(np.isnan(dense), lexical, both), 0.0, 1.0)


def decay(age_days: Number, settings: RankingSettings) -> Number:
    """1 for something said now, falling to the floor; what lies in the future counts as now."""
    age_days = np.maximum(age_days, 0.0)
    return settings.decay_floor + (1 - settings.decay_floor) / (1 + settings.decay_rate * age_days)


def trust(credibility: Number, settings: RankingSettings) -> Number:
    """1 for full credibility, 1 - credibility_weight for none."""
    return 1 - settings.credibility_weight * (1 - np.clip(credibility, 0.0, 1.0))


def bonuses(
    relevance: Number, same_session: Number, in_period: Number, settings: RankingSettings
) -> tuple[Number, Number]:
    """(session bonus, period bonus). Nothing irrelevant is lifted by its session."""
    relevant = np.asarray(relevance) >= settings.min_relevance
    session = np.where(np.logical_and(relevant, same_session), settings.session_bonus, 0.0)
    return session, np.where(in_period, settings.period_bonus, 0.0)


def score(
    relevance: float,
    *,
    age_days: float,
    credibility: float,
    settings: RankingSettings,
    same_session: bool = False,
    in_period: bool = False,
    dense: float | None = None,
    lexical: float = 0.0,
) -> Score:
    """The explained score of one memory."""
    aged = float(decay(age_days, settings))
    trusted = float(trust(credibility, settings))
    session, period = (float(part) for part in bonuses(relevance, same_session, in_period, settings))
    total = relevance * aged * trusted + session + period
    return Score(dense, lexical, relevance, aged, trusted, session, period, total)
