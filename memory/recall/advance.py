"""An index of one user after a change, made from the one before it. Pure: what was not touched is not read again."""

from bisect import bisect_left
from collections.abc import Collection, Hashable, Sequence

import numpy as np

from memory.recall import ranking
from memory.recall.ranking import IndexRow, UserIndex

# Of terms, sessions and slots, so many that nothing holds any more are carried along for each row there is.
WORN_FROM, WORN_A_ROW = 1000, 10


def advanced(index: UserIndex, rows: Sequence[IndexRow], gone: Collection[Hashable] = ()) -> UserIndex | None:
    """The index with `rows`, new or changed, in their places by time and without those whose ids are `gone`.

    It answers as UserIndex.build does of the same memories; `index`, which others may be asking, stays as it is. None
    when building anew is called for: the index lacks rows of its user, vectors of another size have come, or it is
    worn by much that has gone.
    """
    if index.shared_slots is None or len(index) != index.words.total:
        return None
    matrix, has_vector = ranking.vectors_of(rows)
    if matrix is not None and index.matrix is not None and matrix.shape[1] != index.matrix.shape[1]:
        return None
    rows = sorted(rows, key=_place)
    out = [index.numbers[id] for id in {*gone, *(row.id for row in rows)} if id in index.numbers]
    kept = np.flatnonzero(~np.isin(index.row_numbers, out)) if out else np.arange(len(index))
    at = [_position(index, kept, row) for row in rows]
    # for each row of the new index: which it was in the old, or, from the old's length on, which of `rows`
    take = np.insert(kept, at, np.arange(len(rows)) + len(index))
    made = _made(index, rows, gone, take)
    return None if _is_worn(made) else made


def _made(index: UserIndex, rows: Sequence[IndexRow], gone: Collection[Hashable], take: np.ndarray) -> UserIndex:
    def joined(old: np.ndarray, new: Sequence | np.ndarray) -> np.ndarray:
        return np.concatenate([old, np.asarray(new, dtype=old.dtype if old.dtype.kind != "U" else str)])[take]

    session_numbers, slot_numbers = dict(index.session_numbers), dict(index.slot_numbers)
    sessions = joined(index.sessions, ranking.numbered([row.session_id for row in rows], session_numbers))
    slots = joined(index.slots, ranking.numbered([row.slot if row.slot[1] else None for row in rows], slot_numbers))
    words = index.words.changed(take, [row.terms for row in rows])
    event_times = joined(index.event_times, [row.event_time for row in rows])
    ids = [*index.ids, *(row.id for row in rows)]
    numbers = dict(index.numbers)
    following = int(index.row_numbers.max(initial=-1)) + 1
    numbers |= {row.id: following + place for place, row in enumerate(rows)}
    for id in gone:
        numbers.pop(id, None)
    matrix, has_vector = _vectors(index, rows, take)
    return UserIndex(
        ids=[ids[row] for row in take.tolist()],
        numbers=numbers,
        row_numbers=joined(index.row_numbers, [numbers[row.id] for row in rows]),
        words=words,
        common_terms=ranking.common_terms(words),
        matrix=matrix,
        has_vector=has_vector,
        event_times=event_times,
        made_times=joined(index.made_times, [row.made_at for row in rows]),
        credibilities=joined(index.credibilities, [row.credibility for row in rows]),
        categories=joined(index.categories, [row.category for row in rows]),
        sessions=sessions,
        session_numbers=session_numbers,
        slots=slots,
        slot_numbers=slot_numbers,
        shared_slots=ranking.shared(slots, slot_numbers),
        previous=ranking.said_before(sessions, event_times),
    )


def _vectors(index: UserIndex, rows: Sequence[IndexRow], take: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    new, new_has = ranking.vectors_of(rows)
    has_vector = np.concatenate([index.has_vector, new_has])[take]
    if not has_vector.any():
        return None, has_vector
    size = (index.matrix if index.matrix is not None else new).shape[1]
    is_old = take < len(index)
    matrix = np.zeros((len(take), size), dtype=np.float32)
    if index.matrix is not None and is_old.all():
        np.take(index.matrix, take, axis=0, out=matrix)
    elif index.matrix is not None:
        # the last of the old rows stands in for the new ones until they are written: one copy instead of two
        np.take(index.matrix, np.minimum(take, len(index) - 1), axis=0, out=matrix)
        matrix[~is_old] = 0
    if new is not None:
        matrix[~is_old] = new[take[~is_old] - len(index)]
    return matrix, has_vector


def _place(row: IndexRow) -> tuple:
    return row.event_time, row.made_at, row.id


def _position(index: UserIndex, kept: np.ndarray, row: IndexRow) -> int:
    """Where among the kept rows it belongs: after all that were said, or else made, before it."""
    return bisect_left(
        kept, _place(row), key=lambda old: (index.event_times[old], index.made_times[old], index.ids[old])
    )


def _is_worn(index: UserIndex) -> bool:
    dead = np.count_nonzero(index.words.holders == 0) + len(index.session_numbers) + len(index.slot_numbers)
    return dead > WORN_FROM + WORN_A_ROW * len(index)
