"""Which events a webhook is owed: found in the tables by their moments, each filed once."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, QuerySet

from memory.models import Conflict
from review.models import Decision, Delivery, Webhook

# A conflict bears the moment at which its job began, and is seen when the job commits.
OVERLAP = timedelta(minutes=15)
# What nobody looked for in this time, because no worker ran, is history and no news.
NEWS = timedelta(days=7)
MOST = 500
KEPT = timedelta(days=30)

Event = Delivery.Event


def file_new(webhook: Webhook, *, now: datetime) -> int:
    """Files what has happened since it was last looked, at most MOST of a kind; answers how many.

    The next run finds the rest, and what two runs find at once is filed by one of them.
    """
    since = max(webhook.filed_to - OVERLAP, webhook.watched_since, now - NEWS)
    found, all_found = [], True
    for event, about, rows in _happened(webhook, since, now):
        if event not in webhook.events:
            continue
        filed = Delivery.objects.filter(
            webhook=webhook, event=event, conflict=OuterRef("conflict_key"), about=OuterRef(about)
        )
        named = rows.annotate(conflict_key=F("conflict" if rows.model is Decision else "pk"))
        new = named.filter(~Exists(filed)).order_by(about).values_list("conflict_key", about)[:MOST]
        made = [
            Delivery(webhook=webhook, event=event, conflict_id=key, about=at, next_at=now, created_at=now)
            for key, at in new
        ]
        found += made
        all_found = all_found and len(made) < MOST
    Delivery.objects.bulk_create(found, ignore_conflicts=True)
    if all_found:
        Webhook.objects.filter(pk=webhook.pk, filed_to__lt=now).update(filed_to=now)
    return len(found)


def _happened(webhook: Webhook, since: datetime, now: datetime) -> Iterator[tuple[str, str, QuerySet]]:
    """(event, the column of its moment, the rows)."""
    conflicts = Conflict.objects.filter(workspace=webhook.workspace_id)
    waits = conflicts.filter(status=Conflict.Status.OPEN)
    taken_back = Decision.objects.filter(
        undoes__isnull=False, conflict__workspace=webhook.workspace_id, conflict__status=Conflict.Status.OPEN
    )
    decided = conflicts.filter(status=Conflict.Status.DECIDED)
    for event, about, rows in (
        (Event.QUEUED, "opened_at", waits), (Event.QUEUED, "decided_at", taken_back),
        (Event.DECIDED, "decided_at", decided), (Event.OVERDUE, "due_at", waits),
    ):  # fmt: skip
        yield event, about, rows.filter(**{f"{about}__gt": since, f"{about}__lte": now})


def drop_old(*, now: datetime) -> int:
    """Deletes what was filed more than KEPT ago and has ended; answers how many."""
    old = Delivery.objects.filter(created_at__lt=now - KEPT).exclude(state=Delivery.State.PENDING)
    return old.delete()[0]
