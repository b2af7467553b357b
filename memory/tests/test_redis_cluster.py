"""On a Redis Cluster one command, and one MULTI … EXEC, may use the keys of one slot only."""

import time

import pytest
import redis
from django.conf import settings as site
from django_q.brokers import get_broker
from django_q.conf import Conf
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from memory.counter import Counter
from memory.intake.record import NewEvent, record
from memory.models import Session
from memory.policy import Policy
from memory.tests.redis_server import Server, free_port
from memory.tests.test_counter import use_redis
from memory.working.redis import RedisWorkingMemory

pytestmark = pytest.mark.redis


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    """One server in cluster mode that has every slot: it refuses what a cluster of many would refuse."""
    port = str(free_port())
    server = Server(tmp_path_factory.mktemp("redis"), "--cluster-enabled", "yes", "--cluster-port", port)
    client = redis.Redis.from_url(server.url)
    client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, REDIS_CLUSTER_HASH_SLOTS - 1)
    while client.execute_command("CLUSTER INFO")["cluster_state"] != "ok":
        time.sleep(0.05)
    yield server
    server.kill()


@pytest.fixture
def together(node, monkeypatch):
    """What went to the server at once, as lists of commands: those of one pipeline, or one alone."""
    sent = []
    alone, at_once = redis.Redis.execute_command, redis.client.Pipeline.execute

    def execute_command(client, *words, **options):
        sent.append([words])
        return alone(client, *words, **options)

    def execute(pipe, *given, **options):
        sent.append([command[0] for command in pipe.command_stack])
        return at_once(pipe, *given, **options)

    with monkeypatch.context() as patched:
        patched.setattr(redis.Redis, "execute_command", execute_command)
        patched.setattr(redis.client.Pipeline, "execute", execute)
        yield sent


def keys_of(commands, node) -> set[str]:
    """The keys of the commands, as the server finds them."""
    client = redis.Redis.from_url(node.url, decode_responses=True)
    with_keys = [words for words in commands if words[0] != "PING"]
    return {key for words in with_keys for key in client.command_getkeys(*words)}


def one_slot_each(together, node) -> list[set[str]]:
    """The keys of each group; fails when a group needs more than one slot."""
    groups = [keys_of(commands, node) for commands in list(together)]
    assert [keys for keys in groups if len({key_slot(key.encode()) for key in keys}) > 1] == []
    return groups


@pytest.fixture
def engine(node, monkeypatch):
    engine = RedisWorkingMemory(node.url, prefix=site.REDIS_PREFIX)
    monkeypatch.setattr("memory.intake.record.get_working", lambda: engine)
    return engine


def say(workspace, now, execute, run_id: str, *texts: str) -> Session:
    with execute(execute=True):
        events = [NewEvent(user_id="u1", run_id=run_id, role="user", content=text) for text in texts]
        record(workspace=workspace, events=events, now=now)
    return Session.objects.get(run_id=run_id)


def test_all_that_working_memory_does_at_once_lies_in_the_slot_of_its_session(
    engine, node, workspace, now, together, django_capture_on_commit_callbacks
):
    sessions = [say(workspace, now, django_capture_on_commit_callbacks, f"r{n}", "a", "你好") for n in range(8)]
    redis.Redis.from_url(node.url).flushall()  # the next reading writes anew: DEL, LPUSH, LTRIM, EXPIRE in one
    together.clear()
    for session in sessions:
        assert [turn["content"] for turn in engine.context(session, policy=Policy(), now=now)] == ["a", "你好"]
    groups = one_slot_each(together, node)
    assert max(len(commands) for commands in together) == 4
    assert {key for keys in groups for key in keys} == {engine._key(session) for session in sessions}
    for session in sessions:
        tag = f"{workspace.pk}:{session.pk}".encode()
        assert key_slot(engine._key(session).encode()) == key_slot(tag)
    assert len({key_slot(engine._key(session).encode()) for session in sessions}) > 4  # sessions spread over nodes
    assert redis.Redis.from_url(node.url).dbsize() == 8  # the node took every one of them


def test_throttles_and_the_workers_sign_of_life_use_one_key_at_a_time(db, node, together, settings):
    use_redis(settings, node.url)
    counter = Counter()
    assert [counter.step("throttle:abc:1", seconds=60) for _ in range(3)] == [1, 2, 3]
    assert counter.value("throttle:abc:1") == 3
    counter.drop("throttle:abc:1")
    broker = get_broker()
    broker.cache.set(Conf.Q_STAT, ["a"], None)
    broker.set_stat("a", "alive", 3)
    assert broker.get_stats("*") == ["alive"]
    groups = one_slot_each(together, node)
    assert len(groups) > 10 and {len(keys) for keys in groups} == {1}


def test_the_node_would_refuse_keys_of_two_slots(node):
    with redis.Redis.from_url(node.url).pipeline(transaction=True) as pipe:
        pipe.set("throttle:{a}", 1)
        pipe.set("throttle:{b}", 1)
        with pytest.raises(redis.RedisError, match="hash to the same slot"):
            pipe.execute()
