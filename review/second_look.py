"""The quality sample: decisions drawn to be looked at by a second reviewer, who does not see how the first decided."""

import hashlib
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actions.settle import choices_for
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict, Workspace
from memory.policy import policy_of
from review.models import Decision, SecondLook
from review.notes import check_length

# What nobody has looked at by then is no news any more.
KEPT = timedelta(days=30)
Choice = Conflict.Choice
# The same answer to "may the claim enter?": another wording is no disagreement.
_SIDES = {Choice.EDIT: Choice.ACCEPT}


def is_drawn(decision_pk: int, share: float) -> bool:
    """Whether a decision is of the sample: by its number alone, so that nobody can arrange it or tell in advance which
    of theirs are looked at twice."""
    drawn = hashlib.sha256(f"second look {decision_pk}".encode()).digest()
    return int.from_bytes(drawn[:8]) / 2**64 < share


def draw(decision: Decision, *, now: datetime) -> None:
    """Puts the decision, just taken, before a second reviewer when it is of the workspace's sample."""
    workspace = decision.conflict.workspace
    if is_drawn(decision.pk, policy_of(workspace).second_look_share):
        SecondLook.objects.create(decision=decision, workspace=workspace, drawn_at=now)


def waiting(workspace: Workspace, person: AbstractBaseUser, *, now: datetime) -> QuerySet[SecondLook]:
    """What this person may look at, oldest first: none of their own decisions, and none that was undone."""
    drawn = SecondLook.objects.filter(workspace=workspace, answered_at=None, drawn_at__gt=now - KEPT)
    others = drawn.exclude(decision__decider=person).exclude(decision__proposer=person)
    return others.filter(decision__undone_by=None).order_by("drawn_at", "pk")


def agree(first: str, second: str) -> bool:
    return _SIDES.get(Choice(first), first) == _SIDES.get(Choice(second), second)


@transaction.atomic
def answer(
    *, look: SecondLook, choice: str, note: str, person: AbstractBaseUser, actor: Actor, now: datetime
) -> bool:  # fmt: skip
    """Stores what the second reviewer would have decided, and answers whether that agrees with the decision; no memory
    and no decision changes.

    Raises Refused when the choice does not fit or the decision is the person's own, Stale when somebody was faster or
    the decision was undone.
    """
    decision = look.decision
    if person.pk in (decision.decider_id, decision.proposer_id):
        raise Refused(_("This decision is your own."))
    if choice not in choices_for(decision.conflict):
        raise Refused(_("Choose what you would have decided."))
    check_length(note)
    agrees = agree(decision.choice, choice)
    if Decision.objects.filter(undoes=decision).exists():
        raise Stale("The decision was undone.")
    unanswered = SecondLook.objects.filter(pk=look.pk, answered_at=None)
    said = {"reviewer": person, "choice": choice, "note": note, "agrees": agrees, "answered_at": now}
    if unanswered.update(**said) != 1:
        raise Stale("Somebody else has looked at it.")
    log.record(
        workspace=look.workspace, actor=actor, action="decision.second_look", now=now, object_type="conflict",
        object_id=decision.conflict_id, reason=note, after={"choice": choice, "agrees": agrees},
    )  # fmt: skip
    return agrees


def differing(workspace: Workspace, *, since: datetime, most: int) -> list[SecondLook]:
    """The answers that differ from a decision in force, latest first."""
    found = SecondLook.objects.filter(
        workspace=workspace, answered_at__gte=since, agrees=False, decision__undone_by=None
    )
    found = found.select_related("decision__conflict__user", "decision__decider", "reviewer")
    return list(found.order_by("-answered_at")[:most])
