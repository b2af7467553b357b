"""What rules do each minute, and the taking back of all of it."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided
from memory.actor import Actor, of_rule
from memory.models import Conflict
from review import decisions
from review.access import Seat
from review.models import AutoRule, Decision, RuleAct
from review.rules.classes import class_of, free, is_left, needs_a_person
from review.rules.switching import end_if_doubted, switch_off

SEEN = 500  # conflicts looked at in one run of one rule
UNDONE_AT_ONCE = 200
HOUR = timedelta(hours=1)


def run(*, now: datetime) -> int:
    """Lets every rule decide what it may, for a third of a job's time at most; answers how many decisions."""
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    rules = AutoRule.objects.filter(off="").select_related("workspace").order_by("made_at")
    return sum(_run(rule, now=now, until=until) for rule in rules)


def _run(rule: AutoRule, *, now: datetime, until: float) -> int:
    if end_if_doubted(rule, now=now):
        return 0
    lately = RuleAct.objects.filter(rule=rule, at__gt=now - HOUR, decision__isnull=False).count()
    decided = 0
    for conflict in free(rule.workspace, class_of(rule), now=now).select_related("user", "memory", "workspace")[:SEEN]:
        if time.monotonic() >= until or lately + decided >= rule.per_hour:
            break
        if not is_left(conflict.pk, rule.check_share) and not needs_a_person(conflict, rule.choice):
            decided += apply(rule, conflict, now=now)
    return decided


def apply(rule: AutoRule, conflict: Conflict, *, now: datetime) -> bool:
    """Decides the conflict by the rule; false when the rule has ended, a person was faster, or it is refused, which is
    kept so that it is not tried again."""
    try:
        with transaction.atomic():
            # whoever switches it off waits for this decision, and none comes after theirs
            if not AutoRule.objects.select_for_update().filter(pk=rule.pk, off="").exists():
                return False
            decision = decisions.decide_by_rule(
                conflict=conflict, draft=decisions.Draft(rule.choice, rule.reason_code),
                actor=of_rule(rule.pk), now=now,
            )  # fmt: skip
            RuleAct.objects.create(rule=rule, conflict=conflict, decision=decision, at=now)
    except AlreadyDecided:
        return False
    except Refused:
        RuleAct.objects.get_or_create(rule=rule, conflict=conflict, defaults={"at": now})
        return False
    return True


@dataclass(frozen=True, slots=True)
class Undone:
    """How many decisions were taken back, how many could not be, and how many are left for another go."""

    done: int
    kept: int
    left: int


def undo_all(*, rule: AutoRule, seat: Seat, person: AbstractBaseUser, actor: Actor, now: datetime) -> Undone:
    """Switches the rule off and takes back what it decided, latest first, each on its own, at most UNDONE_AT_ONCE.

    What cannot be taken back, because the memory has changed since, is kept and counted.
    """
    switch_off(rule=rule, why=AutoRule.Off.ADMIN, person=person, actor=actor, now=now)
    in_force = Decision.objects.filter(rule_act__rule=rule, undone_by=None)
    latest = in_force.select_related("conflict__user", "conflict__workspace", "conflict__change")
    done = kept = 0
    for decision in latest.order_by("-decided_at", "-pk")[:UNDONE_AT_ONCE]:
        try:
            decisions.take_back(
                conflict=decision.conflict, shown=decision.pk, seat=seat, person=person, actor=actor, now=now
            )
            done += 1
        except (Refused, Stale, AlreadyDecided):
            kept += 1
    return Undone(done, kept, max(in_force.count() - kept, 0))
