"""`python -m benchmarks.queue`: how long the review queue takes to answer when 100,000 conflicts wait.

Makes a database with --conflicts open conflicts about 1,000 users (one in fifty of a flood) on SQLite and then on the
PostgreSQL server --postgres, both gone afterwards. Opens the queue with each filter as a reviewer who has skipped, put
off and been given some, through Django's own client, so that the template counts and the network does not. Prints the
median and the 95th percentile of --rounds answers. --check exits with 1 when one is above TARGET.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

from benchmarks import server

TARGET = 150.0  # milliseconds, 95th percentile
USERS, AGENTS, MEMORIES, BATCH = 1000, 40, 20_000, 5000
SAID = "I moved the stand-up to a quarter past nine, because the train is less full by then ({})"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--conflicts", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--postgres", default=os.environ.get("POSTGRES_URL") or server.POSTGRES, help="server to use")
    options.add_argument("--engine", choices=["sqlite", "postgresql"], help="only this one")
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # a process of its own for each engine
    options.add_argument(
        "--check", action="store_true", help=f"exit with 1 when a page takes more than {TARGET:.0f} ms"
    )
    given = options.parse_args()
    if given.here:
        return _measure(given.conflicts, given.rounds)
    slow = 0
    if given.engine != "postgresql":
        slow += _apart(given, "")
    if given.engine != "sqlite":
        with server.scratch_postgres(given.postgres, "hindsight_queue") as url:
            slow += _apart(given, url)
    return int(given.check and slow > 0)


def _apart(given: argparse.Namespace, postgres: str) -> int:
    """Measures in a new process, whose settings name the database; answers how many pages were too slow."""
    command = [sys.executable, "-m", "benchmarks.queue", "--here", "--conflicts", str(given.conflicts)]
    with tempfile.TemporaryDirectory(prefix="hindsight-queue-") as folder:
        settings = os.environ | server.environment(folder, server.free_port(), postgres)
        done = subprocess.run([*command, "--rounds", str(given.rounds)], cwd=server.ROOT, env=settings)
    if done.returncode > 100:
        raise SystemExit(f"The measurement ended with {done.returncode}.")
    return done.returncode


def _measure(conflicts: int, rounds: int) -> int:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    began = time.perf_counter()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    person = _fill(conflicts)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    took = time.perf_counter() - began
    print(f"\n{connection.vendor}: {conflicts:,} open conflicts, made in {took:.0f} s; {rounds} answers of each")
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    print(f"{'page':<56}{'rows':>6}{'p50 ms':>9}{'p95 ms':>9}")
    slow = 0
    for path in _paths():
        middle, late, rows = _timed(client, path, rounds)
        slow += late > TARGET
        print(f"{path:<56}{rows:>6}{middle:>9.1f}{late:>9.1f}{'  too slow' if late > TARGET else ''}")
    return min(slow, 100)


def _paths() -> list[str]:
    queries = (
        "", "status=open", "kind=misreport", "kind=flood", "band=1", "band=3", "overdue=1", "category=knowledge",
        "user=user-7", "agent=agent-3", "agent=nobody", "assignee=me", "assignee=nobody", "assignee=ben", "show=held",
        "show=deferred", "show=skipped", "show=all", "q=stand-up", "q=user-77", "q=nothing-like-it", "q=火车",
        "order=urgency", "order=newest", "order=oldest", "kind=contradiction&band=2&order=urgency",
        "flood=session:3&user=user-3", "page=7", "page=200", "order=urgency&page=200", "status=decided",
    )  # fmt: skip
    return [f"/review/?{query}" if query else "/review/" for query in queries]


def _timed(client, path: str, rounds: int) -> tuple[float, float, int]:
    times = []
    for _round in range(rounds + 1):
        began = time.perf_counter()
        answer = client.get(path)
        times.append((time.perf_counter() - began) * 1000)
        if answer.status_code != 200:
            raise SystemExit(f"{path} answered {answer.status_code}")
    times.pop(0)  # the first one fills caches
    late = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return statistics.median(times), late, answer.content.count(b'<th scope="row"')


def _fill(conflicts: int):
    """The workspace and what waits in it; answers the reviewer who looks."""
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.utils import timezone

    from memory.models import Conflict, EndUser, Episode, Evidence, Membership, Memory, Session, Workspace
    from review.models import Assignment, Claim, Deferral, Skip

    now, workspace = timezone.now(), Workspace.objects.create(slug="queue", name="Queue")
    people = [get_user_model().objects.create_user(name) for name in ("ada", "ben")]
    for person in people:
        Membership.objects.create(workspace=workspace, person=person, role=Group.objects.get(name="Reviewer"))
    users = EndUser.objects.bulk_create(EndUser(workspace=workspace, external_id=f"user-{n}") for n in range(USERS))
    sessions = Session.objects.bulk_create(
        Session(workspace=workspace, user=user, run_id="run", started_at=now, last_event_at=now) for user in users
    )
    claim = {"workspace": workspace, "source_class": "user_input", "credibility": 0.8, "event_time": now}
    memories = [
        Memory(
            **claim, id=uuid4(), user=users[n % USERS], text=SAID.format(n), category="profile", fingerprint=f"m{n}",
            created_at=now, updated_at=now,
        )
        for n in range(MEMORIES)
    ]  # fmt: skip
    _all(Memory, iter(memories))
    _all(Episode, (
        Episode(
            workspace=workspace, user=users[n % USERS], session=sessions[n % USERS], agent_id=f"agent-{n % AGENTS}",
            role="user", source_class="user_input", content=SAID.format(n), event_time=now, recorded_at=now,
            judging="judged",
        )
        for n in range(conflicts)
    ))  # fmt: skip
    episodes = list(Episode.objects.order_by("pk").values_list("pk", flat=True))
    ids = [uuid4() for _n in range(conflicts)]

    def waiting() -> Iterator[Conflict]:
        for n, id in enumerate(ids):
            band, opened = 1 + n % 3, now - timedelta(minutes=n % 14_000)
            kind = "flood" if n % 50 == 3 else Conflict.Kind.values[n % 5]
            yield Conflict(
                **claim, id=id, user=users[n % USERS], memory=memories[n % MEMORIES] if n % 2 else None, kind=kind,
                episode_id=episodes[n], text=SAID.format(n), fingerprint=f"c{n}", reason_code="value_changed",
                category=("profile", "preference", "knowledge")[n % 7 % 3], band=band, opened_at=opened,
                due_at=opened + timedelta(hours=(4, 24, 240)[band - 1]),
            )  # fmt: skip

    _all(Conflict, waiting())
    _all(Evidence, (
        Evidence(
            workspace=workspace, conflict_id=ids[n], episode_id=episodes[n], quote="…", source_class="user_input",
            origin=f"session:{n % USERS}", created_at=now,
        )
        for n in range(conflicts)
    ))  # fmt: skip
    ada, ben = people
    _all(Assignment, (Assignment(conflict_id=id, person=people[n % 2], at=now) for n, id in enumerate(ids[:400])))
    _all(Deferral, (Deferral(conflict_id=id, until=now + timedelta(days=2), at=now) for id in ids[400:1400]))
    _all(Skip, (Skip(conflict_id=id, person=ada, at=now) for id in ids[1400:2400]))
    until = now + timedelta(days=1)
    _all(Claim, (Claim(conflict_id=id, workspace=workspace, person=ben, until=until) for id in ids[2400:2420]))
    return ada


def _all(model, rows: Iterator) -> None:
    model.objects.bulk_create(rows, batch_size=BATCH)


if __name__ == "__main__":
    sys.exit(main())
