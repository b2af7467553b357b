"""A first person has proposed a decision: the conflict stays open until a second one answers."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from memory.actions.settle import AlreadyDecided
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict


@transaction.atomic
def await_second(
    *, conflict: Conflict, choice: str, actor: Actor, now: datetime, expected_version: int, reason: str = ""
) -> None:
    """Moves the conflict's version on, so that whoever has it on the screen is told that there is a proposal.

    Raises AlreadyDecided when it is no longer open at `expected_version`.
    """
    open_one = Conflict.objects.filter(
        pk=conflict.pk, workspace_id=conflict.workspace_id, status=Conflict.Status.OPEN, version=expected_version
    )
    if open_one.update(version=F("version") + 1) != 1:
        raise AlreadyDecided(Conflict.objects.select_related("decided_by").get(pk=conflict.pk))
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.propose", now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason, after={"choice": choice},
    )  # fmt: skip
    conflict.version = expected_version + 1
