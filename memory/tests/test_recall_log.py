"""The log of recalls: a share of them, for so many days, and never in the way of an answer."""

import random
import sqlite3
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import brief, tasks
from memory.models import AuditEvent, EndUser, HitDay, Memory, Recall, RecallHit, UnloggedDay
from memory.recall import heat
from memory.recall import log as recall_log
from memory.recall.past import search_at
from memory.recall.search import search
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_lost_before():
    recall_log._waiting.clear()
    yield
    recall_log._waiting.clear()


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@contextmanager
def unwritable(monkeypatch):
    """The recalls' table cannot be written: locked by somebody else, or on SQLite the database is read-only."""
    monkeypatch.setattr(brief, "WAIT_SECONDS", 0.1)
    if connection.vendor == "sqlite":
        connection.connection.execute("PRAGMA query_only = ON")
        try:
            yield
        finally:
            connection.connection.execute("PRAGMA query_only = OFF")
        return
    given = connection.get_connection_params()
    with psycopg.connect(
        **{name: given[name] for name in ("dbname", "host", "port", "user") if name in given}
    ) as other:
        other.execute("LOCK TABLE memory_recall IN SHARE MODE")
        yield


def share(workspace, wanted):
    workspace.settings = {"recall_log_share": wanted}
    workspace.save()


def ask(user, query="blue bike", **more):
    return search(user=EndUser.objects.get(pk=user.pk), query=query, asked_by="a1", now=timezone.now(), **more)


def test_a_search_that_cannot_be_logged_still_answers(agent, make_memory, monkeypatch):
    make_memory("My bike is blue")
    with unwritable(monkeypatch):
        answer = agent.post("/search", {"user_id": "u1", "query": "which bike", "explain": True})
    told = answer.json()
    assert (answer.status_code, told["recall_id"], told["degraded"]) == (200, None, ["not_logged"])
    assert [hit["memory"] for hit in told["results"]] == ["My bike is blue"]
    assert not Recall.objects.exists()


def test_what_was_not_logged_is_counted_and_the_next_log_writes_the_count(client, make_memory, user, monkeypatch):
    make_memory("My bike is blue")
    with unwritable(monkeypatch):
        assert [ask(user).degraded for _ in range(2)] == [["not_logged"], ["not_logged"]]
    assert "hindsight_recalls_not_logged_total 2" in client.get("/metrics").content.decode()
    assert ask(user).degraded == []
    assert UnloggedDay.objects.get().count == 2
    assert "hindsight_recalls_not_logged_total 2" in client.get("/metrics").content.decode()


def test_the_past_is_told_without_its_log_too(make_memory, user, now, monkeypatch):
    make_memory("My bike is blue")
    with unwritable(monkeypatch):
        answer = search_at(user=user, at=now, query="which bike", asked_by="a1", now=timezone.now())
    assert (len(answer.results), answer.degraded) == (1, ["not_logged"])


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_a_busy_sqlite_does_not_hold_an_answer_up(make_memory, user, monkeypatch):
    make_memory("My bike is blue")
    monkeypatch.setattr(brief, "WAIT_SECONDS", 0.1)
    other = sqlite3.connect(str(connection.settings_dict["NAME"]), uri=True, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = ask(user)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert (len(answer.results), answer.degraded) == (1, ["not_logged"])
    assert ask(user).recall_id is not None


def test_brief_write_leaves_the_patience_of_the_connection_as_it_was(db, monkeypatch):
    setting = "PRAGMA busy_timeout" if connection.vendor == "sqlite" else "SHOW lock_timeout"

    def patience():
        with connection.cursor() as cursor:
            cursor.execute(setting)
            return cursor.fetchone()[0]

    before = patience()
    with pytest.raises(RuntimeError), brief.brief_write(0.05):
        raise RuntimeError
    assert patience() == before


def test_a_share_of_none_logs_nothing_and_warms_nothing(agent, workspace, make_memory):
    share(workspace, 0)
    make_memory("My bike is blue")
    told = agent.post("/search", {"user_id": "u1", "query": "which bike"}).json()
    assert (told["recall_id"], told["degraded"], len(told["results"])) == (None, [], 1)
    assert heat.fold(timezone.now()) == 0
    assert Memory.objects.get().hits == 0


def test_about_the_share_is_logged(workspace, make_memory, user):
    share(workspace, 0.5)
    make_memory("My bike is blue")
    random.seed(7)
    logged = sum(ask(user).recall_id is not None for _ in range(40))
    assert 10 < logged < 30
    assert Recall.objects.count() == logged


def test_the_log_takes_two_inserts_however_many_are_told(make_memory, user):
    for number in range(12):
        make_memory(f"I keep peanuts in box {number}")
    with CaptureQueriesContext(connection) as queries:
        assert len(ask(user, "peanuts box").results) == 10
    assert len([each for each in queries if each["sql"].startswith('INSERT INTO "memory_recall')]) == 2


@pytest.fixture
def old_recall(make_memory, user, now):
    """old_recall(days) is a recall of so many days ago, counted into heat."""

    def make(days, *, folded=True, owner=user):
        at = now - timedelta(days=days)
        recall = Recall.objects.create(
            workspace=owner.workspace, user=owner, asked_by="a1", query="q", created_at=at, folded=folded
        )
        memory = Memory.objects.filter(user=owner).first() or make_memory("My bike is blue", user=owner)
        RecallHit.objects.create(recall=recall, memory=memory, version=1, rank=1, score=1)
        HitDay.objects.get_or_create(memory=memory, day=at.date())
        return recall

    return make


def test_recalls_go_after_their_days_and_the_days_of_the_hits_stay(old_recall, workspace, now):
    old_recall(366)
    kept = old_recall(364)
    assert recall_log.drop_old(workspace, now=now) == 1
    assert recall_log.drop_old(workspace, now=now) == 0
    assert list(Recall.objects.all()) == [kept]
    assert (RecallHit.objects.count(), HitDay.objects.count()) == (1, 2)
    assert AuditEvent.objects.get(action="recalls.expire").after["recalls"] == 1


def test_what_heat_has_not_counted_stays(old_recall, workspace, now):
    old_recall(400, folded=False)
    assert recall_log.drop_old(workspace, now=now) == 0
    assert Recall.objects.exists()


def test_each_workspace_keeps_its_own_days(old_recall, workspace, other_workspace, monkeypatch):
    monkeypatch.setattr(recall_log, "BATCH", 2)
    other_workspace.settings = {"recall_days": 3650}
    other_workspace.save()
    stranger = EndUser.objects.create(workspace=other_workspace, external_id="u1")
    for days in (800, 801, 802):
        old_recall(days)
    kept = old_recall(900, owner=stranger)
    assert tasks.drop_recalls() == 3
    assert list(Recall.objects.all()) == [kept]
