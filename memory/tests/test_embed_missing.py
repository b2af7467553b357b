"""Vectors that are missing are made later: after an import, and after a time without an embedder."""

import time

import pytest
from django_q.models import OrmQ, Schedule

from memory import embedding, schedules, tasks
from memory.actions import revise
from memory.actor import SYSTEM
from memory.bulk import import_memories
from memory.index import embedded, heal
from memory.models import EndUser, IndexEntry, Memory, OutboxEntry

FOREVER = time.monotonic() + 1e6


def bring(workspace, now, *texts):
    rows = [{"user_id": f"u{n % 2}", "memory": text} for n, text in enumerate(texts)]
    return import_memories(workspace, rows, SYSTEM, now)


def missing():
    return IndexEntry.objects.filter(vector=None).count()


def test_every_entry_gets_the_vector_that_it_would_have_had(workspace, now):
    bring(workspace, now, "I drink oolong tea", "我住在大连", "The van is blue")
    assert heal.embed_missing(until=FOREVER) == (3, False)
    healed = {entry.memory_id: (bytes(entry.vector), entry.model_id) for entry in IndexEntry.objects.all()}
    for memory in Memory.objects.all():
        embedded.follow(memory)
    assert {e.memory_id: (bytes(e.vector), e.model_id) for e in IndexEntry.objects.all()} == healed
    assert heal.embed_missing(until=FOREVER) == (0, False)


def test_other_processes_read_the_index_anew(workspace, now):
    bring(workspace, now, "I drink oolong tea")
    before = EndUser.objects.get()
    assert embedded.load(before) is embedded.load(before)
    heal.embed_missing(until=FOREVER)
    assert EndUser.objects.get().revision == before.revision + 1


def test_it_works_in_batches_and_stops_in_time(workspace, now, monkeypatch):
    monkeypatch.setattr(heal, "BATCH", 2)
    bring(workspace, now, *[f"fact {n}" for n in range(5)])
    assert heal.embed_missing(until=time.monotonic() - 1) == (0, True)
    assert heal.embed_missing(until=FOREVER) == (5, False)


def test_what_changes_while_it_is_embedded_keeps_its_own_vector(workspace, now, monkeypatch):
    bring(workspace, now, "I live in Leipzig.")
    embedder = embedding.get_embedder()
    real = embedder.embed

    def embed_late(texts):
        vectors = real(texts)
        if "I live in Leipzig." in texts:
            revise.revise(memory=Memory.objects.get(), text="I live in Ulm.", actor=SYSTEM, now=now, expected_version=1)
        return vectors

    monkeypatch.setattr(embedder, "embed", embed_late)
    assert heal.embed_missing(until=FOREVER) == (0, False)
    assert bytes(IndexEntry.objects.get().vector) == real(["I live in Ulm."])[0].astype("<f4").tobytes()


def test_entries_written_without_an_embedder_are_healed_when_there_is_one(make_memory, monkeypatch):
    with monkeypatch.context() as away:
        away.setattr(embedding, "get_embedder", lambda: None)
        make_memory("I live in Leipzig.")
        assert (missing(), heal.embed_missing(until=FOREVER)) == (1, (0, False))
    assert (heal.embed_missing(until=FOREVER), missing()) == ((1, False), 0)


def test_retracted_memories_are_left_alone(make_memory, now):
    memory = make_memory("I live in Leipzig.")
    IndexEntry.objects.update(vector=None)
    Memory.objects.filter(pk=memory.pk).update(status="retracted")
    assert heal.embed_missing(until=FOREVER) == (0, False)


def test_an_import_hands_out_the_job_and_the_job_does_it(workspace, now):
    bring(workspace, now, "I drink oolong tea")
    assert [job.task["func"] for job in OrmQ.objects.all()] == ["memory.tasks.embed_missing"]
    assert (tasks.embed_missing(), missing(), tasks.embed_missing()) == (1, 0, 0)


def test_a_run_that_cannot_finish_is_followed_by_another_within_its_minute_only(workspace, now, settings):
    settings.Q_TIMEOUT = 0
    bring(workspace, now, "I drink oolong tea")
    OrmQ.objects.all().delete()
    tasks.embed_missing(time.time() - 1)
    assert not OrmQ.objects.exists()
    tasks.embed_missing()
    [job] = OrmQ.objects.all()
    assert job.task["args"][0] == pytest.approx(time.time() + tasks.EMBED_SECONDS, abs=5)


def test_it_is_scheduled_each_minute(db):
    schedules.install()
    assert Schedule.objects.get(func="memory.tasks.embed_missing").minutes == 1


def test_a_vector_database_hears_of_the_new_vector(workspace, now, qdrant):
    bring(workspace, now, "I drink oolong tea")
    OutboxEntry.objects.all().delete()
    heal.embed_missing(until=FOREVER)
    assert OutboxEntry.objects.get().memory == Memory.objects.get()
