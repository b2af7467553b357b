"""Liveness (the process answers) and readiness (it can do its work), for probes: no login, no data."""

from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.index import follower, serving, state, sync
from memory.models import WorkerBeat
from memory.schedules import WORKER_SILENT
from memory.working import get_working

# the feed runs at each change, and each minute after a failure
LAG = timedelta(minutes=2)

_migrated = False


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when requests can be served: database reachable and migrated. What is merely degraded is named."""
    checks = {"database": _database()}
    if checks["database"] == "ok":
        beat = WorkerBeat.objects.order_by("-at").first()
        alive = beat is not None and beat.at > timezone.now() - WORKER_SILENT
        checks["worker"] = "ok" if alive else "no heartbeat for three minutes"
        problem = serving.problem()
        checks["embedder"] = f"unavailable: {problem}" if problem else "ok"
        checks["index"] = state.stored_vectors() or "ok"
        if settings.REDIS_URL:
            checks["redis"] = "away: contexts come from the episodes" if get_working().is_away() else "ok"
        if follower.is_set_up():
            checks["vector_db"] = state.vector_db() or "ok"
            checks["vector_db_lag"] = _lag()
    failed = checks["database"] != "ok"
    degraded = any(value != "ok" for value in checks.values())
    status = "failed" if failed else "degraded" if degraded else "ok"
    return JsonResponse({"status": status, "checks": checks}, status=503 if failed else 200)


def _lag() -> str:
    """ "ok" while what waits for the vector database is younger than a worker's minute."""
    lag = sync.lag()
    if lag.oldest is None or lag.oldest > timezone.now() - LAG:
        return "ok"
    return f"{lag.count} memories wait, the oldest since {lag.oldest.isoformat(timespec='seconds')}: {lag.error}"


def _database() -> str:
    global _migrated
    try:
        if not _migrated:
            executor = MigrationExecutor(connection)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                return "migrations are missing: run manage.py migrate"
            _migrated = True
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"unreachable: {type(error).__name__}"
    return "ok"
