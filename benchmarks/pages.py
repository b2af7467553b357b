"""`python -m benchmarks.pages`: how long each page takes with a million memories and 100,000 open conflicts.

Makes such a database on a PostgreSQL server and drops it afterwards. Opens the pages of benchmarks/explain_routes.py as
an admin, through Django's own client, so that the template counts and the network does not. Prints the median and the
95th percentile of --rounds answers after a first one. --check exits with 1 when one is above TARGET and not in SLOW.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass

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
    options.add_argument("--check", action="store_true", help="exit with 1 when a page takes too long")
    given = options.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="hindsight-pages-") as folder,
        server.scratch_postgres(given.postgres, "hindsight_pages") as url,
    ):
        os.environ |= server.environment(folder, server.free_port(), url)
        _make(PageSizes(given.episodes, given.memories, given.conflicts))
        slow = _measure(given.rounds, given.only)
    print(f"{len(slow)} pages above {TARGET:.0f} ms" if slow else f"every page within {TARGET:.0f} ms")
    return int(given.check and bool(slow))


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
    call_command("collectstatic", interactive=False, verbosity=0)
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
