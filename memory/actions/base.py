"""What every action does alike: take the user's turn, open a change, write the next version."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import F
from django.utils.translation import gettext as _

from memory.actions import lineage
from memory.actions.source import Source, source_of
from memory.actor import Actor
from memory.audit import log
from memory.credibility import Credibility, Support
from memory.index import embedded, sync
from memory.models import Change, EndUser, Evidence, Memory, MemoryVersion, Session
from memory.records import score, support_by

# what a version keeps of a memory; everything else (heat, hits) is not history
VERSIONED = (
    "text", "category", "subject", "attribute", "value", "negated", "past", "metadata", "status", "superseded_by_id",
    "source_class", "credibility", "confirmed_at", "pinned", "event_time", "valid_from", "valid_to",
)  # fmt: skip


# characters of one memory; what is longer is a document and belongs into an event
TEXT_LIMIT = 10_000


class Stale(Exception):
    """Somebody changed it since it was read. Nothing was written; read again and decide again."""


class Refused(Exception):
    """The action would break a rule. The message says which, in words for a person."""


def take_turn(user: EndUser, *, expected: int | None = None) -> None:
    """Makes this transaction the only writer of the user's memories until it ends, and moves `revision` on.

    With `expected`, raises Stale when the revision is another: what was compared against is no longer so.
    """
    rows = EndUser.objects.filter(pk=user.pk, workspace_id=user.workspace_id)
    if expected is not None:
        rows = rows.filter(revision=expected)
    if rows.update(revision=F("revision") + 1) != 1:
        raise Stale("The user's memories changed meanwhile.")


def check_text(text: str) -> None:
    """Raises Refused for a wording that no memory may have."""
    if not text.strip():
        raise Refused(_("The text is empty."))
    if len(text) > TEXT_LIMIT:
        raise Refused(_("The text is longer than %(most)d characters.") % {"most": TEXT_LIMIT})


def open_change(
    *,
    user: EndUser,
    kind: str,
    actor: Actor,
    now: datetime,
    reason: str = "",
    session: Session | None = None,
    details: dict[str, Any] | None = None,
    undoes: Change | None = None,
    source: Source | None = None,
    operation: UUID | None = None,
) -> Change:
    """`source`: whose words it rests on, which names its session, agent and source."""
    episode = source.episode if source else None
    return Change.objects.create(
        workspace_id=user.workspace_id, user=user, kind=kind, actor_kind=actor.kind, actor_id=actor.id,
        actor_label=actor.label[:200], session=episode.session if episode else session, reason=reason,
        agent_id=episode.agent_id if episode else "", source=source_of(episode) if episode else "",
        details=details or {}, undoes=undoes, request_id=actor.request_id, operation=operation, created_at=now,
    )  # fmt: skip


def write_version(memory: Memory, *, change: Change, reason: str, now: datetime) -> MemoryVersion:
    """Appends the memory's present state as a version and lets the indexes follow."""
    version = MemoryVersion.objects.create(
        memory=memory, number=memory.version, change=change, reason=reason, created_at=now, **snapshot(memory)
    )
    embedded.follow(memory)
    sync.enqueue([memory])
    return version


def create(memory: Memory, *, change: Change, reason: str, actor: Actor, now: datetime) -> Memory:
    """Inserts a new memory with its first version. Raises Refused when the same content is active already."""
    try:
        memory.save(force_insert=True)
    except IntegrityError as error:
        raise Refused(_("The same content is remembered already.")) from error
    write_version(memory, change=change, reason=reason, now=now)
    audit(memory, change=change, actor=actor, now=now, reason=reason, before=None)
    return memory


def move(memory: Memory, *, change: Change, reason: str, actor: Actor, now: datetime, **fields: Any) -> Memory:
    """Writes the next version of a memory: only if nobody moved it since `memory` was read, else raises Stale."""
    before = snapshot(memory)
    for name, value in fields.items():
        setattr(memory, name, value)
    rows = Memory.objects.filter(
        pk=memory.pk, workspace_id=memory.workspace_id, user_id=memory.user_id, version=memory.version
    )
    try:
        moved = rows.update(version=F("version") + 1, updated_at=now, **fields)
    except IntegrityError as error:
        raise Refused(_("The same content is remembered already.")) from error
    if moved != 1:
        raise Stale("The memory changed meanwhile.")
    memory.version += 1
    memory.updated_at = now
    write_version(memory, change=change, reason=reason, now=now)
    lineage.follow([(memory, before)], change=change, now=now)
    audit(memory, change=change, actor=actor, now=now, reason=reason, before=before)
    return memory


def scored(memory: Memory, *, confirmed: bool | None = None) -> Credibility:
    """The memory's credibility from its evidence as stored now."""
    confirmed = memory.confirmed_at is not None if confirmed is None else confirmed
    support = support_of(memory=memory) or [Support("", memory.source_class)]
    return score(memory.workspace, support, confirmed=confirmed)


def support_of(**target: Any) -> list[Support]:
    """What speaks for a memory or a conflict (`memory=…` or `conflict=…`)."""
    [field] = target
    return next(iter(support_by(f"{field}_id", Evidence.objects.filter(**target)).values()), [])


def snapshot(memory: Memory) -> dict[str, Any]:
    return {name: getattr(memory, name) for name in VERSIONED}


def audit(memory: Memory, *, change: Change, actor: Actor, now: datetime, reason: str, before: dict | None) -> None:
    log.record(**audit_of(memory, change=change, actor=actor, now=now, reason=reason, before=before))


def audit_of(
    memory: Memory, *, change: Change, actor: Actor, now: datetime, reason: str, before: dict | None
) -> dict[str, Any]:
    """The audit's row of one new version, as log.record takes it."""
    after = snapshot(memory)
    names: Iterable[str] = VERSIONED if before is None else [name for name in VERSIONED if before[name] != after[name]]
    return {
        "workspace": change.workspace, "actor": actor, "action": f"memory.{change.kind}", "now": now,
        "object_type": "memory", "object_id": memory.pk, "reason": reason, "before": before and _plain(before, names),
        "after": _plain(after, names),
    }  # fmt: skip


def _plain(state: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    simple = (str, int, float, bool, dict, list, type(None))
    return {name: state[name] if isinstance(state[name], simple) else str(state[name]) for name in names}
