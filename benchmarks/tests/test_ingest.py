"""The ingest benchmark measures both engines and leaves no database behind."""

import subprocess
import sys

import psycopg
import pytest
from django.conf import settings

from benchmarks import ingest, server


@pytest.mark.postgres
def test_a_small_run_reports_both_engines_and_cleans_up():
    command = [sys.executable, "-m", "benchmarks.ingest", "--events", "200", "--rounds", "1"]
    done = subprocess.run(
        [*command, "--server", settings.POSTGRES_URL], cwd=server.ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    for part in ("PostgreSQL", "bare COPY", "SQLite", "sqlite3 executemany", "import_memories", "target 2.0x"):
        assert part in done.stdout
    with psycopg.connect(settings.POSTGRES_URL) as database:
        assert not database.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'hindsight_ingest_%'").fetchall()


def test_its_rows_are_all_different_and_none_is_in_the_future():
    rows = [ingest._event(n) for n in range(5000)]
    assert len({row["content"] for row in rows}) == 5000
    assert max(row["event_time"] for row in rows) < ingest.NOW.isoformat()
    assert {row["role"] for row in rows} == {"user", "assistant", "tool"}
