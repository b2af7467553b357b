"""Deciding: doing it once, letting a second person confirm it, and taking it back."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from memory.actions.apart import Apart, must_be_told_apart
from memory.actions.await_second import await_second
from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided, settle
from memory.actions.undo import undo
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict, Recall
from memory.policy import policy_of
from review import claims, second_look
from review.access import Seat
from review.choices import needs_second
from review.models import BulkRun, Decision, Handling, Proposal
from review.notes import SHORT as NOTE
from review.notes import check_length

Choice = Conflict.Choice
ReasonCode = Decision.ReasonCode


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reviewer has filled in. `text`: another wording, for edit and keep_both; `apart`: for keep_both."""

    choice: str
    reason_code: str
    note: str = ""
    text: str = ""
    apart: Apart = field(default_factory=Apart)

    @property
    def reason(self) -> str:
        """What the history and the audit keep: the code, in no reader's language, and the note in its writer's."""
        return f"{self.reason_code}: {self.note}" if self.note.strip() else self.reason_code


def already_told(conflict: Conflict) -> int:
    """How many recalls have given the held memory to agents: what a wrong memory has reached."""
    if conflict.memory_id is None:
        return 0
    return Recall.objects.filter(hits__memory_id=conflict.memory_id, hits__withheld=False).count()


@transaction.atomic
def decide(
    *, conflict: Conflict, person: AbstractBaseUser, actor: Actor, now: datetime, draft: Draft, expected_version: int,
    bulk: BulkRun | None = None,
) -> Decision | Proposal:  # fmt: skip
    """Decides the conflict and appends the decision, both or neither; where the workspace wants a second person, the
    draft becomes a proposal and nothing else changes.

    Raises what memory.actions.settle raises: AlreadyDecided when somebody was faster, Refused when it may not be; and
    claims.Held, a kind of AlreadyDecided, when another person holds it.
    """
    _check(draft, conflict)
    if open_proposal(conflict):
        raise Refused(_("A decision is proposed already. Confirm it or send it back."))
    if needs_second(conflict):
        return _propose(conflict, person, actor, now, draft, expected_version)
    return _carry_out(conflict, person, actor, now, draft, expected_version, bulk=bulk)


def _check(draft: Draft, conflict: Conflict) -> None:
    if draft.reason_code not in ReasonCode.values:
        raise Refused(_("Choose a reason."))
    check_length(draft.note)
    told_apart = draft.apart or draft.text or draft.choice != Choice.KEEP_BOTH
    if not told_apart and must_be_told_apart(conflict) and not conflict.rivals.exists():
        raise Refused(
            _("Only one of the two can hold at a time. Say what sets them apart: a scope, or when each holds.")
        )


def _carry_out(conflict, person, actor, now, draft, expected_version, *, bulk=None, proposer=None) -> Decision:
    held_text = conflict.memory.text if conflict.memory else ""
    settlement = settle(
        conflict=conflict, choice=draft.choice, person=person, actor=actor, now=now, reason=draft.reason,
        expected_version=expected_version, text=draft.text, apart=draft.apart,
    )  # fmt: skip
    # After the conflict's row: who takes the next conflict locks that row first too.
    taken_at = None
    if person is None:
        claims.refuse_if_taken(conflict=conflict, now=now)
    else:
        taken_at = claims.refuse_if_held(conflict=conflict, person=person, now=now)
    decision = Decision.objects.create(
        conflict=conflict, choice=draft.choice, reason_code=draft.reason_code, note=draft.note, decider=person,
        decided_at=now, conflict_version=expected_version, held_text=held_text, incoming_text=conflict.text,
        edited_text=draft.text, apart=draft.apart.stored, change=settlement.change, bulk=bulk, proposer=proposer,
    )  # fmt: skip
    if taken_at:
        Handling.objects.create(decision=decision, taken_at=taken_at)
    second_look.draw(decision, now=now)
    return decision


@transaction.atomic
def decide_by_rule(*, conflict: Conflict, draft: Draft, actor: Actor, now: datetime) -> Decision:
    """Decides the conflict, as it was read, without a person (review/rules). Raises as `decide` does."""
    _check(draft, conflict)
    return _carry_out(conflict, None, actor, now, draft, conflict.version)


def _propose(conflict, person, actor, now, draft, expected_version) -> Proposal:
    if draft.choice not in Choice.values:
        raise Refused(_("This choice does not fit this conflict."))
    await_second(
        conflict=conflict, choice=draft.choice, actor=actor, now=now, expected_version=expected_version,
        reason=draft.reason,
    )  # fmt: skip
    claims.refuse_if_held(conflict=conflict, person=person, now=now)
    try:
        with transaction.atomic():
            return Proposal.objects.create(
                conflict=conflict, conflict_version=conflict.version, choice=draft.choice, note=draft.note,
                reason_code=draft.reason_code, text=draft.text, apart=draft.apart.stored, proposer=person,
                proposed_at=now,
            )  # fmt: skip
    except IntegrityError as error:
        raise AlreadyDecided(conflict) from error


def open_proposal(conflict: Conflict) -> Proposal | None:
    return conflict.proposals.filter(status=Proposal.Status.OPEN).select_related("proposer").first()


@transaction.atomic
def confirm(
    *, conflict: Conflict, shown: int, person: AbstractBaseUser, actor: Actor, now: datetime
) -> Decision:  # fmt: skip
    """Carries out the proposal `shown`, as its proposer saw the conflict.

    Raises Refused for the proposer, admin or not, Stale when the proposal has been answered meanwhile, and
    AlreadyDecided when the conflict has changed since it was proposed.
    """
    proposal = _answer(conflict, shown, Proposal.Status.CONFIRMED, person, now)
    if proposal.proposer_id == person.pk:
        raise Refused(_("You proposed this decision; a second person has to confirm it."))
    draft = Draft(
        choice=proposal.choice, reason_code=proposal.reason_code, note=proposal.note, text=proposal.text,
        apart=Apart.read(proposal.apart),
    )  # fmt: skip
    return _carry_out(
        conflict, person, actor, now, draft, proposal.conflict_version, proposer=proposal.proposer
    )  # fmt: skip


@transaction.atomic
def send_back(
    *, conflict: Conflict, shown: int, person: AbstractBaseUser, actor: Actor, now: datetime, answer: str
) -> Proposal:
    """Ends the proposal `shown` without a decision: sent back with a word why, or withdrawn by its proposer.

    Raises Refused without that word, Stale as `confirm` does.
    """
    answer = answer.strip()
    mine = conflict.proposals.filter(pk=shown, proposer=person).exists()
    if len(answer) > NOTE or not (answer or mine):
        raise Refused(_("Say in a few words why it goes back (%(most)d characters at most).") % {"most": NOTE})
    status = Proposal.Status.WITHDRAWN if mine else Proposal.Status.SENT_BACK
    proposal = _answer(conflict, shown, status, person, now, answer)
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.send_back", now=now, object_type="conflict",
        object_id=conflict.pk, reason=answer, before={"choice": proposal.choice}, after={"status": str(status)},
    )  # fmt: skip
    return proposal


def _answer(conflict, shown: int, status: str, person, now: datetime, answer: str = "") -> Proposal:
    waiting = conflict.proposals.filter(pk=shown, status=Proposal.Status.OPEN)
    if waiting.update(status=status, answered_by=person, answered_at=now, answer=answer) != 1:
        raise Stale("The proposal has been answered.")
    return conflict.proposals.select_related("proposer").get(pk=shown)


def last_decision(conflict: Conflict) -> Decision | None:
    """The decision in force: the last one that is neither an undoing nor undone."""
    return (
        conflict.decisions.filter(undoes=None, undone_by=None).select_related("decider", "proposer", "rule_act").last()
    )


def may_undo(decision: Decision | None, seat: Seat, person: AbstractBaseUser, *, now: datetime) -> bool:
    """The decider may for the workspace's `undo_minutes`, an admin at any time; and of a rule's, whoever may decide."""
    if decision is None or not seat.may("decide_conflict"):
        return False
    if hasattr(decision, "rule_act"):
        return True
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
        incoming_text=decision.incoming_text, change=change, undoes=decision, bulk=decision.bulk,
    )  # fmt: skip
