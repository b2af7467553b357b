"""POST /api/v1/events: everything said is stored as it came, or nothing is."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from memory.models import EndUser, Episode, Session
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db

EVENT = {"user_id": "u1", "run_id": "r1", "role": "user", "content": "I like tea"}


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def test_one_event_is_taken_and_waits_to_be_judged(agent):
    answer = agent.post("/events", EVENT)
    assert answer.status_code == 202
    [told] = answer.json()["results"]
    episode = Episode.objects.get()
    assert told == {"id": episode.pk, "user_id": "u1", "run_id": "r1", "judging": "pending"}
    assert OrmQ.objects.count() == 1


def test_every_field_is_kept(agent):
    body = EVENT | {
        "role": "assistant", "kind": "tool_call", "name": "refund", "status": "error", "agent_id": "support",
        "content": '{"order": 7}', "event_time": "2026-04-30T18:00:00+08:00", "metadata": {"标签": ["a", {"b": None}]},
        "task_state": {"step": 2},
    }  # fmt: skip
    assert agent.post("/events", body).status_code == 202
    episode = Episode.objects.select_related("session").get()
    assert (episode.kind, episode.role, episode.name, episode.status) == ("tool_call", "assistant", "refund", "error")
    assert (episode.agent_id, episode.content, episode.metadata) == ("support", '{"order": 7}', body["metadata"])
    assert episode.event_time == datetime(2026, 4, 30, 10, tzinfo=UTC)
    assert episode.session.task_state == {"step": 2}


@pytest.mark.parametrize(
    "text",
    [
        "  spaces kept \n",
        "我叫沈知夏，在澄湖医院做护士",
        "ＦＵＬＬ　width",
        "👩‍👩‍👧",
        "tab\tand \x07 bell",
        "line\r\nends",
        "x" * 200_000,
    ],
)
def test_a_text_is_kept_byte_for_byte(agent, text):
    assert agent.post("/events", EVENT | {"content": text}).status_code == 202
    assert Episode.objects.get().content == text


def test_many_events_are_stored_in_order(agent):
    events = [EVENT | {"content": f"Stop {number}", "run_id": f"r{number % 2}"} for number in range(100)]
    answer = agent.post("/events", {"events": events})
    assert answer.status_code == 202
    assert list(Episode.objects.order_by("id").values_list("content", flat=True)) == [e["content"] for e in events]
    assert [told["id"] for told in answer.json()["results"]] == sorted(Episode.objects.values_list("id", flat=True))
    assert Session.objects.count() == 2


def test_one_wrong_event_of_many_stores_none(agent):
    answer = agent.post("/events", {"events": [EVENT, EVENT | {"role": "wizard"}]})
    assert (answer.status_code, answer.json()["field"]) == (400, "events[1].role")
    assert "user, assistant" in answer.json()["hint"]
    assert not EndUser.objects.exists()


def test_more_events_than_the_limit_are_413(agent, settings):
    settings.BATCH_LIMIT = 3
    answer = agent.post("/events", {"events": [EVENT] * 4})
    assert (answer.status_code, answer.json()["field"]) == (413, "events")
    assert not Episode.objects.exists()


def test_messages_of_a_conversation_become_events(agent):
    messages = [
        {"role": "user", "content": "I live in Bergen", "name": "Nora"},
        {"role": "assistant", "content": "Noted"},
        {"role": "tool", "content": "{}", "name": "lookup"},
    ]
    body = {"user_id": "u1", "run_id": "r1", "agent_id": "support", "metadata": {"team": "red"}, "messages": messages}
    answer = agent.post("/events", body)
    assert (answer.status_code, len(answer.json()["results"])) == (202, 3)
    kept = Episode.objects.order_by("id")
    assert [episode.kind for episode in kept] == ["message", "message", "tool_result"]
    assert {episode.agent_id for episode in kept} == {"support"}
    assert kept[0].metadata == {"team": "red"} and kept[0].name == "Nora"


def test_a_tool_may_give_back_nothing_but_a_message_may_not_be_blank(agent):
    assert agent.post("/events", EVENT | {"role": "tool", "name": "ls", "content": ""}).status_code == 202
    for blank in ("", "  \n", "\u3000"):
        answer = agent.post("/events", EVENT | {"content": blank})
        assert (answer.status_code, answer.json()["field"]) == (400, "content")


def test_a_time_without_offset_is_refused_with_the_way_to_write_it(agent):
    answer = agent.post("/events", EVENT | {"event_time": "2025-07-25T02:00"})
    assert (answer.status_code, answer.json()["field"]) == (400, "event_time")
    assert "2025-07-25T02:00:00Z" in answer.json()["hint"]


@pytest.mark.parametrize(
    "time", ["1969-12-31T23:59:59Z", "yesterday", "2026-13-01T00:00:00Z", 1700000000, None, "0001-01-01T00:00:00+14:00"]
)
def test_times_that_are_none_are_refused(agent, time):
    answer = agent.post("/events", EVENT | {"event_time": time})
    assert (answer.status_code, answer.json()["field"]) == (400, "event_time")


def test_a_clock_that_runs_ahead_is_forgiven_five_minutes(agent):
    late = timezone.now() + timedelta(minutes=6)
    assert agent.post("/events", EVENT | {"event_time": late.isoformat()}).status_code == 400
    ahead = timezone.now() + timedelta(minutes=4)
    assert agent.post("/events", EVENT | {"event_time": ahead.isoformat()}).status_code == 202
    assert Episode.objects.get().event_time <= timezone.now()


def test_a_caller_cannot_claim_to_be_credible(agent):
    for name in ("credibility", "source_class", "status_code"):
        answer = agent.post("/events", EVENT | {name: 1})
        assert (answer.status_code, answer.json()["field"]) == (400, name)
    answer = agent.post("/events", EVENT | {"credibility": 1})
    assert "server decides" in answer.json()["hint"]


def test_a_misspelt_field_is_named_with_the_right_one(agent):
    answer = agent.post("/events", EVENT | {"user": "u1"})
    assert (answer.json()["field"], answer.json()["hint"]) == ("user", 'Did you mean "user_id"?')


def test_an_event_costs_few_queries(agent, django_assert_max_num_queries):
    agent.post("/events", EVENT)
    with django_assert_max_num_queries(13):
        assert agent.post("/events", EVENT).status_code == 202
