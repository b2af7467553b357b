"""Vectors for entries that have none: an import writes terms only, and so does all while there is no embedder."""

import time
from collections.abc import Sequence

from django.db import transaction
from django.db.models import F

from memory.embedding import EmbedderUnavailable, embed_each
from memory.index import embedded, serving, sync
from memory.models import EndUser, IndexEntry, Memory
from memory.models.memory import MemoryStatus

BATCH = 50  # about a second of embedding


def embed_missing(*, until: float) -> tuple[int, bool]:
    """Embeds entries of active memories, a batch a transaction, until none is left or time.monotonic() is `until`.

    Answers how many got their vector and whether some are left that can be embedded. A memory that changes meanwhile
    has its vector from that change. Safe to run twice at once; without an embedder it does nothing, and when that goes
    away it ends. A text that the embedder refuses is asked again at the next run only.
    """
    embedder = serving.get_embedder()
    done, refused = 0, set()
    while embedder is not None:
        waiting = IndexEntry.objects.filter(vector=None, memory__status=MemoryStatus.ACTIVE).exclude(pk__in=refused)
        # by user: each batch makes other processes read what is new of its users
        found = list(waiting.order_by("user_id").values_list("memory_id", "user_id", "version", "memory__text")[:BATCH])
        if not found:
            break
        if time.monotonic() >= until:
            return done, True
        try:
            vectors = embed_each(embedder, [text for *_, text in found])
        except EmbedderUnavailable:
            break
        entries = [
            (memory_id, user_id, version, vector.astype("<f4").tobytes())
            for (memory_id, user_id, version, _), vector in zip(found, vectors, strict=True)
            if vector is not None
        ]
        refused |= {row[0] for row, vector in zip(found, vectors, strict=True) if vector is None}
        done += _store(entries, embedder.model_id)
    return done, False


@transaction.atomic
def _store(entries: Sequence[tuple], model_id: str) -> int:
    users = EndUser.objects.filter(pk__in={user_id for _, user_id, *_ in entries})
    # First and in order, as every writer does: it keeps writers out until the end, and tells other processes' caches.
    list(users.select_for_update().order_by("pk").values_list("pk"))
    users.update(revision=F("revision") + 1)
    revisions = embedded.revisions_of({user_id for _, user_id, *_ in entries})
    filled = [
        memory_id
        for memory_id, user_id, version, vector in entries
        if IndexEntry.objects.filter(memory_id=memory_id, user_id=user_id, version=version, vector=None).update(
            vector=vector, model_id=model_id, revision=revisions[user_id]
        )
    ]
    sync.enqueue(Memory.objects.filter(pk__in=filled))
    return len(filled)
