"""Deciding: what may be chosen, what it would do, doing it once, and taking it back."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from memory.actions.base import Refused, Stale
from memory.actions.settle import Settlement, choices_for, effects_of, settle
from memory.actions.undo import undo
from memory.actor import Actor
from memory.models import Conflict, Recall
from memory.policy import policy_of
from review import claims
from review.access import Seat
from review.models import Decision

Choice = Conflict.Choice
ReasonCode = Decision.ReasonCode

# Which reason a choice usually has; the page selects it, the reviewer may take another.
USUAL = {
    Choice.KEEP: ReasonCode.MISTAKEN,
    Choice.ACCEPT: ReasonCode.NEWER,
    Choice.KEEP_BOTH: ReasonCode.BOTH_TRUE,
    Choice.EDIT: ReasonCode.NEWER,
    Choice.REJECT_BOTH: ReasonCode.MISTAKEN,
    Choice.SAME: ReasonCode.OTHER,
    Choice.DIFFERENT: ReasonCode.WRONG_PERSON,
}
NOTE = 500
KEYS = {
    Choice.KEEP: "c", Choice.ACCEPT: "a", Choice.KEEP_BOTH: "b", Choice.EDIT: "e", Choice.REJECT_BOTH: "x",
    Choice.SAME: "s", Choice.DIFFERENT: "d",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Option:
    """One choice a page offers: its value and label, its key, what it will do, whether the rules advise it."""

    choice: str
    label: str
    key: str
    effect: str
    suggested: bool
    usual_reason: str


def allowed_choices(conflict: Conflict, seat: Seat) -> tuple[str, ...]:
    """The choices this person may make on the conflict now: the page shows exactly these, `decide` takes no other."""
    if conflict.status != Conflict.Status.OPEN or not seat.may("decide_conflict"):
        return ()
    return choices_for(conflict)


def options(conflict: Conflict, seat: Seat, *, among_rivals: bool = False) -> list[Option]:
    """`among_rivals`: the candidate is remembered already, as recall found it."""
    return [
        Option(
            choice=choice,
            label=label_of(choice, conflict),
            key=KEYS[Choice(choice)],
            effect=preview(conflict, choice, among_rivals=among_rivals),
            suggested=choice == conflict.suggestion,
            usual_reason=USUAL[Choice(choice)],
        )
        for choice in allowed_choices(conflict, seat)
    ]


def label_of(choice: str, conflict: Conflict) -> str:
    """A choice in the words of its conflict: without a held memory there is no current one to keep."""
    if conflict.memory_id is None and choice == Choice.KEEP:
        return _("Turn away")
    return str(Choice(choice).label)


def preview(conflict: Conflict, choice: str, *, among_rivals: bool = False) -> str:
    """What the choice will change, in sentences, from the same effects that `settle` carries out."""
    if choice == Choice.SAME:
        return _("The two become one in the graph. No memory changes.")
    if choice == Choice.DIFFERENT:
        return _("The two stay apart in the graph. No memory changes.")
    effects = effects_of(choice, conflict.memory)
    if among_rivals:
        return _preview_among_rivals(Choice(choice))
    sentences = []
    if effects.admits and choice == Choice.EDIT:
        sentences.append(_("Your wording becomes an active memory."))
    elif effects.admits:
        sentences.append(_("The incoming claim becomes an active memory."))
    if effects.held_becomes == "superseded":
        sentences.append(_("The held one is kept in history as superseded."))
    elif effects.held_becomes == "rejected":
        sentences.append(_("The held one is no longer told to agents."))
    elif effects.held_becomes == "confirmed":
        sentences.append(_("The held one stays and counts as confirmed."))
    if effects.learns:
        sentences.append(_("The incoming claim is turned away and recognised if it returns."))
    return " ".join(sentences)


def _preview_among_rivals(choice: Choice) -> str:
    """The same for a conflict between memories that are all remembered."""
    return {
        Choice.KEEP: _("The held one counts as confirmed. Memories that say otherwise are no longer told to agents."),
        Choice.ACCEPT: _("The other one counts as confirmed. What says otherwise is kept in history as superseded."),
        Choice.KEEP_BOTH: _("All of them stay and count as confirmed."),
        Choice.EDIT: _("Your wording becomes an active memory. All others are kept in history as superseded."),
        Choice.REJECT_BOTH: _("None of them is told to agents any more."),
    }[choice]


def already_told(conflict: Conflict) -> int:
    """How many recalls have given the held memory to agents: what a wrong memory has reached."""
    if conflict.memory_id is None:
        return 0
    return Recall.objects.filter(hits__memory_id=conflict.memory_id, hits__withheld=False).count()


@transaction.atomic
def decide(
    *,
    conflict: Conflict,
    seat: Seat,
    person: AbstractBaseUser,
    actor: Actor,
    now: datetime,
    choice: str,
    reason_code: str,
    expected_version: int,
    note: str = "",
    text: str = "",
) -> tuple[Decision, Settlement]:
    """Decides the conflict and appends the decision, both or neither.

    Raises what memory.actions.settle raises: AlreadyDecided when somebody was faster, Refused when it may not be; and
    claims.Held, a kind of AlreadyDecided, when another person holds it.
    """
    if reason_code not in ReasonCode.values:
        raise Refused(_("Choose a reason."))
    if len(note) > NOTE:
        raise Refused(
            _("The note has %(length)d characters; %(most)d are allowed.") % {"length": len(note), "most": NOTE}
        )
    claims.refuse_if_held(conflict=conflict, person=person, now=now)
    held_text = conflict.memory.text if conflict.memory else ""
    settlement = settle(
        conflict=conflict, choice=choice, person=person, actor=actor, now=now, expected_version=expected_version,
        text=text, reason=_reason(reason_code, note),
    )  # fmt: skip
    decision = Decision.objects.create(
        conflict=conflict, choice=choice, reason_code=reason_code, note=note, decider=person, decided_at=now,
        conflict_version=expected_version, held_text=held_text, incoming_text=conflict.text,
        edited_text=text if choice == Choice.EDIT else "", change=settlement.change,
    )  # fmt: skip
    return decision, settlement


def last_decision(conflict: Conflict) -> Decision | None:
    """The decision in force: the last one that is neither an undoing nor undone."""
    return conflict.decisions.filter(undoes=None, undone_by=None).select_related("decider").last()


def may_undo(decision: Decision | None, seat: Seat, person: AbstractBaseUser, *, now: datetime) -> bool:
    """The decider may for the workspace's `undo_minutes`, an admin at any time."""
    if decision is None or not seat.may("decide_conflict"):
        return False
    window = timedelta(minutes=policy_of(seat.workspace).undo_minutes)
    return seat.may("manage_workspace") or (decision.decider_id == person.pk and now <= decision.decided_at + window)


@transaction.atomic
def take_back(
    *, conflict: Conflict, shown: int, seat: Seat, person: AbstractBaseUser, actor: Actor, now: datetime
) -> Decision:
    """Undoes the decision in force by a compensating one, when it is `shown`, the one its sender saw.

    Raises Stale when another decision is in force by now, else Refused, Stale or AlreadyDecided as `undo` does.
    """
    decision = last_decision(conflict)
    if decision is None or decision.pk != shown:
        raise Stale("Another decision is in force.")
    if not may_undo(decision, seat, person, now=now):
        raise Refused(_("This decision can no longer be undone by you."))
    change = undo(conflict=conflict, actor=actor, now=now, expected_version=conflict.version, reason="undone")
    return Decision.objects.create(
        conflict=conflict, choice=decision.choice, reason_code=ReasonCode.OTHER, decider=person,
        decided_at=now, conflict_version=conflict.version, held_text=decision.held_text,
        incoming_text=decision.incoming_text, change=change, undoes=decision,
    )  # fmt: skip


def _reason(code: str, note: str) -> str:
    """What the history and the audit keep: the code, in no reader's language, and the note in its writer's."""
    return f"{code}: {note}" if note.strip() else code
