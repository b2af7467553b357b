"""The outbox: what changed reaches the vector database once, in the right state, whatever fails on the way."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ

from memory.actions.revise import restore, retract, revise
from memory.actor import SYSTEM
from memory.index import embedded, follower, sync
from memory.index.base import FollowerAway, PointsRejected
from memory.models import IndexEntry, Memory, OutboxEntry
from memory.recall.search import search


@pytest.fixture
def held(qdrant):
    """held(*memories) answers the versions that the vector database holds of them."""

    def versions(*memories):
        found = follower.get_follower().sample([memory.pk for memory in memories], vectors=False)
        return [found[memory.pk].version if memory.pk in found else None for memory in memories]

    return versions


@pytest.fixture
def upsert(qdrant, monkeypatch):
    """upsert(before) calls before(points) ahead of every writing; answers the list of what was written."""
    kind = type(follower.get_follower())
    real = kind.upsert

    def watch(before=lambda points: None):
        written = []

        def upsert_(self, points, **more):
            before(points)
            real(self, points, **more)
            written.append([point.id for point in points])

        monkeypatch.setattr(kind, "upsert", upsert_)
        return written

    return watch


def drain():
    return sync.drain(timezone.now())


def change(memory, verb=revise, **fields):
    memory.refresh_from_db()
    return verb(memory=memory, actor=SYSTEM, now=memory.created_at, expected_version=memory.version, **fields)


def test_without_a_vector_database_nothing_waits(make_memory):
    make_memory("I like tea")
    assert not OutboxEntry.objects.exists()


def test_a_change_waits_exactly_when_it_was_committed(qdrant, make_memory):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        make_memory("I like tea")
        raise ZeroDivisionError
    assert (Memory.objects.count(), OutboxEntry.objects.count()) == (0, 0)
    memory = make_memory("I like tea")
    assert OutboxEntry.objects.get().memory_id == memory.pk


def test_one_job_for_a_burst_of_changes(qdrant, make_memory):
    for n in range(5):
        make_memory(f"I like tea number {n}")
    jobs = [job for job in OrmQ.objects.all() if job.func() == "memory.tasks.sync_index"]
    assert len(jobs) == 1


def test_only_the_newest_version_is_sent(make_memory, held, upsert):
    memory = make_memory("I like tea")
    since = OutboxEntry.objects.get().created_at
    change(memory, text="I like coffee")
    row = OutboxEntry.objects.get()
    assert (row.version, row.created_at) == (2, since)
    written = upsert()
    drain()
    assert (written, held(memory)) == ([[memory.pk]], [2])
    assert not OutboxEntry.objects.exists()


def test_bringing_over_twice_changes_nothing(make_memory, held):
    memory = make_memory("I like tea")
    drain()
    sync.enqueue([memory])
    drain()
    assert (held(memory), follower.get_follower().count()) == ([1], 1)


def test_a_retracted_memory_is_removed_and_a_restored_one_comes_back(make_memory, held):
    memory = make_memory("I like tea")
    drain()
    change(memory, retract)
    drain()
    assert held(memory) == [None]
    change(memory, restore, number=1)
    drain()
    assert held(memory) == [3]


def test_what_changes_while_it_is_on_its_way_goes_again(make_memory, held, upsert):
    memory = make_memory("I like tea")
    drain()
    change(memory, text="I like coffee")
    edits = iter(["I like water"])

    def edit_once(points):
        if text := next(edits, None):
            change(memory, text=text)

    upsert(edit_once)
    assert drain() is True
    assert OutboxEntry.objects.get().version == 3
    assert drain() is False
    assert (held(memory), OutboxEntry.objects.count()) == ([3], 0)


def test_a_write_that_arrives_after_its_successor_is_dropped(make_memory, held, user, now):
    memory = make_memory("My bike is a Kestrel")
    late = embedded.points([memory.pk])
    change(memory, text="My bike is a Falcon")
    drain()
    follower.get_follower().upsert(late)
    assert held(memory) == [2]
    follower.get_follower().delete({memory.pk: 1})
    assert held(memory) == [2]


def test_a_write_that_arrives_after_the_removal_is_never_told(make_memory, qdrant, user, now):
    memory = make_memory("My bike is a Kestrel")
    late = embedded.points([memory.pk])
    change(memory, retract)
    drain()
    follower.get_follower().upsert(late)
    user.refresh_from_db()
    assert search(user=user, query="Kestrel", asked_by="test", now=now).results == []


def test_batches_and_a_run_that_ends_before_the_outbox_does(make_memory, upsert, monkeypatch):
    monkeypatch.setattr(sync, "BATCH", 2)
    monkeypatch.setattr(sync, "BATCHES_A_RUN", 2)
    made = [make_memory(f"I like tea number {n}") for n in range(5)]
    written = upsert()
    assert drain() is True
    assert (len(written), OutboxEntry.objects.count()) == (2, 1)
    assert drain() is False
    assert [set(batch) for batch in written] == [{m.pk for m in made[:2]}, {m.pk for m in made[2:4]}, {made[4].pk}]


def test_failures_wait_longer_and_longer_and_say_why(make_memory, upsert):
    memory = make_memory("I like tea")

    def fail(points):
        raise FollowerAway("nobody there")

    upsert(fail)
    waits = []
    at = timezone.now()
    for attempt in range(1, 8):
        follower.forget()  # as another worker process, whose fuse is whole
        sync.drain(at)
        row = OutboxEntry.objects.get()
        assert (row.attempts, row.error) == (attempt, "nobody there")
        waits.append((row.next_try_at - at).total_seconds())
        sync.drain(row.next_try_at - timedelta(milliseconds=1))
        assert OutboxEntry.objects.get().attempts == attempt
        at = row.next_try_at
    assert waits == [2, 4, 8, 16, 32, 60, 60]
    assert sync.lag().error == "nobody there"
    upsert()
    follower.forget()
    sync.drain(at)
    assert (OutboxEntry.objects.count(), sync.lag().count) == (0, 0)
    assert Memory.objects.get().pk == memory.pk


def test_after_a_failure_the_process_leaves_it_alone(make_memory, upsert):
    make_memory("I like tea")
    asked = []

    def fail(points):
        asked.append(points)
        raise FollowerAway("nobody there")

    upsert(fail)
    later = timezone.now() + timedelta(hours=1)
    sync.drain(later)
    sync.drain(later + timedelta(hours=1))
    assert (len(asked), OutboxEntry.objects.get().attempts) == (1, 1)


def test_a_point_that_is_refused_does_not_hold_up_the_others(make_memory, held, upsert):
    made = [make_memory(f"I like tea number {n}") for n in range(7)]
    bad = made[3]

    def refuse(points):
        if bad.pk in [point.id for point in points]:
            raise PointsRejected("not this one")

    upsert(refuse)
    drain()
    row = OutboxEntry.objects.get()
    assert (row.memory_id, row.error) == (bad.pk, "not this one")
    assert held(*made) == [1, 1, 1, None, 1, 1, 1]


def test_a_vector_database_set_up_later_is_filled(make_memory, qdrant, held, settings, user, now):
    settings.VECTOR_DB_URL = ""
    made = [make_memory(text) for text in ("I like tea", "I own a boat")]
    gone = make_memory("I sing")
    change(gone, retract)
    settings.VECTOR_DB_URL = "http://qdrant.test:6333"
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert ([hit.memory.text for hit in answer.results], answer.degraded) == (["I own a boat"], ["vector_db_away"])
    drain()
    assert held(*made, gone) == [1, 1, None]
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert ([hit.memory.text for hit in answer.results], answer.degraded) == (["I own a boat"], [])


def test_a_vector_database_that_lost_everything_is_filled_again(make_memory, qdrant, held, user, now):
    made = [make_memory(text) for text in ("I like tea", "I own a boat")]
    drain()
    for found in qdrant.get_collections().collections:
        qdrant.delete_collection(found.name)
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert ([hit.memory.text for hit in answer.results], answer.degraded) == (["I own a boat"], ["vector_db_away"])
    drain()
    assert held(*made) == [1, 1]


def test_a_memory_that_waits_is_told_all_the_same(make_memory, qdrant, user, now):
    make_memory("I like tea")
    drain()
    make_memory("I own a boat")
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert ([hit.memory.text for hit in answer.results], answer.degraded) == (["I own a boat"], [])


def test_too_much_that_waits_is_said(make_memory, qdrant, user, now, monkeypatch):
    from memory.index import lookup

    monkeypatch.setattr(lookup, "PENDING", 1)
    make_memory("I like tea")
    make_memory("I own a boat")
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert ([hit.memory.text for hit in answer.results], answer.degraded) == (["I own a boat"], ["vector_db_behind"])


def test_a_memory_without_a_vector_is_followed_by_its_words(make_memory, held):
    memory = make_memory("I like tea")
    IndexEntry.objects.update(vector=None, model_id="")
    drain()
    assert held(memory) == [1]
    assert follower.get_follower().sample([memory.pk])[memory.pk].vector is None


def test_the_lag_is_counted_for_each_workspace(make_memory, qdrant, workspace, other_workspace):
    make_memory("I like tea")
    assert (sync.lag(workspace).count, sync.lag(other_workspace).count, sync.lag().count) == (1, 0, 1)
    assert sync.lag(workspace).oldest == OutboxEntry.objects.get().created_at
