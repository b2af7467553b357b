"""tasks.rescore: a stored credibility follows the record of its source, without a version."""

import pytest
from django_q.models import OrmQ

from memory import tasks
from memory.actions import rescore
from memory.actions.settle import settle
from memory.actor import SYSTEM
from memory.models import AuditEvent, EndUser, Memory


def run_jobs(workspace):
    assert tasks.rescore() == 1
    tasks.rescore_source(workspace.pk, "user:u1")


@pytest.fixture
def turned_away(make_memory, make_conflict, people, now, monkeypatch):
    """Two memories of a source of which five claims are turned away afterwards."""
    monkeypatch.setattr(tasks.timezone, "now", lambda: now)
    memories = [make_memory(f"Fact {n}", run_id=f"r{n}") for n in range(2)]
    for n in range(5):
        conflict = make_conflict(None, f"Claim {n} is wrong")
        settle(conflict=conflict, choice="keep", person=people["ada"], actor=SYSTEM, now=now, expected_version=1)
    return memories


def test_it_is_counted_anew_without_a_version(turned_away, workspace, monkeypatch):
    revision = EndUser.objects.get().revision
    monkeypatch.setattr(rescore, "BATCH", 1)
    run_jobs(workspace)
    for memory in turned_away:
        memory.refresh_from_db()
        assert memory.credibility == pytest.approx(0.8)
        assert (memory.version, memory.versions.count()) == (1, 1)
    assert EndUser.objects.get().revision > revision
    assert AuditEvent.objects.filter(action="memory.rescore", object_id="user:u1").count() == 2


def test_twice_is_once(turned_away, workspace):
    run_jobs(workspace)
    run_jobs(workspace)
    assert AuditEvent.objects.filter(action="memory.rescore").count() == 1


def test_a_source_nobody_decided_on_is_left_alone(make_memory):
    make_memory("Fact")
    assert tasks.rescore() == 0
    assert Memory.objects.get().credibility == 1.0
    assert not OrmQ.objects.exists()
