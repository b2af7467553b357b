"""Every page and every reading route of the API, each with the filters that change its queries, and the jobs."""

import uuid
from collections.abc import Callable, Iterator

from django.test import Client
from django.utils import timezone

from benchmarks.explain_data import HEAVY_USER, HEAVY_WORKSPACE

Ask = Callable[[], int]

# Names of URLs that are not walked, because they show nothing of the large tables or only write.
NOT_WALKED = {
    "live", "login", "logout", "set_language", "schema", "docs", "decide", "undo", "memory_act", "retry", "key_create",
    "key_revoke", "choose_workspace", "choose_theme", "api-events", "api-memories-batch",
}  # fmt: skip


def routes() -> Iterator[tuple[str, Ask]]:
    """(name, ask) of each; ask() answers the HTTP status."""
    yield from _pages()
    yield from _api()
    yield from _jobs()


def _pages() -> Iterator[tuple[str, Ask]]:
    from django.contrib.auth import get_user_model

    from memory.models import Conflict, Memory

    person = get_user_model().objects.create_superuser("bench-admin")
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    client.post("/preferences/workspace/", {"workspace": HEAVY_WORKSPACE})
    told = Memory.objects.filter(user=HEAVY_USER, status="active").first()
    conflicts = Conflict.objects.filter(workspace=HEAVY_WORKSPACE)
    waits, decided = (conflicts.filter(status=status).first() for status in ("open", "decided"))
    user = f"user-{HEAVY_USER}"
    paths = [
        "/", "/health/ready", "/metrics",
        "/review/", "/review/?kind=misreport", "/review/?band=1", "/review/?overdue=1", "/review/?order=newest",
        "/review/?order=oldest", f"/review/?user={user}", "/review/?q=stand-up", "/review/?page=9999",
        "/review/?status=decided", f"/review/?status=decided&user={user}", "/review/?status=decided&q=stand-up",
        "/review/?status=decided&q=nothing-like-it", "/review/?status=decided&kind=flood",
        f"/review/{waits.pk}/", f"/review/{waits.pk}/?user={user}", f"/review/{decided.pk}/",
        f"/review/{decided.pk}/?status=decided",
        "/people/", "/people/?q=user-9", "/people/?page=9999",
        *(f"/people/{HEAVY_USER}/?tab={tab}" for tab in ("memories", "episodes", "sessions", "recalls", "conflicts")),
        f"/people/{HEAVY_USER}/?tab=episodes&page=9999", f"/people/{HEAVY_USER}/?status=retracted",
        f"/memories/{told.pk}/",
        "/intake/", "/intake/?outcome=ADD", "/intake/?outcome=REJECTED", "/intake/?outcome=PARKED",
        "/intake/?page=9999",
        "/settings/keys/", "/admin/", "/admin/memory/workspace/", "/admin/memory/workspace/1/change/",
    ]  # fmt: skip
    for path in paths:
        shown = path.replace(str(waits.pk), "<open>").replace(str(decided.pk), "<decided>")
        yield f"GET {shown.replace(str(told.pk), '<id>')}", lambda path=path: client.get(path).status_code


def _api() -> Iterator[tuple[str, Ask]]:
    from memory.actor import SYSTEM
    from memory.api import keys
    from memory.models import Memory, Workspace

    workspace = Workspace.objects.get(pk=HEAVY_WORKSPACE)
    _, secret = keys.issue(
        workspace=workspace, name="bench", actor=SYSTEM, now=timezone.now(), scopes=["read", "write"]
    )
    client = Client(SERVER_NAME="localhost", headers={"authorization": f"Bearer {secret}"})
    memory = Memory.objects.filter(workspace=workspace, user=HEAVY_USER, status="active").first()
    user = f"user-{HEAVY_USER}"
    since = "2020-01-01T00:00:00Z"
    paths = [
        f"/sessions/run-3/context?user_id={user}",
        *(f"/users/{user}/episodes{query}" for query in (
            "", "?kind=tool_result", "?status=error", f"?kind=tool_result&status=error&since={since}", "?run_id=run-3",
            "?limit=20&offset=5000", f"?since={since}",
        )),
        *(f"/memories?user_id={user}{query}" for query in ("", "&category=profile", f"&since={since}")),
        f"/memories/{memory.pk}", f"/memories/{memory.pk}/history",
        f"/conflicts?user_id={user}", f"/conflicts?user_id={user}&status=open",
    ]  # fmt: skip
    for path in paths:
        shown = path.replace(str(memory.pk), "<id>")
        yield f"GET /api/v1{shown}", lambda path=path: client.get(f"/api/v1{path}").status_code
    asked = {"user_id": user, "query": "when is the stand-up", "run_id": "run-3", "explain": True}
    yield "POST /api/v1/search", lambda: _post(client, "/api/v1/search", asked)
    yield (
        "POST /api/v1/memories/search (category)",
        lambda: _post(client, "/api/v1/memories/search", asked | {"filters": {"category": ["profile"]}}),
    )
    said = {"user_id": user, "run_id": "run-3"}
    yield "POST /api/v1/memories (recorded and judged)", lambda: _post(
        client, "/api/v1/memories",
        said | {"messages": [{"role": "user", "content": f"I live in Bergen, box {uuid.uuid4().hex[:6]}."}]},
    )  # fmt: skip


def _post(client: Client, path: str, body: dict) -> int:
    return client.post(path, body, content_type="application/json").status_code


def _jobs() -> Iterator[tuple[str, Ask]]:
    from memory import tasks

    for job in (tasks.beat, tasks.sweep, tasks.take_over, tasks.fold_heat, tasks.embed_missing, tasks.tidy):
        yield f"job {job.__name__}", lambda job=job: (job(), 200)[1]
