"""Bring many memories in at once, each with all that a single one has: an episode, a version, evidence, index terms.

What says the same as an archived memory becomes evidence of that one and brings it back (memory/actions/twins.py).
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from memory.actions import lineage, revert
from memory.actions.base import snapshot
from memory.actions.source import origin_of, source_of
from memory.actions.twins import Said, archived_twins
from memory.actor import Actor
from memory.audit import log
from memory.credibility import Support, credibility
from memory.index import embedded, sync, text
from memory.models import Change, EndUser, Episode, Evidence, IndexEntry, Memory, MemoryVersion, Workspace
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.records import records_of, score, support_by
from memory.store import parts, store

AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Brought:
    """One memory to be: whose, in which session, and its fields as bulk.memories prepares them."""

    user: EndUser
    session_id: int
    fields: dict[str, Any]


def bring(
    *, workspace: Workspace, items: Sequence[Brought], actor: Actor, now: datetime, run_id: str, reason: str
) -> None:
    """Writes the memories: one change a user, one audit row for all. Vectors are made later (tasks.embed_missing).

    Call it in a transaction that has taken the turn of every user, with no content that is active already. One import
    is one origin: saying the same in two of its rows makes nothing more credible.
    """
    users = {item.user.pk: item.user for item in items}
    sessions = {item.user.pk: item.session_id for item in items}
    changes = [
        Change(
            workspace=workspace, user=user, kind=Change.Kind.IMPORT, actor_kind=actor.kind, actor_id=actor.id,
            actor_label=actor.label[:200], session_id=sessions[pk], reason=reason, details={"import": run_id},
            agent_id="", source="other:import", request_id=actor.request_id, created_at=now,
        )
        for pk, user in users.items()
    ]  # fmt: skip
    store(changes)
    change_of = {change.user_id: change for change in changes}
    weights = policy_of(workspace).source_weights
    twins = archived_twins([_said(item) for item in items])
    new = [item for item, twin in zip(items, twins, strict=True) if twin is None]
    for start in range(0, len(new), AT_ONCE):
        _write(new[start : start + AT_ONCE], change_of, weights, reason, now)
    known = [(item, twin) for item, twin in zip(items, twins, strict=True) if twin is not None]
    _bring_back(known, change_of, reason=reason, actor=actor, now=now)
    log.record(
        workspace=workspace, actor=actor, action="memory.import", now=now, object_type="import", object_id=run_id,
        reason=reason, after={"memories": len(items), "users": len(users)},
    )  # fmt: skip


def _write(items: Sequence[Brought], change_of: dict[int, Change], weights, reason: str, now: datetime) -> None:
    episodes = [_episode(item, now) for item in items]
    store(episodes)
    trust = _trust(episodes, weights)
    memories = [_memory(episode, item, trust, now) for episode, item in zip(episodes, items, strict=True)]
    store(memories)
    store(
        [
            MemoryVersion(
                memory=memory, number=1, change=change_of[memory.user_id], reason=reason, created_at=now,
                **snapshot(memory),
            )
            for memory in memories
        ]
    )  # fmt: skip
    store(list(_evidence(memories, episodes, now)))
    revisions = embedded.revisions_of({memory.user_id for memory in memories})
    store(
        [
            IndexEntry(
                memory=memory, workspace_id=memory.workspace_id, user_id=memory.user_id, version=1,
                revision=revisions[memory.user_id], terms=" ".join(text.terms(memory.text)),
            )
            for memory in memories
        ]
    )  # fmt: skip
    for memory, item in zip(memories, items, strict=True):
        if sources := item.fields.get("derived_from"):
            lineage.link(memory, sources, change=change_of[memory.user_id], now=now)
    sync.enqueue(memories)


def _bring_back(
    known: Sequence[tuple[Brought, Memory]], change_of: dict[int, Change], *, reason: str, actor: Actor, now: datetime
) -> None:
    if not known:
        return
    episodes = [_episode(item, now) for item, _ in known]
    store(episodes)
    store(list(_evidence([twin for _, twin in known], episodes, now)))
    support: dict[Any, list[Support]] = {}
    memories = list({twin.pk: twin for _, twin in known}.values())
    for part in parts([memory.pk for memory in memories]):
        support |= support_by("memory_id", Evidence.objects.filter(memory_id__in=part))
    moves = []
    for memory in memories:
        before = snapshot(memory)
        memory.status = MemoryStatus.ACTIVE
        confirmed = memory.confirmed_at is not None
        memory.credibility = score(memory.workspace, support[memory.pk], confirmed=confirmed).value
        moves.append((memory, before))
    revert.write(moves, change_of=change_of, reason=reason, actor=actor, now=now)


def _said(item: Brought) -> Said:
    names = ("fingerprint", "subject", "attribute", "value", "valid_from", "valid_to")
    return Said(item.user.pk, **{name: item.fields[name] for name in names if name in item.fields})


def _episode(item: Brought, now: datetime) -> Episode:
    """The line as it is kept for looking back. Nobody judges it again."""
    fields = item.fields
    return Episode(
        workspace_id=item.user.workspace_id, user=item.user, session_id=item.session_id,
        agent_id=fields.get("agent_id") or "", role=Episode.Role.SYSTEM, name="import", content=fields["text"],
        source_class=fields["source_class"], metadata=fields.get("metadata", {}),
        event_time=fields.get("event_time") or now, recorded_at=now, infer=False, judging=Episode.Judging.JUDGED,
        judged_at=now,
    )  # fmt: skip


def _trust(episodes: Sequence[Episode], weights) -> Callable[[Episode], float]:
    """What an episode's text is worth; rows of one source and class share one figure."""
    records = records_of(episodes[0].workspace_id, {source_of(episode) for episode in episodes})

    @cache
    def of(source_class: str, source: str) -> float:
        return credibility([Support("", source_class, source)], weights=weights, records=records).value

    return lambda episode: of(episode.source_class, source_of(episode))


def _memory(episode: Episode, item: Brought, trust: Callable[[Episode], float], now: datetime) -> Memory:
    fields = item.fields
    plain = ("text", "fingerprint", "category", "subject", "attribute", "value", "source_class")
    return Memory(
        id=uuid.uuid4(), workspace_id=episode.workspace_id, user=item.user, metadata=episode.metadata,
        event_time=episode.event_time, valid_from=fields.get("valid_from"), valid_to=fields.get("valid_to"),
        session_id=episode.session_id, agent_id=episode.agent_id,
        credibility=trust(episode), created_at=now, updated_at=now, **{name: fields[name] for name in plain},
    )  # fmt: skip


def _evidence(memories: Sequence[Memory], episodes: Sequence[Episode], now: datetime) -> Iterator[Evidence]:
    for memory, episode in zip(memories, episodes, strict=True):
        yield Evidence(
            workspace_id=memory.workspace_id, memory=memory, episode=episode, quote=episode.content,
            source_class=episode.source_class, origin=origin_of(episode), source=source_of(episode), created_at=now,
        )  # fmt: skip
