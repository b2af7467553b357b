"""One user's memories in order of use for one question. Pure: arrays in, hits out."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from memory.index.bm25 import BM25
from memory.recall import scoring
from memory.recall.dates import Period
from memory.recall.scoring import Line, RankingSettings, Score

SECONDS_A_DAY = 86_400.0
# "Just before" is within the last two memories of the same session, and half an hour.
CONTEXT_STEPS = 2
CONTEXT_SECONDS = 1_800.0
# A term held by this share of at least so many memories tells them apart badly: the user's own name, mostly.
COMMON_SHARE = 0.05
COMMON_FROM = 20


@dataclass(slots=True)  # not frozen: that makes reading 20,000 of them a tenth of a second slower
class IndexRow:
    """One memory as the index holds it."""

    id: Hashable
    terms: Sequence[str]  # memory/index/text.py terms of its text
    vector: np.ndarray | bytes | None  # (size,) float32 unit vector or its little-endian bytes; None: not embedded yet
    event_time: float  # epoch seconds
    credibility: float  # 0..1
    category: str
    session_id: Hashable | None = None
    slot: tuple[str, str] = ("", "")  # subject and attribute, the attribute "" when none is known
    made_at: float = 0.0  # epoch seconds: of two of one event_time the earlier comes first


@dataclass(frozen=True, eq=False)
class UserIndex:
    """The memories of exactly one user, ready to be ranked. Row i of every array is the same memory."""

    ids: list[Hashable]
    # a number for each id that it keeps when rows move, and those of the rows, (n,) int32
    numbers: dict[Hashable, int]
    row_numbers: np.ndarray
    words: BM25
    common_terms: frozenset[str]
    matrix: np.ndarray | None  # (n, size) float32, zeros where has_vector is False; None: no vectors at all
    has_vector: np.ndarray  # (n,) bool
    event_times: np.ndarray  # (n,) float64
    made_times: np.ndarray  # (n,) float64
    credibilities: np.ndarray  # (n,) float32
    categories: np.ndarray  # (n,) str
    sessions: np.ndarray  # (n,) int32: the session's number, -1 for none
    session_numbers: dict[Hashable, int]
    slots: np.ndarray  # (n,) int32: the slot's number, -1 where no attribute is known
    slot_numbers: dict[tuple[str, str], int]
    # the slots that more than one memory fills; None when rows of the user are missing here
    shared_slots: frozenset[tuple[str, str]] | None
    previous: np.ndarray  # (n, CONTEXT_STEPS) int32: rows said just before, -1 for none

    @classmethod
    def build(cls, rows: Sequence[IndexRow], *, total: int = 0) -> "UserIndex":
        """Rows of one session and time must come in the order they were said.

        `total` is how many memories the user has, when the rows are only those that may answer one question.

        Raises ValueError when vectors differ in size: those of two models cannot be compared.
        """
        words = BM25.build([row.terms for row in rows], total=total)
        matrix, has_vector = vectors_of(rows)
        event_times = np.array([row.event_time for row in rows], dtype=np.float64)
        session_numbers: dict[Hashable, int] = {}
        slot_numbers: dict[tuple[str, str], int] = {}
        sessions = numbered([row.session_id for row in rows], session_numbers)
        slots = numbered([row.slot if row.slot[1] else None for row in rows], slot_numbers)
        return cls(
            ids=[row.id for row in rows],
            numbers={row.id: number for number, row in enumerate(rows)},
            row_numbers=np.arange(len(rows), dtype=np.int32),
            words=words,
            common_terms=common_terms(words),
            matrix=matrix,
            has_vector=has_vector,
            event_times=event_times,
            made_times=np.array([row.made_at for row in rows], dtype=np.float64),
            credibilities=np.array([row.credibility for row in rows], dtype=np.float32),
            categories=np.array([row.category for row in rows], dtype=str),
            sessions=sessions,
            session_numbers=session_numbers,
            slots=slots,
            slot_numbers=slot_numbers,
            shared_slots=None if total > len(rows) else shared(slots, slot_numbers),
            previous=said_before(sessions, event_times),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def row_of(self) -> dict[Hashable, int]:
        return {id: row for row, id in enumerate(self.ids)}


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer: the memory's row in the index, its id and why it is here."""

    row: int
    id: Hashable
    score: Score


@dataclass(frozen=True, eq=False)
class Weighed:
    """All memories of one index as one question weighs them. Row i of every array is row i of the index.

    `arms` is what each way to find memories says by itself, by its name, NaN where it says nothing; `parts` are those
    of Score. `relevant` reach `line`; `asked` are of the categories asked for.
    """

    index: UserIndex
    arms: dict[str, np.ndarray]
    parts: dict[str, np.ndarray]
    line: Line
    relevant: np.ndarray  # (n,) bool
    asked: np.ndarray  # (n,) bool

    @property
    def answers(self) -> int:
        """How many may be answers at all."""
        return int(np.count_nonzero(self.relevant & self.asked))

    def best(self, top_k: int) -> list[Hit]:
        """The answers, best first, at most top_k. Equal scores: the newer one first."""
        return [self.hit(row) for row in self._first(self.parts["total"], self.relevant & self.asked, top_k)]

    def below(self, count: int) -> list[Hit]:
        """What would have come next, were it relevant: at most `count`, the highest score first."""
        return [self.hit(row) for row in self._first(self.parts["total"], ~self.relevant & self.asked, count)]

    def top(self, arm: str, count: int) -> list[Hit]:
        """What one arm by itself puts first: at most `count` of those of which it says anything at all."""
        return [self.hit(row) for row in self._first(self.arms[arm], self._says(arm), count)]

    def says(self, arm: str) -> int:
        """Of how many memories one arm says that they are at all near."""
        return int(np.count_nonzero(self._says(arm)))

    def place(self, arm: str, row: int) -> int | None:
        """The row's place by one arm alone, from 1; None where that arm says nothing of it."""
        values = self.arms[arm]
        if not values[row] > 0:
            return None
        return 1 + int(np.count_nonzero(values[self.asked] > values[row]))

    def hit(self, row: int) -> Hit:
        dense = self.arms.get("dense")
        return Hit(
            row=row,
            id=self.index.ids[row],
            score=Score(
                dense=None if dense is None or np.isnan(dense[row]) else float(dense[row]),
                lexical=float(self.arms["lexical"][row]),
                **{name: float(values[row]) for name, values in self.parts.items()},
            ),
        )

    def _says(self, arm: str) -> np.ndarray:
        return (np.nan_to_num(self.arms[arm]) > 0) & self.asked

    def _first(self, values: np.ndarray, allowed: np.ndarray, count: int) -> list[int]:
        rows = np.flatnonzero(allowed)
        order = np.lexsort((rows, -self.index.event_times[rows], -values[rows]))
        return [int(row) for row in rows[order[:count]]]


def weigh(
    index: UserIndex,
    *,
    terms: Sequence[str],
    vector: np.ndarray | None,
    now: float,
    settings: RankingSettings,
    session_id: Hashable | None = None,
    periods: Sequence[Period] = (),
    categories: Collection[str] | None = None,
    reached: Mapping[Hashable, float] | None = None,
    exact: Collection[Hashable] = (),
) -> Weighed:
    """Weighs every memory for a question.

    `terms` and `vector` (size,) are the question's, `vector` None when there is no embedder. `now` is in epoch seconds.
    `periods` are the times the question names. `categories` limits the answer. `reached` are memories, by id, that the
    graph leads to, with weights of 0 to 1. `exact` are ids of memories that hold the question word for word.
    """
    dense = _cosines(index, vector)
    lexical = index.words.shares(terms)
    if exact:
        lexical[np.isin(index.row_numbers, [index.numbers[id] for id in exact if id in index.numbers])] = 1.0
    relevance = scoring.fuse(dense, lexical, settings)
    context = _context(index, relevance, settings)
    led = _reached(index, reached)
    graph = settings.graph_weight * led
    parts = scoring.score(
        relevance,
        context=context,
        graph=graph,
        age_days=(now - index.event_times) / SECONDS_A_DAY,
        credibility=index.credibilities,
        same_session=index.sessions == index.session_numbers.get(session_id, -2),
        in_period=_within(index.event_times, periods),
        settings=settings,
    )
    line = scoring.line(len(set(terms)), settings)
    arms = {"lexical": lexical} if dense is None else {"dense": dense, "lexical": lexical}
    return Weighed(
        index=index,
        arms=arms | {"graph": led} if settings.graph_weight else arms,
        parts=parts,
        line=line,
        relevant=scoring.is_relevant(dense, lexical, in_context=relevance + context + graph, line=line, reached=led),
        asked=np.isin(index.categories, list(categories)) if categories is not None else np.ones(len(index), bool),
    )


def rank(index: UserIndex, *, top_k: int = 10, **question) -> list[Hit]:
    """The best memories for a question (see `weigh`), best first, at most top_k; none that is not relevant."""
    return weigh(index, **question).best(top_k)


def _cosines(index: UserIndex, vector: np.ndarray | None) -> np.ndarray | None:
    if vector is None or index.matrix is None:
        return None
    return np.where(index.has_vector, index.matrix @ np.asarray(vector, dtype=np.float32), np.float32(np.nan))


def _context(index: UserIndex, relevance: np.ndarray, settings: RankingSettings) -> np.ndarray:
    """What each memory is lent by the most relevant one said just before it: (n,), 0 where that is no better."""
    before = np.where(index.previous >= 0, relevance[index.previous], 0.0).max(axis=1)
    return settings.context_weight * np.maximum(before - relevance, 0.0)


def _reached(index: UserIndex, reached: Mapping[Hashable, float] | None) -> np.ndarray:
    weights = np.zeros(len(index), dtype=np.float64)
    for id, weight in (reached or {}).items():
        if (row := index.row_of.get(id)) is not None:
            weights[row] = weight
    return weights


def _within(times: np.ndarray, periods: Sequence[Period]) -> np.ndarray:
    inside = np.zeros(len(times), dtype=bool)
    for period in periods:
        inside |= (times >= period.start) & (times < period.end)
    return inside


def said_before(sessions: np.ndarray, times: np.ndarray) -> np.ndarray:
    rows = len(sessions)
    previous = np.full((rows, CONTEXT_STEPS), -1, dtype=np.int32)
    order = np.lexsort((np.arange(rows), times, sessions))
    for step in range(1, CONTEXT_STEPS + 1):
        later, earlier = order[step:], order[:-step]
        together = (sessions[later] == sessions[earlier]) & (sessions[later] >= 0)
        together &= times[later] - times[earlier] <= CONTEXT_SECONDS
        previous[later[together], step - 1] = earlier[together]
    return previous


def common_terms(words: BM25) -> frozenset[str]:
    return words.common_terms(COMMON_SHARE) if words.total >= COMMON_FROM else frozenset()


def numbered(keys: Sequence[Hashable | None], numbers: dict) -> np.ndarray:
    """The number of each key, (n,) int32, -1 for None; new keys get the next ones."""
    found = [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys]
    return np.array(found, dtype=np.int32)


def shared(slots: np.ndarray, numbers: dict[tuple[str, str], int]) -> frozenset[tuple[str, str]]:
    often = np.bincount(slots[slots >= 0], minlength=len(numbers)) > 1
    return frozenset(slot for slot, number in numbers.items() if often[number])


def vectors_of(rows: Sequence[IndexRow]) -> tuple[np.ndarray | None, np.ndarray]:
    """The rows' vectors as one matrix (n, size), None when there is none at all, and which rows have one."""
    vectors = [_vector(row.vector) for row in rows]
    has_vector = np.array([vector is not None for vector in vectors], dtype=bool)
    sizes = {len(vector) for vector in vectors if vector is not None}
    if len(sizes) > 1:
        raise ValueError(f"Vectors of different sizes in one index: {sorted(sizes)}")
    if not sizes:
        return None, has_vector
    if has_vector.all():
        return np.concatenate(vectors).astype(np.float32, copy=False).reshape(len(vectors), sizes.pop()), has_vector
    matrix = np.zeros((len(vectors), sizes.pop()), dtype=np.float32)
    for row in np.flatnonzero(has_vector):
        matrix[row] = vectors[row]
    return matrix, has_vector


def _vector(stored: np.ndarray | bytes | None) -> np.ndarray | None:
    if stored is None or isinstance(stored, np.ndarray):
        return stored
    return np.frombuffer(stored, dtype="<f4")
