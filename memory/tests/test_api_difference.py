"""GET /api/v1/users/{user_id}/difference: what became of a user's memories between two moments."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actions.archive import archive
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.recall.keeping import Limits
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.fixture
def days(make_memory, now):
    """Moments, a day apart: two memories and a third are there, one is edited, one is retracted, a fourth comes."""
    start = now - timedelta(days=9)
    moments = [start + timedelta(days=day) for day in range(6)]
    home, dog, tea = (make_memory(text, at=start) for text in ("I live in Porto", "My dog is Zorvik", "我喜欢喝绿茶"))
    revise(memory=home, actor=SYSTEM, now=moments[1], expected_version=1, reason="", text="I live in Graz")
    retract(memory=dog, actor=SYSTEM, now=moments[2], expected_version=1)
    make_memory("I use PostgreSQL", at=moments[3])
    archive(user=tea.user, ids=[tea.pk], limits=Limits(1000, 1, 0), actor=SYSTEM, now=moments[4])
    return moments


def between(agent, user_id="u1", **query):
    answer = agent.get(f"/users/{user_id}/difference", **query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_what_came_what_changed_and_what_went(agent, days):
    found = between(agent, since=days[0].isoformat(), until=days[3].isoformat())
    assert [row["memory"] for row in found["added"]] == ["I use PostgreSQL"]
    assert [row["memory"] for row in found["gone"]] == ["My dog is Zorvik"]
    [both] = found["changed"]
    assert (both["before"]["memory"], both["before"]["version"]) == ("I live in Porto", 1)
    assert (both["after"]["memory"], both["after"]["version"]) == ("I live in Graz", 2)
    assert both["before"]["id"] == both["after"]["id"]
    assert found["totals"] == {"added": 1, "changed": 1, "gone": 1}


def test_until_now_when_no_later_moment_is_named(agent, days):
    found = between(agent, since=days[3].isoformat())
    assert [row["memory"] for row in found["gone"]] == ["我喜欢喝绿茶"]
    assert found["added"] == found["changed"] == []


def test_a_moment_differs_from_itself_in_nothing(agent, days):
    at = days[2].isoformat()
    assert between(agent, since=at, until=at)["totals"] == {"added": 0, "changed": 0, "gone": 0}


def test_totals_count_what_the_limit_leaves_out(agent, make_memory, now):
    for number in range(3):
        make_memory(f"I own boat {number}", at=now - timedelta(days=1, minutes=-number))
    found = between(agent, since=(now - timedelta(days=2)).isoformat(), limit=2)
    assert [row["memory"] for row in found["added"]] == ["I own boat 0", "I own boat 1"]
    assert (found["totals"]["added"], found["limit"]) == (3, 2)


def test_nobody_has_no_memories_and_another_workspace_is_not_told(agent, days, other_workspace):
    since = days[0].isoformat()
    assert between(agent, "nobody", since=since)["totals"]["added"] == 0
    assert between(Agent(other_workspace), since=since)["totals"] == {"added": 0, "changed": 0, "gone": 0}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "since"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-05-01T00:00:00"}, "since"),
        ({"since": "2999-01-01T00:00:00Z"}, "since"),
        ({"since": "2026-05-02T00:00:00Z", "until": "2026-05-01T00:00:00Z"}, "until"),
        ({"since": "2026-05-02T00:00:00Z", "limit": 0}, "limit"),
    ],
)
def test_bad_moments_are_a_clear_error(agent, query, field):
    answer = agent.get("/users/u1/difference", **query)
    assert answer.status_code == 400
    assert field in str(answer.json()), answer.content


def test_a_key_for_certain_users_asks_of_those_alone(workspace):
    bound = Agent(workspace, only_users=["u2"])
    since = (timezone.now() - timedelta(days=1)).isoformat()
    assert bound.get("/users/u1/difference", since=since).status_code == 404
    assert bound.get("/users/u2/difference", since=since).status_code == 200
