"""Working memory in Redis: what its lists look like, and that no state of Redis can spoil an answer."""

import logging
import os
import signal
import threading
import time
import uuid

import pytest
import redis
from django.db import connection

from memory.intake.record import NewEvent, record
from memory.models import EndUser, Episode, Session
from memory.policy import Policy
from memory.tests.redis_server import Server
from memory.working import redis as engine_module
from memory.working.redis import RedisWorkingMemory

pytestmark = pytest.mark.redis
URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


@pytest.fixture
def server(tmp_path):
    server = Server(str(tmp_path))
    yield server
    server.kill()


@pytest.fixture
def engine(monkeypatch):
    """An engine on the machine's Redis, under a prefix of its own that is emptied afterwards."""
    engine = RedisWorkingMemory(URL, prefix=f"test-{uuid.uuid4().hex[:12]}")
    monkeypatch.setattr("memory.intake.record.get_working", lambda: engine)
    yield engine
    for key in engine._redis.scan_iter(f"{engine._prefix}:*"):
        engine._redis.delete(key)


@pytest.fixture
def engine_on(server, monkeypatch):
    monkeypatch.setattr(engine_module, "PAUSE_SECONDS", 0.3)
    engine = RedisWorkingMemory(server.url, prefix="hindsight")
    monkeypatch.setattr("memory.intake.record.get_working", lambda: engine)
    return engine


@pytest.fixture
def say(workspace, now, django_capture_on_commit_callbacks):
    def say_(*texts):
        events = [NewEvent(user_id="u1", run_id="r1", role="user", content=text) for text in texts]
        with django_capture_on_commit_callbacks(execute=True):
            return record(workspace=workspace, events=events, now=now)

    return say_


def read(engine, now):
    return [turn["content"] for turn in engine.context(Session.objects.get(), policy=Policy(), now=now)]


def key_of(engine):
    [key] = engine._redis.scan_iter(f"{engine._prefix}:*")
    return key


def test_the_list_is_bounded_expires_and_carries_its_session_as_hash_tag(engine, say, now):
    say(*[f"turn {n}" for n in range(20)])
    key, session = key_of(engine), Session.objects.get()
    assert key.decode().endswith(f":working:{{{session.workspace_id}:{session.pk}}}")
    assert engine._redis.llen(key) == 12
    assert 23 * 3600 < engine._redis.ttl(key) <= 24 * 3600


def test_a_context_that_is_in_redis_is_not_read_from_episodes(engine, say, now, django_assert_num_queries):
    say("a", "b")
    session = Session.objects.get()
    with django_assert_num_queries(1):  # the ids of its turns
        assert len(engine.context(session, policy=Policy(), now=now)) == 2


def test_nothing_is_written_before_the_commit(engine, workspace, now, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as waiting:
        record(workspace=workspace, events=[NewEvent(user_id="u1", run_id="r1", role="user", content="a")], now=now)
        assert list(engine._redis.scan_iter(f"{engine._prefix}:*")) == []
    for callback in waiting:
        callback()
    assert engine._redis.llen(key_of(engine)) == 1


def test_a_lost_list_is_answered_from_episodes_and_written_anew(engine, say, now):
    say("a", "b")
    engine._redis.delete(key_of(engine))
    say("c")
    assert read(engine, now) == ["a", "b", "c"]
    assert engine._redis.llen(key_of(engine)) == 3


def test_a_push_that_never_came_is_noticed(engine, say, now):
    say("a", "b", "c")
    engine._redis.lpop(key_of(engine))
    assert read(engine, now) == ["a", "b", "c"]
    assert engine._redis.llen(key_of(engine)) == 3


def test_turns_pushed_twice_or_out_of_order_are_read_once_and_in_order(engine, say, now):
    say("a", "b", "c")
    key = key_of(engine)
    c, b, a = engine._redis.lrange(key, 0, -1)
    engine._redis.delete(key)
    engine._redis.rpush(key, a, c, b, a, c)
    assert read(engine, now) == ["a", "b", "c"]


def test_turns_of_a_database_that_was_here_before_are_not_believed(engine, say, now):
    say("a", "b")
    key = key_of(engine)
    foreign = (
        engine._redis.lindex(key, 0).replace(b"2026-05-04T09:30", b"2026-04-30T17:12").replace(b'"b"', b'"theirs"')
    )
    engine._redis.lset(key, 0, foreign)
    assert read(engine, now) == ["a", "b"]


def test_what_was_erased_from_the_archive_is_not_in_the_context(engine, say, now):
    say("a", "b")
    Episode.objects.filter(content="a").delete()
    assert read(engine, now) == ["b"]


def test_a_full_redis_loses_no_turn(engine_on, server, say, now):
    say("a")
    redis.Redis.from_url(server.url).config_set("maxmemory", 1)
    say("b")
    assert read(engine_on, now) == ["a", "b"]


def test_killed_and_restarted(engine_on, server, say, now, caplog):
    caplog.set_level(logging.WARNING, logger="memory.working.redis")
    say("a")
    server.kill()
    say("b")
    assert read(engine_on, now) == ["a", "b"]
    assert caplog.text.count("Redis is away") == 1
    server.start()
    time.sleep(0.35)
    say("c")
    assert read(engine_on, now) == ["a", "b", "c"]
    assert redis.Redis.from_url(server.url).llen(key_of(engine_on)) == 3


def test_restarted_between_two_requests_is_not_even_an_outage(engine_on, server, say, now, caplog):
    caplog.set_level(logging.WARNING, logger="memory.working.redis")
    say("a")
    server.kill()
    server.start()
    say("b")
    assert read(engine_on, now) == ["a", "b"]
    assert engine_on._redis.llen(key_of(engine_on)) == 2
    assert "Redis is away" not in caplog.text


def test_a_redis_that_hangs_is_waited_for_once(engine_on, server, say, now, monkeypatch):
    say("a")
    server.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    say("b")
    assert 0.4 < time.monotonic() - began < 1.0
    began = time.monotonic()
    assert read(engine_on, now) == ["a", "b"]
    assert time.monotonic() - began < 0.25
    server.process.send_signal(signal.SIGCONT)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_readers_and_writers_at_once_never_see_a_turn_twice_or_out_of_order(engine, workspace, now):
    """The list is also lost all the time, so that refills race with pushes."""
    user = EndUser.objects.create(workspace=workspace, external_id="u1")
    session = Session.objects.create(workspace=workspace, user=user, run_id="r1", started_at=now, last_event_at=now)
    done, seen = threading.Event(), []

    def write(writer):
        for n in range(15):
            event = NewEvent(user_id="u1", run_id="r1", role="user", content=f"{writer}-{n}")
            record(workspace=workspace, events=[event], now=now)
        connection.close()

    def look():
        while not done.is_set():
            seen.append([turn["episode_id"] for turn in engine.context(session, policy=Policy(), now=now)])
            engine._redis.delete(engine._key(session))
        connection.close()

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    reader = threading.Thread(target=look)
    for thread in [*writers, reader]:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert len(seen) > 5
    assert all(ids == sorted(set(ids)) for ids in seen)
    last = Episode.objects.order_by("-id").values_list("id", flat=True)[:12]
    turns = engine.context(session, policy=Policy(), now=now)
    assert [turn["episode_id"] for turn in turns] == sorted(last)
