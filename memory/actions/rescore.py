"""Count credibility anew where decisions have moved the record of a source.

It is written in place and makes no version: nobody has acted on the memory, and one decision on a busy tool would write
a version of each of its memories. A version keeps the figure that counted when it was written. The users' revision
moves, so every index reads the new figure, and the audit has one row a batch.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F

from memory.actions.configure import WEIGHTS_ACTION
from memory.actor import SYSTEM
from memory.audit import log
from memory.history.evidence import credibility_of_memories
from memory.index import embedded
from memory.models import AuditEvent, Change, Conflict, EndUser, Evidence, Memory, Workspace
from memory.models.memory import MemoryStatus

BATCH = 200
# a smaller difference is not worth a write
LEAST = 0.005


def moved_sources(workspace: Workspace, *, since: datetime) -> set[str]:
    """The sources of every claim that was decided, or whose decision was taken back, from `since` on."""
    decided = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.DECIDED, decided_at__gte=since)
    ids = set(decided.values_list("pk", flat=True))
    kinds = (Change.Kind.UNDO, Change.Kind.ROLLBACK)
    undone = Change.objects.filter(workspace=workspace, kind__in=kinds, created_at__gte=since)
    for details in undone.values_list("details", flat=True):
        ids |= {kept["conflict"] for kept in details.get("reopened", [])}
    rows = Evidence.objects.filter(conflict__in=ids, against=False).exclude(source="")
    return set(rows.values_list("source", flat=True))


def reweighed(workspace: Workspace, *, since: datetime) -> bool:
    """Whether the weights of source classes were changed from `since` on."""
    events = AuditEvent.objects.filter(workspace=workspace, action=WEIGHTS_ACTION, at__gte=since, denied=False)
    return events.exists()


@transaction.atomic
def rescore(*, workspace: Workspace, source: str, after: str, now: datetime) -> str:
    """Counts the next BATCH active memories of the source; answers the last one's id, "" when there are no more."""
    rows = Evidence.objects.filter(workspace=workspace, source=source, memory__status=MemoryStatus.ACTIVE)
    rows = rows.filter(memory_id__gt=after) if after else rows
    ids = list(rows.order_by("memory_id").values_list("memory_id", flat=True).distinct()[:BATCH])
    moved = _count(workspace, ids)
    if moved:
        _record(workspace, moved, now, object_type="source", object_id=source[:64])
    return str(ids[-1]) if len(ids) == BATCH else ""


@transaction.atomic
def rescore_all(*, workspace_pk: int, after: str, now: datetime) -> str:
    """The same of the next BATCH active memories of the workspace, by its weights as they stand now: a batch that read
    older ones could come after one that read the new."""
    workspace = Workspace.objects.get(pk=workspace_pk)
    rows = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE)
    rows = rows.filter(pk__gt=after) if after else rows
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
    moved = _count(workspace, ids)
    if moved:
        _record(workspace, moved, now, object_type="workspace", object_id=workspace.pk)
    return str(ids[-1]) if len(ids) == BATCH else ""


def _count(workspace: Workspace, ids: list[UUID]) -> int:
    """Counts these memories; answers how many had another credibility."""
    if not ids:
        return 0
    users = sorted(set(Memory.objects.filter(pk__in=ids).values_list("user_id", flat=True)))
    list(EndUser.objects.select_for_update().filter(pk__in=users).order_by("pk").values_list("pk"))
    memories = list(Memory.objects.filter(pk__in=ids, status=MemoryStatus.ACTIVE).select_related("workspace"))
    trust = credibility_of_memories(workspace, memories)
    moved = [memory for memory in memories if abs(trust[memory.pk].value - memory.credibility) >= LEAST]
    for memory in moved:
        memory.credibility = trust[memory.pk].value
    Memory.objects.bulk_update(moved, ["credibility"])
    if moved:
        EndUser.objects.filter(pk__in={memory.user_id for memory in moved}).update(revision=F("revision") + 1)
        embedded.touched(moved)
    return len(moved)


def _record(workspace: Workspace, moved: int, now: datetime, **of) -> None:
    log.record(
        workspace=workspace, actor=SYSTEM, action="memory.rescore", now=now, after={"memories": moved}, **of
    )  # fmt: skip
