"""Undo a decision: put back what it changed, as new versions, and open the conflict again."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from memory.actions import revert
from memory.actions.base import Stale, open_change, take_turn
from memory.actions.reopen import reopen
from memory.actions.settle import AlreadyDecided
from memory.actor import Actor
from memory.models import Change, Conflict, Evidence


@transaction.atomic
def undo(*, conflict: Conflict, actor: Actor, now: datetime, expected_version: int, reason: str = "") -> Change:
    """Takes the last decision of a conflict back.

    Raises Stale when a memory it touched has changed since, AlreadyDecided when the conflict is not as it was read,
    Refused when the same claim waits again or an identical memory is active.
    """
    take_turn(conflict.user)
    decision = conflict.change
    kept = decision and reopen(
        conflict, expected_version=expected_version, decision=decision, actor=actor, now=now, reason=reason
    )
    if decision is None or not kept:
        raise AlreadyDecided(Conflict.objects.select_related("decided_by").get(pk=conflict.pk))
    change = open_change(
        user=conflict.user, kind=Change.Kind.UNDO, actor=actor, now=now, reason=reason, undoes=decision,
        details={"reopened": [kept]},
    )  # fmt: skip
    effects = revert.effects_of([decision])
    if any(effect.outcome == revert.Outcome.CHANGED for effect in effects):
        raise Stale("A memory that this decision changed has been changed again since.")
    wanted = [effect for effect in effects if effect.outcome != revert.Outcome.SAME]
    revert.carry_out(wanted, change_of={conflict.user_id: change}, reason=reason, actor=actor, now=now)
    _withdraw(wanted, decision, change)
    conflict.refresh_from_db()
    return change


def _withdraw(effects: Sequence[revert.Effect], decision: Change, change: Change) -> None:
    """What the decision added in support of memories that stay, such as one it brought back, counts no more."""
    stay = [effect.memory.pk for effect in effects if effect.before is not None]
    rows = Evidence.objects.filter(memory__in=stay, created_at=decision.created_at, withdrawn=False)
    if ids := list(rows.values_list("pk", flat=True)):
        rows.filter(pk__in=ids).update(withdrawn=True)
        change.details["withdrawn"] = ids
        Change.objects.filter(pk=change.pk).update(details=change.details)
