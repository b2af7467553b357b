"""Takes a user's words out of the audit and leaves the events: who did what and when stays, and the chain verifies."""

import json
from datetime import datetime
from urllib.parse import quote

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from memory.actor import Actor
from memory.audit.remove import erase_text
from memory.erasure.places import Scope, audited
from memory.models import AuditEvent, Change, Memory, Workspace
from memory.store import parts

REASON = "erasure"


def erase(scope: Scope, name: str, *, actor: Actor, now: datetime) -> int:
    """Call it while the rows are still there: their events are known by them. Answers how many lost their words."""
    workspace = Workspace.objects.get(pk=scope.workspace_id)
    erased = 0
    for kind, keys in _objects(scope):
        for some in parts(keys):
            events = AuditEvent.objects.filter(object_type=kind, object_id__in=[str(key) for key in some])
            erased += _erase(workspace, events, actor, now)
    if scope.memory_pk is None:
        erased += _erase(workspace, _naming(workspace, name), actor, now)
    return erased


def _objects(scope: Scope) -> list[tuple[str, list]]:
    """(object_type, keys) of the rows that go."""
    conflicts = list(scope.conflicts().values_list("pk", flat=True))
    if scope.memory_pk is not None:
        memories = [scope.memory_pk]
    else:
        memories = list(Memory.objects.filter(user=scope.user_pk).values_list("pk", flat=True))
    changes = Change.objects.filter(user=scope.user_pk, operation__isnull=False)
    if scope.memory_pk is not None:
        changes = changes.filter(versions__memory=scope.memory_pk)
    operations = list(changes.order_by().values_list("operation", flat=True).distinct())
    return [("memory", memories), ("conflict", conflicts), ("operation", operations), *audited(scope)]


def _naming(workspace: Workspace, name: str):
    """Events that name the user's id: as their object, in an API's path, or as a value, a filter's too."""
    mine = AuditEvent.objects.filter(workspace=workspace)
    found = Q(object_type="user", object_id=name[:64]) | Q(reason__contains=f"/users/{name}/")
    # as JSON is stored by SQLite, and by PostgreSQL
    spelled = {json.dumps(name), json.dumps(name, ensure_ascii=False)}
    spelled |= {f"={quote(name)}{end}" for end in ("&", '"')} | {f"={name}{end}" for end in ("&", '"')}
    rows = mine.annotate(told=Cast("after", TextField()), was=Cast("before", TextField()))
    for form in spelled:
        found |= Q(told__contains=form) | Q(was__contains=form)
    return AuditEvent.objects.filter(pk__in=rows.filter(found).values("pk"))


def _erase(workspace: Workspace, events, actor: Actor, now: datetime) -> int:
    wordless = Q(reason="", before__isnull=True, after__isnull=True) & ~Q(object_type="user")
    return erase_text(
        workspace=workspace, events=events.filter(~wordless, erased_by=None), actor=actor, now=now, reason=REASON,
        clean=_clean,
    )  # fmt: skip


def _clean(event: AuditEvent) -> None:
    """All words, and an object that is named by a user's id. Numbers and keys of rows say nothing."""
    event.reason, event.before, event.after = "", None, None
    if event.object_type == "user":
        event.object_id = ""
