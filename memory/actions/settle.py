"""Carry out a reviewer's choice on a conflict: one transaction, decided once."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from memory.actions import apart as setting_apart
from memory.actions import identity, lineage, rival_settling
from memory.actions.apart import Apart
from memory.actions.base import Refused, check_text, create, move, open_change, scored, support_of, take_turn
from memory.actions.remember import new_memory
from memory.actions.source import Source
from memory.actions.twins import archived_twin, bring_back
from memory.actor import Actor
from memory.audit import log
from memory.credibility import Support
from memory.intake.clean import fingerprint
from memory.intake.types import Category, Claim
from memory.models import Change, Conflict, Evidence, Lesson, Memory
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.records import score

Choice = Conflict.Choice


class AlreadyDecided(Exception):
    """Another reviewer was faster, or the conflict changed since it was read; `conflict` is its present state."""

    def __init__(self, conflict: Conflict):
        super().__init__("The conflict has been decided or changed meanwhile.")
        self.conflict = conflict


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a decision did: the change that can be undone, the memory that entered, the one that was held before."""

    conflict: Conflict
    change: Change
    admitted: Memory | None
    held: Memory | None


@dataclass(frozen=True, slots=True)
class Effects:
    """What a choice will do, before it is done: a page shows it and `settle` carries it out."""

    admits: bool  # the candidate becomes an active memory, or is one that stays
    learns: bool  # the candidate is kept as a lesson, to recognise its return
    held_becomes: str  # "superseded", "rejected", "confirmed", or "" when no active memory is held


def choices_for(conflict: Conflict) -> tuple[str, ...]:
    """The choices that make sense for a conflict, in the order a page shows them."""
    if identity.is_doubt(conflict):
        return (Choice.SAME, Choice.DIFFERENT)
    if conflict.memory_id is None:
        return (Choice.KEEP, Choice.ACCEPT, Choice.EDIT)
    return (Choice.KEEP, Choice.ACCEPT, Choice.KEEP_BOTH, Choice.EDIT, Choice.REJECT_BOTH)


def effects_of(choice: str, held: Memory | None) -> Effects:
    if choice in (Choice.SAME, Choice.DIFFERENT):
        return Effects(admits=False, learns=False, held_becomes="")
    admits = choice in (Choice.ACCEPT, Choice.KEEP_BOTH, Choice.EDIT)
    becomes = ""
    if held is not None and held.status == MemoryStatus.ACTIVE:
        replaced = {
            Choice.ACCEPT: MemoryStatus.SUPERSEDED,
            Choice.EDIT: MemoryStatus.SUPERSEDED,
            Choice.REJECT_BOTH: MemoryStatus.REJECTED,
        }
        becomes = str(replaced.get(Choice(choice), "confirmed"))
    return Effects(admits=admits, learns=not admits, held_becomes=becomes)


@transaction.atomic
def settle(
    *,
    conflict: Conflict,
    choice: str,
    person: AbstractBaseUser | None,
    actor: Actor,
    now: datetime,
    expected_version: int,
    text: str = "",
    apart: Apart | None = None,
    reason: str = "",
) -> Settlement:
    """Decides an open conflict.

    keep: the candidate is turned away and remembered as a lesson; the held memory counts as confirmed.
    accept: the candidate enters, the held memory is superseded. edit: the same with `text` as the wording.
    keep_both: the candidate enters beside the held memory, worded as `text` when that is given; `apart` says what sets
    the two apart. reject_both: neither remains active.
    same, different: what two names are, of a doubt about identity; no memory changes.
    Without a `person`, a rule decides: the same enters and leaves, and nothing counts as confirmed.
    A candidate that says what an archived memory says enters as that one, brought back.
    Raises AlreadyDecided when the conflict is no longer open at `expected_version`, Refused when the choice does
    not fit, `text` is blank, an identical memory is active, or `apart` does not tell the two apart.
    """
    if choice not in choices_for(conflict):
        raise Refused(_("This choice does not fit this conflict."))
    if choice == Choice.EDIT or (choice == Choice.KEEP_BOTH and text):
        check_text(text)
    apart = apart if choice == Choice.KEEP_BOTH else None
    if apart:
        setting_apart.check(apart, conflict)
    take_turn(conflict.user)
    open_one = Conflict.objects.filter(
        pk=conflict.pk, workspace_id=conflict.workspace_id, status=Conflict.Status.OPEN, version=expected_version
    )
    decided = open_one.update(
        status=Conflict.Status.DECIDED, version=F("version") + 1, choice=choice, decided_at=now, decided_by=person
    )
    if decided != 1:
        raise AlreadyDecided(Conflict.objects.select_related("decided_by").get(pk=conflict.pk))
    conflict.refresh_from_db()
    if identity.is_doubt(conflict):
        identity.rule(conflict, choice)
    change = open_change(user=conflict.user, kind=Change.Kind.SETTLE, actor=actor, now=now, reason=reason)
    worded = text if choice in (Choice.EDIT, Choice.KEEP_BOTH) else ""
    settlement = _carry_out(conflict, choice, change, worded, apart or Apart(), reason, person, actor, now)
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.settle", now=now, object_type="conflict",
        object_id=conflict.pk, reason=reason, before={"status": "open"}, after={"status": "decided", "choice": choice},
    )  # fmt: skip
    return settlement


def _carry_out(conflict, choice, change, worded, apart, reason, person, actor, now) -> Settlement:
    held = Memory.objects.get(pk=conflict.memory_id) if conflict.memory_id else None
    step: dict[str, Any] = {"change": change, "reason": reason, "actor": actor, "now": now}
    effects = effects_of(choice, held)
    # one that was reworded meanwhile may speak of something else
    rivals = list(
        conflict.rivals.filter(status=MemoryStatus.ACTIVE, subject=conflict.subject, attribute=conflict.attribute)
    )
    admitted = None
    if effects.admits:
        stays = rival_settling.candidate_among(rivals, conflict) if not worded else None
        confirmed = person is not None
        admitted = stays or _admit(conflict, worded or conflict.text, apart, confirmed=confirmed, **step)
    turned_away = rival_settling.carry_out(choice, held, admitted, rivals, conflict, **step)
    for memory in turned_away:
        if memory.fingerprint != conflict.fingerprint:
            _learn(conflict, memory.text, reason, person, now)
    if apart and admitted in rivals:
        told_apart = next(memory for memory in rivals if memory.pk == admitted.pk)
        move(told_apart, **apart.of_new(told_apart.metadata), **step)
    if effects.learns:
        _learn(conflict, conflict.text, reason, person, now)
    details = {}
    if effects.held_becomes == MemoryStatus.SUPERSEDED:
        ends = held.valid_to or conflict.valid_from or conflict.event_time
        move(held, status=MemoryStatus.SUPERSEDED, superseded_by_id=admitted.pk, valid_to=ends, **step)
        details["repointed"] = _repoint(held, admitted)
    elif effects.held_becomes == MemoryStatus.REJECTED:
        move(held, status=MemoryStatus.REJECTED, **step)
    elif effects.held_becomes == "confirmed" and person is not None:
        sure = {"confirmed_at": now, "credibility": scored(held, confirmed=True).value}
        move(held, **sure, **apart.of_held(held), **step)
    Change.objects.filter(pk=change.pk).update(details=details)
    Conflict.objects.filter(pk=conflict.pk).update(change=change)
    conflict.change = change
    return Settlement(conflict, change, admitted, held)


def candidate_claim(conflict: Conflict, text: str = "") -> Claim:
    """The conflict's candidate as a claim, with another wording when `text` is given."""
    return Claim(
        text=text or conflict.text, quote=conflict.text, category=Category(conflict.category), subject=conflict.subject,
        attribute=conflict.attribute, value=conflict.value if not text or text == conflict.text else "",
        negated=conflict.negated, past=conflict.past, valid_from=conflict.valid_from, valid_to=conflict.valid_to,
    )  # fmt: skip


def _admit(
    conflict: Conflict, text: str, apart: Apart, *, confirmed: bool, change: Change, reason: str, actor: Actor,
    now: datetime,
) -> Memory:  # fmt: skip
    memory = new_memory(
        user=conflict.user, claim=candidate_claim(conflict, text), now=now, metadata=conflict.metadata,
        source=Source(conflict.episode, conflict.text, conflict.source_class),
    )  # fmt: skip
    step: dict[str, Any] = {"change": change, "reason": reason, "actor": actor, "now": now}
    if twin := archived_twin(memory):
        _attach_all(conflict, twin, now)
        confirmed_at = now if confirmed else twin.confirmed_at
        credibility = scored(twin, confirmed=confirmed_at is not None).value
        return bring_back(twin, confirmed_at=confirmed_at, credibility=credibility, **step)
    spoken = support_of(conflict=conflict) or [Support("", conflict.source_class)]
    for name, value in apart.of_new(memory.metadata).items():
        setattr(memory, name, value)
    memory.confirmed_at = now if confirmed else None
    memory.credibility = score(conflict.workspace, spoken, confirmed=confirmed).value
    create(memory, **step)
    _attach_all(conflict, memory, now)
    lineage.link(memory, lineage.sources_of(memory, conflict.episode.metadata, {}), change=change, now=now)
    return memory


def _attach_all(conflict: Conflict, memory: Memory, now: datetime) -> None:
    """What spoke for the candidate speaks for the memory."""
    for row in Evidence.objects.filter(conflict=conflict, against=False).select_related("episode__user"):
        Source(row.episode, row.quote, row.source_class).attach(memory=memory, now=now)


def _learn(conflict: Conflict, text: str, reason: str, person: AbstractBaseUser | None, now: datetime) -> None:
    days = policy_of(conflict.workspace).lesson_days
    Lesson.objects.create(
        workspace_id=conflict.workspace_id, user=conflict.user, conflict=conflict, text=text,
        fingerprint=fingerprint(text), reason=reason, created_by=person, created_at=now,
        expires_at=now + timedelta(days=days),
    )  # fmt: skip


def _repoint(held: Memory, admitted: Memory) -> list[str]:
    """Lets other open conflicts about the replaced memory continue against its successor."""
    moved = []
    others = Conflict.objects.filter(memory=held, status=Conflict.Status.OPEN).exclude(fingerprint=admitted.fingerprint)
    for other in others:
        taken = Conflict.objects.filter(
            user=held.user_id, memory=admitted, fingerprint=other.fingerprint, status=Conflict.Status.OPEN
        ).exists()
        if not taken:
            Conflict.objects.filter(pk=other.pk).update(memory=admitted, version=F("version") + 1)
            moved.append(str(other.pk))
    return moved
