"""A worker that dies in the middle of a job: done once afterwards, nothing lost or doubled, poison parked."""

import os
import signal
import sqlite3
import subprocess
import sys

import pytest
from django.conf import settings
from django.utils import timezone

from memory.intake import admit, run
from memory.intake.record import NewEvent, record
from memory.models import EndUser, Episode, Memory, Verdict

SCRIPT = """
import os, signal, sys, django
django.setup()
from django.utils import timezone
from memory.intake import admit, run
from memory.intake.record import NewEvent, record
from memory.models import Workspace
if sys.argv[1] == "die":
    event = NewEvent(user_id="u1", run_id="r1", role="user", content="I am allergic to penicillin.")
    [episode] = record(workspace=Workspace.objects.get(), events=[event], now=timezone.now())
    whole = admit.close
    # the memory is written but its transaction is not committed: the worst moment
    admit.close = lambda *args, **more: os.kill(os.getpid(), signal.SIGKILL)
    run.drain(episode.user_id)
else:
    print(run.drain(1))
"""


def test_killed_between_writing_and_committing_it_is_done_once_after_the_lease(tmp_path):
    def python(*arguments, **more):
        environment = {
            **os.environ,
            "CONSOLE_DATA_DIR": str(tmp_path),
            "DJANGO_SETTINGS_MODULE": "hindsight_site.settings",
        }
        environment.pop("POSTGRES_URL", None)
        return subprocess.run(
            [sys.executable, *arguments], env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, **more
        )

    assert python("manage.py", "migrate", "-v0").returncode == 0
    assert python("-c", SCRIPT, "die").returncode == -signal.SIGKILL
    database = sqlite3.connect(tmp_path / "hindsight.sqlite3")
    assert database.execute("SELECT judging, attempts FROM memory_episode").fetchall() == [("pending", 1)]
    assert database.execute("SELECT count(*) FROM memory_memory").fetchone() == (0,)
    assert python("-c", SCRIPT, "again").stdout.strip() == "0", "the dead worker's lease still holds"
    database.execute("UPDATE memory_enduser SET intake_until = '2020-01-01 00:00:00'")
    database.commit()
    assert python("-c", SCRIPT, "again").stdout.strip() == "1"
    assert database.execute("SELECT judging, attempts FROM memory_episode").fetchall() == [("judged", 2)]
    assert database.execute("SELECT text FROM memory_memory").fetchall() == [("I am allergic to penicillin.",)]
    assert database.execute("SELECT count(*) FROM memory_memoryversion").fetchone() == (1,)


@pytest.fixture
def waiting(workspace, db):
    def waiting_(*texts):
        events = [NewEvent(user_id="u1", run_id="r1", role="user", content=text) for text in texts]
        return record(workspace=workspace, events=events, now=timezone.now())

    return waiting_


def test_an_episode_that_killed_three_workers_is_parked_and_the_next_ones_go_on(waiting):
    poison, good = waiting("I live in Leipzig.", "I am allergic to penicillin.")
    Episode.objects.filter(pk=poison.pk).update(attempts=3)
    assert run.drain(poison.user_id) == 1
    poison.refresh_from_db()
    assert (poison.judging, poison.error) == ("parked", "The worker died while judging this.")
    assert Memory.objects.get().text == "I am allergic to penicillin."


def test_an_episode_that_fails_three_times_is_parked_with_its_error(waiting, monkeypatch):
    [episode] = waiting("I live in Leipzig.")
    monkeypatch.setattr(admit, "close", lambda *args, **more: 1 / 0)
    for expected in ("pending", "pending", "parked"):
        run.drain(episode.user_id)
        episode.refresh_from_db()
        assert episode.judging == expected
    assert episode.error.startswith("ZeroDivisionError")
    assert not Memory.objects.exists() and not Verdict.objects.exists()


def test_a_parked_episode_is_judged_after_a_retry(waiting):
    [episode] = waiting("I live in Leipzig.")
    Episode.objects.filter(pk=episode.pk).update(judging="parked", attempts=3, error="boom")
    assert run.retry_parked(episode)
    assert not run.retry_parked(episode), "only a parked one"
    run.drain(episode.user_id)
    assert Memory.objects.get().text == "I live in Leipzig."


def test_a_lease_of_another_worker_is_left_alone(waiting, now):
    [episode] = waiting("I live in Leipzig.")
    later = timezone.now() + run.LEASE
    EndUser.objects.filter(pk=episode.user_id).update(intake_until=later)
    assert run.drain(episode.user_id) == 0
    assert EndUser.objects.get(pk=episode.user_id).intake_until == later
