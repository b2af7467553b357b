"""Makes the index anew from the memories: terms and vectors in the database, then a collection in the vector database.

Everything is served meanwhile, by what was there before. Killed anywhere, a second run goes on where it stopped.
"""

from collections.abc import Callable, Iterator
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memory.embedding import Embedder, embed_each
from memory.index import embedded, text
from memory.index.base import Follower
from memory.index.verify import orphans
from memory.models import EndUser, IndexEntry, Memory, NextVector
from memory.models.memory import MemoryStatus

PAGE = 100

Progress = Callable[[int, int], None]  # (done, of how many)


def refresh_entries(embedder: Embedder | None, *, everything: bool, progress: Progress) -> int:
    """Gives every active memory its terms and this embedder's vector; answers how many entries changed.

    Only what differs is embedded again, unless `everything`, and what lies ready (memory/index/move.py) is taken.
    Without an embedder only terms are renewed. Raises EmbedderUnavailable.
    """
    active = Memory.objects.filter(status=MemoryStatus.ACTIVE)
    total, done, changed = active.count(), 0, 0
    for page in pages():
        memories = list(active.filter(pk__in=page).select_related("index_entry").order_by("pk"))
        wanted = [memory for memory in memories if everything or _differs(memory, embedder)]
        changed += _store(_entries(wanted, embedder))
        done += len(memories)
        progress(done, max(total, done))
    IndexEntry.objects.exclude(memory__status=MemoryStatus.ACTIVE).delete()
    return changed


def fill(there: Follower, *, model_id: str, anew: bool, progress: Progress) -> str:
    """Fills a new collection with the vectors by `model_id`; answers its name. Raises FollowerAway.

    What changes meanwhile comes by the outbox, which feeds the new collection too if this model is the one that is
    served. `anew` throws away what an interrupted run has filled.
    """
    name = there.building(anew=anew)
    top_up(there, name, model_id=model_id, progress=progress)
    return name


def top_up(there: Follower, name: str, *, model_id: str, progress: Progress) -> None:
    """Brings into a collection what it lacks. Raises FollowerAway."""
    total, done = IndexEntry.objects.filter(memory__status=MemoryStatus.ACTIVE).count(), 0
    for page in pages():
        held = there.sample(page, vectors=False, of=name)
        points = [
            point
            for point in embedded.points(page, model_id=model_id)
            if point.id not in held or held[point.id].version < point.version
        ]  # fmt: skip
        if points:
            there.upsert(points, into=name)
        done += len(page)
        progress(done, max(total, done))


def take_over(there: Follower, name: str) -> None:
    """Puts a collection in the old one's place. Raises FollowerAway."""
    there.swap(name)
    # what was retracted while its page was on the way
    there.delete(orphans(there))


def pages() -> Iterator[list[UUID]]:
    """The ids of all active memories, PAGE at a time. Ids are random, so none is passed over for long."""
    rows = Memory.objects.filter(status=MemoryStatus.ACTIVE).order_by("pk").values_list("pk", flat=True)
    page = list(rows[:PAGE])
    while page:
        yield page
        page = list(rows.filter(pk__gt=page[-1])[:PAGE])


def _differs(memory: Memory, embedder: Embedder | None) -> bool:
    entry = getattr(memory, "index_entry", None)
    if entry is None or entry.version != memory.version or entry.terms != _terms(memory):
        return True
    return embedder is not None and (entry.vector is None or entry.model_id != embedder.model_id)


def _entries(memories: list[Memory], embedder: Embedder | None) -> list[IndexEntry]:
    vectors = dict(zip([memory.pk for memory in memories], _vectors(memories, embedder), strict=True))
    return [_entry(memory, embedder, vectors[memory.pk]) for memory in memories]


def _vectors(memories: list[Memory], embedder: Embedder | None) -> list[bytes | None]:
    if embedder is None:
        return [None] * len(memories)
    held = NextVector.objects.filter(memory_id__in=[memory.pk for memory in memories], model_id=embedder.model_id)
    ready = {(id, version): bytes(vector) for id, version, vector in held.values_list("pk", "version", "vector")}
    wanted = [memory for memory in memories if (memory.pk, memory.version) not in ready]
    made = vectors_of(embedder, wanted)
    return [ready.get((memory.pk, memory.version)) or made.get(memory.pk) for memory in memories]


def vectors_of(embedder: Embedder, memories: list[Memory]) -> dict[UUID, bytes]:
    """The vectors as they are stored; without those of texts that the embedder refuses. Raises EmbedderUnavailable."""
    made = embed_each(embedder, [memory.text for memory in memories])
    return {
        memory.pk: vector.astype("<f4").tobytes()
        for memory, vector in zip(memories, made, strict=True)
        if vector is not None
    }


def _entry(memory: Memory, embedder: Embedder | None, vector: bytes | None) -> IndexEntry:
    old = getattr(memory, "index_entry", None)
    entry = IndexEntry(
        memory=memory, workspace_id=memory.workspace_id, user_id=memory.user_id, version=memory.version,
        terms=_terms(memory),
    )  # fmt: skip
    if embedder:
        entry.model_id, entry.vector = embedder.model_id if vector else "", vector
    elif old is not None and old.version == memory.version:
        entry.model_id, entry.vector = old.model_id, old.vector
    return entry


@transaction.atomic
def _store(entries: list[IndexEntry]) -> int:
    """Writes the entries of memories that did not change since they were read."""
    users = sorted({entry.user_id for entry in entries})
    # First, as every writer does: it keeps writers out until the end, and tells other processes' caches.
    list(EndUser.objects.select_for_update().filter(pk__in=users).order_by("pk").values_list("pk"))
    EndUser.objects.filter(pk__in=users).update(revision=F("revision") + 1)
    ids = [entry.memory_id for entry in entries]
    versions = dict(Memory.objects.filter(pk__in=ids, status=MemoryStatus.ACTIVE).values_list("pk", "version"))
    fresh = [entry for entry in entries if versions.get(entry.memory_id) == entry.version]
    revisions = embedded.revisions_of(users)
    for entry in fresh:
        entry.revision = revisions[entry.user_id]
    IndexEntry.objects.bulk_create(
        fresh, update_conflicts=True, unique_fields=["memory"],
        update_fields=["version", "revision", "terms", "model_id", "vector"],
    )  # fmt: skip
    return len(fresh)


def _terms(memory: Memory) -> str:
    return " ".join(text.terms(memory.text))
