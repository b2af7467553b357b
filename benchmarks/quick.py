"""`python -m benchmarks.quick`: how long an agent waits for an event to be taken and for a search, over HTTP.

Starts the product as `make run` does (gunicorn with its configuration, a worker, SQLite, the bundled embedder) on a
free port and an empty data directory, gives one user 500 memories, and measures with one client that keeps its
connection. --check exits with 1 when a target is missed.
"""

import argparse
import http.client
import json
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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
        port = _free_port()
        os.environ |= {
            "CONSOLE_DATA_DIR": folder, "CONSOLE_PORT": str(port), "CONSOLE_BIND": "127.0.0.1",
            "CONSOLE_LOG_LEVEL": "ERROR", "CONSOLE_KEY_RATE": "100000/min",
            "DJANGO_SETTINGS_MODULE": "hindsight_site.settings",
        }  # fmt: skip
        for name in ("POSTGRES_URL", "REDIS_URL"):
            os.environ.pop(name, None)
        secret = _prepare()
        with _servers(port, Path(folder) / "servers.log"):
            figures = _measure(port, secret)
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def _servers(port: int, log: Path) -> Iterator[None]:
    """Web and worker as the Procfile starts them; both process groups are gone when the block ends, however it ends."""
    bin_ = Path(sys.executable).parent
    commands = (
        [bin_ / "gunicorn", "hindsight_site.wsgi:application", "--config", "hindsight_site/gunicorn.py"],
        [
            "/bin/sh",
            "-c",
            f"'{sys.executable}' manage.py setup_schedules && exec '{sys.executable}' manage.py qcluster",
        ],
    )
    # a plain kill of the benchmark must not leave servers behind either
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    running: list[subprocess.Popen] = []
    try:
        with log.open("w") as said:
            for command in commands:
                running.append(subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=said, stderr=said))
        if not _become_ready(port, running):
            raise SystemExit(f"The servers did not become ready:\n{log.read_text()[-4000:]}")
        yield
    finally:
        for process in running:
            _end(process)


def _end(process: subprocess.Popen) -> None:
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(timeout=15)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _become_ready(port: int, running: list[subprocess.Popen]) -> bool:
    """Waits for web and worker; false when one of them ended or a minute has passed."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and all(process.poll() is None for process in running):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/health/ready")
            if json.loads(connection.getresponse().read())["status"] == "ok":
                return True
        except OSError:
            pass
        time.sleep(0.2)
    return False


def _measure(port: int, secret: str) -> dict[str, list[float]]:
    """Milliseconds of every event POST, then of every search once the worker has nothing left to judge."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(method: str, path: str, body: dict | None = None) -> dict:
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        answer = response.read()
        if response.status >= 300:
            raise SystemExit(f"{method} {path} answered {response.status}: {answer.decode()[:400]}")
        return json.loads(answer)

    words = [f"Today at stop {number} I saw {thing}s, {number} of them" for number, thing in enumerate(THINGS * 20)]
    events = [
        {"user_id": "bench", "run_id": f"run-{n % 10}", "role": "user", "content": text} for n, text in enumerate(words)
    ]
    asked = [question.format(thing) for question in ASKED for thing in THINGS]
    queries = [f"{question} {extra}".strip() for extra in ("", "now") for question in asked]
    searches = [{"user_id": "bench", "query": query} for query in queries]
    return {
        "event": _time(lambda body: ask("POST", "/api/v1/events", body), events[: EVENTS + WARM_UP]),
        "search": _after_judging(
            lambda: _time(lambda body: ask("POST", "/api/v1/memories/search", body), searches[: SEARCHES + WARM_UP])
        ),
    }


def _after_judging(then: Callable[[], list[float]]) -> list[float]:
    from memory.models import Episode

    deadline = time.monotonic() + 120
    while Episode.objects.filter(judging=Episode.Judging.PENDING).exists() and time.monotonic() < deadline:
        time.sleep(0.5)
    return then()


def _time(act: Callable[[dict], dict], bodies: list[dict]) -> list[float]:
    taken = []
    for body in bodies:
        started = time.perf_counter()
        act(body)
        taken.append((time.perf_counter() - started) * 1000)
    return taken[WARM_UP:]


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
