"""What a person sets for themselves: the theme, the workspace, single keys."""

import pytest
from django.contrib.auth.models import Group

from memory.models import Membership


def test_the_theme_is_remembered_in_the_page_itself(desk):
    client = desk("ada")
    client.post("/preferences/theme/", {"theme": "dark", "next": "/people/"})
    assert 'data-theme="dark"' in client.get("/people/").content.decode()


def test_a_theme_that_is_none_changes_nothing(desk):
    client = desk("ada")
    client.post("/preferences/theme/", {"theme": "neon"})
    assert "theme" not in client.cookies


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_no_preference_leads_to_another_site(target, desk):
    assert desk("ada").post("/preferences/theme/", {"theme": "dark", "next": target})["Location"] == "/"


def test_the_workspace_chosen_is_the_one_shown(desk, people, other_workspace):
    Membership.objects.create(workspace=other_workspace, person=people["ada"], role=Group.objects.get(name="Auditor"))
    client = desk("ada")
    client.post("/preferences/workspace/", {"workspace": other_workspace.pk})
    seat = client.get("/").context["seat"]
    assert (seat.workspace, seat.role) == (other_workspace, "Auditor")


@pytest.mark.parametrize("wanted", ["", "x", "999999"])
def test_a_workspace_one_does_not_belong_to_is_404(wanted, desk, other_workspace):
    assert desk("ada").post("/preferences/workspace/", {"workspace": wanted or other_workspace.pk}).status_code == 404


def test_single_keys_are_off_for_this_person_on_every_machine(desk):
    assert desk("ada").post("/preferences/keys/", {"next": "/people/"})["Location"] == "/people/"
    assert 'data-keys="off"' in desk("ada").get("/people/").content.decode()
    assert 'data-keys="off"' not in desk("ben").get("/people/").content.decode()
    assert (
        desk("ada").post("/preferences/keys/", {"single_keys": "on"}, headers={"HX-Request": "true"}).status_code == 204
    )
    assert 'data-keys="off"' not in desk("ada").get("/people/").content.decode()


def test_a_strangers_keys_are_nobodys(client, db):
    assert client.post("/preferences/keys/")["Location"].startswith("/login/")
