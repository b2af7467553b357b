"""`python -m benchmarks.ingest`: how fast episodes of long ago come in, against a bare psycopg COPY of the same rows.

Takes 100,000 events of 1,000 users through `import_episodes` (checking, users, sessions, source classes, one
transaction), and the same rows, finished, through a bare COPY into the same table with the same indexes, in turns. The
same on SQLite against sqlite3's executemany. Databases are made for it and dropped. --check exits with 1 over 2x.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from benchmarks import server

EVENTS, USERS, SESSIONS_OF_A_USER, ROUNDS = 100_000, 1000, 5, 3
EVENTS_A_MEMORY = 20
TARGET = 2.0  # times the bare COPY
NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
SAID = (
    "I moved the stand-up to a quarter past nine, because the kids are at school by then and the train is less full",
    "Could you check whether the parcel with the lamp has left the warehouse, and tell me before noon?",
    "我下周三要去杭州出差，酒店请订在西湖附近，靠近地铁站，最好有早餐，发票抬头还是原来的公司",
    "The invoice of March was paid twice; I would like one of them back, on the same card please",
)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--events", type=int, default=EVENTS)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument(
        "--server", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="PostgreSQL to use"
    )
    options.add_argument("--check", action="store_true", help="exit with 1 when the target is missed")
    options.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(_measure(given.events, given.rounds)))
        return 0
    print(f"{given.events:,} events, {USERS:,} users, {given.rounds} rounds, median; {platform.platform()}, "
          f"{os.cpu_count()} cores, Python {platform.python_version()}")  # fmt: skip
    ratio = _report("PostgreSQL", "bare COPY", _on_postgres(given))
    _report("SQLite", "sqlite3 executemany", _in_child(given, ""))
    print(f"import_episodes takes {ratio:.2f}x a bare COPY; target {TARGET}x: {'met' if ratio <= TARGET else 'MISSED'}")
    return int(given.check and ratio > TARGET)


def _report(engine: str, bare: str, figures: dict[str, list[float]]) -> float:
    """Prints one engine's figures; answers how many times the bare way ours takes (of the rounds, the median)."""
    ratio = statistics.median(ours / other for ours, other in zip(figures["ours"], figures["bare"], strict=True))
    print(f"\n{engine}")
    for name, seconds, rows in (
        ("import_episodes", figures["ours"], figures["events"]),
        (bare, figures["bare"], figures["events"]),
        ("import_memories", figures["memories"], figures["events"] // EVENTS_A_MEMORY),
    ):
        middle = statistics.median(seconds)
        all_of = ", ".join(f"{one:.2f}" for one in seconds)
        print(f"  {name:<22}{middle:7.2f} s  {rows / middle:9,.0f} rows/s   (rounds: {all_of})")
    print(f"  import_episodes / {bare}: {ratio:.2f}")
    return ratio


def _on_postgres(given: argparse.Namespace) -> dict[str, list[float]]:
    with server.scratch_postgres(given.server, "hindsight_ingest") as url:
        return _in_child(given, url)


def _in_child(given: argparse.Namespace, url: str) -> dict[str, list[float]]:
    """One engine in a process of its own: Django knows one default database."""
    with tempfile.TemporaryDirectory(prefix="hindsight-ingest-") as folder:
        environment = os.environ | server.environment(folder, server.free_port(), url)
        command = [sys.executable, "-m", "benchmarks.ingest", "--measure"]
        command += ["--events", str(given.events), "--rounds", str(given.rounds)]
        done = subprocess.run(command, cwd=server.ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def _measure(events: int, rounds: int) -> dict:
    import django

    django.setup()
    from django.core.management import call_command

    from memory.actor import SYSTEM
    from memory.bulk import import_episodes, import_memories
    from memory.bulk.episodes import _COLUMNS
    from memory.models import Episode, Workspace

    with open(os.devnull, "w") as quiet:
        call_command("migrate", stdout=quiet, verbosity=0)
    workspace = Workspace.objects.create(slug="bench", name="Bench")
    rows = [_event(n) for n in range(events)]
    figures: dict[str, list[float]] = {"ours": [], "bare": [], "memories": []}
    import_episodes(workspace, rows[:1000], NOW)
    for number in range(rounds):
        _empty("memory_episode", "memory_session", "memory_enduser")
        figures["ours"].append(_seconds(lambda: import_episodes(workspace, rows, NOW)))
        finished = list(Episode.objects.order_by("id").values_list(*_COLUMNS))
        assert len(finished) == events
        _empty("memory_episode")
        figures["bare"].append(_bare(finished, _COLUMNS))
        assert Episode.objects.count() == events
        texts = [_memory(number * events + n) for n in range(events // EVENTS_A_MEMORY)]
        figures["memories"].append(_seconds(lambda: import_memories(workspace, texts, SYSTEM, NOW)))  # noqa: B023
    return figures | {"events": events}


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _bare(rows: list[tuple], columns: tuple[str, ...]) -> float:
    """The finished rows into the same table by the driver alone, one transaction."""
    from django.db import connection, transaction
    from psycopg.types.json import Jsonb

    place = columns.index("metadata")
    names = ", ".join(columns)
    if connection.vendor == "postgresql":
        ready = [(*row[:place], Jsonb(row[place]), *row[place + 1 :]) for row in rows]

        def put() -> None:
            with (
                transaction.atomic(),
                connection.cursor() as cursor,
                cursor.copy(f"COPY memory_episode ({names}) FROM STDIN") as copy,
            ):
                for row in ready:
                    copy.write_row(row)
    else:
        ready = [
            tuple(json.dumps(v) if isinstance(v, dict) else str(v) if isinstance(v, datetime) else v for v in row)
            for row in rows
        ]

        def put() -> None:
            marks = ", ".join("?" * len(columns))
            with transaction.atomic():
                connection.connection.executemany(f"INSERT INTO memory_episode ({names}) VALUES ({marks})", ready)

    return _seconds(put)


def _empty(*tables: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(tables)} RESTART IDENTITY CASCADE")
            return
        cursor.execute("PRAGMA foreign_keys = OFF")
        for table in tables:
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("PRAGMA foreign_keys = ON")


def _event(n: int) -> dict:
    user, session = n % USERS, (n // USERS) % SESSIONS_OF_A_USER
    row = {
        "user_id": f"user-{user:04}", "run_id": f"run-{session}", "role": ("user", "assistant")[n // USERS % 2],
        "content": f"{SAID[n % len(SAID)]} ({n})",
        "event_time": (NOW - timedelta(days=400) + timedelta(seconds=n * 60)).isoformat(),
    }  # fmt: skip
    if n % 10 == 9:
        found = {"order": n, "state": "shipped", "carrier": "DHL", "eta": "2026-05-07"}
        row |= {"role": "tool", "kind": "tool_result", "name": "orders.lookup", "content": json.dumps(found)}
        row["metadata"] = {"tool_call_id": f"call_{n}", "took_ms": n % 400}
    return row


def _memory(n: int) -> dict:
    return {"user_id": f"user-{n % USERS:04}", "memory": f"{SAID[n % len(SAID)]} ({n})", "category": "knowledge"}


if __name__ == "__main__":
    sys.exit(main())
