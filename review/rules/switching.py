"""Making a rule, and ending it: by an admin, or by itself when people see it otherwise."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actor import SYSTEM, Actor
from memory.audit import log
from memory.models import Workspace
from review.models import AutoRule, Decision, SecondLook
from review.rules.classes import Class, class_of, of_class
from review.rules.proposing import proposal_for

LEAST_LEFT, USUAL_LEFT = 0.05, 0.1
MOST_PER_HOUR, USUAL_PER_HOUR = 1000, 60


@transaction.atomic
def make(
    *, workspace: Workspace, about: Class, choice: str, check_share: float, per_hour: int, person: AbstractBaseUser,
    actor: Actor, now: datetime,
) -> AutoRule:  # fmt: skip
    """A rule for the class, which must be proposed with this choice now.

    Raises Stale when it is not proposed any more or has a rule, Refused for a share or a number out of range.
    """
    if not LEAST_LEFT <= check_share <= 1 or not 1 <= per_hour <= MOST_PER_HOUR:
        raise Refused(_("Leave a share of 0.05 to 1 to people, and let it decide 1 to 1000 an hour."))
    found = proposal_for(workspace, about, now=now)
    if found is None or found.choice != choice:
        raise Stale("The class is not decided alike any more.")
    try:
        with transaction.atomic():
            rule = AutoRule.objects.create(
                workspace=workspace, **about._asdict(), choice=choice, reason_code=found.reason_code,
                check_share=check_share, per_hour=per_hour, rests_on=found.alike, made_at=now, made_by=person,
            )  # fmt: skip
    except IntegrityError as error:
        raise Stale("The class has a rule.") from error
    values = {**about._asdict(), "choice": choice, "check_share": check_share, "per_hour": per_hour}
    _record(rule, "rule.make", actor, now, after=values)
    return rule


@transaction.atomic
def switch_off(
    *, rule: AutoRule, why: str, person: AbstractBaseUser | None, actor: Actor, now: datetime
) -> bool:  # fmt: skip
    """Ends the rule for good; false when it has ended. What it decided stays."""
    on = AutoRule.objects.filter(pk=rule.pk, off="")
    if on.update(off=why, off_at=now, off_by=person) != 1:
        return False
    _record(rule, "rule.off", actor, now, after={"off": why})
    return True


def doubted(rule: AutoRule) -> str:
    """Why the rule may go on no more, as AutoRule.Off says it; "" while nobody sees it otherwise."""
    mine = Decision.objects.filter(rule_act__rule=rule)
    if mine.filter(undone_by__isnull=False).exists():
        return AutoRule.Off.UNDONE
    if SecondLook.objects.filter(decision__rule_act__rule=rule, agrees=False).exists():
        return AutoRule.Off.DISAGREED
    people = Decision.objects.filter(
        conflict__in=of_class(rule.workspace_id, class_of(rule)).filter(decided_at__gte=rule.made_at).values("pk"),
        decided_at__gte=rule.made_at, undoes=None, undone_by=None, decider__isnull=False,
    )  # fmt: skip
    return AutoRule.Off.DIFFERS if people.exclude(choice=rule.choice).exists() else ""


def end_if_doubted(rule: AutoRule, *, now: datetime) -> bool:
    why = doubted(rule)
    return bool(why) and switch_off(rule=rule, why=why, person=None, actor=SYSTEM, now=now)


def _record(rule: AutoRule, action: str, actor: Actor, now: datetime, **values) -> None:
    log.record(
        workspace=rule.workspace, actor=actor, action=action, now=now, object_type="rule", object_id=rule.pk, **values
    )
