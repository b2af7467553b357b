"""Whether two names are one person: asked as a conflict of kind identity, decided, and taken back with the decision.

The graph (memory/graph) raises the doubts and obeys the rulings; no memory is changed by either.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from memory.actions.base import take_turn
from memory.actions.hold import hold
from memory.actions.source import Source
from memory.actor import SYSTEM
from memory.graph.resolve import Doubt
from memory.intake.neighbours import claim_of
from memory.intake.types import Reason
from memory.models import Conflict, EndUser, Evidence, IdentityDoubt, Memory

# of one user at a time: a reviewer's time is scarce, and one answer often settles the next
MOST_OPEN = 3
# by these reasons such a conflict is told from the screen's "whose is it?"
REASONS = {"roles": "one_name_two_roles", "short": "short_name_fits"}


def is_doubt(conflict: Conflict) -> bool:
    """True when the conflict asks whether two names are one."""
    return conflict.kind == Conflict.Kind.IDENTITY and conflict.reason_code in REASONS.values()


def to_ask(user: EndUser, doubts: Sequence[Doubt]) -> list[Doubt]:
    """Those that were never asked, as many as may still be open; two queries."""
    if not doubts:
        return []
    known = IdentityDoubt.objects.filter(user=user)
    asked = set(known.values_list("kind", "first_key", "second_key"))
    room = MOST_OPEN - known.filter(status=IdentityDoubt.Status.OPEN).count()
    return [doubt for doubt in doubts if (doubt.kind, *doubt.keys) not in asked][: max(room, 0)]


@transaction.atomic
def ask(*, user: EndUser, doubts: Sequence[Doubt], now: datetime) -> int:
    """Opens a conflict for each doubt that is still to be asked; answers how many.

    What no episode bears out (an import without evidence) cannot be shown to a person and is not asked.
    """
    take_turn(user)
    return sum(_ask(user, doubt, now) for doubt in to_ask(user, doubts))


def rule(conflict: Conflict, ruling: str) -> None:
    """The decision's answer, for the graph to obey."""
    IdentityDoubt.objects.filter(conflict=conflict).update(status=IdentityDoubt.Status.DECIDED, ruling=ruling)


def unrule(conflict: Conflict) -> None:
    IdentityDoubt.objects.filter(conflict=conflict).update(status=IdentityDoubt.Status.OPEN, ruling="")


def _ask(user: EndUser, doubt: Doubt, now: datetime) -> bool:
    sides = Memory.objects.filter(
        pk__in=doubt.memories, workspace_id=user.workspace_id, user=user, status="active"
    ).order_by("event_time", "created_at")
    if len(sides) != 2:
        return False
    for held, candidate in (sides, reversed(sides)):
        evidence = Evidence.objects.filter(memory=candidate, against=False, withdrawn=False)
        row = evidence.select_related("episode__user", "episode__session").order_by("id").first()
        pair = {"user": user, "memory": held, "fingerprint": candidate.fingerprint, "status": Conflict.Status.OPEN}
        if row is None or Conflict.objects.filter(**pair).exists():
            continue
        conflict = hold(
            user=user, kind=Conflict.Kind.IDENTITY, claim=claim_of(candidate), memory=held, actor=SYSTEM, now=now,
            source=Source(row.episode, row.quote, row.source_class), metadata=candidate.metadata,
            reason=Reason(REASONS[doubt.why], {"name": doubt.names[0], "other": doubt.names[1]}),
        )  # fmt: skip
        IdentityDoubt.objects.create(
            workspace_id=user.workspace_id, user=user, kind=doubt.kind, first_key=doubt.keys[0],
            second_key=doubt.keys[1], first_name=doubt.names[0], second_name=doubt.names[1], conflict=conflict,
            created_at=now,
        )  # fmt: skip
        return True
    return False
