"""What a person sets for themselves: the theme, the workspace, single keys."""

from datetime import UTC, datetime

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


def test_the_language_is_remembered_where_one_signs_in_next(desk, client):
    desk("ada").post("/preferences/language/", {"language": "zh-hans", "next": "/people/"})
    elsewhere = desk("ada").get("/people/", headers={"Accept-Language": "en"})
    assert elsewhere["Content-Language"] == "zh-hans" and "用户" in elsewhere.content.decode()
    assert desk("ben").get("/people/", headers={"Accept-Language": "en"})["Content-Language"] == "en"
    assert client.post("/preferences/language/", {"language": "zh-hans", "next": "/login/"})["Location"] == "/login/"
    assert client.get("/login/")["Content-Language"] == "zh-hans"


def test_a_language_that_is_none_changes_nothing(desk):
    desk("ada").post("/preferences/language/", {"language": "tlh"})
    assert desk("ada").get("/", headers={"Accept-Language": "en"})["Content-Language"] == "en"


def test_dates_are_in_the_zone_of_the_person(desk, make_memory):
    memory = make_memory("I live in Porto", at=datetime(2026, 5, 3, 22, 30, tzinfo=UTC))
    assert desk("ada").post("/preferences/zone/", {"time_zone": "Asia/Shanghai"})["Location"] == "/preferences/"
    assert "May 4, 2026" in desk("ada").get(f"/memories/{memory.pk}/").content.decode()
    assert "May 3, 2026" in desk("ben").get(f"/memories/{memory.pk}/").content.decode()


def test_a_date_that_is_typed_is_of_that_zone_too(desk, make_memory):
    memory = make_memory("I live in Porto", at=datetime(2026, 5, 3, 22, 30, tzinfo=UTC))
    desk("ada").post("/preferences/zone/", {"time_zone": "Asia/Shanghai"})
    assert "I live in Porto" not in _then(desk("ada"), memory, "2026-05-03")
    assert "I live in Porto" in _then(desk("ada"), memory, "2026-05-04")
    assert "I live in Porto" in _then(desk("ben"), memory, "2026-05-03")


def _then(client, memory, day: str) -> str:
    page = client.get(f"/people/{memory.user_id}/as-of/", {"at": day, "to": day})
    return " ".join(version.text for version in page.context["versions"])


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "x" * 300, "posix/Europe/Paris"])
def test_what_is_no_zone_is_refused(zone, desk):
    answer = desk("ada").post("/preferences/zone/", {"time_zone": zone})
    assert answer.status_code == 422 and answer.context["error"]


def test_an_empty_zone_is_that_of_the_installation(desk):
    desk("ada").post("/preferences/zone/", {"time_zone": "Asia/Shanghai"})
    desk("ada").post("/preferences/zone/", {"time_zone": ""})
    assert desk("ada").get("/preferences/").context["current"] == "UTC"
