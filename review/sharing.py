"""How reviewers share what waits: leave a conflict to others, put it off, give it to a colleague."""

from datetime import datetime, time, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils.dateparse import parse_date
from django.utils.timezone import make_aware
from django.utils.translation import gettext as _

from memory import priority
from memory.actions import defer as deferring
from memory.actions.base import Refused, Stale
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict, Membership, Workspace
from memory.policy import policy_of
from review.models import Assignment, Deferral, Skip

FARTHEST = timedelta(days=366)
NOTE = 500


def colleagues(workspace: Workspace) -> list[AbstractBaseUser]:
    """Who may decide conflicts of the workspace, by name."""
    may = Membership.objects.filter(workspace=workspace, role__permissions__codename="decide_conflict")
    people = get_user_model().objects.filter(pk__in=may.values("person"), is_active=True)
    return list(people.order_by("username"))


@transaction.atomic
def skip(*, conflict: Conflict, person: AbstractBaseUser, actor: Actor, now: datetime) -> None:
    """Leaves the conflict out of this person's list from now on; nobody else's. Raises Stale when it is decided."""
    _check_open(conflict)
    _, is_new = Skip.objects.get_or_create(conflict=conflict, person=person, defaults={"at": now})
    if is_new:
        _log(conflict, "conflict.skip", actor, now)


@transaction.atomic
def unskip(*, conflict: Conflict, person: AbstractBaseUser, actor: Actor, now: datetime) -> None:
    if Skip.objects.filter(conflict=conflict, person=person).delete()[0]:
        _log(conflict, "conflict.unskip", actor, now)


@transaction.atomic
def defer(
    *, conflict: Conflict, day: str, person: AbstractBaseUser, actor: Actor, now: datetime, note: str = ""
) -> datetime:
    """Takes the conflict out of everybody's list until that day begins; then it is due as if it had come in then.

    `day`: "2026-12-24". Answers the moment it comes back. Raises Refused for a day that is none, has begun or is more
    than a year away, and for a note that is too long; Stale when the conflict was decided or put off meanwhile.
    """
    until = _morning(day)
    if until is None:
        raise Refused(_("Choose the day on which it shall come back."))
    if until <= now or until > now + FARTHEST:
        raise Refused(_("Choose a day from tomorrow on, within a year."))
    note = note.strip()
    if len(note) > NOTE:
        raise Refused(_("The note is longer than %(most)d characters.") % {"most": NOTE})
    due = priority.due(opened=until, band=conflict.band, policy=policy_of(conflict.workspace))
    deferring.defer(conflict=conflict, until=due, actor=actor, now=now, reason=note)
    Deferral.objects.update_or_create(
        conflict=conflict, defaults={"until": until, "by": person, "note": note, "at": now}
    )
    return until


@transaction.atomic
def bring_back(*, conflict: Conflict, actor: Actor, now: datetime) -> None:
    """Ends a deferral at once. Raises Stale when none is in force."""
    if Deferral.objects.filter(conflict=conflict, until__gt=now).update(until=now) != 1:
        raise Stale("It is not put off.")
    due = priority.due(opened=now, band=conflict.band, policy=policy_of(conflict.workspace))
    deferring.defer(conflict=conflict, until=due, actor=actor, now=now, reason="brought back")


@transaction.atomic
def assign(*, conflict: Conflict, to: str, shown: str, by: AbstractBaseUser, actor: Actor, now: datetime) -> str:
    """Gives the conflict to a colleague, `to` by primary key, or to nobody with ""; answers the colleague's name.

    `shown` is whom the sender saw it with. Raises Refused for somebody who may not decide here, Stale when it was
    decided or given to another meanwhile.
    """
    _check_open(conflict)
    person = _colleague(conflict.workspace, to, by) if to else None
    before = Assignment.objects.filter(conflict=conflict)
    if shown:
        before = before.filter(person_id=int(shown) if shown.isdecimal() and len(shown) < 10 else 0)
        fields = {"person": person, "by": by, "at": now}
        moved = before.update(**fields) if person else before.delete()[0]
    else:
        moved = _first(conflict, person, by, now) if person else not before.exists()
    if not moved:
        raise Stale("It was given to another meanwhile.")
    _log(
        conflict,
        "conflict.assign",
        actor,
        now,
        before={"person": shown},
        after={"person": str(person.pk) if person else ""},
    )
    return str(person) if person else ""


def _first(conflict: Conflict, person: AbstractBaseUser, by: AbstractBaseUser, now: datetime) -> bool:
    try:
        with transaction.atomic():
            Assignment.objects.create(conflict=conflict, person=person, by=by, at=now)
    except IntegrityError:
        return False
    return True


def _colleague(workspace: Workspace, pk: str, by: AbstractBaseUser) -> AbstractBaseUser:
    found = next((each for each in [*colleagues(workspace), by] if str(each.pk) == pk), None)
    if found is None:
        raise Refused(_("Choose a colleague who may decide in this workspace."))
    return found


def _check_open(conflict: Conflict) -> None:
    if not Conflict.objects.filter(pk=conflict.pk, status=Conflict.Status.OPEN).exists():
        raise Stale("It is decided.")


def _morning(day: str) -> datetime | None:
    try:
        date = parse_date(day.strip())
    except ValueError:
        return None
    return make_aware(datetime.combine(date, time.min)) if date and 1900 < date.year < 9000 else None


def _log(conflict: Conflict, action: str, actor: Actor, now: datetime, **more) -> None:
    log.record(
        workspace=conflict.workspace, actor=actor, action=action, now=now, object_type="conflict",
        object_id=conflict.pk, **more,
    )  # fmt: skip
