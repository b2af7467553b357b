"""The embedded index: terms and vectors beside the memories, searched exactly inside one user.

It is written in the transaction of the memory itself, so it can neither lag nor hold what agents may not see.
Each process keeps the arrays of recently asked users; the user's `revision`, which every change moves, says
whether they are still right, so no process needs to tell another.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter
from threading import Lock
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from memory.index import serving, text
from memory.index.base import Point
from memory.models import EndUser, IndexEntry, Memory, NextVector
from memory.models.memory import MemoryStatus
from memory.recall.ranking import IndexRow, UserIndex

# a user of 1,000 memories takes about 2 MB
CACHE_ROWS = 60_000
MEMORIES_A_QUERY = 500


def follow(memory: Memory) -> None:
    """Makes the index agree with the memory as it is now: an entry while it is active, none otherwise."""
    follow_all([memory])


def follow_all(memories: Sequence[Memory]) -> None:
    """As `follow`, of many memories in three queries for every MEMORIES_A_QUERY of them."""
    for start in range(0, len(memories), MEMORIES_A_QUERY):
        part = memories[start : start + MEMORIES_A_QUERY]
        gone = [memory for memory in part if memory.status != MemoryStatus.ACTIVE]
        users = {memory.user_id for memory in gone}
        if gone:
            IndexEntry.objects.filter(memory_id__in=[memory.pk for memory in gone], user_id__in=users).delete()
        active = [memory for memory in part if memory.status == MemoryStatus.ACTIVE]
        if not active:
            continue
        embedder = serving.get_embedder()
        vectors = serving.text_vectors(embedder, [memory.text for memory in active])
        entries = [
            IndexEntry(
                memory=memory, workspace_id=memory.workspace_id, user_id=memory.user_id, version=memory.version,
                terms=" ".join(text.terms(memory.text)),
                # without a vector it waits for memory/index/heal.py
                model_id="" if vector is None else embedder.model_id,
                vector=None if vector is None else vector.astype("<f4").tobytes(),
            )
            for memory, vector in zip(active, vectors, strict=True)
        ]  # fmt: skip
        IndexEntry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["memory"],
            update_fields=["workspace", "user", "version", "terms", "model_id", "vector"],
        )  # fmt: skip


def load(user: EndUser, model_id: str | None = None) -> UserIndex:
    """The user's index at `user.revision`, from this process's cache or the database.

    The revision must have been read before: an entry newer than it is harmless, an older one would be wrong. Vectors
    are those of `model_id`; None: of the model that is served.
    """
    model_id = serving.served_model() if model_id is None else model_id
    key = (user.workspace_id, user.pk)
    with _lock:
        cached = _cache.get(key)
        if cached and cached[0] == (user.revision, model_id):
            _cache.move_to_end(key)
            return cached[1]
    index = UserIndex.build(rows(user, model_id=model_id))
    with _lock:
        _cache[key] = ((user.revision, model_id), index)
        _cache.move_to_end(key)
        while sum(len(entry[1]) for entry in _cache.values()) > CACHE_ROWS and len(_cache) > 1:
            _cache.popitem(last=False)
    return index


def forget() -> None:
    """Empties this process's cache, for when the database under it was replaced by another."""
    with _lock:
        _cache.clear()


def rows(user: EndUser, ids: Collection[UUID] | None = None, *, model_id: str | None = None) -> list[IndexRow]:
    """The user's active memories as rows to build a UserIndex of, oldest first; only those of `ids`, if given.

    A vector of another model than `model_id` (None: the one that is served) says nothing about its queries and is
    left out.
    """
    model_id = serving.served_model() if model_id is None else model_id
    found = IndexEntry.objects.filter(
        workspace_id=user.workspace_id, user_id=user.pk, memory__status=MemoryStatus.ACTIVE
    )  # fmt: skip
    if ids is not None:
        found = found.filter(memory_id__in=ids)
    # ordered here: SQLite would carry every vector through its sorting, 130 ms for 20,000
    entries = sorted(
        found.values_list(
            "memory__event_time", "memory__created_at", "memory_id", "version", "terms", "vector", "model_id",
            "memory__credibility", "memory__category", "memory__session_id", "memory__subject", "memory__attribute",
        ),
        key=itemgetter(0, 1, 2),
    )  # fmt: skip
    ready = NextVector.objects.filter(workspace_id=user.workspace_id, user_id=user.pk)
    vectors = _vectors([(entry[2], entry[3], entry[5], entry[6]) for entry in entries], model_id, ready)
    return [
        IndexRow(
            id=id, terms=terms.split(), event_time=event_time.timestamp(), credibility=credibility, category=category,
            session_id=session_id, slot=(subject, attribute), vector=vectors.get(id),
        )
        for event_time, _, id, _, terms, _, _, credibility, category, session_id, subject, attribute in entries
    ]  # fmt: skip


def points(ids: Collection[UUID], *, model_id: str | None = None) -> list[Point]:
    """Of these memories, of any user, the active ones as a vector database should hold them; vectors as in `rows`."""
    model_id = serving.served_model() if model_id is None else model_id
    entries = list(
        IndexEntry.objects.filter(memory_id__in=ids, memory__status=MemoryStatus.ACTIVE).values_list(
            "memory_id", "workspace_id", "user_id", "version", "memory__category", "memory__event_time", "terms",
            "vector", "model_id",
        )
    )  # fmt: skip
    ready = NextVector.objects.filter(memory_id__in=ids)
    vectors = _vectors([(entry[0], entry[3], entry[7], entry[8]) for entry in entries], model_id, ready)
    return [
        Point(
            id=id, workspace_id=workspace_id, user_id=user_id, version=version, category=category,
            event_time=event_time, terms=Counter(terms.split()),
            vector=np.frombuffer(vectors[id], dtype="<f4") if id in vectors else None,
        )
        for id, workspace_id, user_id, version, category, event_time, terms, _, _ in entries
    ]  # fmt: skip


def _vectors(entries: Iterable[tuple], model_id: str, ready: QuerySet[NextVector]) -> dict[UUID, bytes]:
    """The vectors by one model of entries (memory id, version, vector, the model that made it).

    What an entry does not hold may lie `ready` beside it: the next embedder's vectors, also just after the switch.
    """
    found, other = {}, {}
    for id, version, vector, made_by in entries:
        if vector and made_by == model_id:
            found[id] = bytes(vector)
        elif model_id:
            other[id] = version
    if other:
        for id, version, vector in ready.filter(model_id=model_id).values_list("memory_id", "version", "vector"):
            if other.get(id) == version:
                found[id] = bytes(vector)
    return found


_cache: OrderedDict[tuple[int, int], tuple[tuple[int, str], UserIndex]] = OrderedDict()
_lock = Lock()
