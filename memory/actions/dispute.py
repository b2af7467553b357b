"""Ask a person which of several memories of one thing is true: one conflict for all of them."""

from datetime import datetime

from django.db import transaction

from memory.actions.base import take_turn
from memory.actions.hold import hold
from memory.actions.source import Source
from memory.actor import SYSTEM
from memory.intake.fact import FIXED
from memory.intake.neighbours import claim_of
from memory.intake.types import Reason
from memory.models import Conflict, EndUser, Evidence, Memory
from memory.recall import rivals
from memory.recall.consensus import Dispute, Side

# of the candidate's side, shown as what speaks for it
EVIDENCE = 20


@transaction.atomic
def open_dispute(*, user: EndUser, subject: str, attribute: str, now: datetime) -> Conflict | None:
    """Opens the conflict between the user's memories of one thing, all of one side held against the rest.

    None when they no longer differ, a person is asked already, or was and nothing has changed since.
    """
    take_turn(user)
    found = next(iter(rivals.of_slot(user, (subject, attribute), now=now)), None)
    if found is None or not found.is_open or rivals.is_raised(user, found):
        return None
    held, candidate = _sides(found)
    memories = Memory.objects.in_bulk([member.id for side in (held, candidate) for member in side.members])
    first, second = memories[_strongest(held)], memories[_strongest(candidate)]
    evidence = Evidence.objects.filter(memory__in=[member.id for member in candidate.members], against=False)
    rows = sorted(evidence.select_related("episode__user", "episode__session")[:EVIDENCE], key=lambda row: row.id)
    own = [row for row in rows if row.memory_id == second.pk] or rows
    if not own:
        return None
    suggestion, why = _advice(found, held, candidate)
    conflict = hold(
        user=user, kind=Conflict.Kind.CONTRADICTION, claim=claim_of(second), memory=first,
        source=Source(own[0].episode, own[0].quote, own[0].source_class), actor=SYSTEM, now=now,
        reason=Reason("memories_differ", {"held": first.value[:200], "new": second.value[:200]}),
        suggestion=suggestion, suggestion_reason=why, metadata=second.metadata,
    )  # fmt: skip
    for row in rows:
        Source(row.episode, row.quote, row.source_class).attach(conflict=conflict, now=now)
    others = {member.id for side in (found.leader, *found.others) for member in side.members} - {first.pk}
    conflict.rivals.set(others)
    return conflict


def _sides(found: Dispute) -> tuple[Side, Side]:
    """The side that is held and the one that is asked about: between equals the older is held, as at intake."""
    other = found.others[0]
    if not found.withheld and other.newest < found.leader.newest:
        return other, found.leader
    return found.leader, other


def _strongest(side: Side):
    """The member that stands for its side: confirmed, best supported, newest."""

    def strength(member) -> tuple:
        return member.confirmed, max((voice.weight for voice in member.voices), default=0.0), member.at

    return max(side.members, key=strength).id


def _advice(found: Dispute, held: Side, candidate: Side) -> tuple[str, Reason | None]:
    if held.confirmed:
        return Conflict.Choice.KEEP, Reason("advice_confirmed")
    if found.withheld:
        votes = {"votes": round(held.votes, 2), "own_votes": round(candidate.votes, 2)}
        return Conflict.Choice.KEEP, Reason("advice_outvoted", votes)
    days = (candidate.newest - held.newest).days
    if days >= 1 and found.attribute not in FIXED:
        return Conflict.Choice.ACCEPT, Reason("advice_newer", {"days": days})
    return "", None
