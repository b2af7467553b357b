"""What an admin does with webhooks, each act with its audit row; the secret is in none."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actor import Actor
from memory.audit import log
from memory.models import Workspace
from review.models import Delivery, Webhook
from review.notices.message import new_secret
from review.notices.sending import check_url

EVENTS = (Delivery.Event.QUEUED, Delivery.Event.DECIDED, Delivery.Event.OVERDUE)
MOST = 20


@transaction.atomic
def add(
    *, workspace: Workspace, url: str, events: Collection[str], person: AbstractBaseUser, actor: Actor, now: datetime
) -> Webhook:
    """A new webhook, told what happens from now on. Raises ValueError on an address or events that cannot be, and
    Refused when the workspace has MOST already."""
    values = {"url": check_url(url), "events": _events(events)}
    Workspace.objects.select_for_update().get(pk=workspace.pk)
    if Webhook.objects.filter(workspace=workspace).count() >= MOST:
        raise Refused(_("A workspace has at most %(most)d webhooks.") % {"most": MOST})
    webhook = Webhook.objects.create(
        workspace=workspace, secret=new_secret(), created_at=now, created_by=person, watched_since=now, filed_to=now,
        **values,
    )  # fmt: skip
    _record(webhook, "webhook.add", actor, now, after=values)
    return webhook


@transaction.atomic
def change(
    *, webhook: Webhook, shown: dict, url: str, events: Collection[str], on: bool, actor: Actor, now: datetime
) -> bool:
    """Stores where it goes, what it is told and whether it is on; false when nothing changes.

    Switched on, it is told what happens from now on and tried at once. Raises ValueError as `add` does, and Stale when
    it is not as `shown` (state_of) any more.
    """
    wanted = {"url": check_url(url), "events": _events(events), "off": _off(webhook, on)}
    locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
    before = state_of(locked)
    if before != shown:
        raise Stale("The webhook was changed meanwhile.")
    changed = [name for name in wanted if wanted[name] != before[name]]
    if not changed:
        return False
    if before["off"] and on:
        wanted |= {"watched_since": now, "filed_to": now, "failing_since": None}
    Webhook.objects.filter(pk=webhook.pk).update(**wanted)
    _record(
        webhook, "webhook.change", actor, now, before={name: before[name] for name in changed},
        after={name: wanted[name] for name in changed},
    )  # fmt: skip
    return True


def state_of(webhook: Webhook) -> dict:
    """What an admin may change of it."""
    return {"url": webhook.url, "events": webhook.events, "off": webhook.off}


@transaction.atomic
def renew_secret(*, webhook: Webhook, actor: Actor, now: datetime) -> str:
    """A new secret; what is sent from now on is signed with it alone."""
    secret = new_secret()
    Webhook.objects.filter(pk=webhook.pk).update(secret=secret)
    _record(webhook, "webhook.secret", actor, now)
    return secret


@transaction.atomic
def remove(*, webhook: Webhook, actor: Actor, now: datetime) -> bool:
    """Takes the webhook and its log away; false when somebody has already."""
    _total, by_model = Webhook.objects.filter(pk=webhook.pk).delete()
    if not by_model.get("review.Webhook"):
        return False
    _record(webhook, "webhook.remove", actor, now, before=state_of(webhook))
    return True


@transaction.atomic
def send_test(*, webhook: Webhook, actor: Actor, now: datetime) -> Delivery:
    """Files an event that says nothing, to be sent with the next run."""
    _record(webhook, "webhook.test", actor, now)
    return Delivery.objects.create(
        webhook=webhook, event=Delivery.Event.TEST, about=now, next_at=now, created_at=now
    )  # fmt: skip


@transaction.atomic
def send_again(*, delivery: Delivery, actor: Actor, now: datetime) -> bool:
    """Puts it back in line, with all its attempts before it; false when it is received, or in line already."""
    given_up = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.GIVEN_UP)
    if given_up.update(state=Delivery.State.PENDING, attempts=0, next_at=now, ended_at=None) != 1:
        return False
    _record(delivery.webhook, "webhook.again", actor, now, after={"delivery": delivery.pk})
    return True


def _events(names: Collection[str]) -> list[str]:
    found = [event.value for event in EVENTS if event.value in names]
    if not found or len(found) != len(set(names)):
        raise ValueError(_("Choose what it is told."))
    return found


def _off(webhook: Webhook, on: bool) -> str:
    return "" if on else webhook.off or Webhook.Off.ADMIN.value


def _record(webhook: Webhook, action: str, actor: Actor, now: datetime, **values) -> None:
    log.record(
        workspace=webhook.workspace, actor=actor, action=action, now=now, object_type="webhook", object_id=webhook.pk,
        **values,
    )  # fmt: skip
