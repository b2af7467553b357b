"""The product as it runs, for a benchmark: web and worker on a free port, a client that keeps its connection, and a
PostgreSQL database that is gone afterwards."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"


def environment(folder: str | Path, port: int, postgres: str = "") -> dict[str, str]:
    """A benchmark's settings: nothing but `folder` and the database `postgres` (SQLite, if empty) is written to."""
    return {
        "POSTGRES_URL": postgres, "REDIS_URL": "", "VECTOR_DB_URL": "", "CONSOLE_DATA_DIR": str(folder),
        "CONSOLE_PORT": str(port), "CONSOLE_BIND": "127.0.0.1", "CONSOLE_LOG_LEVEL": "ERROR",
        "CONSOLE_KEY_RATE": "100000/min", "DJANGO_SETTINGS_MODULE": "hindsight_site.settings",
    }  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def scratch_postgres(server_url: str, prefix: str, *, copy_of: str = "template1") -> Iterator[str]:
    """The URL of a new database on the server, a copy of another one there, dropped when the block ends."""
    name = f"{prefix}_{uuid.uuid4().hex[:8]}"
    create = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(create.format(sql.Identifier(name), sql.Identifier(copy_of)))
        try:
            yield database(server_url, name)
        finally:
            # there is none when the block has given it another name, to keep it
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def database(server_url: str, name: str) -> str:
    """The URL of a database on the server."""
    return urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))


@contextmanager
def servers(port: int, log: Path) -> Iterator[int]:
    """Web and worker as the Procfile starts them; both process groups are gone when the block ends, however it ends.

    Yields the process id of gunicorn's master.
    """
    bin_ = Path(sys.executable).parent
    worker = f"'{sys.executable}' manage.py setup_schedules && exec '{sys.executable}' manage.py qcluster"
    commands = (
        [bin_ / "gunicorn", "hindsight_site.wsgi:application", "--config", "hindsight_site/gunicorn.py"],
        ["/bin/sh", "-c", worker],
    )
    # a plain kill of the benchmark must not leave servers behind either
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    running: list[subprocess.Popen] = []
    try:
        with log.open("w") as said:
            for command in commands:
                running.append(subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=said, stderr=said))
        if not _become_ready(port, running):
            raise SystemExit(f"The servers did not become ready:\n{log.read_text()[-4000:]}")
        yield running[0].pid
    finally:
        for process in running:
            _end(process)


def _end(process: subprocess.Popen) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=15)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _become_ready(port: int, running: list[subprocess.Popen]) -> bool:
    """Waits for web and worker; false when one of them ended or a minute has passed."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and all(process.poll() is None for process in running):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health/ready")
            if json.loads(connection.getresponse().read())["status"] == "ok":
                return True
        except OSError:
            pass
        time.sleep(0.2)
    return False


class Client:
    """One agent with one key on one connection."""

    def __init__(self, port: int, secret: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: dict | None = None) -> dict:
        """The answer's JSON; ends the benchmark on anything but success."""
        text = json.dumps(body) if body is not None else None
        self._connection.request(method, path, text, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= 300:
            raise SystemExit(f"{method} {path} answered {response.status}: {answer.decode()[:400]}")
        return json.loads(answer)

    def timed(self, method: str, path: str, body: dict | None = None) -> float:
        """Milliseconds until the whole answer was read."""
        started = time.perf_counter()
        self.ask(method, path, body)
        return (time.perf_counter() - started) * 1000
