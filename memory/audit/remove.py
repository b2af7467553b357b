"""The two ways by which anything leaves the audit, each told by an event of its own and verifiable afterwards.

`erase_text` takes a person's words out of events and keeps the events; `retire` takes away whole sealed batches that
are older than the workspace keeps them. Seals keep every digest.
"""

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from memory.actor import SYSTEM, Actor
from memory.audit import canon, guard, horizon, log
from memory.audit.verify import ERASE, RETIRE
from memory.models import AuditEvent, AuditSeal, Workspace
from memory.policy import policy_of

BATCH = 500
SEALS, ROWS = 500, 20_000  # the most that one transaction removes
# what an event says in a person's words; who did what and when stays
WORDED = ("reason", "before", "after", "object_id")


def without_words(event: AuditEvent) -> None:
    """Takes all text out of an event."""
    event.reason, event.before, event.after = "", None, None


def erase_text(
    *,
    workspace: Workspace,
    events: QuerySet[AuditEvent],
    actor: Actor,
    now: datetime,
    reason: str,
    clean: Callable[[AuditEvent], None] = without_words,
) -> int:
    """Erases text from those of the workspace's events that are given; answers how many. `clean` may change WORDED.

    Each batch of BATCH is one transaction with one event that holds their new digests. Records of erasures stay.
    """
    ids = list((events & _events(workspace)).values_list("pk", flat=True))
    for start in range(0, len(ids), BATCH):
        _erase(workspace, ids[start : start + BATCH], actor, now, reason, clean)
    return len(ids)


@transaction.atomic
def _erase(workspace: Workspace, ids: list[int], actor: Actor, now: datetime, reason: str, clean) -> None:
    events = list(AuditEvent.objects.filter(workspace=workspace, pk__in=ids).order_by("pk"))
    for event in events:
        clean(event)
        # as the database will give them back
        event.before, event.after = json.loads(json.dumps([event.before, event.after]))
    digests = {event.pk: canon.row_digest([getattr(event, name) for name in canon.COLUMNS]).hex() for event in events}
    act = log.record(
        workspace=workspace, actor=actor, action=ERASE, now=now, object_type="audit", reason=reason,
        after={"events": len(events), "digests": digests},
    )  # fmt: skip
    for event in events:
        event.erased_by = act.pk
    with guard.opened(act):
        AuditEvent.objects.bulk_update(events, [*WORDED, "erased_by"])


def retire(*, now: datetime, until: float) -> int:
    """Removes what is older than its workspace keeps it; answers how many events went.

    What happened outside of workspaces is kept as long as the workspace that keeps longest.
    """
    keeping = {workspace: policy_of(workspace).audit_days for workspace in Workspace.objects.order_by("pk")}
    outside = max(keeping.values(), default=0) if all(keeping.values()) else 0
    gone = 0
    for workspace, days in [*keeping.items(), (None, outside)]:
        while days and time.monotonic() < until and (count := _retire(workspace, now - timedelta(days=days), now)):
            gone += count
    return gone


@transaction.atomic
def _retire(workspace: Workspace | None, before: datetime, now: datetime) -> int:
    """One run of batches, the oldest that are old as a whole; 0 when there are none. What tells of removals and
    erasures stays for ever."""
    horizon.locked()
    going = _going(workspace, before)
    if not going:
        return 0
    first, last = going[0], going[-1]
    leaving = _events(workspace).filter(id__gte=first.first_id, id__lte=last.last_id)
    act = log.record(
        workspace=workspace, actor=SYSTEM, action=RETIRE, now=now, object_type="audit",
        after={"first_seal": first.number, "last_seal": last.number, "events": leaving.count(),
               "before": before.isoformat()},
    )  # fmt: skip
    with guard.opened(act):
        count = leaving.delete()[0]
        AuditSeal.objects.filter(
            workspace=workspace, number__gte=first.number, number__lte=last.number, removed_by=None
        ).update(removed_by=act.pk)
    return count


def _going(workspace: Workspace | None, before: datetime) -> list[AuditSeal]:
    """The seals from the oldest with anything to remove on, as far as they and their events are older than `before`."""
    oldest = _events(workspace).order_by("id").values_list("id", flat=True).first()
    if oldest is None:
        return []
    links = AuditSeal.objects.filter(workspace=workspace, last_id__gte=oldest, sealed_at__lt=before)
    links = links.defer("digests").order_by("number")[:SEALS]
    going, events = [], 0
    for link in links:
        events += link.count
        if going and events > ROWS:
            break
        going.append(link)
    if going:
        span = _events(workspace).filter(id__gte=going[0].first_id, id__lte=going[-1].last_id, at__gte=before)
        young = span.order_by("id").values_list("id", flat=True).first()
        going = going if young is None else [link for link in going if link.last_id < young]
    return going


def _events(workspace: Workspace | None) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(workspace=workspace).exclude(action__in=(ERASE, RETIRE))
