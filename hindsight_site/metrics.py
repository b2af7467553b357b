"""/metrics: the machinery's state in Prometheus' text format, read from the database at each scrape.

So the figures are the same whichever web process answers, and none is lost with one. Sums over the whole
installation: no workspace, no person, no text.
"""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address

from django.conf import settings
from django.db import Error
from django.db.models import Count, Min, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_q.models import OrmQ, Task

from hindsight_site.errors import problem
from memory import embedding, llm
from memory.index import follower, serving, state, sync
from memory.llm import usage
from memory.models import Conflict, Episode, IndexEntry, Memory, Recall, WorkerBeat
from memory.models.memory import MemoryStatus
from memory.recall import log as recall_log
from memory.working import get_working

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
WORKER_SILENT = timedelta(minutes=3)
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, or with `label` one for each of its values. They are ours, so they need no escaping."""

    name: str
    help: str
    values: dict[str, float]
    label: str = ""
    kind: str = "gauge"

    def __str__(self) -> str:
        lines = [f"# HELP hindsight_{self.name} {self.help}", f"# TYPE hindsight_{self.name} {self.kind}"]
        for value, figure in self.values.items():
            label = f'{{{self.label}="{value}"}}' if self.label else ""
            lines.append(f"hindsight_{self.name}{label} {figure}")
        return "\n".join(lines)


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """200 also without a database, which is then all that is said; 401 or 403 as problem+json."""
    if refusal := _refusal(request):
        return refusal
    try:
        figures = list(_figures(timezone.now()))
    except Error:
        figures = [_engines(database=False)]
    return HttpResponse("".join(f"{figure}\n" for figure in figures), content_type=CONTENT_TYPE)


def _refusal(request: HttpRequest) -> HttpResponse | None:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        if hmac.compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
            return None
        answer = problem(401, "The metrics need a token.", hint="Send CONSOLE_METRICS_TOKEN as a bearer token.")
        answer.headers["WWW-Authenticate"] = "Bearer"
        return answer
    if _from_this_host(request):
        return None
    return problem(
        403,
        "Without a token the metrics are told to this host alone.",
        hint="Set CONSOLE_METRICS_TOKEN to scrape them.",
    )  # fmt: skip


def _from_this_host(request: HttpRequest) -> bool:
    """Whether the peer is this host and speaks for itself: behind a proxy on this host every peer is."""
    try:
        here = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
    return here and not any(name in request.headers for name in FORWARDED)


def _figures(now: datetime) -> Iterator[Figure]:
    yield _engines(database=True)
    beats = list(WorkerBeat.objects.values_list("at", flat=True))
    alive = sum(at > now - WORKER_SILENT for at in beats)
    yield Figure("workers_alive", "Worker hosts with a heartbeat in the last three minutes.", {"": alive})
    yield from _waiting(now)
    yield from _index(now)
    yield from _review(now)
    if llm.is_set_up():
        yield from _model()
    memories = dict(Memory.objects.values_list("status").annotate(n=Count("*")).order_by())
    found = {status: memories.get(status, 0) for status in MemoryStatus.values}
    yield Figure("memories", "Memories by status.", found, "status")
    recalls = Recall.objects.filter(created_at__gt=now - timedelta(hours=1)).aggregate(
        n=Count("*"), degraded=Count("created_at", filter=~Q(degraded=[]))
    )
    yield Figure("recalls_last_hour", "Searches answered and logged in the last hour.", {"": recalls["n"]})
    yield Figure(
        "recalls_degraded_last_hour", "Of those, answered without an engine that was away.", {"": recalls["degraded"]}
    )
    told = "Searches answered although their log could not be written."
    yield Figure("recalls_not_logged_total", told, {"": recall_log.lost()}, kind="counter")


def _engines(*, database: bool) -> Figure:
    """What is set up, as this process finds it; a service left alone after a failure counts as down."""
    # without a database it is not known which embedder's vectors are stored
    up = {"database": database, "embedder": not serving.problem() if database else bool(embedding.get_embedder())}
    if settings.REDIS_URL:
        up["redis"] = not get_working().is_away()
    if follower.is_set_up():
        up["vector_db"] = not state.vector_db()
    return Figure(
        "engine_up", "1 while the engine answers.", {name: int(is_up) for name, is_up in up.items()}, "engine"
    )


def _waiting(now: datetime) -> Iterator[Figure]:
    pending = Episode.objects.filter(judging=Episode.Judging.PENDING).aggregate(n=Count("*"), oldest=Min("recorded_at"))
    parked = Episode.objects.filter(judging=Episode.Judging.PARKED).count()
    yield Figure("episodes", "Events that are not judged.", {"pending": pending["n"], "parked": parked}, "state")
    yield Figure(
        "episodes_pending_oldest_seconds", "Age of the oldest pending event.", {"": _age(pending["oldest"], now)}
    )
    jobs = {"queued": OrmQ.objects.count(), "failed": Task.objects.filter(success=False).count()}
    yield Figure("jobs", "Background jobs: waiting or running, and kept as failed.", jobs, "state")


def _index(now: datetime) -> Iterator[Figure]:
    without = IndexEntry.objects.filter(vector=None).count()
    yield Figure("index_without_vector", "Memories that are found by words only.", {"": without})
    if follower.is_set_up():
        lag = sync.lag()
        yield Figure("index_lag", "Changes the vector database has yet to take over.", {"": lag.count})
        yield Figure("index_lag_oldest_seconds", "Age of the oldest of those.", {"": _age(lag.oldest, now)})


def _model() -> Iterator[Figure]:
    counts = usage.totals()
    tokens = {"question": counts.pop("prompt_tokens"), "answer": counts.pop("answer_tokens")}
    yield Figure("llm_tokens_total", "Tokens the language model was paid for.", tokens, "kind", "counter")
    told = "Calls, events judged by it, from the cache, by rules in its place (and why), and claims it invented."
    yield Figure("llm_events_total", told, counts, "event", "counter")


def _review(now: datetime) -> Iterator[Figure]:
    waiting = Conflict.objects.filter(status=Conflict.Status.OPEN)
    kinds = dict(waiting.values_list("kind").annotate(n=Count("*")).order_by())
    found = {kind: kinds.get(kind, 0) for kind in Conflict.Kind.values}
    yield Figure("conflicts_open", "Conflicts that wait for a person, by kind.", found, "kind")
    yield Figure("conflicts_overdue", "Of those, past their time.", {"": waiting.filter(due_at__lt=now).count()})


def _age(moment: datetime | None, now: datetime) -> float:
    return round(max((now - moment).total_seconds(), 0), 1) if moment else 0
