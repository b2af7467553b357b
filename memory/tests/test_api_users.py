"""GET /api/v1/users/{user_id}/episodes: what happened, by kind, status and time."""

from datetime import timedelta

import pytest

from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def test_the_failed_tool_calls_of_the_last_week_are_found(agent, make_episode, now):
    make_episode("refund failed", role="tool", kind="tool_result", status="error", at=now - timedelta(days=2))
    make_episode("refund failed long ago", role="tool", kind="tool_result", status="error", at=now - timedelta(days=9))
    make_episode("refund done", role="tool", kind="tool_result", at=now - timedelta(days=1))
    make_episode("I want a refund", at=now)
    since = (now - timedelta(days=7)).isoformat()
    page = agent.get("/users/u1/episodes", kind="tool_result", status="error", since=since).json()
    assert [item["content"] for item in page["items"]] == ["refund failed"]
    assert (page["total"], page["limit"], page["offset"]) == (1, 50, 0)
    assert page["items"][0]["event_time"].endswith("Z")


def test_the_latest_comes_first_and_pages_do_not_overlap(agent, make_episode, now):
    for number in range(5):
        make_episode(f"Stop {number}", at=now + timedelta(minutes=number))
    first = agent.get("/users/u1/episodes", limit=2).json()
    second = agent.get("/users/u1/episodes", limit=2, offset=2).json()
    assert [item["content"] for item in first["items"] + second["items"]] == ["Stop 4", "Stop 3", "Stop 2", "Stop 1"]


def test_a_span_ends_before_its_end(agent, make_episode, now):
    make_episode("before", at=now - timedelta(hours=1))
    make_episode("at the end", at=now)
    page = agent.get("/users/u1/episodes", until=now.isoformat()).json()
    assert [item["content"] for item in page["items"]] == ["before"]


def test_the_episodes_of_one_run(agent, make_episode):
    make_episode("here", run_id="r1")
    make_episode("there", run_id="r2")
    assert agent.get("/users/u1/episodes", run_id="r2").json()["total"] == 1


def test_an_unknown_user_has_none(agent):
    assert agent.get("/users/never-seen/episodes").json() == {"items": [], "total": 0, "limit": 50, "offset": 0}


@pytest.mark.parametrize("wrong", [{"kind": "dream"}, {"status": "maybe"}, {"since": "2026-05-04"}, {"role": "user"}])
def test_a_filter_that_is_none_is_400(agent, wrong):
    answer = agent.get("/users/u1/episodes", **wrong)
    assert (answer.status_code, answer.json()["field"]) == (400, next(iter(wrong)))


def test_the_star_is_not_a_user(agent, make_episode):
    make_episode("The code word is zanzibar")
    for user_id in ("*", "%20", "%2A"):
        assert agent.get(f"/users/{user_id}/episodes").status_code == 400


def test_a_rejected_text_stays_out_and_an_accepted_one_comes_back(agent, make_conflict):
    conflict = make_conflict("I live in Bergen", "I live in Oslo")
    shown = {item["id"]: item for item in agent.get("/users/u1/episodes").json()["items"]}
    assert (shown[conflict.episode_id]["withheld"], shown[conflict.episode_id]["content"]) == (True, "")
    type(conflict).objects.update(status="decided", choice="keep", decided_at=conflict.opened_at)
    assert "Oslo" not in agent.get("/users/u1/episodes").content.decode()
    type(conflict).objects.update(choice="accept")
    assert "I live in Oslo" in agent.get("/users/u1/episodes").content.decode()


def test_a_page_costs_the_same_queries_however_long_it_is(agent, make_episode, django_assert_max_num_queries):
    for number in range(30):
        make_episode(f"Stop {number}")
    agent.get("/users/u1/episodes")
    with django_assert_max_num_queries(7):
        assert len(agent.get("/users/u1/episodes").json()["items"]) == 30
