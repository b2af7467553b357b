"""No page, route or job needs a table read from end to end; at a million rows that is seconds."""

import re
import subprocess
import sys
from urllib.parse import quote

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from benchmarks import explain, server


@pytest.mark.postgres
def test_every_route_has_the_indexes_it_needs():
    """In tables this small PostgreSQL reads all rows by choice; told not to, it does so only where no index serves."""
    url = f"{settings.POSTGRES_URL}?options={quote('-c enable_seqscan=off')}"
    command = [sys.executable, "-m", "benchmarks.explain", "--episodes", "10000", "--large", "100", "--check"]
    done = subprocess.run([*command, "--postgres", url], cwd=server.ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no sequential scan that should not be" in done.stdout
    with psycopg.connect(settings.POSTGRES_URL) as database:
        assert not database.execute("SELECT 1 FROM pg_database WHERE datname LIKE 'hindsight_explain_%'").fetchall()


@pytest.mark.postgres
@pytest.mark.parametrize(
    "column, tables", [("content", ["memory_episode"]), ("workspace_id", []), ("judged_at", ["memory_episode"])]
)
def test_a_query_without_an_index_is_named(db, column, tables):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    query = explain.Query(f"SELECT id FROM memory_episode WHERE {column} = NULL OR {column} IS NULL", (), 0)
    # the suite may run on episodes by month
    assert {re.sub(r"_(\d{4}_\d\d|rest)$", "", name) for name in explain.scanned(query)} == set(tables)


def test_statements_without_a_plan_are_left_alone():
    assert explain.scanned(explain.Query("SAVEPOINT s1", None, 0)) == []
