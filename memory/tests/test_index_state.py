"""An operator is told when the index does not fit the embedder or the vector database does not follow (case C21)."""

import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from memory import embedding
from memory.index import follower, state, sync
from memory.models import IndexEntry, OutboxEntry, WorkerBeat
from memory.recall.search import search
from review.figures import machinery


@pytest.fixture
def of_another_model(make_memory):
    """One memory with a vector of 768 numbers by another model, beside one of the present."""
    # of another session: what is said at the same moment in the same one may be its context, or the other way round
    make_memory("I own a boat", run_id="r2")
    memory = make_memory("My dentist is Dr Okonkwo")
    IndexEntry.objects.filter(pk=memory.pk).update(model_id="other-768", vector=b"\0" * 4 * 768)
    return memory


@pytest.fixture
def health(client, db):
    WorkerBeat.objects.create(name="host", at=timezone.now())
    return lambda: client.get("/health/ready").json()


BOTH_SIZES = r"768 numbers by other-768.*makes 384.*manage\.py reindex"


def test_an_index_that_fits_is_ok(make_memory, health):
    make_memory("I own a boat")
    said = health()
    assert (said["status"], said["checks"]["index"]) == ("ok", "ok")
    assert "vector_db" not in said["checks"]


@pytest.mark.parametrize("other", ["aaa-768", "zzz-768"])
def test_another_model_is_seen_whatever_its_name(of_another_model, other):
    IndexEntry.objects.filter(pk=of_another_model.pk).update(model_id=other)
    assert other in state.stored_vectors()


def test_both_sizes_and_the_command_are_named_everywhere(of_another_model, health, workspace, now, capsys):
    assert re.search(BOTH_SIZES, health()["checks"]["index"])
    assert health()["status"] == "degraded"
    figures = machinery(workspace, now=now)
    assert re.search(BOTH_SIZES, figures.index_problem)
    assert not figures.well
    call_command("setup_schedules")
    assert re.search(BOTH_SIZES, capsys.readouterr().err)


def test_such_a_memory_is_found_by_its_words(of_another_model, user, now):
    user.refresh_from_db()
    answer = search(user=user, query="dentist", asked_by="test", now=now)
    [hit] = answer.results
    assert (hit.memory.pk, hit.scores["dense"]) == (of_another_model.pk, None)


def test_reindex_ends_it(of_another_model, health):
    call_command("reindex")
    assert health()["checks"]["index"] == "ok"


def test_without_an_embedder_stored_vectors_are_nobodys_fault(of_another_model, monkeypatch):
    monkeypatch.setattr(embedding, "get_embedder", lambda: None)
    assert state.stored_vectors() == ""
    assert state.vector_db() == ""


def test_a_vector_database_that_is_empty_is_said_until_it_is_filled(make_memory, qdrant, health):
    make_memory("I own a boat")
    assert health()["checks"]["vector_db"] == "empty: the worker fills it"
    sync.drain(timezone.now())
    assert health()["checks"]["vector_db"] == "ok"


def test_the_dashboard_tells_late_from_merely_waiting(make_memory, qdrant, workspace, now):
    make_memory("I own a boat")
    sync.drain(timezone.now())
    assert machinery(workspace, now=now).vector_db_lag == sync.Lag(0, None, "")
    make_memory("I sing")
    figures = machinery(workspace, now=now)
    assert (figures.vector_db_lag.count, figures.vector_db_late, figures.vector_db_problem) == (1, False, "")
    OutboxEntry.objects.update(error="disk full")
    assert machinery(workspace, now=now).vector_db_late


def test_the_dashboard_says_that_the_vector_database_is_away(settings, workspace, now):
    settings.VECTOR_DB_URL = "http://127.0.0.1:9"
    follower.forget()
    figures = machinery(workspace, now=now)
    assert "refused" in figures.vector_db_problem
    assert not figures.well
    # asked again at once it is not asked, and says the same
    assert "refused" in machinery(workspace, now=now).vector_db_problem
    follower.forget()


def test_without_one_there_is_no_lag(workspace, now):
    assert machinery(workspace, now=now).vector_db_lag is None
