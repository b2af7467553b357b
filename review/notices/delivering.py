"""Sending what is due. An attempt is counted, and the next one set, before it is made: whatever happens to the worker
meanwhile, the event is sent again, later each time and not for ever."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from memory.actor import SYSTEM
from memory.audit import log
from review.models import Delivery, Webhook
from review.notices.message import body_of, headers_of
from review.notices.sending import Answer, post

# how long after each attempt the next one is made; after the last there is none
BACKOFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480, 1440))
PATIENCE = 5.0  # seconds for one answer
GIVEN = 20.0  # seconds for one run
# a receiver that has taken nothing for this long is not asked any more
HOPELESS = timedelta(days=5)
GONE = 410
MOST = 200  # of one webhook in one run

State = Delivery.State


def run() -> int:
    """Sends what is due, oldest first, for a third of a job's time at most; answers how much was received.

    A receiver that fails is left alone until the next run, so that it does not take the time of others; the one tried
    longest ago begins.
    """
    until = time.monotonic() + min(GIVEN, settings.Q_TIMEOUT / 3)
    received = 0
    for webhook in list(_with_work(timezone.now())):
        Webhook.objects.filter(pk=webhook.pk).update(tried_at=timezone.now())
        for delivery in _due(webhook):
            if time.monotonic() > until:
                return received
            answer = attempt(delivery)
            if answer is not None and not answer.received:
                break
            received += answer is not None
    return received


def _with_work(now: datetime):
    due = Delivery.objects.filter(webhook=OuterRef("pk"), state=State.PENDING, next_at__lte=now)
    found = Webhook.objects.filter(Exists(due), off="").select_related("workspace")
    return found.order_by(F("tried_at").asc(nulls_first=True), "pk")


def _due(webhook: Webhook) -> Iterator[Delivery]:
    due = webhook.deliveries.filter(state=State.PENDING, next_at__lte=timezone.now())
    for delivery in due.select_related("conflict__user").order_by("next_at", "pk")[:MOST]:
        delivery.webhook = webhook
        yield delivery


def attempt(delivery: Delivery) -> Answer | None:
    """Sends it once; None when it is another worker's already, or ended."""
    now = timezone.now()
    mine = Delivery.objects.filter(
        pk=delivery.pk, state=State.PENDING, attempts=delivery.attempts, next_at=delivery.next_at
    )
    wait = BACKOFF[min(delivery.attempts, len(BACKOFF) - 1)]
    if mine.update(attempts=F("attempts") + 1, next_at=now + wait) != 1:
        return None
    body = body_of(delivery)
    answer = post(
        delivery.webhook.url, body, headers_of(delivery, body, now=now),
        seconds=min(PATIENCE, settings.Q_TIMEOUT / 3),
    )  # fmt: skip
    _note(delivery, answer, last=delivery.attempts >= len(BACKOFF))
    return answer


def _note(delivery: Delivery, answer: Answer, *, last: bool) -> None:
    now = timezone.now()
    what = {"status": answer.status, "error": answer.error}
    gone = answer.status == GONE
    if answer.received:
        what |= {"state": State.DELIVERED, "ended_at": now}
    elif last or gone:
        what |= {"state": State.GIVEN_UP, "ended_at": now}
    Delivery.objects.filter(pk=delivery.pk, state=State.PENDING).update(**what)
    hook = Webhook.objects.filter(pk=delivery.webhook_id)
    if answer.received:
        hook.exclude(failing_since=None).update(failing_since=None)
        return
    hook.filter(failing_since=None).update(failing_since=now)
    if gone:
        _switch_off(delivery.webhook, Webhook.Off.GONE, now)
    elif hook.filter(failing_since__lt=now - HOPELESS).exists():
        _switch_off(delivery.webhook, Webhook.Off.FAILING, now)


def _switch_off(webhook: Webhook, why: str, now: datetime) -> None:
    if Webhook.objects.filter(pk=webhook.pk, off="").update(off=why) != 1:
        return
    log.record(
        workspace=webhook.workspace, actor=SYSTEM, action="webhook.off", now=now, object_type="webhook",
        object_id=webhook.pk, after={"off": why},
    )  # fmt: skip
