"""Every page and every reading route of the API, each with the filters that change its queries, and the jobs."""

import uuid
from collections.abc import Callable, Iterator

from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from benchmarks.explain_data import HEAVY_USER, HEAVY_WORKSPACE, USUAL_USER

Ask = Callable[[], int]

# Names of URLs that are not walked, because they show nothing of the large tables or only write.
NOT_WALKED = {
    "live", "login", "logout", "set_language", "schema", "docs", "decide", "undo", "memory_act", "retry", "key_create",
    "key_revoke", "choose_workspace", "choose_theme", "defence_save",
    "archive_save", "archive_run", "archive_restore", "ranking_save", "ranking_log",
    "rollback_now", "audit_head", "audit_verify", "audit_keep",
    "take_next", "take", "release", "take_over", "ping", "leave", "skip", "unskip", "defer", "bring_back", "assign",
    "view_save", "view_act", "bulk", "bulk_now", "bulk_undo", "confirm", "send_back", "note", "mentions_read",
    "choose_keys", "reviewing_save", "second_look_answer", "erase_now", "memory_erase_now", "choose_zone",
    "choose_digest", "retry_all", "credibility_save", "retention_save", "retention_check", "retention_back",
    "rule_make", "rule_off", "rule_undo",
    "webhook_add", "webhook_save", "webhook_secret", "webhook_test", "delivery_again", "webhook_remove",
    "api-events", "api-memories-batch", "api-tool-results", "api-tool-schemas",
}  # fmt: skip

_asked: set[str] = set()


def routes() -> Iterator[tuple[str, Ask]]:
    """(name, ask) of each; ask() answers the HTTP status."""
    yield from _pages()
    yield from _api()
    yield from _jobs()


def _pages() -> Iterator[tuple[str, Ask]]:
    from django.contrib.auth import get_user_model

    from memory.models import AuditEvent, Change, Conflict, Erasure, Memory, Recall
    from review.models import AutoRule, BulkRun, Webhook
    from review.pages.people import TABS

    person = get_user_model().objects.create_superuser("bench-admin")
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    client.post("/preferences/workspace/", {"workspace": HEAVY_WORKSPACE})
    told = Memory.objects.filter(user=HEAVY_USER, status="active").first()
    conflicts = Conflict.objects.filter(workspace=HEAVY_WORKSPACE)
    waits, decided = (conflicts.filter(status=status).first() for status in ("open", "decided"))
    event = AuditEvent.objects.filter(workspace=HEAVY_WORKSPACE).first()
    change = Change.objects.filter(workspace=HEAVY_WORKSPACE, user=HEAVY_USER).first()
    recall = Recall.objects.filter(workspace=HEAVY_WORKSPACE, user=USUAL_USER).first()
    run = BulkRun.objects.create(workspace_id=HEAVY_WORKSPACE, kind="flood", choice="keep", at=timezone.now())
    erasure = Erasure.objects.create(
        workspace_id=HEAVY_WORKSPACE, user_pk=0, reason_code="law", actor_label="bench", asked_at=timezone.now()
    )
    rule = AutoRule.objects.create(
        workspace_id=HEAVY_WORKSPACE, kind="contradiction", why="value_changed", category="profile",
        source_class="user_input", choice="accept", reason_code="newer", check_share=0.1, per_hour=60, rests_on=20,
        made_at=timezone.now(),
    )  # fmt: skip
    hook = Webhook.objects.create(
        workspace_id=HEAVY_WORKSPACE, url="https://hooks.example.com/", events=["conflict.queued", "conflict.decided"],
        created_at=timezone.now(), watched_since=timezone.now(), filed_to=timezone.now(),
    )  # fmt: skip
    user = f"user-{HEAVY_USER}"
    paths = [
        "/", "/health/ready", "/metrics",
        "/review/", "/review/?kind=misreport", "/review/?band=1", "/review/?overdue=1", "/review/?order=newest",
        "/review/?order=urgency", "/review/?show=held", "/review/?assignee=nobody", "/review/?category=profile",
        "/review/?agent=bot",
        "/review/?order=oldest", f"/review/?user={user}", "/review/?q=stand-up", "/review/?page=9999",
        "/review/?status=decided", f"/review/?status=decided&user={user}", "/review/?status=decided&q=stand-up",
        "/review/?status=decided&q=nothing-like-it", "/review/?status=decided&kind=flood",
        f"/review/{waits.pk}/", f"/review/{waits.pk}/?user={user}", f"/review/{decided.pk}/",
        f"/review/{decided.pk}/?status=decided",
        "/people/", "/people/?q=user-9", "/people/?page=9999",
        *(f"/people/{number}/?tab={tab}" for tab in TABS for number in (HEAVY_USER, USUAL_USER)),
        f"/people/{HEAVY_USER}/?tab=episodes&page=9999", f"/people/{HEAVY_USER}/?status=retracted",
        f"/people/{HEAVY_USER}/as-of/", f"/people/{USUAL_USER}/as-of/?page=9999",
        f"/people/{USUAL_USER}/everything.zip", f"/people/{USUAL_USER}/erase/", f"/memories/{told.pk}/erase/",
        "/settings/retention/", "/rules/", f"/rules/{rule.pk}/",
        "/credibility/", "/credibility/?kind=tool&order=rejected", "/credibility/?user_input=0.9",
        "/erasures/", "/erasures/?q=user-1", "/memory-health/", "/memory-health/?days=90", f"/erasures/{erasure.pk}/",
        f"/people/{HEAVY_USER}/graph/", f"/people/{USUAL_USER}/graph/",
        f"/memories/{told.pk}/recalls.csv", f"/memories/{told.pk}/recalls.jsonl",
        f"/memories/{told.pk}/",
        "/changes/", "/changes/?kind=revise", "/changes/?kind=remember", "/changes/?actor=agent:hsc_1",
        f"/changes/?user={user}", "/changes/?session=run-3", "/changes/?agent=bot", "/changes/?source=tool:crm",
        "/changes/?since=2020-01-01", "/changes/?page=9999", f"/changes/{change.pk}/",
        f"/changes/rollback/?kind=change&value={change.pk}", "/stale/",
        "/lab/", f"/lab/?user={user}&q=when+is+the+stand-up", f"/lab/?user=user-{USUAL_USER}&q=stand-up&b_decay_rate=1",
        f"/lab/?recall={recall.pk}&then=1", "/recalls/", f"/recalls/?user={user}", "/recalls/?session=run-3",
        "/recalls/?agent=bot", "/recalls/?q=stand-up", "/recalls/?q=nothing-like-it", "/recalls/?withheld=1",
        "/recalls/?since=2020-01-01", "/recalls/?page=9999", f"/recalls/{recall.pk}/",
        "/archive/", "/archive/?archive_days=1&archive_below=1000", "/archive/?q=stand-up", "/archive/?page=9999",
        "/audit/", "/audit/?action=memory.remember", "/audit/?action=nothing", "/audit/?actor=agent",
        "/audit/?actor=agent:nobody", f"/audit/?object=memory:{told.pk}", "/audit/?denied=1", "/audit/?request=r-1",
        "/audit/?since=2020-01-01", "/audit/?until=2020-01-01", "/audit/?place=outside", "/audit/?page=9999",
        f"/audit/{event.pk}/", "/audit/export.jsonl",
        "/intake/", "/intake/?outcome=ADD", "/intake/?outcome=REJECTED", "/intake/?outcome=PARKED",
        "/intake/?page=9999",
        f"/review/bulk/{run.pk}/", "/review/decisions.csv?status=decided", "/settings/reviewing/",
        "/quality/", "/quality/?days=90", "/quality/second-look/",
        "/settings/notices/", f"/settings/notices/{hook.pk}/",
        "/settings/keys/", "/settings/defence/", "/settings/ranking/", "/settings/ranking/?min_relevance=0.4",
        "/preferences/",
        "/admin/", "/admin/memory/workspace/", "/admin/memory/workspace/1/change/",
    ]  # fmt: skip
    for path in paths:
        shown = path.replace(str(waits.pk), "<open>").replace(str(decided.pk), "<decided>")
        shown = shown.replace(str(recall.pk), "<recall>")
        yield f"GET {shown.replace(str(told.pk), '<id>')}", lambda path=path: _get(client, path)


def _api() -> Iterator[tuple[str, Ask]]:
    from memory.actor import SYSTEM
    from memory.api import keys
    from memory.models import Workspace

    workspace = Workspace.objects.get(pk=HEAVY_WORKSPACE)
    _, secret = keys.issue(
        workspace=workspace, name="bench", actor=SYSTEM, now=timezone.now(), scopes=["read", "write"]
    )
    client = Client(SERVER_NAME="localhost", headers={"authorization": f"Bearer {secret}"})
    for number in (HEAVY_USER, USUAL_USER):
        yield from _of_user(client, number)


def _of_user(client: Client, number: int) -> Iterator[tuple[str, Ask]]:
    from memory.models import Memory

    memory = Memory.objects.filter(workspace=HEAVY_WORKSPACE, status="active").first()
    user = f"user-{number}"
    since = "2020-01-01T00:00:00Z"
    paths = [
        f"/sessions/run-3/context?user_id={user}",
        *(f"/users/{user}/episodes{query}" for query in (
            "", "?kind=tool_result", "?status=error", f"?kind=tool_result&status=error&since={since}", "?run_id=run-3",
            "?limit=20&offset=5000", f"?since={since}",
        )),
        f"/users/{user}/graph", f"/users/{user}/graph?limit=20", f"/users/{user}/difference?since={since}",
        *(f"/memories?user_id={user}{query}" for query in ("", "&category=profile", f"&since={since}")),
        f"/memories/{memory.pk}", f"/memories/{memory.pk}/history",
        f"/memories/{memory.pk}/recalls",
        f"/conflicts?user_id={user}", f"/conflicts?user_id={user}&status=open",
    ]  # fmt: skip
    for path in paths:
        shown = path.replace(str(memory.pk), "<id>")
        yield f"GET /api/v1{shown}", lambda path=path: _get(client, f"/api/v1{path}")
    asked = {"user_id": user, "query": "when is the stand-up", "run_id": "run-3", "explain": True}
    narrowed = asked | {"filters": {"category": ["profile"]}}
    around = asked | {"include_archived": True, "context_window": 3}
    yield f"POST /api/v1/search {user}, archive and neighbours", lambda: _post(client, "/api/v1/search", around)
    yield f"POST /api/v1/search {user}", lambda: _post(client, "/api/v1/search", asked)
    yield f"POST /api/v1/memories/search {user}, category", lambda: _post(client, "/api/v1/memories/search", narrowed)

    past = asked | {"reference_time": since}
    yield f"POST /api/v1/search {user}, in the past", lambda: _post(client, "/api/v1/search", past)
    no_terms = asked | {"query": "there and then"}
    yield f"POST /api/v1/search {user}, stop words only", lambda: _post(client, "/api/v1/search", no_terms)

    def say() -> int:
        said = {"role": "user", "content": f"I live in Bergen, box {uuid.uuid4().hex[:6]}."}
        return _post(client, "/api/v1/memories", {"user_id": user, "run_id": "run-3", "messages": [said]})

    yield f"POST /api/v1/memories {user}, recorded and judged", say
    yield f"POST /api/v1/search {user}, after a write", lambda: _post(client, "/api/v1/search", asked)


def missed() -> set[str]:
    """Names of URLs that nothing above asked for: a page that was added must be walked too."""
    found, below = set(), [get_resolver()]
    while below:
        part = below.pop()
        if isinstance(part, URLPattern):
            found.add(part.name)
        elif not part.namespace:  # Django's own admin has one
            below += part.url_patterns
    return found - _asked - NOT_WALKED


def _get(client: Client, path: str) -> int:
    return _noted(client.get(path))


def _post(client: Client, path: str, body: dict) -> int:
    return _noted(client.post(path, body, content_type="application/json"))


def _noted(response) -> int:
    _asked.add(response.resolver_match.url_name)
    return response.status_code


def _jobs() -> Iterator[tuple[str, Ask]]:
    from memory import tasks
    from review import tasks as review_tasks

    jobs = (
        tasks.beat, tasks.sweep, tasks.take_over, tasks.fold_heat, tasks.embed_missing, tasks.tidy, tasks.rescore,
        tasks.archive_cold, tasks.drop_recalls, tasks.seal_audit, tasks.verify_audit, tasks.retire_audit,
        tasks.erase_waiting, tasks.count_days, review_tasks.count_backlog, review_tasks.notify,
        review_tasks.apply_rules, tasks.file_episodes,
    )  # fmt: skip
    for job in jobs:
        yield f"job {job.__name__}", lambda job=job: (job(), 200)[1]
