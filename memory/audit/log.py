"""The one way into the audit: who, what, when, why, from where."""

import ipaddress
from datetime import datetime
from typing import Any

from memory.actor import Actor
from memory.models import AuditEvent, Workspace


def record(
    *,
    workspace: Workspace | None,
    actor: Actor,
    action: str,
    now: datetime,
    object_type: str = "",
    object_id: object = "",
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    denied: bool = False,
) -> AuditEvent:
    """Appends one event; call it inside the transaction of what it tells of."""
    row = event(
        workspace=workspace, actor=actor, action=action, now=now, object_type=object_type, object_id=object_id,
        reason=reason, before=before, after=after, denied=denied,
    )  # fmt: skip
    row.save(force_insert=True)
    return row


def event(
    *, workspace, actor: Actor, action: str, now: datetime, object_type: str = "", object_id: object = "",
    reason: str = "", before=None, after=None, denied: bool = False,
) -> AuditEvent:  # fmt: skip
    """One event, unsaved, for an action that appends many at once."""
    return AuditEvent(
        workspace=workspace, at=now, actor_kind=actor.kind, actor_id=actor.id, actor_label=actor.label[:200],
        action=action, object_type=object_type, object_id=str(object_id), reason=reason, before=before, after=after,
        denied=denied, address=_address(actor.address), request_id=actor.request_id,
    )  # fmt: skip


def _address(given: str | None) -> str | None:
    """What a proxy calls an address need not be one; then there is none, and the event is written all the same."""
    try:
        return str(ipaddress.ip_address(given or ""))
    except ValueError:
        return None
