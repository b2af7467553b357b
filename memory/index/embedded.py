"""The embedded index: terms and vectors beside the memories, searched exactly inside one user.

It is written in the transaction of the memory itself, so it can neither lag nor hold what agents may not see.
Each process keeps the arrays of recently asked users; the user's `revision`, which every change moves, says
whether they are still right, so no process needs to tell another. Each entry holds the revision at which it last
changed: a process reads only what is newer than its arrays, and reads all when in doubt.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from operator import itemgetter
from threading import Lock
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from memory.index import serving, text
from memory.index.base import Point
from memory.models import EndUser, IndexEntry, IndexGone, Memory, NextVector
from memory.models.memory import MemoryStatus
from memory.recall.advance import advanced
from memory.recall.ranking import IndexRow, UserIndex

# a user of 1,000 memories takes about 2 MB
CACHE_ROWS = 60_000
MEMORIES_A_QUERY = 500
# with more that changed, reading all is as fast
MOST_CHANGED = 1000
TRIES = 3
MOST_HELD = 1000


def follow(memory: Memory) -> None:
    """Makes the index agree with the memory as it is now: an entry while it is active, none otherwise.

    Call it in the transaction that took the user's turn (actions.base.take_turn): entries keep its revision.
    """
    follow_all([memory])


def follow_all(memories: Sequence[Memory]) -> None:
    """As `follow`, of many memories in a few queries for every MEMORIES_A_QUERY of them."""
    for start in range(0, len(memories), MEMORIES_A_QUERY):
        part = memories[start : start + MEMORIES_A_QUERY]
        revisions = revisions_of({memory.user_id for memory in part})
        _remove([memory for memory in part if memory.status != MemoryStatus.ACTIVE], revisions)
        active = [memory for memory in part if memory.status == MemoryStatus.ACTIVE]
        if not active:
            continue
        embedder = serving.get_embedder()
        vectors = serving.text_vectors(embedder, [memory.text for memory in active])
        entries = [
            IndexEntry(
                memory=memory, workspace_id=memory.workspace_id, user_id=memory.user_id, version=memory.version,
                revision=revisions[memory.user_id], terms=" ".join(text.terms(memory.text)),
                # without a vector it waits for memory/index/heal.py
                model_id="" if vector is None else embedder.model_id,
                vector=None if vector is None else vector.astype("<f4").tobytes(),
            )
            for memory, vector in zip(active, vectors, strict=True)
        ]  # fmt: skip
        IndexEntry.objects.bulk_create(
            entries, update_conflicts=True, unique_fields=["memory"],
            update_fields=["workspace", "user", "version", "revision", "terms", "model_id", "vector"],
        )  # fmt: skip


def _remove(gone: Sequence[Memory], revisions: dict[int, int]) -> None:
    if not gone:
        return
    users = {memory.user_id for memory in gone}
    IndexEntry.objects.filter(memory_id__in=[memory.pk for memory in gone], user_id__in=users).delete()
    rows = [
        IndexGone(
            memory=memory, workspace_id=memory.workspace_id, user_id=memory.user_id,
            revision=revisions[memory.user_id],
        )
        for memory in gone
    ]  # fmt: skip
    IndexGone.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["memory"], update_fields=["workspace", "user", "revision"]
    )


def touched(memories: Collection[Memory]) -> None:
    """Says that something beside the text changed in place, such as credibility, in a turn of these users."""
    for user_id, revision in revisions_of({memory.user_id for memory in memories}).items():
        mine = [memory.pk for memory in memories if memory.user_id == user_id]
        IndexEntry.objects.filter(user_id=user_id, memory_id__in=mine).update(revision=revision)


def revisions_of(users: Collection[int]) -> dict[int, int]:
    """The users' revisions as this transaction sees them."""
    return dict(EndUser.objects.filter(pk__in=users).values_list("pk", "revision"))


def load(user: EndUser, model_id: str | None = None) -> UserIndex:
    """The user's index at `user.revision`, from this process's cache, as far as it goes, and the database.

    The revision must have been read before: an entry newer than it is harmless, an older one would be wrong. Vectors
    are those of `model_id`; None: of the model that is served.
    """
    model_id = serving.served_model() if model_id is None else model_id
    key = (user.workspace_id, user.pk)
    with _lock:
        cached = _cache.get(key)
        if cached and cached[0] == (user.created_at, model_id, user.revision):
            _cache.move_to_end(key)
            return cached[1]
    index, revision = None, user.revision
    if cached and cached[0][:2] == (user.created_at, model_id):
        index = _advanced(user, model_id, cached[0][2], cached[1])
        # what another request has read later than this user was read stays as late
        revision = max(revision, cached[0][2]) if index is not None else revision
    if index is None:
        index = UserIndex.build(rows(user, model_id=model_id))
    with _lock:
        _cache[key] = ((user.created_at, model_id, revision), index)
        _cache.move_to_end(key)
        while sum(len(entry[1]) for entry in _cache.values()) > CACHE_ROWS and len(_cache) > 1:
            _cache.popitem(last=False)
    return index


def _advanced(user: EndUser, model_id: str, since: int, index: UserIndex) -> UserIndex | None:
    """The cached index of the revision `since` with what changed and what went after it; None when in doubt.

    Nothing must be written between the readings, or they could speak of two states: the revision, read before and
    after, tells. The number of entries there are is held against what comes out.
    """
    place = {"workspace_id": user.workspace_id, "user_id": user.pk}
    for _ in range(TRIES):
        before = revisions_of([user.pk])
        if before.get(user.pk, -1) < max(since, user.revision):  # not the database that the cache was read from
            return None
        changed = rows(user, since=since, model_id=model_id)
        left = IndexGone.objects.filter(revision__gt=since, **place).values_list("memory_id", flat=True)
        gone = set(left[: MOST_CHANGED + 1])
        if max(len(changed), len(gone)) > MOST_CHANGED:
            return None
        count = IndexEntry.objects.filter(**place).count()
        if before == revisions_of([user.pk]):
            # what came back after it went is among the changed
            made = advanced(index, changed, gone - {row.id for row in changed})
            return made if made is not None and len(made) == count else None
    return None


def forget() -> None:
    """Empties this process's cache, for when the database under it was replaced by another."""
    with _lock:
        _cache.clear()


def rows(
    user: EndUser, ids: Collection[UUID] | None = None, *, since: int | None = None, model_id: str | None = None
) -> list[IndexRow]:
    """The user's active memories as rows to build a UserIndex of, oldest first; only those of `ids`, and those that
    changed after the revision `since`, if given: then MOST_CHANGED + 1 at most.

    A vector of another model than `model_id` (None: the one that is served) says nothing about its queries and is
    left out.
    """
    model_id = serving.served_model() if model_id is None else model_id
    found = IndexEntry.objects.filter(
        workspace_id=user.workspace_id, user_id=user.pk, memory__status=MemoryStatus.ACTIVE
    )  # fmt: skip
    if ids is not None:
        found = found.filter(memory_id__in=ids)
    if since is not None:
        found = found.filter(revision__gt=since)
    # ordered here: SQLite would carry every vector through its sorting, 130 ms for 20,000
    entries = sorted(
        found.values_list(
            "memory__event_time", "memory__created_at", "memory_id", "version", "terms", "vector", "model_id",
            "memory__credibility", "memory__category", "memory__session_id", "memory__subject", "memory__attribute",
        )[: None if since is None else MOST_CHANGED + 1],
        key=itemgetter(0, 1, 2),
    )  # fmt: skip
    ready = NextVector.objects.filter(workspace_id=user.workspace_id, user_id=user.pk)
    vectors = _vectors([(entry[2], entry[3], entry[5], entry[6]) for entry in entries], model_id, ready)
    return [
        IndexRow(
            id=id, terms=terms.split(), event_time=event_time.timestamp(), credibility=credibility, category=category,
            session_id=session_id, slot=(subject, attribute), vector=vectors.get(id), made_at=made_at.timestamp(),
        )
        for event_time, made_at, id, _, terms, _, _, credibility, category, session_id, subject, attribute in entries
    ]  # fmt: skip


def holding(user: EndUser, phrase: str) -> set[UUID]:
    """The user's active memories that hold the phrase (text.plain) word for word, of the newest MOST_HELD that hold
    its words; none for "". The texts are read, since stop words are in no index."""
    # an apostrophe may be written in two ways
    words = [word.split("'")[0] for word in phrase.split()]
    if not words:
        return set()
    found = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    # neighbours in the phrase, because a single Han character is in nearly every text
    for first, second in zip(words, words[1:] or [""], strict=False):
        found = found.filter(text__icontains=first + second if text.HAN_RUN.fullmatch(first + second) else first)
    rows = found.order_by("-event_time").values_list("pk", "text")[:MOST_HELD]
    return {pk for pk, wording in rows if phrase in text.plain(wording)}


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


# by workspace and user: since when there is such a user, the vectors' model, the revision; and the index
_cache: OrderedDict[tuple[int, int], tuple[tuple[datetime, str, int], UserIndex]] = OrderedDict()
_lock = Lock()
