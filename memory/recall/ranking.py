"""One user's memories in order of use for one question. Pure: arrays in, hits out."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from memory.index.bm25 import BM25
from memory.recall import scoring
from memory.recall.dates import Period
from memory.recall.scoring import RankingSettings, Score

SECONDS_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One memory as the index holds it."""

    id: Hashable
    terms: Sequence[str]  # memory/index/text.py terms of its text
    vector: np.ndarray | bytes | None  # (size,) float32 unit vector or its little-endian bytes; None: not embedded yet
    event_time: float  # epoch seconds
    credibility: float  # 0..1
    category: str
    session_id: Hashable | None = None


@dataclass(frozen=True, eq=False)
class UserIndex:
    """The memories of exactly one user, ready to be ranked. Row i of every array is the same memory."""

    ids: list
    words: BM25
    matrix: np.ndarray | None  # (n, size) float32, zeros where has_vector is False; None: no vectors at all
    has_vector: np.ndarray  # (n,) bool
    event_times: np.ndarray  # (n,) float64
    credibilities: np.ndarray  # (n,) float32
    categories: np.ndarray  # (n,) str
    sessions: np.ndarray  # (n,) object

    @classmethod
    def build(cls, rows: Sequence[IndexRow]) -> "UserIndex":
        """Raises ValueError when vectors differ in size: those of two models cannot be compared."""
        vectors = [_vector(row.vector) for row in rows]
        sizes = {len(vector) for vector in vectors if vector is not None}
        if len(sizes) > 1:
            raise ValueError(f"Vectors of different sizes in one index: {sorted(sizes)}")
        matrix = np.zeros((len(rows), sizes.pop()), dtype=np.float32) if sizes else None
        for row, vector in enumerate(vectors):
            if vector is not None:
                matrix[row] = vector
        return cls(
            ids=[row.id for row in rows],
            words=BM25.build([row.terms for row in rows]),
            matrix=matrix,
            has_vector=np.array([vector is not None for vector in vectors], dtype=bool),
            event_times=np.array([row.event_time for row in rows], dtype=np.float64),
            credibilities=np.array([row.credibility for row in rows], dtype=np.float32),
            categories=np.array([row.category for row in rows], dtype=str),
            sessions=np.array([row.session_id for row in rows], dtype=object),
        )

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the memory's row in the index, its id and why it is here."""

    row: int
    id: Hashable
    score: Score


def rank(
    index: UserIndex,
    *,
    terms: Sequence[str],
    vector: np.ndarray | None,
    now: float,
    settings: RankingSettings,
    top_k: int = 10,
    session_id: Hashable | None = None,
    periods: Sequence[Period] = (),
    categories: Collection[str] | None = None,
) -> list[Hit]:
    """The best memories for a question, best first, at most top_k; none below settings.min_relevance.

    `terms` and `vector` (size,) are the question's, `vector` None when there is no embedder. `now` is in epoch seconds.
    `periods` are the times the question names. `categories` limits the answer. Equal scores: the newer one first.
    """
    if not len(index):
        return []
    dense = _cosines(index, vector)
    lexical = index.words.coverage(terms)
    relevance = scoring.fuse(dense, lexical, settings)
    ages = (now - index.event_times) / SECONDS_A_DAY
    same_session = index.sessions == session_id if session_id is not None else np.zeros(len(index), dtype=bool)
    in_period = _within(index.event_times, periods)
    session, period = scoring.bonuses(relevance, same_session, in_period, settings)
    totals = relevance * scoring.decay(ages, settings) * scoring.trust(index.credibilities, settings) + session + period
    allowed = relevance + period >= settings.min_relevance
    if categories is not None:
        allowed &= np.isin(index.categories, list(categories))
    return [
        Hit(
            row=row,
            id=index.ids[row],
            score=scoring.score(
                float(relevance[row]),
                age_days=float(ages[row]),
                credibility=float(index.credibilities[row]),
                settings=settings,
                same_session=bool(same_session[row]),
                in_period=bool(in_period[row]),
                dense=None if dense is None or np.isnan(dense[row]) else float(dense[row]),
                lexical=float(lexical[row]),
            ),
        )
        for row in _best(totals, allowed, index.event_times, top_k)
    ]


def _best(totals: np.ndarray, allowed: np.ndarray, times: np.ndarray, top_k: int) -> list[int]:
    rows = np.flatnonzero(allowed)
    order = np.lexsort((rows, -times[rows], -totals[rows]))
    return [int(row) for row in rows[order[:top_k]]]


def _cosines(index: UserIndex, vector: np.ndarray | None) -> np.ndarray | None:
    if vector is None or index.matrix is None:
        return None
    return np.where(index.has_vector, index.matrix @ np.asarray(vector, dtype=np.float32), np.nan)


def _within(times: np.ndarray, periods: Sequence[Period]) -> np.ndarray:
    inside = np.zeros(len(times), dtype=bool)
    for period in periods:
        inside |= (times >= period.start) & (times < period.end)
    return inside


def _vector(stored: np.ndarray | bytes | None) -> np.ndarray | None:
    if stored is None or isinstance(stored, np.ndarray):
        return stored
    return np.frombuffer(stored, dtype="<f4")
