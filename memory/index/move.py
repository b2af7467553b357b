"""From one embedder's vectors to another's while the old ones answer: all are made, then all are switched at once.

The new ones are made beside the old (NextVector), so no search mixes them and a killed run loses nothing: what is made
is found again, and what changed in between is seen by its version.
"""

import time
from collections.abc import Callable

from django.utils import timezone

from memory.embedding import Embedder
from memory.index import rebuild, serving
from memory.index.base import Follower
from memory.models import Memory, NextVector
from memory.models.memory import MemoryStatus

# People go on writing meanwhile: what came during one round is made in the next, until a round finds this little.
FEW = 20
ROUNDS = 10
# Two of the times in which a process notices the switch: then nobody writes by the old embedder any more.
SETTLED = 2 * serving.NOTICED_WITHIN

Progress = Callable[[str], rebuild.Progress]  # by what is being done


def is_due(embedder: Embedder | None) -> bool:
    """Whether the stored vectors that answer are another embedder's."""
    return embedder is not None and serving.served_model() not in ("", embedder.model_id)


def move(embedder: Embedder, there: Follower | None, *, anew: bool, progress: Progress) -> int:
    """Moves the index, and the vector database if there is one, to this embedder; answers how many it embedded.

    Raises EmbedderUnavailable or FollowerAway; before the switch nothing has changed for anybody, after it a second
    run, or `reindex` as ever, ends what is left to do.
    """
    if anew:
        NextVector.objects.all().delete()
    made = _make_all(embedder, progress("new vectors"))
    name = ""
    if there is not None:
        name = rebuild.fill(there, model_id=embedder.model_id, anew=anew, progress=progress("vector database"))
        made += _make_all(embedder, progress("new vectors"))
        rebuild.top_up(there, name, model_id=embedder.model_id, progress=progress("vector database"))
    serving.switch_to(embedder, now=timezone.now())
    if there is not None:
        # until here a search that asks it is refused and answered by the database, by the new vectors
        there.swap(name)
    time.sleep(SETTLED)
    settle(embedder, progress("database"))
    if there is not None:
        rebuild.top_up(there, name, model_id=embedder.model_id, progress=progress("vector database"))
        rebuild.take_over(there, name)
    return made


def settle(embedder: Embedder, progress: rebuild.Progress) -> int:
    """Moves what is ready for the served embedder into the entries; answers how many changed."""
    changed = rebuild.refresh_entries(embedder, everything=False, progress=progress)
    NextVector.objects.all().delete()
    return changed


def _make_all(embedder: Embedder, progress: rebuild.Progress) -> int:
    """Rounds over all memories until hardly any lacks its next vector; answers how many were made."""
    total = 0
    for _ in range(ROUNDS):
        made = _round(embedder, progress)
        total += made
        if made <= FEW:
            break
    return total


def _round(embedder: Embedder, progress: rebuild.Progress) -> int:
    active = Memory.objects.filter(status=MemoryStatus.ACTIVE)
    of, done, made = active.count(), 0, 0
    for page in rebuild.pages():
        ready = NextVector.objects.filter(pk__in=page, model_id=embedder.model_id)
        versions = dict(ready.values_list("pk", "version"))
        memories = [memory for memory in active.filter(pk__in=page) if versions.get(memory.pk) != memory.version]
        made += _keep(embedder, memories)
        done += len(page)
        progress(done, max(of, done))
    return made


def _keep(embedder: Embedder, memories: list[Memory]) -> int:
    vectors = rebuild.vectors_of(embedder, memories)
    rows = [
        NextVector(
            memory_id=memory.pk, workspace_id=memory.workspace_id, user_id=memory.user_id, version=memory.version,
            model_id=embedder.model_id, vector=vectors[memory.pk],
        )
        for memory in memories
        if memory.pk in vectors
    ]  # fmt: skip
    NextVector.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["memory"], update_fields=["version", "model_id", "vector"]
    )
    return len(rows)
