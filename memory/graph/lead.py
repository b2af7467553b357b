"""Where a question leads in one user's graph, now or at a past moment: the arm with its tables and its cache."""

import time
from collections.abc import Sequence
from uuid import UUID

from memory.graph import read, sync
from memory.graph.arm import Arm, ArmCache
from memory.graph.extract import read_memory
from memory.graph.reading import RULES, Reading, from_json
from memory.graph.resolve import resolve
from memory.models import EndUser, Entity, EntityMention, GraphReading, GraphState, Memory, Relation
from memory.models.memory import MemoryStatus

# mentions and relations kept in one process; 50,000 take about 15 MB
CACHE_SIZE = 50_000
# Seconds until searches ask for another job to bring a graph up to date.
ASK_AGAIN = 60
# Wordings of a past moment that are read anew for one question; with more it goes without the graph.
READ_AT_ONCE = 500

# Seconds for which a process uses a graph that is behind before it looks for a newer one.
LOOK_AGAIN = 1.0
SIZE_A_SECOND = 1000
NEVER = -1  # the revision of a graph that was not built yet

_cache = ArmCache(CACHE_SIZE)


def reach(user: EndUser, query: str) -> dict[UUID, float]:
    """The memories that a question leads to through entities, with weights of 0 to 1; no query while nothing changed.

    A graph that is behind answers as it stands: the caller reads the memories again before any is told.
    """
    return arm_of(user).reach(query)


def ask_if_behind(user: EndUser) -> None:
    """Asks for a job where the graph that answered was behind: in the transaction of the search's log, since one of its
    own would cost another wait for the disk, and a database that takes no writes must fail neither."""
    kept = _cache.get((user.workspace_id, user.pk))
    if kept and kept.revision < user.revision:
        read.ask_for_sync(user, seconds=ASK_AGAIN)


def arm_of(user: EndUser) -> Arm:
    """The user's arm from this process's cache, or from the tables at most once in LOOK_AGAIN while it is behind."""
    key = (user.workspace_id, user.pk)
    kept = _cache.get(key)
    if kept and (kept.revision >= user.revision or time.monotonic() < kept.looked_at + _patience(kept.arm)):
        return kept.arm
    built = GraphState.objects.filter(user_id=user.pk, rules=RULES).values_list("revision", flat=True).first()
    built = NEVER if built is None else built
    arm = kept.arm if kept and kept.revision == built else Arm() if built == NEVER else _from_tables(user)
    _cache.put(key, built, arm)
    return arm


def reach_then(user: EndUser, memories: Sequence[Memory], query: str) -> dict[UUID, float] | None:
    """As `reach`, among memories in their states of a past moment; rulings on who is who are today's.

    None when too many wordings of then were to be read.
    """
    stored = {
        (memory, version): reading
        for memory, version, reading in GraphReading.objects.filter(
            user_id=user.pk, rules=RULES, memory__workspace_id=user.workspace_id
        ).values_list("memory_id", "version", "reading")
    }
    if sum((memory.pk, memory.version) not in stored for memory in memories) > READ_AT_ONCE:
        return None
    readings = [(memory.pk, _read(memory, stored.get((memory.pk, memory.version)))) for memory in memories]
    return Arm.of(resolve(readings, sync.rulings(user)), total=len(memories)).reach(query)


def forget() -> None:
    """Empties this process's cache, for when the database under it was replaced by another."""
    _cache.clear()


def _patience(arm: Arm) -> float:
    """Seconds until a graph that is behind is looked for again: loading a large one is half a second of a search."""
    return LOOK_AGAIN + arm.size / SIZE_A_SECOND


def _read(memory: Memory, stored: dict | None) -> Reading:
    if stored is not None:
        return from_json(stored)
    return read_memory(memory.text, subject=memory.subject, attribute=memory.attribute, value=memory.value)


def _from_tables(user: EndUser) -> Arm:
    own = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    arm = Arm(own.count())
    memories: dict[UUID, list[UUID]] = {}
    for entity, memory in EntityMention.objects.filter(user_id=user.pk).values_list("entity_id", "memory_id"):
        memories.setdefault(entity, []).append(memory)
    entities = Entity.objects.filter(workspace_id=user.workspace_id, user_id=user.pk)
    numbers = {
        pk: arm.add(kind, key, (name, *aliases), memories.get(pk, ()))
        for pk, kind, key, name, aliases in entities.values_list("pk", "kind", "key", "name", "aliases")
    }
    relations = Relation.objects.filter(user_id=user.pk)
    for source, target, predicate, memory in relations.values_list("source_id", "target_id", "predicate", "memory_id"):
        if source in numbers and target in numbers:
            arm.relate(numbers[source], numbers[target], predicate, memory)
    return arm
