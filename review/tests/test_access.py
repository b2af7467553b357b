"""Who gets what: every route, every method, every role, nobody, a stranger, and the other workspace.

ROUTES says what each route of review/urls.py is for; the rest is made from it. A route that is missing here fails.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.actor import SYSTEM
from memory.api import keys
from memory.models import AgentKey, AuditEvent, Change, Conflict, EpisodeFile, Erasure, Membership, Memory
from memory.recall import search
from review.models import AutoRule, BulkRun, SavedView
from review.notices import webhooks
from review.tests.drawn import drawn
from review.urls import urlpatterns

READ, DECIDE, CHANGE, EXPORT, MANAGE = (
    "view_console", "decide_conflict", "change_memory_text", "export_data", "manage_workspace",
)  # fmt: skip
ROLES = {"ada": {READ, DECIDE, CHANGE}, "eve": {READ, EXPORT}, "cara": {READ, DECIDE, CHANGE, EXPORT, MANAGE}}

# name: (what it needs, the object it names and what follows that in its address); a page is opened, a form is sent
PAGES = {
    "dashboard": (READ,), "queue": (READ,), "conflict": (READ, "conflict"), "people": (READ,),
    "person": (READ, "person"), "as_of": (READ, "person"), "memory": (READ, "memory"),
    "memory_recalls": (EXPORT, "memory", "csv"), "stale": (READ,), "changes": (READ,), "change": (READ, "change"),
    "rollback": (MANAGE, "?change"), "archive": (READ,), "intake": (READ,), "defence": (READ,), "keys": (MANAGE,),
    "bulk_run": (READ, "bulk"), "decisions_export": (EXPORT, "", "csv"), "graph": (READ, "person"), "lab": (READ,),
    "recalls": (READ,), "recall": (READ, "recall"), "audit": (EXPORT,), "audit_event": (EXPORT, "event"),
    "audit_export": (EXPORT, "", "csv"), "ranking": (READ,), "reviewing": (MANAGE,), "quality": (READ,),
    "second_look": (DECIDE,), "person_export": (EXPORT, "person"), "erase": (MANAGE, "person"),
    "memory_erase": (MANAGE, "memory"), "erasures": (EXPORT,), "health": (READ,), "erasure": (EXPORT, "erasure"),
    "notices": (MANAGE,), "credibility": (READ,),
    "retention": (MANAGE,), "rules": (READ,), "rule": (READ, "rule"), "webhook": (MANAGE, "webhook"),
}  # fmt: skip
FORMS = {
    "take_next": (DECIDE,), "take": (DECIDE, "conflict"), "release": (DECIDE, "conflict"),
    "take_over": (MANAGE, "conflict"), "ping": (READ, "conflict"), "leave": (READ, "conflict"),
    "skip": (DECIDE, "conflict"), "unskip": (DECIDE, "conflict"), "defer": (DECIDE, "conflict"),
    "bring_back": (DECIDE, "conflict"), "assign": (DECIDE, "conflict"), "decide": (DECIDE, "conflict"),
    "undo": (DECIDE, "conflict"), "view_save": (READ,), "view_act": (READ, "view", "delete"),
    "memory_act": (CHANGE, "memory", "edit"), "rollback_now": (MANAGE, "?change"), "archive_save": (MANAGE,),
    "archive_run": (MANAGE,), "archive_restore": (CHANGE, "memory"), "retry": (MANAGE, "episode"),
    "defence_save": (MANAGE,), "key_create": (MANAGE,), "key_revoke": (MANAGE, "key"),
    "bulk": (DECIDE,), "bulk_now": (DECIDE,), "bulk_undo": (DECIDE, "bulk"), "confirm": (DECIDE, "conflict"),
    "send_back": (DECIDE, "conflict"), "note": (DECIDE, "conflict"), "mentions_read": (READ,),
    "audit_head": (EXPORT,), "audit_verify": (EXPORT,), "audit_keep": (MANAGE,), "ranking_save": (MANAGE,),
    "ranking_log": (MANAGE,), "reviewing_save": (MANAGE,), "second_look_answer": (DECIDE, "look"),
    "erase_now": (MANAGE, "person"), "memory_erase_now": (MANAGE, "memory"),
    "retry_all": (MANAGE,), "credibility_save": (MANAGE,), "rule_make": (MANAGE,), "retention_save": (MANAGE,),
    "retention_check": (MANAGE, "file"), "retention_back": (MANAGE, "file"),
    "rule_off": (MANAGE, "rule"), "rule_undo": (MANAGE, "rule"),
    "webhook_add": (MANAGE,), "webhook_save": (MANAGE, "webhook"),
    "webhook_secret": (MANAGE, "webhook"), "webhook_test": (MANAGE, "webhook"), "webhook_remove": (MANAGE, "webhook"),
    "delivery_again": (MANAGE, "delivery"),
}  # fmt: skip
# of a person alone, in no workspace: test_preferences.py
OWN = {"choose_workspace", "choose_theme", "choose_keys", "choose_zone", "choose_digest", "set_language", "preferences"}
ROUTES = PAGES | FORMS
REFUSED, MISSING, WRONG_METHOD = 403, 404, 405
SENT = {"version": 1, "choice": "accept", "reason_code": "newer", "name": "k", "scopes": "read", "decision": 1}


@pytest.fixture
def address(make_conflict, workspace, people) -> Callable[[str, str], str]:
    """address("take", "ada"): a route's address with objects of the workspace; a saved view is that person's."""
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    key, _secret = keys.issue(workspace=workspace, name="k", scopes=["read"], actor=SYSTEM, now=timezone.now())
    hook = webhooks.add(
        workspace=workspace, url="https://hooks.example.com/", events=["conflict.queued"], person=people["cara"],
        actor=SYSTEM, now=timezone.now(),
    )  # fmt: skip
    things = {
        "conflict": conflict.pk, "person": conflict.user_id, "memory": conflict.memory_id,
        "episode": conflict.episode_id, "key": key.pk, "change": Change.objects.first().pk,
        "bulk": BulkRun.objects.create(workspace=workspace, kind="flood", choice="keep", at=timezone.now()).pk,
        "recall": search.search(user=conflict.user, query="Leipzig", asked_by="t", now=timezone.now()).recall_id,
        "event": AuditEvent.objects.filter(workspace=workspace).first().pk,
        "look": drawn(conflict).pk,
        "webhook": hook.pk,
        "file": EpisodeFile.objects.create(
            workspace=workspace, month="2025-03-01", part=1, name="gone.jsonl.gz", episodes=1, bytes=1, sha256="0",
            written_at=timezone.now(),
        ).pk,
        "rule": AutoRule.objects.create(
            workspace=workspace, kind="flood", why="w", category="profile", source_class="unknown", choice="keep",
            reason_code="mistaken", check_share=0.1, per_hour=9, rests_on=20, made_at=timezone.now(),
        ).pk,
        "delivery": webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now()).pk,
        "erasure": Erasure.objects.create(
            workspace=workspace, user_pk=0, reason_code="law", actor_label="ada", asked_at=timezone.now()
        ).pk,
    }  # fmt: skip
    views = {
        name: SavedView.objects.create(workspace=workspace, person=person, name="Mine", query="status=open").pk
        for name, person in people.items()
    }

    def address_(route: str, name: str) -> str:
        _permission, *rest = ROUTES[route]
        if rest and rest[0].startswith("?"):
            kind = rest[0][1:]
            return f"{reverse(route)}?kind={kind}&value={things[kind]}"
        thing = [views[name] if rest[0] == "view" else things[rest[0]]] if rest and rest[0] else []
        return reverse(route, args=[*thing, *rest[1:]])

    return address_


@contextmanager
def for_once() -> Iterator[None]:
    """What happens inside has not happened afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def answers(client: Client, address, name: str, method: str, routes=ROUTES) -> dict[str, int]:
    found = {}
    for route in routes:
        with for_once():
            path = address(route, name)
            found[route] = _ask(client, method, path).status_code
    return found


def _ask(client: Client, method: str, path: str) -> HttpResponse:
    if method == "GET":
        return client.get(path)
    return client.post(path, SENT | QueryDict(path.partition("?")[2]).dict())


def test_every_route_is_in_the_table():
    assert {pattern.name for pattern in urlpatterns} == {*ROUTES, *OWN}


@pytest.mark.parametrize("name", ROLES)
def test_a_page_opens_for_whom_it_may_and_for_nobody_else(name, address, desk):
    got = answers(desk(name), address, name, "GET", PAGES)
    assert got == {page: 200 if PAGES[page][0] in ROLES[name] else REFUSED for page in PAGES}


@pytest.mark.parametrize("name", ROLES)
def test_a_form_is_taken_from_whom_it_may_and_from_nobody_else(name, address, desk):
    got = answers(desk(name), address, name, "POST", FORMS)
    refused = {form for form, status in got.items() if status == REFUSED}
    assert refused == {form for form in FORMS if FORMS[form][0] not in ROLES[name]}
    assert set(got.values()) - {REFUSED} <= {200, 204, 302, 409, 422}, got


def test_a_page_takes_no_form_and_a_form_is_no_page(address, desk):
    client = desk("cara")
    assert set(answers(client, address, "cara", "POST", PAGES).values()) == {WRONG_METHOD}
    assert set(answers(client, address, "cara", "GET", FORMS).values()) == {WRONG_METHOD}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_belongs_to_another_workspace_does_not_exist(method, address, people, other_workspace, desk):
    """Cara is an admin, elsewhere: whatever names an object of this workspace is unknown to her."""
    Membership.objects.filter(person=people["cara"]).delete()
    Membership.objects.create(workspace=other_workspace, person=people["cara"], role=Group.objects.get(name="Admin"))
    routes = [name for name in (PAGES if method == "GET" else FORMS) if len(ROUTES[name]) > 1 and ROUTES[name][1]]
    got = answers(desk("cara"), address, "cara", method, routes)
    assert got == dict.fromkeys(routes, MISSING)
    _nothing_happened()


def test_reaching_for_another_workspaces_conflict_is_in_the_audit_of_ones_own(address, people, other_workspace, desk):
    path = address("decide", "cara")
    Membership.objects.filter(person=people["cara"]).update(workspace=other_workspace)
    assert desk("cara").post(path, SENT).status_code == MISSING
    event = AuditEvent.objects.get(denied=True)
    assert (event.action, event.object_id, event.actor_label) == ("denied.unknown_object", path, "cara")
    assert event.workspace == other_workspace


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_somebody_without_a_seat_gets_nothing(method, address, desk):
    routes = PAGES if method == "GET" else FORMS
    assert answers(desk("dan"), address, "dan", method, routes) == dict.fromkeys(routes, REFUSED)
    _nothing_happened()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_stranger_is_sent_to_sign_in(method, address):
    client = Client()
    for route in [*PAGES] if method == "GET" else [*FORMS]:
        path = address(route, "ada")
        answer = _ask(client, method, path)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/login/"), route
    assert client.post(reverse("choose_workspace"))["Location"].startswith("/login/")
    _nothing_happened()


def test_a_form_from_another_site_is_refused(address, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["cara"])
    assert answers(client, address, "cara", "POST", FORMS) == dict.fromkeys(FORMS, REFUSED)
    _nothing_happened()


def test_a_superuser_is_an_admin_of_every_workspace(address, people, django_user_model, workspace, other_workspace):
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    client.post(reverse("choose_workspace"), {"workspace": workspace.pk})
    assert answers(client, address, "cara", "GET", PAGES) == dict.fromkeys(PAGES, 200)


def test_a_role_taken_away_counts_at_once(address, people, desk):
    client = desk("ada")
    Membership.objects.filter(person=people["ada"]).update(role=Group.objects.get(name="Auditor"))
    assert client.post(address("decide", "ada"), SENT).status_code == 403
    _nothing_happened()


def test_a_refused_change_is_in_the_audit(address, desk):
    desk("eve").post(address("decide", "eve"), SENT)
    denied = AuditEvent.objects.get(denied=True)
    assert (denied.action, denied.actor_label) == ("denied.decide_conflict", "eve")


def test_lists_show_nothing_of_another_workspace(make_conflict, tell, people, other_workspace, desk):
    make_conflict("I live in Leipzig", "I live in Graz")
    tell("I am allergic to penicillin.")
    Membership.objects.filter(person=people["ada"]).update(workspace=other_workspace)
    ours, others = desk("ben"), desk("ada")
    for page in ("dashboard", "queue", "people", "intake"):
        # the person's id as a whole element: two letters alone may stand in a token of the page
        assert ">u1<" in ours.get(reverse(page)).content.decode()
        content = others.get(reverse(page)).content.decode()
        assert all(text not in content for text in ("Leipzig", "Graz", "penicillin", ">u1<"))


def test_the_next_one_is_never_another_workspaces(make_conflict, people, other_workspace, desk):
    make_conflict("I live in Leipzig", "I live in Graz")
    Membership.objects.filter(person=people["ada"]).update(workspace=other_workspace)
    assert desk("ada").post(reverse("take_next"))["Location"] == reverse("queue")
    assert desk("ben").post(reverse("take_next"))["Location"].startswith("/review/")


def _nothing_happened():
    assert Conflict.objects.get().status == "open" and Memory.objects.get().version == 1
    assert AgentKey.objects.get().revoked_at is None
