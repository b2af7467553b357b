"""`python -m benchmarks.explain`: does any page or API route read a table from end to end once the tables are large?

Makes a database with a million episodes (--episodes) on a PostgreSQL server and drops it afterwards. Opens every page
as an admin and every reading route of the API with an agent's key, takes the queries of each and asks PostgreSQL how
it would answer them. Prints for each route how many queries it makes, how long it takes, and every sequential scan of
a table with more than 10,000 rows. --check exits with 1 on a scan that is not in ALLOWED.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks import explain_data, explain_routes, server

EPISODES, LARGE = 1_000_000, 10_000
SLOW = 20.0  # milliseconds from which a query is printed beside its route
_ONCE = "once when a worker starts; an index of leases would be written at every lease"
_BIG_SHARE = "a tenth of all memories is this one person's: the table is read with fewer pages than the index would"
_HASHED = "thousands of conflicts are searched: their memories are cheaper read at once until there are many more"
# (route, table): why reading the whole table is right there.
ALLOWED = {
    ("GET /review/?q=stand-up", "memory_memory"): _HASHED,
    ("GET /review/?status=decided&q=stand-up", "memory_memory"): _HASHED,
    ("GET /review/?status=decided&q=nothing-like-it", "memory_memory"): _HASHED,
    ("job take_over", "memory_enduser"): _ONCE,
    ("POST /api/v1/search user-1", "memory_memory"): _BIG_SHARE,
    ("GET /lab/?user=user-1&q=when+is+the+stand-up", "memory_memory"): _BIG_SHARE,
    ("POST /api/v1/memories user-1, recorded and judged", "memory_memory"): _BIG_SHARE,
}


@dataclass(frozen=True, slots=True)
class Query:
    sql: str
    params: Any
    ms: float


@dataclass(slots=True)
class Walked:
    """One route as it was answered: its queries, and (table, sql) of every sequential scan in their plans."""

    name: str
    status: int
    ms: float
    queries: list[Query]
    scans: list[tuple[str, str]] = field(default_factory=list)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=EPISODES)
    options.add_argument("--large", type=int, default=LARGE, help="rows from which a scan of a table counts")
    options.add_argument("--postgres", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="server to use")
    options.add_argument("--check", action="store_true", help="exit with 1 on a scan that is not allowed")
    given = options.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="hindsight-explain-") as folder,
        server.scratch_postgres(given.postgres, "hindsight_explain") as url,
    ):
        os.environ |= server.environment(folder, server.free_port(), url) | {"CONSOLE_DEBUG": "1"}
        _make(given.episodes)
        bad = _report(walk(large=given.large))
        if missed := sorted(explain_routes.missed()):
            raise SystemExit(f"explain_routes.py walks no {', '.join(missed)}")
    print(f"{bad} sequential scans that should not be" if bad else "no sequential scan that should not be")
    return int(given.check and bad > 0)


def _make(episodes: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    began = time.perf_counter()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET synchronous_commit = off")
    explain_data.fill(explain_data.Sizes(episodes))
    with connection.cursor() as cursor:
        cursor.execute("RESET ALL")
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        [size] = cursor.fetchone()
    print(f"{episodes:,} episodes, {explain_data.USERS:,} users, {size}, made in {time.perf_counter() - began:.0f} s")


def walk(*, large: int) -> Iterator[Walked]:
    """Asks every route twice, times the second answer, and explains the queries of both."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > %s", [large])
        tables = {name for (name,) in cursor.fetchall()}
    for name, ask in explain_routes.routes():
        _, _, first = _asked(ask)
        status, ms, queries = _asked(ask)
        walked = Walked(name, status, ms, queries)
        # a job finds less to do the second time
        for query in {query.sql: query for query in (*first, *queries)}.values():
            walked.scans += [(table, query.sql) for table in scanned(query) if table in tables]
        yield walked


def _asked(ask: Callable[[], int]) -> tuple[int, float, list[Query]]:
    """The status, the milliseconds it took, and the queries."""
    from django.db import connection

    queries: list[Query] = []
    with connection.execute_wrapper(_recorder(queries)):
        began = time.perf_counter()
        status = ask()
    return status, (time.perf_counter() - began) * 1000, queries


def _recorder(into: list[Query]) -> Callable:
    def record(execute, sql, params, many, context):
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            into.append(Query(sql, params, (time.perf_counter() - began) * 1000))

    return record


def scanned(query: Query) -> list[str]:
    """The tables that the query's plan reads from end to end."""
    from django.db import connection

    if not query.sql.lstrip("( ").startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {query.sql}", query.params)
        [plan] = cursor.fetchone()
    plan = json.loads(plan) if isinstance(plan, str) else plan
    return [node["Relation Name"] for node in _nodes(plan[0]["Plan"]) if node["Node Type"] == "Seq Scan"]


def _nodes(node: dict) -> Iterator[dict]:
    yield node
    for below in node.get("Plans", ()):
        yield from _nodes(below)


def _report(walked: Iterator[Walked]) -> int:
    """Prints each route; answers how many scans are not allowed."""
    print(f"\n{'route':<64}{'status':>7}{'queries':>9}{'ms':>9}")
    bad = 0
    for route in walked:
        print(f"{route.name:<64}{route.status:>7}{len(route.queries):>9}{route.ms:>9.1f}")
        for query in route.queries:
            if query.ms > SLOW:
                print(f"    {query.ms:.0f} ms: {_short(query.sql)}")
        for table, sql in route.scans:
            why = ALLOWED.get((route.name, table))
            bad += why is None
            print(f"    {'scan' if why is None else 'allowed scan'} of {table}: {why or _short(sql)}")
        if route.status >= 400:
            raise SystemExit(f"{route.name} answered {route.status}")
    return bad


def _short(sql: str) -> str:
    """The query without the list of columns it fetches."""
    head, found, rest = sql.partition(" FROM ")
    return (head[:60] + ("…" if len(head) > 60 else "") + found + rest)[:600]


if __name__ == "__main__":
    sys.exit(main())
