"""Two at once, on PostgreSQL, where SQLite's one writer cannot hide a race."""

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from memory.actions.base import Refused, Stale
from memory.actions.revise import revise
from memory.actions.settle import AlreadyDecided, settle
from memory.actor import Actor
from memory.intake import run
from memory.intake.record import NewEvent, record
from memory.models import Conflict, Episode, Memory, MemoryVersion, Verdict
from memory.recall import heat, nightly, search
from memory.tasks import open_dispute

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def together(*works):
    """Runs every callable in a thread of its own, each with its own connection; answers results or exceptions."""

    def one(work):
        try:
            return work()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def test_two_reviewers_deciding_the_same_conflicts_at_once_never_both_win(make_conflict, people, now):
    conflicts = [make_conflict(f"I own {n} bikes", f"I own {n} cars") for n in range(30)]

    def decide_all(name, choice):
        won, lost = 0, 0
        for conflict in conflicts:
            try:
                settle(
                    conflict=Conflict.objects.get(pk=conflict.pk), choice=choice, person=people[name], now=now,
                    actor=Actor(kind="person", id=name, label=name), expected_version=1,
                )  # fmt: skip
                won += 1
            except AlreadyDecided:
                lost += 1
        return won, lost

    answers = together(
        *(lambda name=name, choice=choice: decide_all(name, choice) for name, choice in
          [("ada", "accept"), ("ben", "keep"), ("ada", "keep_both"), ("ben", "reject_both")])
    )  # fmt: skip
    assert sum(won for won, _ in answers) == 30
    assert sum(lost for _, lost in answers) == 90
    for conflict in Conflict.objects.all():
        expected = {
            "accept": (1, "superseded"),
            "keep": (0, "active"),
            "keep_both": (1, "active"),
            "reject_both": (0, "rejected"),
        }
        admitted = Memory.objects.filter(fingerprint=conflict.fingerprint, status="active").count()
        assert (admitted, Memory.objects.get(pk=conflict.memory_id).status) == expected[conflict.choice]


def test_two_agents_adding_the_same_new_fact_at_once_leave_one_memory(workspace):
    def add(n):
        event = NewEvent(user_id="u1", run_id=f"r{n}", role="user", content="My bike is a blue Kestrel")
        [episode] = record(workspace=workspace, events=[event], now=timezone.now())
        return run.judge_now(episode.user, episodes=[episode], wait_seconds=20)

    assert together(*(lambda n=n: add(n) for n in range(6))) == [True] * 6
    assert Memory.objects.count() == 1
    assert sorted(Verdict.objects.values_list("outcome", flat=True)) == ["ADD"] + ["DUPLICATE"] * 5


def test_contradicting_facts_added_at_once_leave_one_active_and_one_waiting(workspace):
    def add(n):
        event = NewEvent(user_id="u1", run_id=f"r{n}", role="user", content=f"I live in {['Leipzig', 'Graz'][n]}.")
        [episode] = record(workspace=workspace, events=[event], now=timezone.now())
        return run.judge_now(episode.user, episodes=[episode], wait_seconds=20)

    together(lambda: add(0), lambda: add(1))
    assert Memory.objects.filter(status="active").count() == 1
    assert Conflict.objects.filter(status="open").count() + Memory.objects.filter(status="superseded").count() == 1


def test_many_workers_on_one_user_judge_every_episode_once(workspace):
    events = [
        NewEvent(user_id="u1", run_id="r1", role="user", content=f"My locker {n} holds tools.") for n in range(20)
    ]
    user_pk = record(workspace=workspace, events=events, now=timezone.now())[0].user_id
    assert sum(together(*(lambda: run.drain(user_pk) for _ in range(5)))) == 20
    assert not Episode.objects.exclude(judging="judged").exists()
    assert set(Episode.objects.values_list("attempts", flat=True)) == {1}


def test_an_edit_and_a_decision_at_once_leave_a_gapless_history(make_conflict, people, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    ada = Actor(kind="person", id="1", label="Ada")
    answers = together(
        lambda: revise(
            memory=Memory.objects.get(pk=conflict.memory_id), actor=ada, now=now, expected_version=1,
            text="I live in Halle",
        ),  # fmt: skip
        lambda: settle(
            conflict=conflict, choice="accept", person=people["ada"], actor=ada, now=now, expected_version=1
        ),
    )  # fmt: skip
    memory = Memory.objects.get(pk=conflict.memory_id)
    assert all(not isinstance(answer, Exception) or isinstance(answer, Stale | Refused) for answer in answers)
    assert list(memory.versions.values_list("number", flat=True)) == list(range(1, memory.version + 1))
    assert memory.status == "superseded"


def test_recalls_are_counted_once_whoever_counts(make_memory, now):
    memory = make_memory("My bike is a blue Kestrel")
    for _ in range(12):
        search.search(user=memory.user, query="Kestrel bike", asked_by="test", now=now)
    assert sum(together(*(lambda: heat.fold(now) for _ in range(4)))) == 12
    memory.refresh_from_db()
    assert memory.hits == 12
    assert memory.heat == pytest.approx(12)


def test_many_jobs_at_once_open_one_conflict_for_one_thing(make_memory, user):
    place = {"subject": "user", "attribute": "residence"}
    make_memory("I live in Lyon", value="Lyon", **place)
    make_memory("I live in Oslo", value="Oslo", run_id="r2", **place)
    answers = together(*[lambda: open_dispute(user.pk, "user", "residence")] * 8)
    assert sorted(map(str, answers)) == ["False"] * 7 + ["True"]
    assert Conflict.objects.get().rivals.count() == 1


def test_two_archive_runs_at_once_take_each_memory_once(make_memory, workspace, now):
    for n in range(20):
        make_memory(f"I own {n} boats", at=now - timedelta(days=200))
    workspace.settings = {"archive_on": True}
    run_one = lambda: nightly.run(workspace, now=now, until=time.monotonic() + 60)  # noqa: E731
    answers = together(run_one, run_one, run_one)
    assert sum(gone for gone, _ in answers) == 20
    assert MemoryVersion.objects.filter(status="archived").count() == 20
    assert Memory.objects.filter(status="archived", version=2).count() == 20
