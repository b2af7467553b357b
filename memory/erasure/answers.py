"""Answers kept for repeated requests, and jobs: both may hold a user's words for a while, under no key of theirs."""

from collections.abc import Iterator
from typing import Any

from django_q.models import OrmQ, Task

from memory.erasure.places import Scope
from memory.models import Episode, IdempotencyKey

ROWS = 200
# jobs whose first argument is a user's key
OF_USER = (
    "memory.tasks.judge_user", "memory.tasks.sync_graph", "memory.tasks.open_dispute",
)  # fmt: skip


def erase(scope: Scope, name: str) -> int:
    """Deletes kept answers that name the user or their events, and the user's jobs; answers how many. Call it while
    the episodes are still there: answers are known by them."""
    kept = IdempotencyKey.objects.filter(agent_key__workspace=scope.workspace_id)
    doomed = [row.pk for row in kept.iterator(chunk_size=ROWS) if _is_theirs(row.response, scope, name)]
    IdempotencyKey.objects.filter(pk__in=doomed).delete()
    done = [row.pk for row in Task.objects.filter(func__in=OF_USER).iterator() if _first(row.args) == scope.user_pk]
    Task.objects.filter(pk__in=done).delete()
    waiting = [row.pk for row in OrmQ.objects.iterator() if _of_user(row) == scope.user_pk]
    OrmQ.objects.filter(pk__in=waiting).delete()
    return len(doomed) + len(done) + len(waiting)


def _is_theirs(response: Any, scope: Scope, name: str) -> bool:
    events: set[int] = set()
    for found in _objects(response):
        if found.get("user_id") == name:
            return True
        events |= {found[key] for key in ("event_id", "id") if isinstance(found.get(key), int)}
    return bool(events) and Episode.objects.filter(user=scope.user_pk, pk__in=events).exists()


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _objects(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner)


def _of_user(row: OrmQ) -> Any:
    """The first argument of a waiting job that is a user's, else None."""
    job = row.task
    return _first(job.get("args")) if isinstance(job, dict) and job.get("func") in OF_USER else None


def _first(args: Any) -> Any:
    return args[0] if args else None
