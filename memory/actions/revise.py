"""Edit, pin, retract and restore a memory: each makes a new version, none removes one."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from memory.actions import lineage
from memory.actions.base import Refused, check_text, move, open_change, scored, take_turn
from memory.actions.revert import state_of
from memory.actor import Actor
from memory.intake.clean import fingerprint
from memory.models import Change, EndUser, Evidence, Memory
from memory.models.episode import SourceClass
from memory.models.memory import MemoryStatus
from memory.policy import policy_of

_EDITABLE = frozenset({"text", "category", "subject", "attribute", "value", "metadata", "valid_from", "valid_to"})


@transaction.atomic
def revise(
    *, memory: Memory, actor: Actor, now: datetime, expected_version: int, reason: str = "", **fields: Any
) -> Memory:
    """Writes a new version with other text or facts. Raises Stale when `expected_version` is not the present one,
    Refused when the memory is not active, the text is blank, an identical memory is active, or an agent would reword
    what a person has confirmed."""
    unknown = set(fields) - _EDITABLE
    if unknown:
        raise TypeError(f"revise() cannot write {', '.join(sorted(unknown))}")
    if "text" in fields:
        check_text(fields["text"])
        fields["fingerprint"] = fingerprint(fields["text"])
        if fields["text"] != memory.text:
            # What was read out of the old wording does not describe the new one.
            fields = {"subject": memory.subject, "attribute": "", "value": ""} | fields
            if actor.kind == Change.ActorKind.AGENT:
                fields |= _agents_wording(memory)
    revised = _act(memory, Change.Kind.REVISE, actor, now, expected_version, reason, fields)
    if "text" in fields and actor.kind == Change.ActorKind.PERSON:
        lineage.clear(revised)
    return revised


@transaction.atomic
def confirm(*, memory: Memory, actor: Actor, now: datetime, expected_version: int, reason: str = "") -> Memory:
    """A person says that the memory is true whatever became of what it was made from: its marks go."""
    fields = {"confirmed_at": now, "credibility": scored(memory, confirmed=True).value}
    confirmed = _act(memory, Change.Kind.CONFIRM, actor, now, expected_version, reason, fields)
    lineage.clear(confirmed)
    return confirmed


@transaction.atomic
def pin(
    *, memory: Memory, pinned: bool, actor: Actor, now: datetime, expected_version: int, reason: str = ""
) -> Memory:
    """Pins or unpins a memory; a pinned one does not age."""
    return _act(memory, Change.Kind.PIN, actor, now, expected_version, reason, {"pinned": pinned})


@transaction.atomic
def retract(*, memory: Memory, actor: Actor, now: datetime, expected_version: int, reason: str = "") -> Memory:
    """Takes a memory out of every agent's sight. Its history stays and can be restored."""
    return _act(memory, Change.Kind.RETRACT, actor, now, expected_version, reason, {"status": MemoryStatus.RETRACTED})


@transaction.atomic
def retract_all(*, user: EndUser, actor: Actor, now: datetime, reason: str = "") -> int:
    """Retracts every active memory of one user in one change; answers how many."""
    take_turn(user)
    change = open_change(user=user, kind=Change.Kind.RETRACT, actor=actor, now=now, reason=reason)
    memories = list(Memory.objects.filter(workspace_id=user.workspace_id, user=user, status=MemoryStatus.ACTIVE))
    for memory in memories:
        move(memory, change=change, reason=reason, actor=actor, now=now, status=MemoryStatus.RETRACTED)
    return len(memories)


@transaction.atomic
def restore(
    *, memory: Memory, number: int, actor: Actor, now: datetime, expected_version: int, reason: str = ""
) -> Memory:
    """Makes version `number` current again, as a new version and active.

    Raises Refused when there is no such version or an identical memory is active, Stale as `revise` does.
    """
    version = memory.versions.filter(number=number).first()
    if version is None:
        raise Refused(_("There is no such version."))
    take_turn(memory.user)
    change = open_change(user=memory.user, kind=Change.Kind.RESTORE, actor=actor, now=now, reason=reason)
    memory.version = expected_version
    fields = state_of(version) | {"status": MemoryStatus.ACTIVE, "superseded_by_id": None}
    return move(memory, change=change, reason=reason, actor=actor, now=now, **fields)


def _agents_wording(memory: Memory) -> dict[str, Any]:
    """What an agent's rewording does to the trust in a memory: from now on these are the agent's own words."""
    if memory.confirmed_at is not None:
        raise Refused(
            _("A person has confirmed this memory. Post the new statement instead; it will wait for a person.")
        )
    Evidence.objects.filter(memory=memory, against=False).update(reworded=True)
    fields = {"credibility": min(memory.credibility, scored(memory).value)}
    weights = policy_of(memory.workspace).source_weights
    if weights[memory.source_class] <= weights[SourceClass.LLM_REASONING]:
        return fields
    return fields | {"source_class": SourceClass.LLM_REASONING}


def _act(memory, kind, actor, now, expected_version, reason, fields) -> Memory:
    take_turn(memory.user)
    if memory.status != MemoryStatus.ACTIVE:
        raise Refused(_("Only an active memory can be changed."))
    change = open_change(user=memory.user, kind=kind, actor=actor, now=now, reason=reason)
    memory.version = expected_version
    return move(memory, change=change, reason=reason, actor=actor, now=now, **fields)
