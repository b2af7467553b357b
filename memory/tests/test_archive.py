"""Cold memories leave the agents' sight at night, and come back whole."""

import time
from datetime import timedelta

import pytest

from memory import tasks
from memory.actions.archive import archive, unarchive
from memory.actions.base import Refused, Stale
from memory.actions.revise import pin
from memory.actor import SYSTEM
from memory.models import AuditEvent, Change, HitDay, IndexEntry, Memory, OutboxEntry, Recall, RecallHit
from memory.recall import nightly
from memory.recall.heat import fold

SOON = 60


@pytest.fixture(autouse=True)
def on(workspace):
    workspace.settings = {"archive_on": True}
    workspace.save()


@pytest.fixture
def old(make_memory, now):
    def make(text="My bike is a blue Kestrel", **fields):
        return make_memory(text, at=now - timedelta(days=200), **fields)

    return make


@pytest.fixture
def night(workspace, now):
    return lambda at=None: nightly.run(workspace, now=at or now, until=time.monotonic() + SOON)


def recalled(memory, at):
    row = Recall.objects.create(workspace=memory.workspace, user=memory.user, asked_by="t", query="q", created_at=at)
    RecallHit.objects.create(recall=row, memory=memory, version=memory.version, rank=1, score=1)


def test_a_cold_memory_is_archived_with_a_version_and_an_audit_row_and_leaves_the_index(old, night):
    memory = old()
    assert night() == (1, True)
    memory.refresh_from_db()
    assert (memory.status, memory.version, memory.versions.last().status) == ("archived", 2, "archived")
    assert not IndexEntry.objects.filter(memory=memory).exists()
    assert AuditEvent.objects.filter(action="memory.archive", object_id=str(memory.pk)).count() == 1


def test_a_second_night_takes_nothing_and_opens_no_change(old, night):
    old()
    night()
    assert night() == (0, True)
    assert Change.objects.filter(kind="archive").count() == 1


def test_what_a_user_loses_in_one_batch_is_one_change(old, night):
    old()
    old("I have two cats")
    assert night() == (2, True)
    assert Change.objects.get(kind="archive").versions.count() == 2


def test_more_than_a_batch_is_seen_to_the_end(old, night, monkeypatch):
    monkeypatch.setattr(nightly, "BATCH", 2)
    for n in range(5):
        old(f"I own {n} boats")
    assert night() == (5, True)


def test_a_run_out_of_time_says_so_and_the_next_goes_on(old, workspace, now, night):
    old()
    assert nightly.run(workspace, now=now, until=time.monotonic() - 1) == (0, False)
    assert night() == (1, True)


def test_a_killed_run_goes_on_where_it_stopped(old, workspace, now, night, monkeypatch):
    monkeypatch.setattr(nightly, "BATCH", 2)
    for number in range(6):
        old(f"Old fact {number}")
    looked_at, judged = [], nightly.judged

    def killed(batch, **more):
        if len(looked_at) == 4:
            raise KeyboardInterrupt
        looked_at.extend(memory.pk for memory in batch)
        # nothing is cold, so that what was seen would be found again
        return [(memory, "warm") for memory, _ in judged(batch, **more)]

    monkeypatch.setattr(nightly, "judged", killed)
    with pytest.raises(KeyboardInterrupt):
        night()
    first, looked_at[:] = list(looked_at), []
    assert night() == (0, True)
    assert (len(first), len(looked_at), len({*first, *looked_at})) == (4, 2, 6)


def test_what_is_done_tonight_is_not_begun_anew_but_the_next_night_is(old, night, now):
    night()
    old()
    assert night(now + timedelta(hours=2)) == (0, True)
    assert night(now + timedelta(hours=23)) == (1, True)


def test_nothing_is_archived_where_it_is_off(old, night, workspace):
    old()
    workspace.settings = {}
    assert night() == (0, True)


def test_pinned_contested_recent_and_seasonal_ones_stay(old, make_memory, make_conflict, night, now):
    pinned = old("I am allergic to nuts")
    pin(memory=pinned, pinned=True, actor=SYSTEM, now=now - timedelta(days=199), expected_version=1)
    make_conflict(None, "I have no cats", memory=old("I have two cats"))
    rival_of = make_conflict(None, "I own a car", memory=old("I own a van"))
    rival_of.rivals.add(old("I own a truck"))
    make_memory("I like tea", at=now - timedelta(days=20))
    seasonal = old("I give my mother roses on her birthday")
    for days in (500, 135):
        recalled(seasonal, now - timedelta(days=days))
    fold(now)
    assert night() == (0, True)


def test_the_days_of_hits_outlive_the_recalls(old, now, night):
    memory = old()
    for days in (500, 135, 135):
        recalled(memory, now - timedelta(days=days))
    fold(now)
    Recall.objects.all().delete()
    assert HitDay.objects.filter(memory=memory).count() == 2
    assert night() == (0, True)


def test_what_was_recalled_since_it_was_read_stays(old, now, workspace):
    memory = old()
    recalled(memory, now)
    fold(now)
    limits = nightly.limits_of(workspace)
    assert archive(user=memory.user, ids=[memory.pk], limits=limits, actor=SYSTEM, now=now) is None
    assert not Change.objects.filter(kind="archive").exists()


def test_the_job_counts_waiting_recalls_before_it_archives(old, now):
    memory = old()
    recalled(memory, tasks.timezone.now())
    assert tasks.archive_cold() == 0
    memory.refresh_from_db()
    assert (memory.status, memory.hits) == ("active", 1)


def test_a_memory_of_another_user_is_not_archived_by_id(old, now, workspace, make_memory):
    memory = old()
    other = type(memory.user).objects.create(workspace=workspace, external_id="u2")
    limits = nightly.limits_of(workspace)
    assert archive(user=other, ids=[memory.pk], limits=limits, actor=SYSTEM, now=now) is None


def test_restored_it_is_active_indexed_and_not_taken_the_next_night(old, night, now):
    memory = old()
    night()
    memory.refresh_from_db()
    unarchive(memory=memory, actor=SYSTEM, now=now, expected_version=2)
    memory.refresh_from_db()
    assert (memory.status, memory.version) == ("active", 3)
    assert IndexEntry.objects.filter(memory=memory).exists()
    assert night(now + timedelta(days=89)) == (0, True)
    assert night(now + timedelta(days=91)) == (1, True)


def test_restore_refuses_what_is_active_and_what_moved_meanwhile(old, night, now):
    memory = old()
    with pytest.raises(Refused):
        unarchive(memory=memory, actor=SYSTEM, now=now, expected_version=1)
    night()
    memory.refresh_from_db()
    with pytest.raises(Stale):
        unarchive(memory=memory, actor=SYSTEM, now=now, expected_version=1)


def test_said_again_an_archived_memory_returns_with_the_new_evidence(tell, night, now):
    tell("I am allergic to peanuts.", at=now)
    night(tasks.timezone.now() + timedelta(days=200))
    assert Memory.objects.get().status == "archived"
    tell("I am allergic to peanuts.", run_id="r2", at=now + timedelta(days=1))
    memory = Memory.objects.get()
    assert (memory.status, memory.evidence.count()) == ("active", 2)
    assert memory.versions.last().change.kind == "restore"


def test_the_vector_database_is_told(old, night, settings):
    memory = old()
    settings.VECTOR_DB_URL = "http://nowhere.test:6333"
    before = OutboxEntry.objects.count()
    night()
    assert OutboxEntry.objects.count() == before + 1, memory


def test_days_of_hits_are_forgotten_after_three_years(old, now):
    memory = old()
    today = tasks.timezone.now().date()
    HitDay.objects.create(memory=memory, day=today - timedelta(days=1200))
    HitDay.objects.create(memory=memory, day=today - timedelta(days=1000))
    tasks.tidy()
    assert HitDay.objects.count() == 1
