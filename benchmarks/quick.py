"""`python -m benchmarks.quick`: how long an agent waits for an event to be taken and for a search, over HTTP.

Starts the product as `make run` does (gunicorn with its configuration, a worker, SQLite, the bundled embedder) on a
free port and an empty data directory, gives one user 500 memories, and measures with one client that keeps its
connection. --check exits with 1 when a target is missed.
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import server

MEMORIES, EVENTS, SEARCHES, WARM_UP = 500, 300, 300, 20
TARGETS = {"event": 10.0, "search": 40.0}  # milliseconds, median

THINGS = (
    "tent", "rain jacket", "head torch", "camp stove", "road bike", "sleeping bag", "kettle", "climbing rope",
    "paddle board", "thermos", "compass", "hammock", "ice axe", "bread oven", "espresso machine", "telescope",
    "keyboard", "desk lamp", "hiking poles", "snow shoes", "帐篷", "雨衣", "登山杖", "咖啡机", "台灯",
)  # fmt: skip
FACTS = (
    "I keep the {} in the cellar next to the paint", "My {} came from my aunt in Galway",
    "I lend the {} to Rosa in July",
    "The {} has a scratch on its left side", "I want a second {} before the autumn trip",
    "My {} weighs too much for flights", "I clean the {} on the first Sunday of the month",
    "The zip of the {} was repaired in March",
    "I use the {} mostly after work", "I prefer the {} in dark green", "The {} is insured until 2031",
    "I sold the old {} to a neighbour", "My {} lives in the van all summer", "I never let the dog near the {}",
    "The {} is due for a check at the shop", "我把{}放在书房的柜子里", "我的{}是去年生日收到的", "我习惯周末才用{}",
    "{}的保修到明年三月", "我想把{}换成蓝色的",
)  # fmt: skip
ASKED = (
    "where is the {} kept", "who gave me the {}", "is the {} lent to somebody", "any damage to the {}",
    "plans for another {}", "how heavy is the {}", "when is the {} cleaned", "was the {} repaired",
    "what colour should the {} be", "{}放在哪里", "{}什么时候过保", "{}平时什么时候用",
)  # fmt: skip


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    check = options.parse_args().check
    with tempfile.TemporaryDirectory(prefix="hindsight-quick-") as folder:
        port = server.free_port()
        os.environ |= server.environment(folder, port)
        secret = _prepare()
        with server.servers(port, Path(folder) / "servers.log"):
            figures = _measure(server.Client(port, secret))
    missed = _report(figures)
    return int(check and missed > 0)


def _prepare() -> str:
    """Migrates the empty database, gives the user "bench" its memories, answers a key's secret."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections, transaction
    from django.utils import timezone

    from memory import embedding
    from memory.actions.remember import remember
    from memory.actions.source import Source
    from memory.actor import SYSTEM
    from memory.api import keys
    from memory.intake.record import NewEvent, record
    from memory.intake.types import Category, Claim
    from memory.models import Workspace

    with open(os.devnull, "w") as quiet:
        call_command("prepare", no_demo=True, stdout=quiet)
    workspace = Workspace.objects.get(slug="default")
    now = timezone.now()
    texts = [fact.format(thing) for fact in FACTS for thing in THINGS][:MEMORIES]
    if embedder := embedding.get_embedder():
        embedder.embed(texts)
    with transaction.atomic():
        seed = NewEvent(user_id="bench", run_id="seed", role="user", content="hello")
        [episode] = record(workspace=workspace, events=[seed], now=now)
        for text in texts:
            claim = Claim(text=text, quote=text, category=Category.PREFERENCE, subject="user")
            remember(
                user=episode.user,
                claim=claim,
                source=Source(episode, text, episode.source_class),
                actor=SYSTEM,
                now=now,
            )
    _, secret = keys.issue(workspace=workspace, name="bench", scopes=["read", "write"], actor=SYSTEM, now=now)
    connections.close_all()
    return secret


def _measure(client: server.Client) -> dict[str, list[float]]:
    """Milliseconds of every event POST, then of every search once the worker has nothing left to judge."""
    words = [f"Today at stop {number} I saw {thing}s, {number} of them" for number, thing in enumerate(THINGS * 20)]
    events = [
        {"user_id": "bench", "run_id": f"run-{n % 10}", "role": "user", "content": text} for n, text in enumerate(words)
    ]
    asked = [question.format(thing) for question in ASKED for thing in THINGS]
    queries = [f"{question} {extra}".strip() for extra in ("", "now") for question in asked]
    searches = [{"user_id": "bench", "query": query} for query in queries]
    return {
        "event": _time(client, "/api/v1/events", events[: EVENTS + WARM_UP]),
        "search": _after_judging(lambda: _time(client, "/api/v1/memories/search", searches[: SEARCHES + WARM_UP])),
    }


def _after_judging(then: Callable[[], list[float]]) -> list[float]:
    from memory.models import Episode

    deadline = time.monotonic() + 120
    while Episode.objects.filter(judging=Episode.Judging.PENDING).exists() and time.monotonic() < deadline:
        time.sleep(0.5)
    return then()


def _time(client: server.Client, path: str, bodies: list[dict]) -> list[float]:
    return [client.timed("POST", path, body) for body in bodies][WARM_UP:]


def _report(figures: dict[str, list[float]]) -> int:
    """Prints the figures; answers how many targets were missed."""
    machine = f"{os.cpu_count()} CPUs, Python {platform.python_version()}"
    print(f"One client, HTTP keep-alive, SQLite, bundled embedder, {machine}")
    print(f"One user with {MEMORIES} memories and more; {WARM_UP} requests of each kind first, not counted.")
    missed = 0
    for name, taken in figures.items():
        median, p95 = statistics.median(taken), statistics.quantiles(taken, n=20)[18]
        met = median < TARGETS[name]
        missed += not met
        print(
            f"  {name:<7} median {median:6.1f} ms   p95 {p95:6.1f} ms   n {len(taken)}   "
            f"target: median < {TARGETS[name]:.0f} ms {'met' if met else 'MISSED'}"
        )
    print("  event: POST /api/v1/events, one a request, the worker judging behind it.")
    print("  search: POST /api/v1/memories/search, distinct queries, each embedded, ranked and logged.")
    return missed


if __name__ == "__main__":
    sys.exit(main())
