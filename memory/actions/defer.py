"""Put a conflict off: it stays open and comes up again at another time."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict


@transaction.atomic
def defer(*, conflict: Conflict, until: datetime, actor: Actor, now: datetime, reason: str = "") -> None:
    """Makes the conflict due at `until`. Raises Refused for a time that has passed, Stale when it is not open or was
    put off meanwhile. Its version stays: what a reviewer has on the screen is unchanged."""
    if until <= now:
        raise Refused(_("This time has passed already."))
    waiting = Conflict.objects.filter(
        pk=conflict.pk, workspace_id=conflict.workspace_id, status=Conflict.Status.OPEN, due_at=conflict.due_at
    )
    if waiting.update(due_at=until) != 1:
        raise Stale(_("The conflict was decided or put off meanwhile."))
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.defer", now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason, before={"due_at": conflict.due_at.isoformat()},
        after={"due_at": until.isoformat()},
    )  # fmt: skip
    conflict.due_at = until
