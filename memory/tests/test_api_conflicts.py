"""GET /api/v1/conflicts: that something waits, never what."""

import pytest

from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def test_a_conflict_is_told_without_what_it_says(agent, make_conflict):
    conflict = make_conflict("I live in Bergen", "I live in Oslo")
    page = agent.get("/conflicts", user_id="u1").json()
    assert page["total"] == 1
    assert page["items"][0] == {
        "id": str(conflict.pk), "kind": "contradiction", "status": "open", "memory_id": str(conflict.memory_id),
        "opened_at": "2026-05-04T09:30:00Z",
    }  # fmt: skip
    assert "Oslo" not in str(page)


def test_one_status_can_be_asked_for(agent, make_conflict):
    make_conflict("I live in Bergen", "I live in Oslo")
    assert agent.get("/conflicts", user_id="u1", status="open").json()["total"] == 1
    assert agent.get("/conflicts", user_id="u1", status="decided").json()["total"] == 0
    assert agent.get("/conflicts", user_id="u1", status="won").status_code == 400


def test_conflicts_are_one_users(agent, make_conflict, other_workspace):
    make_conflict("I live in Bergen", "I live in Oslo")
    assert agent.get("/conflicts", user_id="u2").json()["total"] == 0
    assert Agent(other_workspace).get("/conflicts", user_id="u1").json()["total"] == 0
    for wrong in ({}, {"user_id": ""}, {"user_id": "*"}):
        assert agent.get("/conflicts", **wrong).status_code == 400


def test_an_agent_cannot_decide(agent, make_conflict):
    conflict = make_conflict("I live in Bergen", "I live in Oslo")
    assert agent.post("/conflicts", {"id": str(conflict.pk), "choice": "accept"}).status_code == 405
    assert agent.patch(f"/conflicts/{conflict.pk}", {"choice": "accept"}).status_code == 404
    conflict.refresh_from_db()
    assert conflict.status == "open"
