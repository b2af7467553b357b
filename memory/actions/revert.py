"""Take changes back: what that would do to each memory they touched, and the doing of it, many memories at a time.

`effects_of` decides and writes nothing; `carry_out` writes what was decided, as new versions. An undone decision, a
rollback and its preview all come through here. It goes by the versions alone, so it knows no kinds of changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Count, F, Max, Min, QuerySet
from django.utils.translation import gettext as _

from memory.actions import lineage
from memory.actions.base import VERSIONED, Refused, Stale, audit_of, snapshot
from memory.actor import Actor
from memory.audit import log
from memory.index import embedded, sync
from memory.intake.clean import fingerprint
from memory.models import Change, Memory, MemoryVersion
from memory.models.memory import MemoryStatus
from memory.store import parts, store

_COLUMNS = [name.removesuffix("_id") for name in VERSIONED] + ["fingerprint", "version", "updated_at"]


class Outcome(StrEnum):
    RETRACT = "retract"  # the changes brought it in
    RESTORE = "restore"  # it becomes what it was before them
    SAME = "same"  # it is as it was before them already
    CHANGED = "changed"  # something else has changed it since
    TAKEN = "taken"  # what it was is said by another active memory today


@dataclass(frozen=True, slots=True)
class Effect:
    """What taking the changes back means for one memory. `now` is its newest version, `before` the one from before
    the changes, None when they brought it in."""

    memory: Memory
    outcome: Outcome
    now: MemoryVersion
    before: MemoryVersion | None

    @property
    def target(self) -> dict[str, Any]:
        """The fields that the memory gets."""
        if self.before is None:
            return snapshot(self.memory) | {"status": MemoryStatus.RETRACTED, "fingerprint": self.memory.fingerprint}
        return state_of(self.before)

    @property
    def is_ready(self) -> bool:
        """Whether it happens without being forced."""
        return self.outcome in (Outcome.RETRACT, Outcome.RESTORE)


def state_of(version: MemoryVersion) -> dict[str, Any]:
    """A version's state as fields that `move` can write to its memory."""
    return {name: getattr(version, name) for name in VERSIONED} | {"fingerprint": fingerprint(version.text)}


def effects_of(changes: QuerySet[Change] | Sequence[Change], *, most: int | None = None) -> list[Effect]:
    """One effect for each memory that the changes touched, in the order of the memories' ids: a few queries
    for every 500 of them. Raises Refused when there are more than `most`."""
    rows = (
        MemoryVersion.objects.filter(change__in=changes)
        .values("memory_id")
        .annotate(first=Min("number"), last=Max("number"), n=Count("pk"))
        .order_by("memory_id")
    )
    touched = list(rows[: most + 1] if most else rows)
    if most and len(touched) > most:
        raise Refused(_("This touches more than %(most)d memories. Take a shorter time.") % {"most": most})
    found = [effect for part in parts(touched) for effect in _decide(part)]
    return _without_twins(found)


def _decide(touched: Sequence[Mapping[str, Any]]) -> Iterator[Effect]:
    ids = [row["memory_id"] for row in touched]
    memories = Memory.objects.select_related("user", "workspace").in_bulk(ids)
    numbers = {row["first"] - 1 for row in touched} | {row["last"] for row in touched}
    numbers |= {memory.version for memory in memories.values()}
    versions = {
        (version.memory_id, version.number): version
        for version in MemoryVersion.objects.filter(memory_id__in=ids, number__in=numbers)
    }
    for row in touched:
        memory = memories[row["memory_id"]]
        before, last = versions.get((memory.pk, row["first"] - 1)), versions[memory.pk, row["last"]]
        now = versions[memory.pk, memory.version]
        yield Effect(memory, _outcome(row, before, last, now), now, before)


def _outcome(row: Mapping[str, Any], before: MemoryVersion | None, last: MemoryVersion, now: MemoryVersion) -> Outcome:
    # Taken back and taken forth again is as if nothing had happened: states are compared, not numbers.
    if before is not None and _same(before, now):
        return Outcome.SAME
    if before is None and now.status != MemoryStatus.ACTIVE and now.number > last.number:
        return Outcome.SAME
    if row["n"] != row["last"] - row["first"] + 1 or not _same(last, now):
        return Outcome.CHANGED
    return Outcome.RETRACT if before is None else Outcome.RESTORE


def _same(one: MemoryVersion, other: MemoryVersion) -> bool:
    return one.number == other.number or all(getattr(one, name) == getattr(other, name) for name in VERSIONED)


def _without_twins(effects: list[Effect]) -> list[Effect]:
    """Marks as TAKEN what would say the same as a memory that stays active."""
    leaving = {effect.memory.pk for effect in effects if effect.is_ready}
    back = {(e.memory.user_id, e.target["fingerprint"]) for e in effects if e.before and _returns(e)}
    holders: dict[tuple[int, str], UUID] = {}
    for part in parts(sorted(back)):
        rows = Memory.objects.filter(
            user_id__in={user for user, _print in part},
            fingerprint__in={print_ for _user, print_ in part},
            status=MemoryStatus.ACTIVE,
        ).exclude(pk__in=leaving)
        holders |= {(user, print_): pk for pk, user, print_ in rows.values_list("pk", "user_id", "fingerprint")}
    judged = []
    for effect in effects:
        if _returns(effect):
            place = (effect.memory.user_id, effect.target["fingerprint"])
            if holders.setdefault(place, effect.memory.pk) != effect.memory.pk:
                effect = replace(effect, outcome=Outcome.TAKEN)
        judged.append(effect)
    return judged


def _returns(effect: Effect) -> bool:
    wanted = effect.outcome in (Outcome.RESTORE, Outcome.CHANGED)
    return wanted and effect.before is not None and effect.before.status == MemoryStatus.ACTIVE


def carry_out(
    effects: Sequence[Effect], *, change_of: Mapping[int, Change], reason: str, actor: Actor, now: datetime
) -> None:
    """Writes the effects' targets as new versions under each user's change ({user's key: change}).

    The transaction must have taken the turns of all these users, and the effects be read after that. Raises Stale when
    a memory moved all the same, Refused when an identical one is active.
    """
    moves = []
    for effect in effects:
        before = snapshot(effect.memory)
        for name, value in effect.target.items():
            setattr(effect.memory, name, value)
        moves.append((effect.memory, before))
    write(moves, change_of=change_of, reason=reason, actor=actor, now=now)


def write(
    moves: Sequence[tuple[Memory, dict[str, Any]]], *, change_of: Mapping[int, Change], reason: str, actor: Actor,
    now: datetime,
) -> None:  # fmt: skip
    """Writes many memories' next versions, each given as it is to be and with its state before (base.snapshot).

    As `base.move`, under the conditions of `carry_out`.
    """
    # What leaves must be gone before its like may return.
    leaving = [memory for memory, _before in moves if memory.status != MemoryStatus.ACTIVE]
    returning = [memory for memory, _before in moves if memory.status == MemoryStatus.ACTIVE]
    try:
        for memories in (leaving, returning):
            _update(memories, now)
    except IntegrityError as error:
        raise Refused(_("The same content is remembered already.")) from error
    store(
        [
            MemoryVersion(
                memory=memory, number=memory.version, change=change_of[memory.user_id], reason=reason, created_at=now,
                **snapshot(memory),
            )
            for memory, _before in moves
        ]
    )  # fmt: skip
    embedded.follow_all([memory for memory, _before in moves])
    sync.enqueue([memory for memory, _before in moves])
    _tell(moves, change_of, reason=reason, actor=actor, now=now)


def _update(memories: Sequence[Memory], now: datetime) -> None:
    for part in parts(memories):
        claimed = 0
        for number, ids in _by_version(part).items():
            # Taking the number first: only from the version that was read, however it came to be another.
            claimed += Memory.objects.filter(pk__in=ids, version=number).update(version=F("version") + 1)
        if claimed != len(part):
            raise Stale("A memory changed meanwhile.")
        for memory in part:
            memory.version, memory.updated_at = memory.version + 1, now
        gone = [memory.pk for memory in part if memory.status == MemoryStatus.RETRACTED]
        Memory.objects.filter(pk__in=gone).update(status=MemoryStatus.RETRACTED, updated_at=now)
        rest = [memory for memory in part if memory.status != MemoryStatus.RETRACTED]
        Memory.objects.bulk_update(rest, _COLUMNS, batch_size=50)


def _by_version(memories: Iterable[Memory]) -> dict[int, list[UUID]]:
    found: dict[int, list[UUID]] = {}
    for memory in memories:
        found.setdefault(memory.version, []).append(memory.pk)
    return found


def _tell(moves, change_of: Mapping[int, Change], *, reason: str, actor: Actor, now: datetime) -> None:
    by_user: dict[int, list] = {}
    rows = []
    for memory, before in moves:
        by_user.setdefault(memory.user_id, []).append((memory, before))
        told = audit_of(
            memory, change=change_of[memory.user_id], actor=actor, now=now, reason=reason, before=before
        )  # fmt: skip
        rows.append(log.event(**told))
    store(rows)
    for user, mine in by_user.items():
        lineage.follow(mine, change=change_of[user], now=now)
