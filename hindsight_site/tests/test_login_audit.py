"""Who signed in, who failed to, and what a superuser did in the stock admin."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from memory.models import AuditEvent, Membership

PASSWORD = "correct horse battery"
pytestmark = pytest.mark.django_db


def sign_in(client, name, password):
    return client.post("/login/", {"username": name, "password": password})


def events() -> list[tuple]:
    rows = AuditEvent.objects.order_by("pk")
    return [(row.action, row.actor_label, row.denied) for row in rows]


def test_signing_in_and_out_is_in_the_audit(client, people):
    sign_in(client, "ada", PASSWORD)
    client.post("/logout/")
    assert events() == [("signin", "ada", False), ("signout", "ada", False)]
    first = AuditEvent.objects.order_by("pk").first()
    assert (first.workspace, first.object_id, first.address) == (None, str(people["ada"].pk), "127.0.0.1")


def test_a_failed_sign_in_is_in_the_audit(client, people):
    sign_in(client, "ada", "wrong")
    assert events() == [("signin.failed", "ada", True)]


def test_what_was_typed_for_a_name_that_nobody_has_is_not_kept(client, people):
    sign_in(client, PASSWORD, "ada")
    assert events() == [("signin.failed", "unknown name", True)]
    assert PASSWORD not in str(AuditEvent.objects.values_list().get())


def test_one_who_waits_is_told_apart_from_one_who_guesses(client, people):
    for _ in range(10):
        sign_in(client, "ada", "wrong")
    assert [action for action, _, _ in events()] == ["signin.failed"] * 8 + ["signin.throttled"] * 2


@pytest.fixture
def root(django_user_model, people):
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root", password=PASSWORD))
    return client


def test_a_seat_given_in_the_admin_is_in_the_workspaces_audit(root, workspace, people):
    auditor = Group.objects.get(name="Auditor")
    form = {
        "name": "Shop", "slug": workspace.slug, "memberships-TOTAL_FORMS": 1, "memberships-INITIAL_FORMS": 0,
        "memberships-0-person": people["dan"].pk, "memberships-0-role": auditor.pk,
    }  # fmt: skip
    assert root.post(f"/admin/memory/workspace/{workspace.pk}/change/", form).status_code == 302
    assert Membership.objects.filter(person=people["dan"]).exists()
    seat = AuditEvent.objects.get(action="membership.change")
    assert (seat.workspace, seat.actor_label) == (workspace, "root")
    assert (seat.before, seat.after) == (
        {"person": "dan", "role": None}, {"person": "dan", "role": "Auditor"},
    )  # fmt: skip
    renamed = AuditEvent.objects.get(action="admin.workspace.change")
    assert (renamed.before, renamed.after) == ({"name": "Shop assistant"}, {"name": "Shop"})


def test_an_account_made_changed_and_deleted_in_the_admin_is_in_the_audit(root, people, django_user_model):
    form = {"username": "fay", "password1": "a long enough word", "password2": "a long enough word",
            "usable_password": "true"}  # fmt: skip
    root.post("/admin/auth/user/add/", form)
    fay = django_user_model.objects.get(username="fay")
    root.post(f"/admin/auth/user/{fay.pk}/password/", form)
    root.post(f"/admin/auth/user/{fay.pk}/change/", {
        "username": "fay", "is_superuser": "on", "date_joined_0": "2026-05-04", "date_joined_1": "09:30:00",
    })  # fmt: skip
    root.post(f"/admin/auth/user/{fay.pk}/delete/", {"post": "yes"})
    assert [action for action, _, _ in events()] == [
        "admin.user.add", "admin.user.change", "admin.user.change", "admin.user.delete",
    ]  # fmt: skip
    assert AuditEvent.objects.filter(action="admin.user.change").last().after["is_superuser"] is True
    assert "long enough" not in str(list(AuditEvent.objects.values_list()))


def test_the_admins_sign_in_is_the_consoles(client, people):
    answer = client.get("/admin/")
    assert answer["Location"] == "/admin/login/?next=/admin/"
    assert client.get(answer["Location"])["Location"] == "/login/?next=/admin/"
    client.force_login(people["ada"])
    assert client.get("/admin/", follow=True).status_code == 403
    assert events() == [("denied.admin", "ada", True)]
