"""Archive what went cold, and bring it back: agents no longer see it, people do, nothing is lost."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from memory.actions.base import Refused, move, open_change, take_turn
from memory.actor import Actor
from memory.models import Change, Conflict, EndUser, HitDay, Memory
from memory.models.memory import MemoryStatus
from memory.recall.keeping import Limits, Spared, Warmth, spared


def judged(memories: Collection[Memory], *, limits: Limits, now: datetime) -> list[tuple[Memory, Spared | None]]:
    """Each memory with why it stays, None for those that would go. Three queries, however many memories."""
    ids = [memory.pk for memory in memories]
    is_open = Q(status=Conflict.Status.OPEN)
    contested = set(Conflict.objects.filter(is_open, memory__in=ids).values_list("memory_id", flat=True))
    contested |= set(Conflict.rivals.through.objects.filter(
        memory_id__in=ids, conflict__status=Conflict.Status.OPEN
    ).values_list("memory_id", flat=True))  # fmt: skip
    days: dict[UUID, list] = {}
    for pk, day in HitDay.objects.filter(memory__in=ids).values_list("memory_id", "day"):
        days.setdefault(pk, []).append(day)
    return [
        (memory, spared(_warmth(memory, memory.pk in contested, days.get(memory.pk, ())), limits=limits, now=now))
        for memory in memories
    ]


@transaction.atomic
def archive(
    *, user: EndUser, ids: Collection[UUID], limits: Limits, actor: Actor, now: datetime, reason: str = ""
) -> Change | None:
    """Archives those of the user's memories that are cold still, in one change; None when none is.

    They are judged again inside the user's turn: what was recalled, pinned or contested since it was read stays.
    """
    take_turn(user)
    rows = Memory.objects.filter(
        workspace_id=user.workspace_id, user=user, status=MemoryStatus.ACTIVE, pk__in=ids
    ).order_by("pk")  # fmt: skip
    cold = [memory for memory, why in judged(list(rows), limits=limits, now=now) if why is None]
    if not cold:
        return None
    details = {"below": limits.below, "days": limits.days}
    change = open_change(user=user, kind=Change.Kind.ARCHIVE, actor=actor, now=now, reason=reason, details=details)
    for memory in cold:
        move(memory, change=change, reason=reason, actor=actor, now=now, status=MemoryStatus.ARCHIVED)
    return change


@transaction.atomic
def unarchive(*, memory: Memory, actor: Actor, now: datetime, expected_version: int, reason: str = "") -> Memory:
    """Makes an archived memory active again; it counts as changed today, so the next night does not take it.

    Raises Refused when it is not archived or the same content is active, Stale when it moved since it was read.
    """
    take_turn(memory.user)
    if memory.status != MemoryStatus.ARCHIVED:
        raise Refused(_("Only an archived memory can be brought back."))
    change = open_change(user=memory.user, kind=Change.Kind.RESTORE, actor=actor, now=now, reason=reason)
    memory.version = expected_version
    return move(memory, change=change, reason=reason, actor=actor, now=now, status=MemoryStatus.ACTIVE)


def _warmth(memory: Memory, contested: bool, days) -> Warmth:
    return Warmth(
        pinned=memory.pinned, contested=contested, heat=memory.heat, heat_at=memory.heat_at,
        last_hit_at=memory.last_hit_at, changed_at=memory.updated_at, hit_days=days,
    )  # fmt: skip
