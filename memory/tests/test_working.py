"""Working memory's contract, one suite for both engines: a session's last turns, in order, while they are fresh."""

import os
import uuid
from datetime import timedelta

import pytest
import redis
from django.db import transaction

from memory import working as engines
from memory.intake.record import NewEvent, record
from memory.models import Session, WorkingTurn
from memory.policy import Policy
from memory.working.embedded import EmbeddedWorkingMemory
from memory.working.redis import RedisWorkingMemory

URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


@pytest.fixture(params=["embedded", pytest.param("redis", marks=pytest.mark.redis)])
def working(request, monkeypatch):
    """The engine that `record` and the reader use; keys in Redis are this test's own and removed afterwards."""
    if request.param == "embedded":
        engine = EmbeddedWorkingMemory()
        monkeypatch.setattr("memory.intake.record.get_working", lambda: engine)
        yield engine
        return
    prefix = f"test-{uuid.uuid4().hex[:12]}"
    engine = RedisWorkingMemory(URL, prefix=prefix)
    monkeypatch.setattr("memory.intake.record.get_working", lambda: engine)
    yield engine
    client = redis.Redis.from_url(URL)
    for key in client.scan_iter(f"{prefix}:*"):
        client.delete(key)


@pytest.fixture
def say(workspace, now, working, django_capture_on_commit_callbacks):
    """say("a", "b") records one request of two events and commits it; answers the episodes."""

    def say_(*texts, user_id="u1", at=now, **fields):
        events = [NewEvent(user_id=user_id, run_id="r1", role="user", content=text, **fields) for text in texts]
        with django_capture_on_commit_callbacks(execute=True):
            return record(workspace=workspace, events=events, now=at)

    return say_


@pytest.fixture
def read(working, now):
    """The contents of a session's context."""

    def read_(session=None, *, at=now, policy=None):
        session = session or Session.objects.get()
        return [turn["content"] for turn in working.context(session, policy=policy or Policy(), now=at)]

    return read_


def test_the_last_turns_oldest_first(say, read):
    for n in range(15):
        say(f"turn {n}")
        read()
    assert read() == [f"turn {n}" for n in range(3, 15)]


def test_a_request_larger_than_the_window(say, read):
    say(*[f"turn {n}" for n in range(40)])
    assert read() == read() == [f"turn {n}" for n in range(28, 40)]


def test_turns_expire(say, read, now):
    say("early")
    say("late", at=now + timedelta(hours=2))
    assert read(at=now + timedelta(hours=23, minutes=59)) == ["early", "late"]
    assert read(at=now + timedelta(hours=24)) == ["late"]
    assert read(at=now + timedelta(hours=26)) == []


def test_sessions_of_one_name_are_kept_apart(say, read):
    say("mine", user_id="u1")
    say("yours", user_id="u2")
    assert [read(session) for session in Session.objects.order_by("pk")] == [["mine"], ["yours"]]


def test_a_session_in_which_nothing_was_said_is_empty(user, working, now):
    session = Session.objects.create(
        workspace=user.workspace, user=user, run_id="r9", started_at=now, last_event_at=now
    )
    assert working.context(session, policy=Policy(), now=now) == []


def test_a_smaller_window_counts_at_once(say, read):
    say(*"abcdef")
    assert read(policy=Policy(working_turns=2)) == ["e", "f"]


def test_a_turn_is_the_same_at_every_reading(say, working, now):
    [episode] = say("我叫沈知夏，\r\n在澄湖医院做护士　😀 ﬁ", name="沈知夏")
    first, second = (working.context(Session.objects.get(), policy=Policy(), now=now) for _ in range(2))
    assert first == second == [
        {"episode_id": episode.pk, "role": "user", "name": "沈知夏", "kind": "message", "status": "ok",
         "content": "我叫沈知夏，\r\n在澄湖医院做护士　😀 ﬁ", "event_time": "2026-05-04T09:30:00Z", "truncated": False}
    ]  # fmt: skip


def test_what_was_rolled_back_was_never_said(say, read, workspace, now, django_capture_on_commit_callbacks):
    say("kept")
    lost = NewEvent(user_id="u1", run_id="r1", role="user", content="lost")
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(ZeroDivisionError), transaction.atomic():
        record(workspace=workspace, events=[lost], now=now)
        raise ZeroDivisionError
    assert read() == ["kept"]


def test_the_table_keeps_no_more_than_the_window(workspace, now, monkeypatch):
    monkeypatch.setattr("memory.intake.record.get_working", EmbeddedWorkingMemory)
    for n in range(15):
        record(workspace=workspace, events=[NewEvent(user_id="u1", run_id="r1", role="user", content=str(n))], now=now)
    assert WorkingTurn.objects.count() == 12


def test_redis_is_used_where_its_url_is_set(settings):
    settings.REDIS_URL = ""
    assert isinstance(engines.get_working(), EmbeddedWorkingMemory)
    settings.REDIS_URL, settings.REDIS_PREFIX = URL, "test-chosen"
    assert isinstance(engines.get_working(), RedisWorkingMemory)
    assert engines.get_working() is engines.get_working()
