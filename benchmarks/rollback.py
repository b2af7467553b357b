"""`python -m benchmarks.rollback`: how long does a poisoned session take to roll back, and was its preview right?

Makes a database of its own on SQLite, or with --postgres on a server (dropped afterwards): 50,000 memories of 1,000
users, 500 of them written in one session (or, with --users, by one agent to that many users). Prints the time of the
preview and of the rollback and checks that exactly what the preview named has gone. --check exits with 1 above 10 s.
"""

import argparse
import os
import sys
import tempfile
import time

import django

LIMIT = 10.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--memories", type=int, default=50_000)
    options.add_argument("--poisoned", type=int, default=500)
    options.add_argument("--users", type=int, default=1, help="users to whom the poisoned writes belong")
    options.add_argument("--postgres", default="", help="URL of a server; default SQLite")
    options.add_argument("--check", action="store_true")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        name = _prepare(asked.postgres, folder)
        try:
            return _measure(asked)
        finally:
            _drop(asked.postgres, name)


def _prepare(postgres: str, folder: str) -> str:
    from django.core.management import call_command

    name = f"bench_rollback_{os.getpid()}"
    if postgres:
        import psycopg

        with psycopg.connect(postgres, autocommit=True) as there:
            there.execute(f'CREATE DATABASE "{name}"')
        os.environ["POSTGRES_URL"] = postgres.rpartition("/")[0] + f"/{name}"
    else:
        os.environ.pop("POSTGRES_URL", None)
        os.environ["CONSOLE_DATA_DIR"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")
    django.setup()
    call_command("migrate", verbosity=0)
    return name


def _drop(postgres: str, name: str) -> None:
    from django.db import connections

    connections.close_all()
    if postgres:
        import psycopg

        with psycopg.connect(postgres, autocommit=True) as there:
            there.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _measure(asked: argparse.Namespace) -> int:
    from django.utils import timezone

    from benchmarks.recall_data import memories
    from memory.actions.rollback import plan, rollback
    from memory.actor import SYSTEM
    from memory.bulk import import_memories
    from memory.history.scope import Scope
    from memory.models import Memory, Session, Workspace

    workspace, now = Workspace.objects.get(slug="default"), timezone.now()
    each = asked.memories // 1000
    rows = (row for user in range(1000) for _n, row in memories(f"u{user}", each, kinds=2000, now=now))
    import_memories(workspace, rows, SYSTEM, now, skip_bad=True)
    _poison(workspace, asked, now)
    before = set(Memory.objects.filter(status="active").values_list("pk", flat=True))
    if asked.users == 1:
        scope = Scope(workspace, "session", str(Session.objects.get(run_id="poison").pk))
    else:
        scope = Scope(workspace, "agent", "mallory")
    started = time.perf_counter()
    shown = plan(scope)
    previewed = time.perf_counter()
    done = rollback(scope=scope, token=shown.token, actor=SYSTEM, now=timezone.now(), reason="poisoned")
    took = time.perf_counter() - previewed
    gone = before - set(Memory.objects.filter(status="active").values_list("pk", flat=True))
    right = gone == {effect.memory.pk for effect in shown.effects if effect.is_ready} and len(gone) == asked.poisoned
    again = plan(Scope(workspace, "operation", str(done.operation)))
    rollback(scope=again.scope, token=again.token, actor=SYSTEM, now=timezone.now(), reason="it was right")
    back = set(Memory.objects.filter(status="active").values_list("pk", flat=True)) == before
    engine = "PostgreSQL" if asked.postgres else "SQLite"
    print(f"{engine}: {len(before):,} memories, {asked.poisoned} poisoned writes of {asked.users} users")
    print(f"preview {previewed - started:.2f} s, rollback {took:.2f} s (must be < {LIMIT:.0f} s)")
    print(f"preview was right and other sessions' writes are there: {right}; rolled back in turn: {back}")
    return int(asked.check and not (right and back and took < LIMIT))


def _poison(workspace, asked: argparse.Namespace, now) -> None:
    """Writes one by one, as an agent's claims enter."""
    from memory.actions.remember import remember
    from memory.actions.source import Source
    from memory.actor import SYSTEM
    from memory.intake.record import NewEvent, record
    from memory.intake.types import Category, Claim

    for n in range(asked.poisoned):
        text = f"The refund code of shop {n} is {n * 7919 % 10007}."
        event = NewEvent(
            user_id=f"u{n % asked.users}", run_id="poison", role="assistant", content=text, agent_id="mallory"
        )
        [episode] = record(workspace=workspace, events=[event], now=now)
        claim = Claim(text=text, quote=text, category=Category.KNOWLEDGE)
        remember(user=episode.user, claim=claim, source=Source(episode, text, "llm_reasoning"), actor=SYSTEM, now=now)


if __name__ == "__main__":
    sys.exit(main())
