"""The way in: everything of one request or nothing of it, and the source class is the server's own answer."""

from datetime import timedelta

import pytest
from django_q.models import OrmQ

from memory.intake import record as intake
from memory.intake.record import NewEvent, record, source_class_of
from memory.models import EndUser, Episode, Session, WorkingTurn
from memory.policy import policy_of
from memory.working import get_working


def said(text="I live in Leipzig.", **more):
    return NewEvent(**({"user_id": "u1", "run_id": "r1", "role": "user", "content": text} | more))


def test_an_event_is_an_episode_a_turn_and_a_job(workspace, now):
    [episode] = record(workspace=workspace, events=[said()], now=now)
    assert (episode.judging, episode.event_time, episode.content) == ("pending", now, "I live in Leipzig.")
    [turn] = get_working().context(episode.session, policy=policy_of(workspace), now=now)
    assert turn["content"] == "I live in Leipzig."
    assert OrmQ.objects.get().task["args"] == (episode.user_id,)


def test_a_failure_on_the_way_leaves_nothing_behind(workspace, now, monkeypatch):
    monkeypatch.setattr(intake, "async_task", lambda *args, **more: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        record(workspace=workspace, events=[said()], now=now)
    assert not (Episode.objects.exists() or EndUser.objects.exists() or WorkingTurn.objects.exists())


def test_one_job_per_user_however_many_events(workspace, now):
    record(workspace=workspace, events=[said(str(n)) for n in range(30)] + [said(user_id="u2")], now=now)
    assert OrmQ.objects.count() == 2


def test_text_is_kept_as_it_came(workspace, now):
    text = "我叫沈知夏，\r\n在澄湖医院做护士　😀 ﬁ"
    [episode] = record(workspace=workspace, events=[said(text)], now=now)
    episode.refresh_from_db()
    assert episode.content == text


def test_the_same_run_id_of_two_users_is_two_sessions(workspace, now):
    record(workspace=workspace, events=[said(user_id="u1"), said(user_id="u2")], now=now)
    assert Session.objects.filter(run_id="r1").count() == 2


def test_the_same_user_id_in_two_workspaces_is_two_people(workspace, other_workspace, now):
    record(workspace=workspace, events=[said()], now=now)
    record(workspace=other_workspace, events=[said()], now=now)
    assert EndUser.objects.filter(external_id="u1").count() == 2


def test_a_late_event_does_not_turn_the_sessions_clock_back(workspace, now):
    record(workspace=workspace, events=[said()], now=now)
    record(workspace=workspace, events=[said(event_time=now - timedelta(days=3))], now=now)
    assert Session.objects.get().last_event_at == now


def test_task_state_stays_with_the_session(workspace, now):
    record(workspace=workspace, events=[said(task_state={"step": 2})], now=now)
    record(workspace=workspace, events=[said()], now=now)
    assert Session.objects.get().task_state == {"step": 2}


@pytest.mark.parametrize(
    "event, expected",
    [
        (said(), "user_input"),
        (said(metadata={"external": True}), "external_content"),
        (said(metadata={"url": "https://shop.example/"}), "external_content"),
        (said(role="assistant"), "llm_reasoning"),
        (said(role="assistant", metadata={"summary": True}), "llm_summary"),
        (said(role="tool", kind="tool_result", name="orders.lookup"), "tool_return"),
        (said(role="tool", kind="tool_result", name="search_orders"), "tool_return"),
        (said(role="tool", kind="tool_result", name="browser_navigate"), "external_content"),
        (said(role="tool", kind="tool_result", name="web_fetch"), "external_content"),
        (said(role="tool", kind="tool_result", name="gmail.read"), "external_content"),
        (said(role="system"), "unknown"),
        # a caller's own claim about its trust changes nothing
        (said(role="assistant", metadata={"source_class": "user_input", "credibility": 1}), "llm_reasoning"),
    ],
)
def test_where_a_text_comes_from(event, expected):
    assert source_class_of(event) == expected


def test_working_memory_holds_the_last_turns_in_order(workspace, now):
    for n in range(15):
        record(workspace=workspace, events=[said(f"turn {n}")], now=now)
    session, policy = Session.objects.get(), policy_of(workspace)
    turns = get_working().context(session, policy=policy, now=now)
    assert [turn["content"] for turn in turns] == [f"turn {n}" for n in range(3, 15)]


def test_working_memory_of_a_batch_larger_than_the_window(workspace, now):
    record(workspace=workspace, events=[said(f"turn {n}") for n in range(40)], now=now)
    turns = get_working().context(Session.objects.get(), policy=policy_of(workspace), now=now)
    assert [turn["content"] for turn in turns] == [f"turn {n}" for n in range(28, 40)]


def test_working_memory_expires(workspace, now):
    record(workspace=workspace, events=[said()], now=now)
    context = get_working().context
    session, policy = Session.objects.get(), policy_of(workspace)
    assert len(context(session, policy=policy, now=now + timedelta(hours=23, minutes=59))) == 1
    assert context(session, policy=policy, now=now + timedelta(hours=24)) == []


def test_a_huge_tool_result_is_cut_in_working_memory_and_whole_in_the_archive(workspace, now):
    record(workspace=workspace, events=[said("x" * 100_000, role="tool", kind="tool_result")], now=now)
    [turn] = get_working().context(Session.objects.get(), policy=policy_of(workspace), now=now)
    assert (len(turn["content"]), turn["truncated"]) == (4000, True)
    assert len(Episode.objects.get().content) == 100_000
