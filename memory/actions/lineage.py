"""What a memory was made from, and the marks on it when that moves. Call inside the action that moves it.

A link is made only when a memory is created, and only to memories that exist by then: so links can never form a ring.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django_q.tasks import async_task

from memory.intake import derive
from memory.models import Change, Derivation, Memory, MemoryVersion, StaleMark
from memory.models.memory import MemoryStatus

# a memory rests on so many others at most
MOST_SOURCES = 50
# dependants marked in the transaction that moves a source; a job marks the rest
AT_ONCE = 1000
_MEANING = ("text", "value", "negated")


def link(memory: Memory, sources: Iterable[Any], *, change: Change, now: datetime) -> None:
    """Keeps that a new memory was made from these, of the same user; others and unreadable ids are passed over.

    One whose source has gone already begins with a mark.
    """
    wanted = [id for id in map(_uuid, sources) if id and id != memory.pk][:MOST_SOURCES]
    if not wanted:
        return
    mine = Memory.objects.filter(workspace_id=memory.workspace_id, user_id=memory.user_id, pk__in=wanted)
    found = list(mine.values_list("pk", "version", "status"))
    Derivation.objects.bulk_create(
        [Derivation(memory=memory, source_id=pk, source_version=version, created_at=now) for pk, version, _ in found],
        ignore_conflicts=True,
    )
    gone = [(pk, max(version - 1, 1), status) for pk, version, status in found if status != MemoryStatus.ACTIVE]
    StaleMark.objects.bulk_create(
        [_mark(memory.pk, pk, version, f"stale_{status}", change, now) for pk, version, status in gone],
        ignore_conflicts=True,
    )


def sources_of(memory: Memory, given: Mapping[str, Any], recalled: Mapping[UUID, str]) -> list[Any]:
    """What a memory rests on: what its caller named, and what it repeats of what the agent had been told."""
    named = given.get("derived_from")
    return [*(named if isinstance(named, list) else ()), *derive.rests_on(memory.text, recalled)]


def follow(moves: Sequence[tuple[Memory, Mapping[str, Any]]], *, change: Change, now: datetime) -> None:
    """Marks what rests on memories that went away or now say something else, and takes back marks whose source is
    again as it was. `moves`: each memory as it is now, with its state before."""
    hurt, healed = {}, []
    for memory, before in moves:
        was, is_active = before["status"] == MemoryStatus.ACTIVE, memory.status == MemoryStatus.ACTIVE
        reworded = any(before[name] != getattr(memory, name) for name in _MEANING)
        if was and (reworded or not is_active):
            hurt[memory.pk] = (memory.version - 1, "stale_edited" if is_active else f"stale_{memory.status}")
        if is_active and (reworded or not was):
            healed.append(memory)
    if hurt:
        mark(hurt, change=change, now=now)
    if healed:
        _heal(healed)


def mark(
    hurt: Mapping[UUID, tuple[int, str]], *, change: Change, now: datetime, most: int = AT_ONCE,
    frontier: Collection[tuple[UUID, UUID]] = (),
) -> int:  # fmt: skip
    """Marks every active memory that rests on `hurt` ({memory: (version before, reason)}), through any number of
    others; answers how many it met. After `most` a job goes on from `frontier` (pairs of memory met and root)."""
    # a memory may rest on several roots: each pair is met once
    level = set(frontier) or {(pk, pk) for pk in hurt}
    seen, met = set(level), 0
    while level:
        if met >= most:
            step = [[str(pk), str(root), *hurt[root]] for pk, root in level]
            async_task("memory.tasks.mark_dependants", step, change.pk, group="lineage")
            break
        level = _next(level) - seen
        seen |= level
        met += len(level)
        StaleMark.objects.bulk_create(
            [_mark(pk, root, *hurt[root], change, now) for pk, root in level], ignore_conflicts=True, batch_size=500
        )
    return met


def resting_on(memory: Memory) -> int:
    """How many active memories were made from this one, directly: what a decision on it would mark."""
    return Derivation.objects.filter(source=memory, memory__status=MemoryStatus.ACTIVE).count()


def clear(memory: Memory) -> int:
    """A person has looked at the memory: takes its marks away; answers how many there were."""
    return StaleMark.objects.filter(memory=memory).delete()[0]


def _next(level: Collection[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    roots: dict[UUID, set[UUID]] = {}
    for pk, root in level:
        roots.setdefault(pk, set()).add(root)
    rows = Derivation.objects.filter(source_id__in=roots).values_list("source_id", "memory_id")
    return {(memory_id, root) for source_id, memory_id in rows for root in roots[source_id]}


def _heal(memories: Sequence[Memory]) -> None:
    by_id = {memory.pk: memory for memory in memories}
    marks = list(StaleMark.objects.filter(source_id__in=by_id).values_list("pk", "source_id", "source_version"))
    if not marks:
        return
    versions = MemoryVersion.objects.filter(memory_id__in=by_id, number__in={number for _, _, number in marks})
    known = {(version.memory_id, version.number): version for version in versions}
    again = [
        pk
        for pk, source_id, number in marks
        if (then := known.get((source_id, number)))
        and all(getattr(then, name) == getattr(by_id[source_id], name) for name in _MEANING)
    ]
    StaleMark.objects.filter(pk__in=again).delete()


def _mark(memory_id, source_id, version: int, code: str, change: Change, now: datetime) -> StaleMark:
    return StaleMark(
        memory_id=memory_id, source_id=source_id, source_version=version, change=change, reason_code=code,
        workspace_id=change.workspace_id, user_id=change.user_id, created_at=now,
    )  # fmt: skip


def _uuid(value: Any) -> UUID | None:
    try:
        return value if isinstance(value, UUID) else UUID(str(value))
    except ValueError:
        return None
