"""The part of a decision that concerns memories of the same thing beside the held one, for a conflict that recall
opened. `settle` calls it inside its own change, so that undoing the decision undoes this too."""

from collections.abc import Sequence
from datetime import datetime

from memory.actions.base import move, scored
from memory.actor import Actor
from memory.intake.fact import Fact
from memory.intake.relate_facts import values_agree
from memory.models import Change, Conflict, Memory
from memory.models.memory import MemoryStatus

Choice = Conflict.Choice


def candidate_among(rivals: Sequence[Memory], conflict: Conflict) -> Memory | None:
    """The memory that the conflict's candidate is, while it is active."""
    return next((memory for memory in rivals if memory.fingerprint == conflict.fingerprint), None)


def carry_out(
    choice: str, held: Memory | None, admitted: Memory | None, rivals: Sequence[Memory], conflict: Conflict,
    *, change: Change, reason: str, actor: Actor, now: datetime,
) -> list[Memory]:  # fmt: skip
    """Moves every rival to what the choice makes of it; answers those that were turned away.

    keep: what agrees with the held memory stays, the others are rejected. accept: what agrees with the candidate
    stays, the others are superseded by it. keep_both: all are confirmed. edit: all are superseded by the new wording.
    reject_both: all are rejected.
    """
    step = {"change": change, "reason": reason, "actor": actor, "now": now}
    turned_away = []
    for memory in rivals:
        if choice == Choice.KEEP_BOTH or (admitted is not None and memory.pk == admitted.pk):
            move(memory, confirmed_at=now, credibility=scored(memory, confirmed=True).value, **step)
        elif choice == Choice.REJECT_BOTH or (choice == Choice.KEEP and not _agrees(memory, held and held.value)):
            move(memory, status=MemoryStatus.REJECTED, **step)
            turned_away.append(memory)
        elif choice == Choice.EDIT or (choice == Choice.ACCEPT and not _agrees(memory, conflict.value)):
            ends = memory.valid_to or conflict.valid_from or conflict.event_time
            move(memory, status=MemoryStatus.SUPERSEDED, superseded_by_id=admitted.pk, valid_to=ends, **step)
    return turned_away


def _agrees(memory: Memory, value: str | None) -> bool:
    mine = Fact(memory.subject, memory.attribute, memory.value)
    return bool(value) and bool(values_agree(mine, Fact(memory.subject, memory.attribute, value)))
