"""`python -m benchmarks.recall`: how long an agent waits for a search among many memories, and whether it is right.

For SQLite and PostgreSQL in turn: imports `--memories` memories of `--users` users and `--large` of one more, starts
the product as `make run` does, and asks over HTTP with `--clients` agents at once, every question a new one, of a user
taken at random; then as one agent of the large user, and again with a memory of that user changed or retracted before
each question, so that every answer comes from an index that was brought up to date for it. The answers to `--compare`
further questions are held against an exact search by plain loops over every memory of that user
(benchmarks/exact_search.py), and the stages of a search are timed in a process of their own. --check exits with 1 when
a p99 or any answer is not as it should be.

--growth asks instead on SQLite at 1,000, 10,000 and 50,000 memories, with few and many users: what grows is seen in
one run, whatever else this machine does.

The memories vary 400 sentences, and so do their vectors: embedding 50,000 texts would take twenty minutes and would
not change what is measured. Questions are embedded by the product as always.
"""

import argparse
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks import recall_data, recall_stages, server
from benchmarks.exact_search import Stored, difference, exact

TARGET, LARGE_TARGET = 80.0, 150.0  # milliseconds, p99 of one client; the second of the user with --large memories
LARGE = "user-large"
GROWTH = ((1_000, 20), (10_000, 200), (50_000, 1000), (50_000, 50), (50_000, 5))  # memories, users
KINDS, WARM_UP, TOP_K, IMPORT_AT_ONCE = 400, 50, 10, 5000


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--memories", type=int, default=50_000)
    options.add_argument("--users", type=int, default=1000)
    options.add_argument("--large", type=int, default=20_000, help="memories of one user more; 0 for none")
    options.add_argument("--searches", type=int, default=1500)
    options.add_argument("--compare", type=int, default=200, help="answers held against the exact search")
    options.add_argument("--growth", action="store_true", help="several sizes, SQLite, one and eight clients")
    options.add_argument("--clients", type=int, nargs="+", default=[1], help="agents at once, one run for each number")
    options.add_argument("--engines", nargs="+", choices=("sqlite", "postgres"), default=["sqlite", "postgres"])
    options.add_argument(
        "--server", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="PostgreSQL to use"
    )
    options.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    options.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(_measure(given)))
        return 0
    if given.growth:
        return _growth(given)
    print(f"{given.memories:,} memories of {given.users:,} users; {os.cpu_count()} cores, "
          f"{platform.platform()}, Python {platform.python_version()}")  # fmt: skip
    missed = sum(_report(engine, _of_engine(engine, given)) for engine in given.engines)
    return int(given.check and missed > 0)


def _growth(given: argparse.Namespace) -> int:
    """One run for each size; a target is met or missed at 50,000 memories of 1,000 users only."""
    wrong = 0
    for memories, users in GROWTH:
        each = f"{memories:,} memories of {users:,} users"
        sizes = ["--memories", str(memories), "--users", str(users), "--large", "0", "--searches", "400"]
        figures = _in_child(given, "", *sizes, "--clients", "1", "8", "--compare", "20")
        print(f"\n{each}")
        wrong += _report("sqlite", figures, is_target=(memories, users) == (50_000, 1000))
    return int(given.check and wrong > 0)


def _report(engine: str, figures: dict, *, is_target: bool = True) -> int:
    """Prints one engine's figures; answers how many targets were missed."""
    print(f"\n{engine}, bundled embedder, POST /api/v1/memories/search, top {TOP_K}")
    missed = 0
    for clients, taken in figures["taken"].items():
        named = f"{clients} client{'s' if clients != '1' else ' '}"
        missed += _times(named, taken, TARGET if clients == "1" and is_target else None)
    if figures["large"]:
        missed += _times("1 client, the large user", figures["large"], LARGE_TARGET)
        missed += _times("1 client, the large user, a write before each", figures["written"], LARGE_TARGET)
    for who, stages in figures["stages"].items():
        print(f"  stages, {who}: {stages}")
    print(f"  memory of the web processes: {', '.join(f'{mb} MB' for mb in figures['rss'])}")
    wrong = figures["wrong"]
    print(f"  {figures['compared']} answers against the exact search: {len(wrong)} differ")
    for line in wrong[:5]:
        print(f"    {line}")
    return missed + bool(wrong)


def _times(named: str, taken: list[float], target: float | None) -> int:
    """Prints one line; answers 1 when the target is missed."""
    hundredths = statistics.quantiles(taken, n=100)
    p50, p95, p99 = hundredths[49], hundredths[94], hundredths[98]
    missed = target is not None and p99 >= target
    verdict = f"   target: p99 < {target:.0f} ms {'MISSED' if missed else 'met'}" if target else ""
    print(f"  {named}  p50 {p50:6.1f}   p95 {p95:6.1f}   p99 {p99:6.1f} ms   n {len(taken)}{verdict}")
    return int(missed)


def _of_engine(engine: str, given: argparse.Namespace) -> dict:
    if engine == "sqlite":
        return _in_child(given, "")
    with server.scratch_postgres(given.server, "hindsight_recall") as url:
        return _in_child(given, url)


def _in_child(given: argparse.Namespace, url: str, *more: str) -> dict:
    """One engine in a process of its own: Django knows one default database. `more` overrides the arguments."""
    with tempfile.TemporaryDirectory(prefix="hindsight-recall-") as folder:
        environment = os.environ | server.environment(folder, server.free_port(), url)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.recall", *sys.argv[1:], *more, "--measure"],
            cwd=server.ROOT, env=environment, stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
    return json.loads(done.stdout)


def _measure(given: argparse.Namespace) -> dict:
    secret = _fill(given.memories, given.users, given.large)
    port = int(os.environ["CONSOLE_PORT"])
    chance = random.Random(11)
    # an endless supply, so that no question meets the vector of an earlier one in a cache
    questions = (f"{text} ({turn})" if turn else text for turn in range(1000) for text in recall_data.questions())

    def asked(count: int, user_id: str = "") -> list[dict]:
        return [
            {"user_id": user_id or _user(chance.randrange(given.users)), "query": text, "top_k": TOP_K}
            for text in islice(questions, count)
        ]

    taken, large, written = {}, [], []
    with server.servers(port, Path(os.environ["CONSOLE_DATA_DIR"]) / "servers.log") as web:
        for clients in given.clients:
            agents = [server.Client(port, secret) for _ in range(clients)]
            bodies = [asked(WARM_UP + given.searches // clients) for _ in agents]
            with ThreadPoolExecutor(clients) as pool:
                runs = list(pool.map(_time, agents, bodies))
            taken[clients] = [each for run in runs for each in run]
        if given.large:
            large = _time(agents[0], asked(WARM_UP + given.searches // 5, LARGE))
            written = _time_after_writes(agents[0], asked(WARM_UP + given.searches // 5, LARGE))
        wrong = list(filter(None, (_compare(agents[0], body) for body in asked(given.compare))))
        rss = _memory_of(web)
    stages = {"1,000 searches": _stages(asked(1000))}
    if given.large:
        stages |= {"the large user": _stages(asked(100, LARGE))}
    return {
        "taken": taken, "large": large, "written": written, "compared": given.compare, "wrong": wrong, "rss": rss,
        "stages": stages,
    }  # fmt: skip


def _stages(bodies: list[dict]) -> str:
    return recall_stages.line(recall_stages.measure([(body["user_id"], body["query"]) for body in bodies]))


def _memory_of(master: int) -> list[int]:
    """Megabytes in memory of each of gunicorn's processes, which share the pages of their libraries."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
    status = (Path(f"/proc/{child}/status").read_text() for child in children)
    return [int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) // 1024 for text in status]


def _time(agent: server.Client, bodies: list[dict]) -> list[float]:
    return [agent.timed("POST", "/api/v1/memories/search", body) for body in bodies][WARM_UP:]


def _time_after_writes(agent: server.Client, bodies: list[dict]) -> list[float]:
    """As `_time`; before each question one of the user's memories is changed, or every fourth time retracted."""
    from django.utils import timezone

    from memory.actions.revise import retract, revise
    from memory.actor import SYSTEM
    from memory.models import Memory

    taken, chance = [], random.Random(12)
    of_user = Memory.objects.select_related("user", "workspace").filter(user__external_id=bodies[0]["user_id"])
    ids = list(of_user.filter(status="active").values_list("pk", flat=True))
    chance.shuffle(ids)
    for turn, body in enumerate(bodies):
        memory = of_user.get(pk=ids[turn])
        step = {"memory": memory, "actor": SYSTEM, "now": timezone.now(), "expected_version": memory.version}
        retract(**step) if turn % 4 == 3 else revise(text=f"{memory.text} and more", **step)
        taken.append(agent.timed("POST", "/api/v1/memories/search", body))
    return taken[WARM_UP:]


def _user(number: int) -> str:
    return f"user-{number:05}"


def _fill(count: int, users: int, large: int = 0) -> str:
    """Migrates the empty database and fills it; answers a key's secret."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections, transaction
    from django.utils import timezone

    from memory import embedding, statistics
    from memory.actor import SYSTEM
    from memory.api import keys
    from memory.bulk import import_memories
    from memory.models import IndexEntry, Workspace

    with open(os.devnull, "w") as quiet:
        call_command("prepare", no_demo=True, stdout=quiet)
    workspace, now = Workspace.objects.get(slug="default"), timezone.now()
    embedder = embedding.get_embedder()
    if embedder is None:
        raise SystemExit("There is no embedder on this machine; what would be measured is not the product.")
    known = embedder.embed(recall_data.sentences()[:KINDS])
    share = {_user(number): count // users + (number < count % users) for number in range(users)}
    if large:
        share[LARGE] = large
    rows = (row for user_id, of_user in share.items()
            for row in recall_data.memories(user_id, of_user, kinds=KINDS, now=now))  # fmt: skip
    while part := list(islice(rows, IMPORT_AT_ONCE)):
        with transaction.atomic():
            import_memories(workspace, [row for _, row in part], SYSTEM, now)
            kinds = {(row["user_id"], row["memory"]): number for number, row in part}
            entries = list(IndexEntry.objects.filter(vector=None).select_related("memory__user"))
            numbers = [kinds[entry.memory.user.external_id, entry.memory.text] for entry in entries]
            made = recall_data.vectors(numbers, known, seed=len(entries))
            for entry, vector in zip(entries, made, strict=True):
                entry.vector, entry.model_id = vector.astype("<f4").tobytes(), embedder.model_id
            IndexEntry.objects.bulk_update(entries, ["vector", "model_id"], batch_size=200)
    statistics.refresh()  # as manage.py import_memories does
    # as the worker does after the first question about each user, beside the questions that are timed here
    call_command("rebuild_graph", stdout=StringIO())
    _, secret = keys.issue(workspace=workspace, name="bench", scopes=["read"], actor=SYSTEM, now=now)
    connections.close_all()
    return secret


def _compare(agent: server.Client, body: dict) -> str:
    """What is wrong with the answer to one question; empty when nothing is."""
    from memory import embedding
    from memory.models import IndexEntry, Workspace
    from memory.policy import policy_of

    answer = agent.ask("POST", "/api/v1/memories/search", body)
    entries = IndexEntry.objects.filter(user__external_id=body["user_id"]).select_related("memory")
    stored = [
        Stored(
            id=entry.memory_id, text=entry.memory.text, vector=np.frombuffer(bytes(entry.vector), dtype="<f4"),
            time=entry.memory.event_time.timestamp(), credibility=entry.memory.credibility,
            session=entry.memory.session_id,
        )
        for entry in entries.order_by("memory__event_time", "memory__created_at", "memory_id")
    ]  # fmt: skip
    right = exact(
        stored, body["query"], embedding.get_embedder().embed([body["query"]])[0],
        now=datetime.now(UTC).timestamp(), settings=policy_of(Workspace.objects.get(slug="default")).ranking_settings(),
    )  # fmt: skip
    told = [(one["id"], one["score"]) for one in answer["results"]]
    wrong = difference(told, {str(id): score for id, score in right.items()}, top_k=TOP_K)
    return wrong and f"{body['user_id']}, {body['query']!r}: {wrong}"


if __name__ == "__main__":
    sys.exit(main())
