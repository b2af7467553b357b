"""Who gets what: every page and form, every role, and the other workspace."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.actor import SYSTEM
from memory.api import keys
from memory.models import AgentKey, AuditEvent, Conflict, Membership, Memory

ROLES = {"ada": "Reviewer", "eve": "Auditor", "cara": "Admin"}
# name of the page, what it needs, and per role the answer to GET
PAGES = {
    "dashboard": {"ada": 200, "eve": 200, "cara": 200},
    "queue": {"ada": 200, "eve": 200, "cara": 200},
    "conflict": {"ada": 200, "eve": 200, "cara": 200},
    "people": {"ada": 200, "eve": 200, "cara": 200},
    "person": {"ada": 200, "eve": 200, "cara": 200},
    "memory": {"ada": 200, "eve": 200, "cara": 200},
    "intake": {"ada": 200, "eve": 200, "cara": 200},
    "audit": {"ada": 403, "eve": 200, "cara": 200},
    "keys": {"ada": 403, "eve": 403, "cara": 200},
}
# forms: what a role that may not is told; 302 or 422 mean that it was let in
FORMS = {
    "decide": {"ada": 422, "eve": 403, "cara": 422},
    "undo": {"ada": 409, "eve": 403, "cara": 409},
    "memory_act": {"ada": 422, "eve": 403, "cara": 422},
    "retry": {"ada": 403, "eve": 403, "cara": 302},
    "audit_head": {"ada": 403, "eve": 200, "cara": 200},
    "audit_verify": {"ada": 403, "eve": 302, "cara": 302},
    "audit_keep": {"ada": 403, "eve": 403, "cara": 422},
    "key_create": {"ada": 403, "eve": 403, "cara": 422},
    "key_revoke": {"ada": 403, "eve": 403, "cara": 302},
}


@pytest.fixture
def things(make_conflict, workspace):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    key, _secret = keys.issue(workspace=workspace, name="k", scopes=["read"], actor=SYSTEM, now=timezone.now())
    return {
        "conflict": [conflict.pk], "decide": [conflict.pk], "undo": [conflict.pk], "person": [conflict.user_id],
        "memory": [conflict.memory_id], "memory_act": [conflict.memory_id, "edit"], "retry": [conflict.episode_id],
        "key_revoke": [key.pk],
    }  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", ROLES)
def test_a_page_opens_for_whom_it_may(page, name, things, desk):
    assert desk(name).get(reverse(page, args=things.get(page))).status_code == PAGES[page][name]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ROLES)
def test_a_form_is_refused_on_the_server_to_whom_it_may_not(form, name, things, desk):
    assert desk(name).post(reverse(form, args=things.get(form)), {}).status_code == FORMS[form][name]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_no_page(form, things, desk):
    assert desk("cara").get(reverse(form, args=things.get(form))).status_code == 405


@pytest.mark.parametrize("page", [*PAGES, *FORMS])
def test_a_stranger_is_sent_to_sign_in(page, things):
    answer = Client().get(reverse(page, args=things.get(page)))
    assert answer.status_code in (302, 405)
    assert answer.status_code == 405 or answer["Location"].startswith("/login/")


@pytest.mark.parametrize("form", [*FORMS, "choose_workspace"])
def test_a_strangers_form_leads_to_sign_in_and_writes_nothing(form, things):
    address = reverse(form, args=things.get(form))
    answer = Client().post(address, {"version": 1, "choice": "accept", "reason_code": "newer", "name": "k"})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/login/")
    _nothing_happened()


@pytest.mark.parametrize("form", FORMS)
def test_a_form_from_another_site_is_refused(form, things, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["cara"])
    answer = client.post(
        reverse(form, args=things.get(form)), {"version": 1, "choice": "accept", "reason_code": "newer"}
    )
    assert answer.status_code == 403
    _nothing_happened()


@pytest.mark.parametrize("form", FORMS)
def test_somebody_without_a_seat_sends_no_form(form, things, desk):
    assert desk("dan").post(reverse(form, args=things.get(form)), {"version": 1}).status_code == 403
    _nothing_happened()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_no_form(page, things, desk):
    assert desk("cara").post(reverse(page, args=things.get(page)), {}).status_code == 405


@pytest.mark.parametrize("page", PAGES)
def test_a_superuser_is_an_admin_of_every_workspace(page, things, django_user_model, other_workspace):
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    client.post(reverse("choose_workspace"), {"workspace": Conflict.objects.get().workspace_id})
    assert client.get(reverse(page, args=things.get(page))).status_code == 200


def test_a_role_taken_away_counts_at_once(things, people, desk):
    client = desk("ada")
    Membership.objects.filter(person=people["ada"]).update(role=Group.objects.get(name="Auditor"))
    form = {"version": 1, "choice": "accept", "reason_code": "newer"}
    assert client.post(reverse("decide", args=things["decide"]), form).status_code == 403
    _nothing_happened()


@pytest.mark.parametrize("page", PAGES)
def test_somebody_without_a_seat_gets_403(page, things, desk):
    assert desk("dan").get(reverse(page, args=things.get(page))).status_code == 403


@pytest.mark.parametrize(
    "page", ["conflict", "person", "memory", "decide", "undo", "memory_act", "retry", "key_revoke"]
)
def test_what_belongs_to_another_workspace_does_not_exist(page, things, people, other_workspace, desk):
    Membership.objects.filter(person=people["cara"]).delete()
    Membership.objects.create(workspace=other_workspace, person=people["cara"], role=Group.objects.get(name="Admin"))
    client, address = desk("cara"), reverse(page, args=things[page])
    answer = client.post(address, {"choice": "keep"}) if page in FORMS else client.get(address)
    assert answer.status_code == 404
    assert Conflict.objects.get().status == "open" and Memory.objects.get().version == 1


def test_a_refused_change_is_in_the_audit(things, desk):
    desk("eve").post(reverse("decide", args=things["decide"]), {"choice": "keep", "reason_code": "other"})
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


def _nothing_happened():
    assert Conflict.objects.get().status == "open" and Memory.objects.get().version == 1
    assert AgentKey.objects.get().revoked_at is None
