"""Brings a user's graph up to date with their active memories. Everything here can be lost and is built again.

Each memory is read once a version, outside of any lock; what all readings say together is then compared with the
tables, under the lock of the user's GraphState row, and only what differs is written.
"""

import math
import time
from datetime import datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from memory.actions import identity
from memory.graph.extract import read_memory
from memory.graph.reading import RULES, from_json, to_json
from memory.graph.resolve import Key, Resolved, resolve
from memory.models import (
    EndUser,
    Entity,
    EntityMention,
    GraphReading,
    GraphState,
    IdentityDoubt,
    Memory,
    Relation,
)
from memory.models.memory import MemoryStatus

# memories read between two looks at the clock
BATCH = 200
# readings that may be missing when somebody waits for the graph; with more it is a job's work
AT_ONCE = 300
# a user whose memories change meanwhile is built again, this often
ROUNDS = 3
# Readings to be put together while somebody waits, 0.1 s for 1,000; more are a job's work too.
KEPT_AT_ONCE = 3000


def entity_id(user_pk: int, node: Key) -> UUID:
    """The same for the same name of the same user, however often the graph is built."""
    return uuid5(NAMESPACE_URL, f"hindsight:entity:{user_pk}:{node[0]}:{node[1]}")


def is_fresh(user: EndUser) -> bool:
    """Whether nothing has changed since the graph was built, as far as `user` was read; one query."""
    return GraphState.objects.filter(user_id=user.pk, revision__gte=user.revision, rules=RULES).exists()


def missing(user: EndUser) -> QuerySet[Memory]:
    """The active memories that were not read yet as they are now."""
    return _active(user).exclude(graph_reading__version=F("version"), graph_reading__rules=RULES)


def sync(user_pk: int, *, until: float = math.inf, now: datetime | None = None) -> bool:
    """Builds what is behind, and asks a person about what is doubtful; false when `until` (time.monotonic()) came
    first or the user's memories would not stand still. What was read is kept, so the next call goes on."""
    user = EndUser.objects.select_related("workspace").get(pk=user_pk)
    for _ in range(ROUNDS):
        if is_fresh(user):
            return True
        if not read_missing(user, until=until):
            return False
        doubts = _build(user)
        if asked := identity.to_ask(user, doubts):
            identity.ask(user=user, doubts=asked, now=now or timezone.now())
        user.refresh_from_db(fields=["revision"])
    return is_fresh(user)


def sync_if_small(user: EndUser) -> bool:
    """As `sync`, for a caller who waits: only where that is quick. Answers whether the graph is fresh."""
    if is_fresh(user):
        return True
    if GraphReading.objects.filter(user_id=user.pk).exclude(reading={})[: KEPT_AT_ONCE + 1].count() > KEPT_AT_ONCE:
        return False
    return missing(user)[: AT_ONCE + 1].count() <= AT_ONCE and sync(user.pk)


def read_missing(user: EndUser, *, until: float = math.inf) -> bool:
    """Reads what was not read yet, in short transactions; false when the time was over first."""
    while True:
        memories = list(
            missing(user)
            .only("pk", "user_id", "version", "text", "subject", "attribute", "value")
            .order_by("pk")[:BATCH]
        )
        if memories:
            GraphReading.objects.bulk_create(
                [_reading(memory) for memory in memories], update_conflicts=True, unique_fields=["memory"],
                update_fields=["user", "version", "rules", "reading"],
            )  # fmt: skip
        if len(memories) < BATCH:
            return True
        if time.monotonic() >= until:
            return False


def forget(user: EndUser) -> None:
    """Drops all that was derived of a user, names included; the next call builds it from what is left."""
    IdentityDoubt.objects.filter(user=user, status=IdentityDoubt.Status.OPEN, conflict=None).delete()
    for model in (Entity, GraphReading, GraphState):
        model.objects.filter(user=user).delete()


def _active(user: EndUser) -> QuerySet[Memory]:
    return Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)


def _reading(memory: Memory) -> GraphReading:
    reading = read_memory(memory.text, subject=memory.subject, attribute=memory.attribute, value=memory.value)
    return GraphReading(
        memory=memory, user_id=memory.user_id, version=memory.version, rules=RULES, reading=to_json(reading)
    )


def _build(user: EndUser) -> list:
    """Writes what differs; answers the doubts without a ruling. Nothing, when somebody else has built meanwhile."""
    revision = EndUser.objects.values_list("revision", flat=True).get(pk=user.pk)
    rows = _active(user).filter(graph_reading__version=F("version"), graph_reading__rules=RULES)
    rows = rows.exclude(graph_reading__reading={}).order_by("created_at", "pk")
    readings = [(pk, from_json(stored)) for pk, stored in rows.values_list("pk", "graph_reading__reading")]
    resolved = resolve(readings, rulings(user), user.external_id)
    GraphState.objects.get_or_create(user_id=user.pk)
    with transaction.atomic():
        state = GraphState.objects.select_for_update().get(user_id=user.pk)
        if state.revision >= revision and state.rules == RULES:
            return []
        _write(user, resolved)
        GraphReading.objects.filter(user_id=user.pk).exclude(memory__status=MemoryStatus.ACTIVE).delete()
        GraphState.objects.filter(pk=state.pk).update(revision=revision, rules=RULES, built_at=timezone.now())
    return resolved.doubts


def rulings(user: EndUser) -> dict[tuple[str, str, str], str]:
    """What people have said of the user's doubtful names, as `resolve` takes it."""
    decided = IdentityDoubt.objects.filter(user_id=user.pk, status=IdentityDoubt.Status.DECIDED)
    return {tuple(key): ruling for *key, ruling in decided.values_list("kind", "first_key", "second_key", "ruling")}


def _write(user: EndUser, resolved: Resolved) -> None:
    ids = {node: entity_id(user.pk, node) for node in resolved.entities}
    _write_entities(user, resolved, ids)
    mentions = {(ids[node], memory): None for node, entity in resolved.entities.items() for memory in entity.memories}
    _write_rows(EntityMention, ("entity_id", "memory_id"), user, mentions)
    relations = {
        (ids[source], ids[target], predicate, memory): None for source, target, predicate, memory in resolved.relations
    }
    _write_rows(Relation, ("source_id", "target_id", "predicate", "memory_id"), user, relations)


def _write_entities(user: EndUser, resolved: Resolved, ids: dict[Key, UUID]) -> None:
    held = {entity.pk: entity for entity in Entity.objects.filter(user_id=user.pk)}
    wanted = set(ids.values())
    gone = [pk for pk in held if pk not in wanted]
    for start in range(0, len(gone), 500):
        Entity.objects.filter(pk__in=gone[start : start + 500]).delete()
    new, changed = [], []
    for node, entity in resolved.entities.items():
        row = Entity(
            id=ids[node], workspace_id=user.workspace_id, user_id=user.pk, kind=entity.kind, key=entity.key,
            name=entity.name, aliases=list(entity.aliases), memories=len(entity.memories),
        )  # fmt: skip
        known = held.get(row.pk)
        if known is None:
            new.append(row)
        elif (known.name, known.aliases, known.memories) != (row.name, row.aliases, row.memories):
            changed.append(row)
    Entity.objects.bulk_create(new, batch_size=500)
    Entity.objects.bulk_update(changed, ["name", "aliases", "memories"], batch_size=200)


def _write_rows(model, fields: tuple[str, ...], user: EndUser, wanted: dict[tuple, None]) -> None:
    """Makes the rows of a table that are the user's exactly `wanted`."""
    held = {tuple(row): pk for pk, *row in model.objects.filter(user_id=user.pk).values_list("pk", *fields)}
    gone = [pk for row, pk in held.items() if row not in wanted]
    for start in range(0, len(gone), 500):
        model.objects.filter(pk__in=gone[start : start + 500]).delete()
    new = [model(user_id=user.pk, **dict(zip(fields, row, strict=True))) for row in wanted if row not in held]
    model.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
