"""Remember a claim that nothing speaks against, or add support to one that is known."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory.actions import lineage
from memory.actions.base import create, move, open_change, scored, take_turn
from memory.actions.source import Source
from memory.actions.twins import archived_twin, bring_back
from memory.actor import Actor
from memory.intake.clean import fingerprint
from memory.intake.types import Claim
from memory.models import Change, EndUser, Memory
from memory.models.memory import MemoryStatus
from memory.records import score


@transaction.atomic
def remember(
    *,
    user: EndUser,
    claim: Claim,
    source: Source,
    actor: Actor,
    now: datetime,
    superseded_by: Memory | None = None,
    metadata: dict[str, Any] | None = None,
    labels: Sequence[str] = (),
    reason: str = "",
    told: Mapping[UUID, str] | None = None,
) -> Memory:
    """Creates an active memory of the claim; with `superseded_by` it enters as history instead.

    What says the same as an archived memory brings that one back with the new evidence: never a second copy.
    `labels` are ids of the screens that found something and let it pass. `told`: what the agent whose
    words these are had been told before it spoke, by memory.

    Raises Refused when the same content is active.
    """
    take_turn(user)
    memory = new_memory(user=user, claim=claim, source=source, now=now, metadata=metadata)
    if superseded_by is None and (twin := archived_twin(memory)):
        return _bring_back(twin, source=source, labels=labels, actor=actor, now=now, reason=reason)
    change = open_change(user=user, kind=Change.Kind.REMEMBER, actor=actor, now=now, reason=reason, source=source)
    memory.labels = list(labels)
    if superseded_by is not None:
        memory.status, memory.superseded_by = MemoryStatus.SUPERSEDED, superseded_by
        memory.valid_to = memory.valid_to or superseded_by.valid_from or superseded_by.event_time
    create(memory, change=change, reason=reason, actor=actor, now=now)
    source.attach(memory=memory, now=now)
    lineage.link(memory, lineage.sources_of(memory, source.episode.metadata, told or {}), change=change, now=now)
    return memory


def new_memory(
    *, user: EndUser, claim: Claim, source: Source, now: datetime, metadata: dict[str, Any] | None = None
) -> Memory:
    """An unsaved memory of the claim, with the credibility its one source gives it."""
    episode = source.episode
    return Memory(
        workspace_id=user.workspace_id, user=user, category=claim.category, text=claim.text,
        fingerprint=fingerprint(claim.text), subject=claim.subject[:200], attribute=claim.attribute[:80],
        value=claim.value, negated=claim.negated, past=claim.past, metadata=metadata or {},
        source_class=source.source_class, event_time=episode.event_time,
        credibility=score(user.workspace, [source.support]).value,
        valid_from=claim.valid_from, valid_to=claim.valid_to, session=episode.session, agent_id=episode.agent_id,
        created_at=now, updated_at=now,
    )  # fmt: skip


def _bring_back(
    memory: Memory, *, source: Source, labels: Sequence[str], actor: Actor, now: datetime, reason: str
) -> Memory:
    source.attach(memory=memory, now=now)
    change = open_change(user=memory.user, kind=Change.Kind.RESTORE, actor=actor, now=now, reason=reason, source=source)
    fields = {"credibility": scored(memory).value, "labels": list(dict.fromkeys([*memory.labels, *labels]))}
    return bring_back(memory, change=change, reason=reason, actor=actor, now=now, **fields)


@transaction.atomic
def support(*, memory: Memory, source: Source, actor: Actor, now: datetime) -> Memory:
    """Adds evidence to a memory. Its credibility rises only when the evidence has an origin of its own."""
    take_turn(memory.user)
    if not source.attach(memory=memory, now=now):
        return memory
    value = scored(memory).value
    if abs(value - memory.credibility) < 1e-9:
        return memory
    change = open_change(user=memory.user, kind=Change.Kind.SUPPORT, actor=actor, now=now, source=source)
    return move(memory, change=change, reason="", actor=actor, now=now, credibility=value)
