"""/changes/: the feed, one change, the preview of a rollback and the doing of it."""

import re

import pytest
from django.urls import reverse

from memory.actions.revise import retract, revise
from memory.actor import Actor
from memory.models import AuditEvent, Change, Conflict, Memory
from review.models import Decision

CARA = Actor(kind="person", id="3", label="Cara")


def feed(client, **query) -> str:
    answer = client.get(reverse("changes"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def form_of(client, **scope) -> dict:
    page = client.get(reverse("rollback"), scope)
    assert page.status_code == 200, page.content
    token = re.search(r'name="token" value="([0-9a-f]+)"', page.content.decode())[1]
    return scope | {"token": token, "reason": "poisoned"}


def test_the_feed_names_each_change_and_its_filters_narrow_it(make_memory, desk, now):
    memory = make_memory("My bike is blue", run_id="poison")
    make_memory("I own a kayak", run_id="r2")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is green")
    client = desk("eve")
    assert all(text in feed(client) for text in ("My bike is blue", "I own a kayak", "My bike is green"))
    assert "I own a kayak" not in feed(client, session="poison")
    assert "My bike is blue" not in feed(client, kind="revise")
    assert "I own a kayak" not in feed(client, actor="person:3")
    assert "My bike is green" not in feed(client, source="user:u1")
    assert "My bike is blue" in feed(client, source="user:u1")
    assert "My bike is blue" not in feed(client, until="2020-01-01")
    assert "My bike is blue" not in feed(client, user="nobody")


@pytest.mark.parametrize(
    "query",
    [{"kind": "x"}, {"since": "x"}, {"since": "9999-12-31"}, {"page": "x"}, {"actor": ":"},
     {"user": "x" * 5000}],
)  # fmt: skip
def test_a_filter_that_is_none_is_dropped(query, make_memory, desk):
    make_memory("My bike is blue")
    feed(desk("ada"), **query)


def test_a_change_shows_what_it_touched(make_memory, desk, now):
    memory = make_memory("My bike is blue")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is green")
    page = desk("eve").get(reverse("change", args=[Change.objects.latest("pk").pk])).content.decode()
    assert "<del>blue</del>" in page and "<ins>green</ins>" in page
    assert reverse("rollback") not in page


def test_a_change_of_another_workspace_is_404(make_memory, desk, other_workspace):
    make_memory("My bike is blue")
    Change.objects.update(workspace=other_workspace)
    pk = Change.objects.get().pk
    assert desk("cara").get(reverse("change", args=[pk])).status_code == 404
    assert desk("cara").get(reverse("rollback"), {"kind": "change", "value": pk}).status_code == 404


def test_a_session_is_previewed_and_rolled_back_and_the_rollback_too(make_memory, desk):
    memory, client = make_memory("My bike is blue"), desk("cara")
    form = form_of(client, kind="session", value=memory.session_id)
    assert Memory.objects.get().status == "active"
    answer = client.post(reverse("rollback_now"), form)
    change = Change.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, reverse("change", args=[change.pk]))
    assert Memory.objects.get().status == "retracted"
    client.post(reverse("rollback_now"), form_of(client, kind="operation", value=change.operation))
    assert Memory.objects.get().status == "active"


def test_what_moved_since_the_preview_is_409_and_nothing_is_written(make_memory, desk, now):
    memory, client = make_memory("My bike is blue"), desk("cara")
    form = form_of(client, kind="session", value=memory.session_id)
    retract(memory=memory, actor=CARA, now=now, expected_version=1)
    count = Change.objects.count()
    assert client.post(reverse("rollback_now"), form).status_code == 409
    assert Change.objects.count() == count


def test_without_a_reason_it_is_422(make_memory, desk):
    memory, client = make_memory("My bike is blue"), desk("cara")
    form = form_of(client, kind="session", value=memory.session_id) | {"reason": " "}
    assert client.post(reverse("rollback_now"), form).status_code == 422


@pytest.mark.parametrize("name", ["ada", "eve"])
def test_only_an_admin_rolls_back(name, make_memory, desk):
    memory = make_memory("My bike is blue")
    scope = {"kind": "session", "value": memory.session_id}
    form = form_of(desk("cara"), **scope)
    assert desk(name).get(reverse("rollback"), scope).status_code == 403
    assert desk(name).post(reverse("rollback_now"), form).status_code == 403
    assert AuditEvent.objects.filter(denied=True, action="denied.manage_workspace").exists()
    assert Memory.objects.get().status == "active"


@pytest.mark.parametrize(
    "scope",
    [{}, {"kind": "x", "value": "1"}, {"kind": "change", "value": "x"}, {"kind": "change", "value": "9" * 40},
     {"kind": "operation", "value": "x"}, {"kind": "session", "value": "0"}, {"kind": "agent", "value": "nobody"},
     {"kind": "session", "value": "1", "since": "x"}],
)  # fmt: skip
def test_a_scope_that_is_none_is_404(scope, make_memory, desk):
    make_memory("My bike is blue")
    assert desk("cara").get(reverse("rollback"), scope).status_code == 404


def test_a_rolled_back_decision_is_in_the_log_of_decisions(make_conflict, desk):
    conflict, client = make_conflict("I live in Leipzig", "I live in Graz"), desk("cara")
    client.post(reverse("decide", args=[conflict.pk]), {"version": 1, "choice": "accept", "reason_code": "newer"})
    change = Conflict.objects.get().change_id
    client.post(reverse("rollback_now"), form_of(client, kind="change", value=change))
    assert Conflict.objects.get().status == "open"
    first, second = Decision.objects.all()
    assert second.undoes == first
    operation = Change.objects.latest("pk").operation
    client.post(reverse("rollback_now"), form_of(client, kind="operation", value=operation))
    assert Conflict.objects.get().status == "decided"
    assert Decision.objects.filter(undoes=None, undone_by=None).get().choice == "accept"


def test_the_preview_names_the_waiting_claims_and_rolling_back_turns_them_away(make_conflict, desk, people):
    conflict = make_conflict(None, "My locker is 666")
    client = desk("cara")
    scope = {"kind": "session", "value": str(conflict.episode.session_id)}
    assert "My locker is 666" in client.get(reverse("rollback"), scope).content.decode()
    assert client.post(reverse("rollback_now"), form_of(client, **scope)).status_code == 302
    conflict.refresh_from_db()
    assert (conflict.status, conflict.decided_by) == ("decided", people["cara"])
    assert conflict.decisions.get().note == "poisoned"
