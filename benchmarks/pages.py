"""`python -m benchmarks.pages`: how long each page takes with a million memories and 100,000 open conflicts.

Makes such a database on a PostgreSQL server, measures on a copy, and drops both. With --keep NAME the first one stays
under that name, and the next run uses it again (drop it yourself: `dropdb NAME`). Opens the pages of
benchmarks/explain_routes.py as an admin, through Django's own client, so that the template counts and the network does
not. Prints the median and the 95th percentile of --rounds answers after a first one. --check exits with 1 when one is
above TARGET and not in SLOW.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from benchmarks import explain_data, explain_routes, server

TARGET = 150.0  # milliseconds, 95th percentile
# downloads, which stream, and pages that ask the last questions again: they may take seconds and say so
SLOW = ("/everything.zip", ".jsonl", ".csv", "min_relevance=", "user_input=", "/metrics")


@dataclass(frozen=True, slots=True)
class PageSizes(explain_data.Sizes):
    """So many memories and open conflicts, whatever the number of events."""

    memories: int
    open_conflicts: int

    @property
    def conflicts(self) -> int:
        return 2 * self.open_conflicts


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--memories", type=int, default=1_000_000)
    options.add_argument("--conflicts", type=int, default=100_000)
    options.add_argument("--episodes", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=8)
    options.add_argument("--only", default="", help="pages whose address holds this")
    options.add_argument("--postgres", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="server to use")
    options.add_argument("--keep", default="", metavar="NAME", help="database to make once and to use again")
    options.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)  # the process that makes the database
    options.add_argument("--check", action="store_true", help="exit with 1 when a page takes too long")
    given = options.parse_args()
    sizes = PageSizes(given.episodes, given.memories, given.conflicts)
    if given.fill:
        _make(sizes)
        return 0
    with (
        _filled(given.postgres, given.keep, sizes) as filled,
        server.scratch_postgres(given.postgres, "hindsight_pages", copy_of=filled) as url,
        tempfile.TemporaryDirectory(prefix="hindsight-pages-") as folder,
    ):
        os.environ |= server.environment(folder, server.free_port(), url)
        slow = _measure(given.rounds, given.only)
    print(f"{len(slow)} pages above {TARGET:.0f} ms" if slow else f"every page within {TARGET:.0f} ms")
    return int(given.check and bool(slow))


@contextmanager
def _filled(postgres: str, keep: str, sizes: PageSizes) -> Iterator[str]:
    """The name of a database that holds so much: a new one, or `keep`."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        if keep and connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [keep]).fetchone():
            print(f"{keep} is used as it is, whatever sizes are asked for")
            yield keep
            return
        with server.scratch_postgres(postgres, "hindsight_filled") as url:
            # in a process of its own: no connection may be open when the database is copied
            rows = (
                f"--episodes={sizes.episodes}", f"--memories={sizes.memories}", f"--conflicts={sizes.open_conflicts}",
            )  # fmt: skip
            command = [sys.executable, "-m", "benchmarks.pages", "--fill", *rows]
            with tempfile.TemporaryDirectory(prefix="hindsight-pages-") as folder:
                settings = os.environ | server.environment(folder, server.free_port(), url)
                subprocess.run(command, cwd=server.ROOT, env=settings, check=True)
            name = urlsplit(url).path.lstrip("/")
            if keep:
                rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
                connection.execute(rename.format(sql.Identifier(name), sql.Identifier(keep)))
            yield keep or name


def _make(sizes: PageSizes) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from memory.models import Workspace
    from memory.upkeep import days, trust

    began = time.perf_counter()
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET synchronous_commit = off")
    explain_data.fill(sizes)
    # what the hourly job counts, and pages read
    for workspace in Workspace.objects.filter(pk=explain_data.HEAVY_WORKSPACE):
        days.count(workspace, now=timezone.now())
        trust.count_sources(workspace, now=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("RESET ALL")
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        [size] = cursor.fetchone()
    print(
        f"{sizes.memories:,} memories, {sizes.open_conflicts:,} open conflicts, {sizes.episodes:,} events, {size}, "
        f"made in {time.perf_counter() - began:.0f} s"
    )


def _measure(rounds: int, only: str) -> list[str]:
    """Prints every page's times; answers those that take too long."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0)
    print(f"\n{'page':<64}{'first':>9}{'p50':>9}{'p95':>9}")
    slow = []
    for name, ask in explain_routes.routes():
        if not name.startswith("GET /") or name.startswith("GET /api/") or only not in name:
            continue
        first, times = _timed(ask), [_timed(ask) for _ in range(rounds)]
        p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
        free = any(part in name for part in SLOW)
        too_slow = p95 > TARGET and not free
        note = "  too slow" if too_slow else ""
        print(f"{name:<64}{first:>9.1f}{statistics.median(times):>9.1f}{p95:>9.1f}{note}", flush=True)
        slow += [name] if too_slow else []
    return slow


def _timed(ask) -> float:
    began = time.perf_counter()
    status = ask()
    if status >= 400:
        raise SystemExit(f"A page answered {status}")
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main())
