"""Undo a decision: put back what it changed, as new versions, and open the conflict again."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from memory.actions.base import VERSIONED, Refused, Stale, move, open_change, take_turn
from memory.actions.settle import AlreadyDecided
from memory.actor import Actor
from memory.audit import log
from memory.intake.clean import fingerprint
from memory.models import Change, Conflict, Lesson, MemoryVersion
from memory.models.memory import MemoryStatus


@transaction.atomic
def undo(*, conflict: Conflict, actor: Actor, now: datetime, expected_version: int, reason: str = "") -> Change:
    """Takes the last decision of a conflict back.

    Raises Stale when a memory it touched has changed since, AlreadyDecided when the conflict is not as it was read,
    Refused when the same claim waits again or an identical memory is active.
    """
    take_turn(conflict.user)
    decision = conflict.change
    decided = Conflict.objects.filter(
        pk=conflict.pk, workspace_id=conflict.workspace_id, status=Conflict.Status.DECIDED, version=expected_version
    )
    try:
        with transaction.atomic():
            reopened = decided.update(
                status=Conflict.Status.OPEN, version=F("version") + 1, choice="", decided_at=None, decided_by=None,
                change=None,
            )  # fmt: skip
    except IntegrityError as error:
        raise Refused(_("The same claim is already waiting in the queue again.")) from error
    if reopened != 1 or decision is None:
        raise AlreadyDecided(Conflict.objects.select_related("decided_by").get(pk=conflict.pk))
    change = open_change(
        user=conflict.user, kind=Change.Kind.UNDO, actor=actor, now=now, reason=reason, undoes=decision
    )
    _reverse(decision, change=change, actor=actor, now=now, reason=reason)
    Lesson.objects.filter(conflict=conflict, undone_at=None).update(undone_at=now)
    for pk in decision.details.get("repointed", []):
        Conflict.objects.filter(pk=pk, status=Conflict.Status.OPEN).update(
            memory=conflict.memory_id, version=F("version") + 1
        )
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.undo", now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason, before={"status": "decided"}, after={"status": "open"},
    )  # fmt: skip
    conflict.refresh_from_db()
    return change


def _reverse(decision: Change, *, change: Change, actor: Actor, now: datetime, reason: str) -> None:
    versions = list(decision.versions.select_related("memory").order_by("number"))
    # What the decision brought in must leave before what it removed may return.
    for version in sorted(versions, key=lambda version: version.number > 1):
        memory = version.memory
        if memory.version != version.number:
            raise Stale("A memory that this decision changed has been changed again since.")
        if version.number == 1:
            fields = {"status": MemoryStatus.RETRACTED}
        else:
            fields = state_of(MemoryVersion.objects.get(memory=memory, number=version.number - 1))
        move(memory, change=change, reason=reason, actor=actor, now=now, **fields)


def state_of(version: MemoryVersion) -> dict:
    """A version's state as fields that `move` can write to its memory."""
    return {name: getattr(version, name) for name in VERSIONED} | {"fingerprint": fingerprint(version.text)}
