"""`python -m benchmarks.sizes`: how many bytes a row of each table takes, and what 10 million users would take.

Writes --memories memories (each with its version, evidence and episode) by import_memories, as many events by
import_episodes, their vectors, and recalls and audit rows by the same bulk path, into databases of its own: one on
PostgreSQL, one SQLite file. Measures tables with their indexes, what the SQLite file grows by, and a working-memory
list in Redis by MEMORY USAGE in a server of its own. Qdrant's bytes are computed from its documented formula.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import django

from benchmarks import server, sizes_data

ROWS = 20_000
USERS = 10_000_000
KEPT_MONTHS = 12
# What one user has after a year. Assumptions, not measurements: replace them with your own.
EACH_USER = {
    "events": 600.0,  # 50 a month
    "memories": 50.0,
    "versions_of_a_memory": 1.3,
    "evidence_of_a_memory": 1.5,
    "recalls": 240.0,  # 20 a month
    "audit_of_a_memory": 1.0,
    "live_sessions": 0.05,  # within the last 24 hours
}
# Every table that grows with users and events, with the rows of one user by the assumptions.
GROWS = {
    "memory_enduser": lambda u: 1,
    "memory_session": lambda u: u["events"] / 12,
    "memory_episode": lambda u: u["events"],
    "memory_verdict": lambda u: u["events"],
    "memory_memory": lambda u: u["memories"],
    "memory_memoryversion": lambda u: u["memories"] * u["versions_of_a_memory"],
    "memory_change": lambda u: u["memories"] * u["versions_of_a_memory"],
    "memory_evidence": lambda u: u["memories"] * u["evidence_of_a_memory"],
    "memory_indexentry": lambda u: u["memories"],
    "memory_recall": lambda u: u["recalls"],
    "memory_recallhit": lambda u: u["recalls"] * sizes_data.HITS,
    "memory_auditevent": lambda u: u["memories"] * u["audit_of_a_memory"],
}
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Measured:
    """Bytes of one table; both include what belongs to it: TOAST with the table, every index with the indexes."""

    rows: int
    table: int
    indexes: int

    @property
    def each(self) -> float:
        return (self.table + self.indexes) / self.rows


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=ROWS, help="events, and as many memories")
    options.add_argument("--users", type=int, default=USERS, help="users to project to")
    options.add_argument("--server", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="PostgreSQL")
    options.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(sizes_data.measure(given.rows)))
        return 0
    began = time.perf_counter()
    with server.scratch_postgres(given.server, "hindsight_sizes") as url:
        found = _in_child(given.rows, url)
    on_sqlite = _in_child(given.rows, "")
    tables = {name: Measured(*figures) for name, figures in found["tables"].items()}
    _tables(tables, on_sqlite)
    os.environ |= server.environment(tempfile.gettempdir(), server.free_port())
    django.setup()
    session = _redis()
    _project(tables, session, given.users)
    print(f"\nmeasured in {time.perf_counter() - began:.0f} s")
    return 0


def _in_child(rows: int, url: str) -> dict:
    """One engine in a process of its own: Django knows one default database."""
    with tempfile.TemporaryDirectory(prefix="hindsight-sizes-") as folder:
        environment = os.environ | server.environment(folder, server.free_port(), url)
        command = [sys.executable, "-m", "benchmarks.sizes", "--measure", "--rows", str(rows)]
        done = subprocess.run(command, cwd=server.ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def _tables(tables: dict[str, Measured], on_sqlite: dict) -> None:
    print(f"{'PostgreSQL, measured':<26}{'rows':>10}{'table B/row':>14}{'index B/row':>14}{'all B/row':>12}")
    for name in GROWS:
        one = tables[name]
        print(
            f"{name:<26}{one.rows:>10,}{one.table / one.rows:>14,.0f}{one.indexes / one.rows:>14,.0f}{one.each:>12,.0f}"
        )
    rows = sum(count for count, _, _ in on_sqlite["tables"].values())
    held, all_of = on_sqlite["file"], sum(one.table + one.indexes for one in tables.values())
    print(f"\nSQLite file, measured: {held:,} bytes for the same {rows:,} rows; these tables on PostgreSQL: {all_of:,}")


def qdrant_bytes(dimensions: int, words: float) -> dict[str, float]:
    """Bytes of one point by Qdrant's rough formula, vectors × 1.5 (https://qdrant.tech/documentation/capacity-planning/).

    On disk: the vector as float32 and as int8, `words` sparse places of 8 bytes, a payload of some 200 bytes with its
    indexes. In memory: the int8 vector and the sparse places. Both × 1.5.
    """
    sparse, payload = words * 8, 200
    return {"disk": (dimensions * 5 + sparse) * 1.5 + payload, "memory": (dimensions + sparse) * 1.5}


def _redis() -> tuple[int, int] | None:
    """Bytes of one full working-memory list, with usual and with the longest turns; None without a redis-server."""
    if not shutil.which("redis-server"):
        print("\nRedis: no redis-server here, not measured")
        return None
    with tempfile.TemporaryDirectory(prefix="hindsight-sizes-") as folder:
        port = server.free_port()
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            _become_ready(port)
            usual, largest = sizes_data.working_memory(f"redis://127.0.0.1:{port}/0")
        finally:
            process.terminate()
            process.wait()
    print(f"\nRedis, MEMORY USAGE of a session of 12 turns: {usual:,} bytes with turns as above, "
          f"{largest:,} with turns of 4,000 characters")  # fmt: skip
    return usual, largest


def _become_ready(port: int) -> None:
    deadline = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _project(tables: dict[str, Measured], session: tuple[int, int] | None, users: int) -> None:
    print(f"\n{users:,} users after {KEPT_MONTHS} months. Assumed for each: "
          + ", ".join(f"{value:g} {name.replace('_', ' ')}" for name, value in EACH_USER.items()))  # fmt: skip
    total = 0.0
    for name, of_user in GROWS.items():
        rows = of_user(EACH_USER) * users
        size = rows * tables[name].each
        total += size
        print(f"{name:<26}{rows:>18,.0f} rows{size / GIB:>12,.0f} GiB")
    print(f"{'PostgreSQL, one copy':<26}{'':>18}     {total / GIB:>12,.0f} GiB")
    month = EACH_USER["events"] * users / KEPT_MONTHS
    print(f"one month of episodes: {month:,.0f} rows, {month * tables['memory_episode'].each / GIB:,.0f} GiB; "
          f"{month / 30 / 86400:,.0f} events a second on average")  # fmt: skip
    point = qdrant_bytes(sizes_data.DIMENSIONS, sizes_data.words_of_a_memory())
    points = EACH_USER["memories"] * users
    print(f"Qdrant, computed and not measured: {point['disk']:,.0f} bytes of disk and {point['memory']:,.0f} of "
          f"memory a point; {points:,.0f} points: {points * point['disk'] / GIB:,.0f} GiB of disk, "
          f"{points * point['memory'] / GIB:,.0f} GiB of memory, for each replica")  # fmt: skip
    if session:
        live = EACH_USER["live_sessions"] * users
        print(f"Redis: {live:,.0f} live sessions: {live * session[0] / GIB:,.1f} GiB")


if __name__ == "__main__":
    sys.exit(main())
