"""`python -m benchmarks.worker`: how many events a second the worker judges, with the bundled embedder.

Starts the product as `make run` does (gunicorn, a real qcluster) on a free port, posts the events of many users in
batches, five turns of one user at a time, and waits until each of them is judged. Half of the events are worth
remembering, the others are talk; every user also contradicts himself, so that comparing and queueing are part of it.
--postgres measures on a scratch database of that server, else SQLite. --check exits with 1 below the target.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import server
from benchmarks.quick import FACTS, THINGS

EVENTS, USERS, BATCH = 1000, 50, 25
TURNS = 5  # of one user in a row, as an agent sends the messages of an exchange
TARGET = 40.0  # events a second
PATIENCE = 600  # seconds until everything must be judged
TALK = (
    "Hello again!", "Thanks, that helped a lot.", "What does the cheapest {} cost?",
    "If I sold the {}, what would I get?",
    "我想想再说", "好的，谢谢", "{}现在还有货吗？", "Could you show me the {} once more?",
)  # fmt: skip


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--events", type=int, default=EVENTS)
    options.add_argument("--postgres", metavar="URL", help="a PostgreSQL server; a scratch database is made on it")
    options.add_argument("--check", action="store_true", help="exit with 1 when the target is missed")
    given = options.parse_args()
    if given.postgres:
        with server.scratch_postgres(given.postgres, "hindsight_worker") as url:
            speed, kept = _run(given.events, url)
    else:
        speed, kept = _run(given.events, "")
    engine = "PostgreSQL" if given.postgres else "SQLite"
    print(f"{given.events:,} events of {USERS} users, {engine}, bundled embedder, {os.cpu_count()} CPUs, "
          f"Python {platform.python_version()}, {platform.platform()}")  # fmt: skip
    met = speed >= TARGET
    print(f"  judged {speed:6.1f} events/s from the first POST to the last verdict; {kept} memories; "
          f"target {TARGET:.0f}: {'met' if met else 'MISSED'}")  # fmt: skip
    return int(given.check and not met)


def _run(events: int, postgres: str) -> tuple[float, int]:
    """Events a second, and how many memories they became."""
    with tempfile.TemporaryDirectory(prefix="hindsight-worker-") as folder:
        port = server.free_port()
        os.environ |= server.environment(folder, port, postgres)
        secret = _prepare()
        with server.servers(port, Path(folder) / "servers.log"):
            return _measure(server.Client(port, secret), events)


def _prepare() -> str:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections
    from django.utils import timezone

    from memory.actor import SYSTEM
    from memory.api import keys
    from memory.models import Workspace

    with open(os.devnull, "w") as quiet:
        call_command("prepare", no_demo=True, stdout=quiet)
    workspace = Workspace.objects.get(slug="default")
    _, secret = keys.issue(
        workspace=workspace, name="bench", scopes=["read", "write"], actor=SYSTEM, now=timezone.now()
    )
    connections.close_all()
    return secret


def _measure(client: server.Client, events: int) -> tuple[float, int]:
    from django.db import connections

    from memory.models import Episode, Memory

    rows = [_event(number) for number in range(events)]
    began = time.perf_counter()
    for start in range(0, events, BATCH):
        client.ask("POST", "/api/v1/events", {"events": rows[start : start + BATCH]})
    while waiting := Episode.objects.filter(judging=Episode.Judging.PENDING).count():
        if time.perf_counter() - began > PATIENCE:
            raise SystemExit(f"{waiting} events were not judged within {PATIENCE} s.")
        time.sleep(0.1)
    took = time.perf_counter() - began
    parked = Episode.objects.filter(judging=Episode.Judging.PARKED).count()
    if parked or Episode.objects.count() != events:
        raise SystemExit(f"{parked} events were parked, {Episode.objects.count()} of {events} recorded.")
    kept = Memory.objects.count()
    connections.close_all()
    return events / took, kept


def _event(number: int) -> dict:
    """One event; of a user's events every second is talk, and every tenth contradicts an earlier one."""
    user = number // TURNS % USERS
    turn = number // (TURNS * USERS) * TURNS + number % TURNS
    thing = THINGS[(user + turn) % len(THINGS)]
    if turn % 10 == 9:
        text = f"I keep the {THINGS[(user + turn - 9) % len(THINGS)]} in the attic now, not in the cellar."
    elif turn % 2:
        text = TALK[(user + turn) % len(TALK)].format(thing)
    else:
        text = FACTS[(user + turn) % len(FACTS)].format(thing)
    return {"user_id": f"user-{user:02}", "run_id": f"run-{turn // 20}", "role": "user", "content": text}


if __name__ == "__main__":
    sys.exit(main())
