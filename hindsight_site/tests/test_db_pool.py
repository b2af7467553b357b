"""CONSOLE_DB_POOL: threads of a web process share connections; nothing else has a pool, and it heals by itself."""

import http.client
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from benchmarks import server
from hindsight_site import env

POOL, PROCESSES, THREADS = 2, 2, 6
URL = "postgresql://ann@127.0.0.1/memory"


def test_a_web_process_has_a_pool_and_keeps_no_connection_beside_it(monkeypatch):
    monkeypatch.setattr(env, "web_process", True)
    database = env.postgres(URL, pool=7)
    assert database["OPTIONS"]["pool"]["max_size"] == 7
    assert database["CONN_MAX_AGE"] == 0


@pytest.mark.parametrize("web, pool", [(False, 7), (True, 0)])
def test_no_other_process_has_one_and_it_is_off_unless_asked_for(monkeypatch, web, pool):
    monkeypatch.setattr(env, "web_process", web)
    database = env.postgres(URL, pool=pool)
    assert "pool" not in database["OPTIONS"]
    assert database["CONN_MAX_AGE"] == 60


def test_with_sqlite_the_start_is_refused():
    done = _python("-c", "import hindsight_site.settings", POSTGRES_URL="")
    assert done.returncode != 0
    assert f"{ImproperlyConfigured.__name__}: CONSOLE_DB_POOL" in done.stderr


def test_only_what_serves_requests_has_a_pool():
    """manage.py's commands and the worker, which forks, go through the settings alone."""
    ask = "from django.conf import settings; print('pool' in settings.DATABASES['default']['OPTIONS'])"
    assert _python("manage.py", "shell", "--no-imports", "-c", ask, POSTGRES_URL=URL).stdout.strip() == "False"
    assert _python("-c", f"import hindsight_site.wsgi; {ask}", POSTGRES_URL=URL).stdout.strip() == "True"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(port, psycopg connection to the server, database name) of gunicorn with a pool on a database of its own."""
    folder = tmp_path_factory.mktemp("pool")
    with server.scratch_postgres(settings.POSTGRES_URL, "hindsight_pool") as url:
        port = server.free_port()
        variables = os.environ | server.environment(folder, port, url) | {
            "CONSOLE_DB_POOL": str(POOL), "CONSOLE_WEB_PROCESSES": str(PROCESSES), "CONSOLE_WEB_THREADS": str(THREADS),
        }  # fmt: skip
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=server.ROOT, env=variables, check=True)
        gunicorn = [Path(sys.executable).parent / "gunicorn", "hindsight_site.wsgi:application"]
        web = subprocess.Popen([*gunicorn, "--config", "hindsight_site/gunicorn.py"], cwd=server.ROOT, env=variables)
        try:
            assert _soon(lambda: _ready(port) == 200, seconds=60)
            with psycopg.connect(settings.POSTGRES_URL, autocommit=True) as admin:
                yield port, admin, url.rpartition("/")[2]
        finally:
            web.terminate()
            web.wait(timeout=30)


@pytest.mark.postgres
def test_threads_share_the_connections_of_their_process(served):
    port, admin, name = served
    assert set(_rush(port)) == {200}
    assert 1 < _connections(admin, name) <= POOL * PROCESSES


@pytest.mark.postgres
def test_connections_that_the_server_ended_are_replaced_before_anybody_gets_one(served):
    port, admin, name = served
    _rush(port)
    assert _end_all(admin, name) > 0
    assert set(_rush(port)) == {200}


@pytest.mark.postgres
def test_a_database_that_was_away_is_used_again_within_seconds(served):
    port, admin, name = served
    admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    try:
        _end_all(admin, name)
        began = time.monotonic()
        assert set(_rush(port, requests=THREADS)) == {503}
        assert time.monotonic() - began < 2 * env.PATIENCE["timeout"] + 2
        time.sleep(6)  # the pool has given up once and begun anew
    finally:
        admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    assert _soon(lambda: set(_rush(port)) == {200}, seconds=10)


def _python(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    around = os.environ | {"CONSOLE_DB_POOL": "7", "DJANGO_SETTINGS_MODULE": "hindsight_site.settings"} | variables
    return subprocess.run(
        [sys.executable, *arguments], cwd=server.ROOT, env=around, capture_output=True, text=True, timeout=60
    )


def _ready(port: int) -> int:
    """The status of /health/ready, which asks the database; 0 when nothing listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def _rush(port: int, requests: int = 60) -> list[int]:
    with ThreadPoolExecutor(PROCESSES * THREADS) as clients:
        return list(clients.map(lambda _: _ready(port), range(requests)))


def _connections(admin: psycopg.Connection, name: str) -> int:
    return admin.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [name]).fetchone()[0]


def _end_all(admin: psycopg.Connection, name: str) -> int:
    ended = admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
    return len(ended.fetchall())


def _soon(check, *, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if check():
            return True
        time.sleep(0.2)
    return False
