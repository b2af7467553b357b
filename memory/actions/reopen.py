"""A conflict's decision in and out of force, beside the memories that it moved."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memory.actions import identity
from memory.actions.base import Refused
from memory.actor import Actor
from memory.audit import log
from memory.models import Change, Conflict, Lesson


def reopen(
    conflict: Conflict, *, expected_version: int, decision: Change, actor: Actor, now: datetime, reason: str
) -> dict[str, Any] | None:
    """Opens a decided conflict again; answers what `decide_again` needs, None when it is not as it was read.

    Raises Refused when the same claim waits again by now.
    """
    decided = Conflict.objects.filter(
        pk=conflict.pk, workspace_id=conflict.workspace_id, status=Conflict.Status.DECIDED, version=expected_version,
        change=decision,
    )  # fmt: skip
    kept = decided.values("choice", "decided_at", "decided_by_id").first()
    try:
        with transaction.atomic():
            reopened = decided.update(
                status=Conflict.Status.OPEN, version=F("version") + 1, choice="", decided_at=None, decided_by=None,
                change=None,
            )  # fmt: skip
    except IntegrityError as error:
        raise Refused(_("The same claim is already waiting in the queue again.")) from error
    if reopened != 1 or kept is None:
        return None
    if identity.is_doubt(conflict):
        identity.unrule(conflict)
    lessons = Lesson.objects.filter(conflict=conflict, undone_at=None)
    kept |= {
        "conflict": str(conflict.pk), "change": decision.pk, "decided_at": kept["decided_at"].isoformat(),
        "lessons": list(lessons.values_list("pk", flat=True)), "version": expected_version + 1,
    }  # fmt: skip
    lessons.update(undone_at=now)
    for pk in decision.details.get("repointed", []):
        Conflict.objects.filter(pk=pk, status=Conflict.Status.OPEN).update(
            memory=conflict.memory_id, version=F("version") + 1
        )
    _log(conflict, "conflict.undo", "decided", "open", actor, now, reason)
    return kept


def decide_again(kept: dict[str, Any], *, actor: Actor, now: datetime, reason: str) -> Conflict | None:
    """Puts a decision that `reopen` took away back in force; None when the conflict has moved since."""
    still = Conflict.objects.filter(pk=kept["conflict"], status=Conflict.Status.OPEN, version=kept["version"])
    moved = still.update(
        status=Conflict.Status.DECIDED, version=F("version") + 1, choice=kept["choice"], change=kept["change"],
        decided_at=parse_datetime(kept["decided_at"]), decided_by=kept["decided_by_id"],
    )  # fmt: skip
    if moved != 1:
        return None
    Lesson.objects.filter(pk__in=kept["lessons"]).update(undone_at=None)
    conflict = Conflict.objects.select_related("workspace").get(pk=kept["conflict"])
    if identity.is_doubt(conflict):
        identity.rule(conflict, kept["choice"])
    _log(conflict, "conflict.settle", "open", "decided", actor, now, reason)
    return conflict


def _log(conflict: Conflict, action: str, before: str, after: str, actor: Actor, now: datetime, reason: str) -> None:
    log.record(
        workspace=conflict.workspace, actor=actor, action=action, now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason, before={"status": before}, after={"status": after},
    )  # fmt: skip
