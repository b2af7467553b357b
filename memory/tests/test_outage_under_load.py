"""Servers stop and start under a load of 20 writers and 5 searchers: nothing acknowledged is lost, nobody hangs.

PostgreSQL and Redis are real and are killed; Qdrant is a stand-in, the client's own engine behind HTTP on a line that
is cut.
"""

import http.client
import json
import os
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from memory.tests.own_servers import ROOT, Postgres, Redis, binaries, free_port, product, wait_until
from memory.tests.qdrant_stand_in import Line, StandIn

pytestmark = [pytest.mark.postgres, pytest.mark.long]

WRITERS, SEARCHERS = 20, 5
# seconds: a server's absence, and the load between two absences
AWAY, BETWEEN = 4.0, 3.0
# what a client waits for an answer; the longest of our own waits is for a database that does not take connections
PATIENCE = 20
# a job lost with the database is handed out again by the minute's sweep, once it has waited for 20 seconds
SEARCHABLE_WITHIN = 150


class Client:
    """One agent. Every answer's status is counted; anything but success and 503 is kept with its text."""

    def __init__(self, port: int, secret: str, answers: Counter, odd: list[str]) -> None:
        self._port, self._answers, self._odd = port, answers, odd
        self._headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def post(self, path: str, body: dict, **headers: str) -> dict | None:
        """The answer's JSON; None for a 503."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request("POST", f"/api/v1{path}", json.dumps(body), self._headers | headers)
            response = connection.getresponse()
            text = response.read()
        except OSError as error:
            self._odd.append(f"{path}: {type(error).__name__}: {error}")
            return None
        finally:
            connection.close()
        self._answers[f"{path} {response.status}"] += 1
        if response.status == 503 and response.headers["Retry-After"]:
            return None
        if response.status >= 300:
            self._odd.append(f"{path} {response.status}: {text.decode()[:300]}")
            return None
        said = json.loads(text)
        if said.get("degraded"):
            self._answers[f"{path} degraded {said['degraded']}"] += 1
        return said


class Load:
    """Writers, each telling facts of new users until each is acknowledged, and searchers asking for them."""

    def __init__(self, port: int, secret: str) -> None:
        self.answers, self.odd = Counter(), []
        self.acknowledged: list[tuple[str, str]] = []
        self._client, self._stop = Client(port, secret, self.answers, self.odd), threading.Event()
        self._pool = ThreadPoolExecutor(WRITERS + SEARCHERS)
        self._running = [self._pool.submit(self._write, number) for number in range(WRITERS)]
        self._running += [self._pool.submit(self._search) for _ in range(SEARCHERS)]

    def end(self) -> None:
        self._stop.set()
        for one in self._running:
            one.result(timeout=60)

    def _write(self, writer: int) -> None:
        turn = 0
        while not self._stop.is_set():
            turn += 1
            user, code = f"writer-{writer}-{turn}", f"{writer:02}{turn:03}"
            event = {"user_id": user, "run_id": "r1", "role": "user", "content": f"My locker number is {code}."}
            key = uuid.uuid4().hex
            while self._client.post("/events", event, **{"Idempotency-Key": key}) is None:
                time.sleep(0.5)
            self.acknowledged.append((user, code))
            self._stop.wait(3.0)

    def _search(self) -> None:
        while not self._stop.is_set():
            if self.acknowledged:
                user, _ = self.acknowledged[-1]
                self._client.post("/memories/search", {"user_id": user, "query": "locker number"})
            self._stop.wait(0.3)


@pytest.fixture
def stage(tmp_path):
    """The servers and a running product: (postgres, redis, line to Qdrant, port, an agent's secret)."""
    if binaries() is None:
        assert os.environ.get("REQUIRE_SERVICES") != "1", "there is no initdb"
        pytest.skip("there is no initdb")
    postgres, redis, stand_in = Postgres(), Redis(), StandIn()
    line = Line("127.0.0.1", int(stand_in.url.rpartition(":")[2]))
    port = free_port()
    environment = {
        "POSTGRES_URL": postgres.url, "REDIS_URL": redis.url, "VECTOR_DB_URL": line.url, "CONSOLE_PORT": str(port),
        "CONSOLE_DATA_DIR": str(tmp_path / "data"), "CONSOLE_LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "hindsight_site.settings",
    }  # fmt: skip
    log = tmp_path / "log"
    try:
        with product(environment, log):
            filling = _manage(environment, "reindex")
            secret = _said(_manage(environment, "agent_key", "--name", "load"))
            _said(filling)
            wait_until(lambda: _status(port) == "ok", seconds=90, what="the product is ready")
            yield postgres, redis, line, port, secret
    finally:
        print(log.read_text()[-6000:])
        line.close()
        stand_in.close()
        redis.remove()
        postgres.remove()


def test_every_acknowledged_write_is_there_and_searchable_whatever_server_went_away(stage):
    postgres, redis, line, port, secret = stage
    load = Load(port, secret)
    time.sleep(BETWEEN)
    for away, back, named in (
        (redis.crash, redis.start, "redis"),
        (postgres.crash, postgres.start, "database"),
        (line.cut, line.mend, "vector_db"),
    ):
        away()
        time.sleep(AWAY)
        assert _checks(port)[named] != "ok", f"{named} is away and nobody says so"
        back()
        time.sleep(BETWEEN)
    load.end()
    assert not load.odd, load.odd[:5]
    assert len(load.acknowledged) > 3 * WRITERS
    _all_is_there_once(postgres, load)
    wait_until(lambda: not _unjudged(postgres), seconds=SEARCHABLE_WITHIN, what="everything stored is judged")
    _all_is_found(port, secret, load)
    wait_until(lambda: _status(port) == "ok", seconds=90, what="the product is well again")


def _all_is_there_once(postgres: Postgres, load: Load) -> None:
    with psycopg.connect(postgres.url) as database:
        stored = Counter(content for (content,) in database.execute("SELECT content FROM memory_episode"))
    assert {f"My locker number is {code}.": 1 for _, code in load.acknowledged} == stored


def _unjudged(postgres: Postgres) -> int:
    with psycopg.connect(postgres.url) as database:
        return database.execute("SELECT count(*) FROM memory_episode WHERE judging <> 'judged'").fetchone()[0]


def _all_is_found(port: int, secret: str, load: Load) -> None:
    """What is judged is searchable at once: its words and its vector are rows of the same transaction."""
    client = Client(port, secret, Counter(), [])

    def missing(told: tuple[str, str]) -> bool:
        answer = client.post("/memories/search", {"user_id": told[0], "query": "locker number"})
        return not answer or [f"My locker number is {told[1]}."] != [one["memory"] for one in answer["results"]]

    with ThreadPoolExecutor(SEARCHERS) as pool:
        lost = [
            told for told, gone in zip(load.acknowledged, pool.map(missing, load.acknowledged), strict=True) if gone
        ]
    assert not lost, f"{len(lost)} of {len(load.acknowledged)} are not found: {lost[:5]}"


def _manage(environment: dict[str, str], *command: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=os.environ | environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _said(running: subprocess.Popen) -> str:
    """What a command printed, once it has ended well."""
    printed, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    return printed.strip()


def _checks(port: int) -> dict[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/health/ready")
    return json.loads(connection.getresponse().read())["checks"]


def _status(port: int) -> str:
    try:
        return "ok" if set(_checks(port).values()) == {"ok"} else "degraded"
    except OSError:
        return "away"
