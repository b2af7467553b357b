"""Which conflicts a rule may be about, and which of them it leaves alone."""

import hashlib
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from memory.models import Conflict, Workspace
from memory.policy import policy_of
from review import urgency
from review.choices import needs_second
from review.models import Assignment, AutoRule, Claim, Decision, Deferral, Proposal, RuleAct

Choice = Conflict.Choice
# An attack is looked at by a person each time, and so is the question whose something is.
KINDS = (Conflict.Kind.CONTRADICTION, Conflict.Kind.MISREPORT, Conflict.Kind.REPEAT, Conflict.Kind.FLOOD)
# what needs no wording and no period from a person
CHOICES = (Choice.KEEP, Choice.ACCEPT, Choice.REJECT_BOTH)
# people come first: what has just been filed is theirs for so long
GRACE = timedelta(minutes=10)


class Class(NamedTuple):
    """What conflicts of one class have in common."""

    kind: str
    why: str
    category: str
    source_class: str


def class_of(rule: AutoRule) -> Class:
    return Class(rule.kind, rule.why, rule.category, rule.source_class)


def of_class(workspace_id: int, wanted: Class) -> QuerySet[Conflict]:
    return Conflict.objects.filter(
        workspace=workspace_id, kind=wanted.kind, reason_code=wanted.why, category=wanted.category,
        source_class=wanted.source_class,
    )  # fmt: skip


def free(workspace: Workspace, wanted: Class, *, now: datetime) -> QuerySet[Conflict]:
    """The open conflicts of the class that nobody has in hand, put off, was given or has ever decided, that no rule has
    tried, and that are not of high urgency; those filed first first."""
    if all_need_two(workspace):
        return Conflict.objects.none()
    found = of_class(workspace.pk, wanted).filter(status=Conflict.Status.OPEN, opened_at__lt=now - GRACE)
    found = found.exclude(urgency.in_band(Conflict.Band.HIGH, now=now, policy=policy_of(workspace)))
    for busy in (
        Claim.objects.filter(until__gt=now), Deferral.objects.filter(until__gt=now), Assignment.objects.all(),
        Proposal.objects.filter(status=Proposal.Status.OPEN), Decision.objects.all(), RuleAct.objects.all(),
        Conflict.rivals.through.objects.all(),
    ):  # fmt: skip
        found = found.exclude(Exists(busy.filter(conflict=OuterRef("pk"))))
    return found.order_by("opened_at", "pk")


def all_need_two(workspace: Workspace) -> bool:
    """Whether every decision waits for a second person: then a rule may take none."""
    return policy_of(workspace).second_person == "always"


def is_left(conflict_pk: UUID, share: float) -> bool:
    """Whether a conflict is of the share that people decide: by its id alone, so that no rule made later changes it."""
    drawn = hashlib.sha256(f"left to people {conflict_pk}".encode()).digest()
    return int.from_bytes(drawn[:8]) / 2**64 < share


def needs_a_person(conflict: Conflict, choice: str) -> bool:
    """Whether the conflict, as it has become, is none that a rule may decide like this."""
    return needs_second(conflict) or (choice == Choice.REJECT_BOTH and conflict.memory_id is None)
