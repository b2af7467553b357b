"""Who works on which conflict now: leases that end by themselves, and who has a page open.

A lease ends when its time is read to have passed; no job is needed. It is taken by one conditional write, so that of
two people one gets it. Reading a conflict takes nothing; taking it, taking the next one and deciding it do.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict
from memory.policy import policy_of
from review import sharing, urgency
from review.access import Seat
from review.filters import Filters
from review.models import Assignment, Claim, Deferral, Skip, Viewing
from review.queue import Desk, Listing

LEASE = timedelta(minutes=5)
# A browser may hold back the minute's ping of a page behind others.
PRESENT = timedelta(seconds=150)
# Leaving a page and loading it again look alike: who comes back within this time has it still.
LEAVING = timedelta(seconds=20)
FORGOTTEN = timedelta(days=1)
TRIES = 50


class Held(AlreadyDecided):
    """Another person holds the conflict; `claim` says who and until when. The message is for a person."""

    def __init__(self, claim: Claim):
        super().__init__(claim.conflict)
        self.claim = claim

    def __str__(self) -> str:
        who = {"who": self.claim.person, "until": f"{localtime(self.claim.until):%H:%M}"}
        return _("%(who)s is working on this conflict, until %(until)s at least. Nothing was written.") % who


def holder(conflict: Conflict, *, now: datetime) -> Claim | None:
    """The lease in force."""
    live = Claim.objects.filter(conflict=conflict, until__gt=now)
    return live.select_related("person", "conflict").first()


@transaction.atomic
def take(*, conflict: Conflict, person: AbstractBaseUser, actor: Actor, now: datetime) -> None:
    """Gives the conflict to the person for the next LEASE. Raises Held or AlreadyDecided."""
    if renew(conflict=conflict, person=person, now=now):
        return
    # Whoever decides it, a rule too, has written its row before looking at the lease: of the two, one waits.
    locked = Conflict.objects.select_for_update(of=("self",), no_key=True)
    present = locked.select_related("workspace", "decided_by").get(pk=conflict.pk)
    if present.status != Conflict.Status.OPEN:
        raise AlreadyDecided(present)
    _hold(conflict, person, now)
    log.record(
        workspace=present.workspace, actor=actor, action="conflict.take", now=now, object_type="conflict",
        object_id=conflict.pk,
    )  # fmt: skip


def take_next(*, desk: Desk, filters: Filters, actor: Actor) -> Conflict | None:
    """Takes the first conflict of the list that nobody holds and no colleague was given; None when there is none."""
    held = Claim.objects.filter(workspace=desk.workspace, until__gt=desk.now).values("conflict")
    given = Assignment.objects.filter(conflict__workspace=desk.workspace).exclude(person=desk.person).values("conflict")
    parts = [part.exclude(pk__in=held) for part in Listing(desk, filters).parts]
    if not filters.assignee:
        parts = [part.exclude(pk__in=given) for part in parts]
    for _try in range(TRIES):
        try:
            with transaction.atomic():
                conflict = _first_unlocked(parts)
                if conflict is not None:
                    take(conflict=conflict, person=desk.person, actor=actor, now=desk.now)
                return conflict
        except AlreadyDecided:
            continue  # a colleague was faster
    return None


def _first_unlocked(parts: list[QuerySet[Conflict]]) -> Conflict | None:
    """Passes over what somebody is taking or deciding at this moment, where the database can (SQLite has one writer
    at a time)."""
    for part in parts:
        if found := list(part.select_for_update(skip_locked=True, of=("self",), no_key=True)[:1]):
            return found[0]
    return None


def renew(*, conflict: Conflict, person: AbstractBaseUser, now: datetime) -> bool:
    """Lets the person's lease last a whole LEASE again; false when they hold none."""
    mine = Claim.objects.filter(conflict=conflict, person=person, until__gt=now)
    return mine.update(until=now + LEASE) == 1


def release(*, conflict: Conflict, person: AbstractBaseUser) -> bool:
    """Gives the person's lease back; false when they hold none."""
    Viewing.objects.filter(conflict=conflict, person=person).delete()
    return Claim.objects.filter(conflict=conflict, person=person).delete()[0] == 1


def leave(*, conflict: Conflict, person: AbstractBaseUser, now: datetime) -> None:
    """The person's page was closed or left: their lease ends LEAVING from now unless it is opened again."""
    Viewing.objects.filter(conflict=conflict, person=person).delete()
    Claim.objects.filter(conflict=conflict, person=person, until__gt=now + LEAVING).update(until=now + LEAVING)


@transaction.atomic
def take_over(
    *, conflict: Conflict, person: AbstractBaseUser, shown: int, actor: Actor, now: datetime, reason: str
) -> None:
    """An admin takes the lease from its holder, `shown` by primary key. Raises Refused without a reason, Stale when
    somebody else holds it by now, or nobody."""
    if not reason.strip():
        raise Refused(_("Say why you take this over."))
    held = Claim.objects.filter(conflict=conflict, person_id=shown, until__gt=now).exclude(person=person)
    if held.update(person=person, until=now + LEASE, since=now) != 1:
        raise Stale("The lease is another by now.")
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.take_over", now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason.strip()[:500], before={"person": shown}, after={"person": person.pk},
    )  # fmt: skip


def refuse_if_held(*, conflict: Conflict, person: AbstractBaseUser, now: datetime) -> datetime | None:
    """For the transaction of a decision: raises Held when another person has it, else makes it the person's own until
    the transaction ends, when nobody has it any more. Answers since when they have had it, None when they had not."""
    since = None
    if renew(conflict=conflict, person=person, now=now):
        since = Claim.objects.filter(conflict=conflict, person=person).values_list("since", flat=True).first()
    else:
        _hold(conflict, person, now)
    # Deleted at once, and still in the way of everybody else: their insert waits for this transaction's end.
    Claim.objects.filter(conflict=conflict, person=person).delete()
    return since


def refuse_if_taken(*, conflict: Conflict, now: datetime) -> None:
    """The same for a decision that is no person's, once it has written the conflict's row: raises Held when anybody has
    it. Nobody can take it until the transaction ends, because `take` locks that row first."""
    if claim := holder(conflict, now=now):
        raise Held(claim)


def ping(*, conflict: Conflict, person: AbstractBaseUser, now: datetime) -> None:
    """The person still has the page open: renews their lease, if they have one, and says that they are there."""
    renew(conflict=conflict, person=person, now=now)
    Viewing.objects.update_or_create(conflict=conflict, person=person, defaults={"at": now})
    Viewing.objects.filter(person=person, at__lt=now - FORGOTTEN).delete()


@dataclass(frozen=True, slots=True)
class Work:
    """Who works on a conflict, as its page shows it to one person. `claim`, `deferral`: in force, else None."""

    conflict: Conflict
    claim: Claim | None
    is_mine: bool
    viewers: list[str]
    assignment: Assignment | None
    deferral: Deferral | None
    skipped: bool
    may_work: bool
    may_take_over: bool
    colleagues: list[AbstractBaseUser]
    urgency: Conflict.Band
    why_urgent: str
    tomorrow: str  # a day as a date field takes it

    @property
    def seen(self) -> str:
        """What of it changes by itself, so that a ping is answered only where there is news."""
        lease = (
            "" if self.claim is None else "mine" if self.is_mine else f"{self.claim.person_id}@{self.claim.until:%H:%M}"
        )
        return "|".join([self.conflict.status, lease, *self.viewers])


def work_of(conflict: Conflict, seat: Seat, person: AbstractBaseUser, now: datetime) -> Work:
    """What templates/review/_work.html shows."""
    beside = (
        Conflict.objects.select_related("claim__person", "assignment__person", "deferral__by")
        .annotate(skipped=Exists(Skip.objects.filter(conflict=OuterRef("pk"), person=person)))
        .get(pk=conflict.pk)
    )
    claim, deferral = (_in_force(getattr(beside, name, None), now) for name in ("claim", "deferral"))
    open_one = conflict.status == Conflict.Status.OPEN
    may_work = open_one and seat.may("decide_conflict")
    return Work(
        conflict=conflict,
        claim=claim,
        is_mine=claim is not None and claim.person_id == person.pk,
        viewers=viewers(conflict, but=person, now=now),
        assignment=getattr(beside, "assignment", None),
        deferral=deferral,
        skipped=beside.skipped,
        may_work=may_work,
        may_take_over=may_work and seat.may("manage_workspace"),
        colleagues=sharing.colleagues(seat.workspace) if may_work else [],
        urgency=urgency.band_of(conflict, now=now, policy=policy_of(seat.workspace)),
        why_urgent=urgency.why(conflict),
        tomorrow=f"{localtime(now + timedelta(days=1)):%Y-%m-%d}",
    )


def viewers(conflict: Conflict, *, but: AbstractBaseUser, now: datetime) -> list[str]:
    """The names of the others who have the conflict's page open."""
    there = Viewing.objects.filter(conflict=conflict, at__gt=now - PRESENT).exclude(person=but)
    return [str(each.person) for each in there.select_related("person").order_by("person__username")]


def _in_force(row: Claim | Deferral | None, now: datetime) -> Claim | Deferral | None:
    return row if row is not None and row.until > now else None


def _hold(conflict: Conflict, person: AbstractBaseUser, now: datetime) -> None:
    """Makes a lease of the person where there is none in force; raises Held where there is."""
    for _once_more in range(2):
        ended = Claim.objects.filter(conflict=conflict).filter(Q(until__lte=now) | Q(person=person))
        if ended.update(person=person, until=now + LEASE, since=now) == 1:
            return
        try:
            with transaction.atomic():
                Claim.objects.create(
                    conflict=conflict, workspace_id=conflict.workspace_id, person=person, until=now + LEASE, since=now
                )
            return
        except IntegrityError:
            if live := holder(conflict, now=now):
                raise Held(live) from None
    raise Stale("The lease changes hands too fast.")
