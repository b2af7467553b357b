"""A vector database that is away, silent or ill: answers stay right, waits short, and nothing is lost (case C14)."""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.utils import timezone

from memory.index import follower, sync
from memory.index.base import FollowerAway, FollowerRefused
from memory.index.breaker import Breaker, Resting
from memory.models import EndUser, Memory, OutboxEntry
from memory.recall.search import search


@pytest.fixture
def nobody():
    """A URL whose port was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def silent():
    """The URL of a server that takes every connection and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def ill():
    """ill(status, body) is the URL of a server that answers every request so."""
    servers = []

    def start(status: int, body: bytes):
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_PUT = do_GET

            def log_message(self, *args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def use(settings):
    """use(url) sets the vector database up there, as a fresh process would find it."""

    def use_(url: str):
        settings.VECTOR_DB_URL = url
        follower.forget()

    yield use_
    follower.forget()


@pytest.fixture
def ask(workspace, now):
    def ask_(query):
        user = EndUser.objects.get(workspace=workspace, external_id="u1")
        started = time.perf_counter()
        answer = search(user=user, query=query, asked_by="test", now=now)
        return [hit.memory.text for hit in answer.results], answer.degraded, time.perf_counter() - started

    return ask_


def checks(client) -> dict[str, str]:
    return client.get("/health/ready").json()["checks"]


def test_down_while_memories_are_added_and_caught_up_afterwards(nobody, use, tell, ask, client, request):
    use(nobody)
    tell("I am allergic to penicillin")
    assert Memory.objects.filter(status="active").count() == 1
    sync.drain(timezone.now())
    [told], degraded, _ = ask("penicillin")
    assert ("penicillin" in told, degraded) == (True, ["vector_db_away"])
    assert sync.lag().count == 1
    assert "refused" in sync.lag().error
    assert "refused" in checks(client)["vector_db"]
    OutboxEntry.objects.update(created_at=timezone.now() - sync.LONGEST_WAIT * 3)
    assert checks(client)["vector_db_lag"].startswith("1 memories wait")
    assert client.get("/health/ready").json()["status"] == "degraded"

    request.getfixturevalue("qdrant")  # it is back, and knows nothing
    sync.drain(timezone.now() + sync.LONGEST_WAIT)
    assert (sync.lag().count, follower.get_follower().count()) == (0, 1)
    assert ask("penicillin")[:2] == ([told], [])
    assert (checks(client)["vector_db"], checks(client)["vector_db_lag"]) == ("ok", "ok")


def test_a_closed_port_costs_no_time(nobody, use, make_memory, ask):
    make_memory("I own a boat")
    ask("boat")
    use(nobody)
    told, degraded, took = ask("boat")
    assert (told, degraded) == (["I own a boat"], ["vector_db_away"])
    assert took < 1


def test_a_silent_server_costs_two_seconds_once(silent, use, make_memory, ask):
    make_memory("I own a boat")
    ask("boat")
    use(silent)
    told, degraded, took = ask("boat")
    assert (told, degraded) == (["I own a boat"], ["vector_db_away"])
    assert 1.5 < took < 4
    told, degraded, took = ask("boat")
    assert (told, degraded) == (["I own a boat"], ["vector_db_away"])
    assert took < 0.5


def test_the_feed_does_not_hang_on_a_silent_server(silent, use, make_memory):
    use(silent)
    make_memory("I own a boat")
    started = time.perf_counter()
    sync.drain(timezone.now())
    assert time.perf_counter() - started < 4
    assert OutboxEntry.objects.get().attempts == 1


@pytest.mark.parametrize(
    "status, body",
    [(500, b'{"status": {"error": "disk full"}}'), (200, b"<html>a proxy's page</html>"), (200, b"{}"), (404, b"")],
)
def test_nonsense_answers_are_an_absence(ill, use, make_memory, ask, status, body):
    make_memory("I own a boat")
    use(ill(status, body))
    assert ask("boat")[:2] == (["I own a boat"], ["vector_db_away"])
    follower.forget()
    sync.enqueue(Memory.objects.all())
    sync.drain(timezone.now())
    assert OutboxEntry.objects.get().attempts == 1


def test_a_refused_key_is_named(ill, use, db):
    use(ill(401, b"Must provide an API key"))
    with pytest.raises(FollowerRefused, match="VECTOR_DB_API_KEY"):
        follower.ask(lambda there: there.check())


def test_an_old_server_is_named(ill, use, db):
    use(ill(200, json.dumps({"title": "qdrant - vector search engine", "version": "1.12.4"}).encode()))
    with pytest.raises(FollowerRefused, match=r"Qdrant 1\.12\.4; 1\.16 or newer"):
        follower.ask(lambda there: there.check())


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_fuse_lets_one_try_after_each_longer_pause():
    clock, calls = Clock(), []
    fuse = Breaker(FollowerAway, first=1, longest=4, clock=clock)

    def fail():
        calls.append(clock.now)
        raise FollowerAway("gone")

    for moment in range(0, 200):
        clock.now = moment / 10
        with pytest.raises((FollowerAway, Resting)):
            fuse.call(fail)
    assert calls == [0, 1, 3, 7, 11, 15, 19]
    clock.now = 23.0
    assert fuse.call(lambda: "back") == "back"
    assert fuse.call(lambda: "still") == "still"
    clock.now = 24.0
    with pytest.raises(FollowerAway):
        fuse.call(fail)
    clock.now = 25.0
    with pytest.raises(FollowerAway, match="gone"):
        fuse.call(fail)


def test_while_one_tries_the_others_do_not_wait_beside_it():
    clock = Clock()
    fuse = Breaker(FollowerAway, first=1, clock=clock)
    with pytest.raises(FollowerAway):
        fuse.call(lambda: (_ for _ in ()).throw(FollowerAway("gone")))
    clock.now = 1.0

    def slow_try():
        with pytest.raises(Resting, match="gone"):
            fuse.call(lambda: "beside")
        return "back"

    assert fuse.call(slow_try) == "back"


def test_other_errors_are_not_the_fuses_business():
    fuse = Breaker(FollowerAway)
    with pytest.raises(ZeroDivisionError):
        fuse.call(lambda: 1 / 0)
    assert fuse.call(lambda: 1) == 1
