"""The overdue digest: one mail a morning to everybody who may decide, while something of their workspaces is overdue.

A person's day is taken by one conditional write before the mail is made, so that of two workers one sends it; when the
mail server takes nothing, the day is given back.
"""

import smtplib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.core.mail import EmailMessage
from django.db.models import Count, Min, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import ngettext

from memory.models import Conflict, Workspace
from review.models import ReviewerSettings
from review.notices.message import address_of
from review.personal import LANGUAGES, zone_named

HOUR = 8  # in the person's zone
NAMED = 5  # conflicts of a workspace
GIVEN = 20.0  # seconds for one run

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Overdue:
    """Of one workspace: how many, since when the oldest should have been decided, how many are the reader's own, and
    the first few with their pages."""

    workspace: Workspace
    count: int
    oldest: datetime
    mine: int
    first: list[tuple[Conflict, str]]


def run(*, now: datetime) -> int:
    """Sends what is due this morning; answers how many mails."""
    if not settings.EMAIL_URL:
        return 0
    until = time.monotonic() + min(GIVEN, settings.Q_TIMEOUT / 3)
    sent = 0
    for person, wishes in _readers():
        today = _morning(wishes, now)
        if today is None or not _take(person, today):
            continue
        try:
            sent += _send(person, wishes, now)
        except (smtplib.SMTPException, OSError) as error:
            ReviewerSettings.objects.filter(person=person, digest_on=today).update(digest_on=wishes.digest_on)
            logger.warning("digest_not_sent", error=type(error).__name__)
            break
        if time.monotonic() > until:
            break
    return sent


def _readers() -> Iterator[tuple[AbstractBaseUser, ReviewerSettings]]:
    """Everybody with an address who may decide somewhere and has not said no."""
    may = Q(memberships__role__permissions__codename="decide_conflict")
    people = get_user_model().objects.filter(may, is_active=True).exclude(email="").distinct().order_by("pk")
    wishes = {each.person_id: each for each in ReviewerSettings.objects.filter(person__in=people)}
    for person in people:
        found = wishes.get(person.pk) or ReviewerSettings(person=person)
        if found.digest:
            yield person, found


def _morning(wishes: ReviewerSettings, now: datetime) -> date | None:
    """The reader's day, once it is HOUR; None before, and when it is taken."""
    local = now.astimezone(_zone(wishes))
    taken = wishes.digest_on is not None and wishes.digest_on >= local.date()
    return None if taken or local.hour < HOUR else local.date()


def _zone(wishes: ReviewerSettings) -> tzinfo:
    return zone_named(wishes.time_zone) or timezone.get_default_timezone()


def _take(person: AbstractBaseUser, today: date) -> bool:
    ReviewerSettings.objects.get_or_create(person=person)
    free = ReviewerSettings.objects.filter(Q(digest_on=None) | Q(digest_on__lt=today), person=person, digest=True)
    return free.update(digest_on=today) == 1


def _send(person: AbstractBaseUser, wishes: ReviewerSettings, now: datetime) -> int:
    found = [each for each in (overdue(workspace, person, now) for workspace in _workspaces(person)) if each]
    if not found:
        return 0
    language = wishes.language if wishes.language in LANGUAGES else settings.LANGUAGE_CODE
    with translation.override(language), timezone.override(_zone(wishes)):
        total = sum(each.count for each in found)
        subject = ngettext("%(n)d conflict is overdue", "%(n)d conflicts are overdue", total) % {"n": total}
        context = {
            "found": found, "queue": address_of(f"{reverse('queue')}?overdue=1"),
            "preferences": address_of(reverse("preferences")), "linked": bool(settings.BASE_URL),
        }  # fmt: skip
        text = render_to_string("mail/overdue.txt", context)
    mail = EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [person.email])
    return mail.send()


def _workspaces(person: AbstractBaseUser) -> list[Workspace]:
    return list(
        Workspace.objects.filter(
            memberships__person=person, memberships__role__permissions__codename="decide_conflict"
        ).order_by("name")
    )


def overdue(workspace: Workspace, person: AbstractBaseUser, now: datetime) -> Overdue | None:
    late = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.OPEN, due_at__lt=now)
    counted = late.aggregate(count=Count("pk"), oldest=Min("due_at"))
    if not counted["count"]:
        return None
    mine = late.filter(assignment__person=person).count()
    first = [(each, address_of(reverse("conflict", args=[each.pk]))) for each in late.order_by("due_at", "pk")[:NAMED]]
    return Overdue(workspace, counted["count"], counted["oldest"], mine, first)
