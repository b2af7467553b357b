"""The benchmark of sizes fills every table that it projects, and leaves no database behind."""

import subprocess
import sys

import psycopg
import pytest
from django.conf import settings

from benchmarks import server, sizes


@pytest.mark.postgres
def test_a_small_run_measures_every_table_and_cleans_up():
    command = [sys.executable, "-m", "benchmarks.sizes", "--rows", "200", "--users", "1000"]
    done = subprocess.run(
        [*command, "--server", settings.POSTGRES_URL], cwd=server.ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    for table in sizes.GROWS:
        [measured, projected] = [line for line in lines if line[:1] == [table]]
        assert int(measured[1]) >= 40 and int(measured[4].replace(",", "")) > 100
        assert projected[2] == "rows"
    for part in ("SQLite file, measured", "Redis", "computed and not measured", "1,000 users after 12 months"):
        assert part in done.stdout
    with psycopg.connect(settings.POSTGRES_URL) as database:
        assert not database.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'hindsight_sizes_%'").fetchall()


def test_a_point_of_qdrant_is_computed_by_its_formula():
    assert sizes.qdrant_bytes(384, 0) == {"disk": (1536 + 384) * 1.5 + 200, "memory": 384 * 1.5}
