"""Idempotency-Key: a write that is repeated is done once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection

from memory.api import adding
from memory.intake import run
from memory.models import Episode, IdempotencyKey
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db

EVENT = {"user_id": "u1", "run_id": "r1", "role": "user", "content": "I like tea"}


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def test_the_same_request_gets_the_first_answer_again(agent):
    first = agent.post("/events", EVENT, Idempotency_Key="k1")
    again = agent.post("/events", dict(reversed(EVENT.items())), Idempotency_Key="k1")
    assert (again.status_code, again.json()) == (202, first.json())
    assert again["Idempotent-Replayed"] == "true" and "Idempotent-Replayed" not in first
    assert Episode.objects.count() == 1


def test_another_request_under_the_same_key_is_422(agent):
    agent.post("/events", EVENT, Idempotency_Key="k1")
    for path, body in (
        ("/events", EVENT | {"content": "I like coffee"}),
        ("/memories", {"user_id": "u1", "memory": "x"}),
    ):
        answer = agent.post(path, body, Idempotency_Key="k1")
        assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")
    assert Episode.objects.count() == 1


def test_two_agents_may_use_the_same_key(agent, workspace):
    agent.post("/events", EVENT, Idempotency_Key="k1")
    assert Agent(workspace, name="a2").post("/events", EVENT, Idempotency_Key="k1").status_code == 202
    assert Episode.objects.count() == 2


def test_a_repeat_before_the_last_word_is_told_that_it_is_stored(agent):
    first = agent.post("/events", EVENT, Idempotency_Key="k1")
    IdempotencyKey.objects.update(status_code=None)
    again = agent.post("/events", EVENT, Idempotency_Key="k1")
    assert (again.status_code, again.json()) == (202, first.json())
    assert Episode.objects.count() == 1


def test_a_refused_request_gives_its_key_back(agent):
    assert agent.post("/events", EVENT | {"role": "wizard"}, Idempotency_Key="k1").status_code == 400
    assert not IdempotencyKey.objects.exists()
    assert agent.post("/events", EVENT, Idempotency_Key="k1").status_code == 202


def test_a_failed_request_gives_its_key_back_and_stores_nothing(agent, monkeypatch):
    def locked(*args, **kwargs):
        raise OperationalError("database is locked")

    monkeypatch.setattr("memory.intake.record.async_task", locked)
    answer = agent.post("/events", EVENT, Idempotency_Key="k1")
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert not Episode.objects.exists() and not IdempotencyKey.objects.exists()
    monkeypatch.undo()
    assert agent.post("/events", EVENT, Idempotency_Key="k1").status_code == 202


def test_a_failure_after_the_text_was_stored_does_not_store_it_twice(agent, monkeypatch):
    """The caller sees a 503 and repeats: the answer says that it is recorded."""

    def away(*args, **kwargs):
        raise OperationalError("server closed the connection")

    body = {"user_id": "u1", "memory": "I am allergic to peanuts"}
    monkeypatch.setattr(run, "judge_now", away)
    assert agent.post("/memories", body, Idempotency_Key="k1").status_code == 503
    monkeypatch.undo()
    answer = agent.post("/memories", body, Idempotency_Key="k1")
    assert (answer.status_code, answer.json()["results"][0]["event"]) == (202, "PENDING")
    assert Episode.objects.count() == 1


def test_a_database_that_goes_before_the_commit_leaves_the_key_free(agent, monkeypatch):
    def away(*args, **kwargs):
        raise OperationalError("server closed the connection")

    # nothing can be cleared up either: the database is away for that as well
    monkeypatch.setattr("memory.api.views.events.idempotency.keep", away)
    assert agent.post("/events", EVENT, Idempotency_Key="k1").status_code == 503
    monkeypatch.undo()
    assert agent.post("/events", EVENT, Idempotency_Key="k1").status_code == 202
    assert Episode.objects.count() == 1


def test_the_outcome_of_a_memory_is_given_again(agent):
    body = {"user_id": "u1", "memory": "I am allergic to peanuts"}
    first = agent.post("/memories", body, Idempotency_Key="k1")
    again = agent.post("/memories", body, Idempotency_Key="k1")
    assert first.json()["results"][0]["event"] == "ADD"
    assert (again.status_code, again.json()) == (200, first.json())
    batch = {"memories": [body]}
    assert agent.post("/memories/batch", batch, Idempotency_Key="k2").json() == (
        agent.post("/memories/batch", batch, Idempotency_Key="k2").json()
    )


@pytest.mark.parametrize("key", ["", " ", "x" * 201, "a b", "ключ"])
def test_a_key_that_is_none_is_400(agent, key):
    answer = agent.post("/events", EVENT, Idempotency_Key=key)
    assert (answer.status_code, answer.json()["field"]) == (400, "Idempotency-Key")
    assert not Episode.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/events", "/memories"])
def test_many_at_once_under_one_key_store_one(workspace, path):
    agent = Agent(workspace)
    agent.get("/memories", user_id="u1")
    body = EVENT if path == "/events" else {"user_id": "u1", "memory": "I am allergic to peanuts"}

    def send(_):
        try:
            return agent.post(path, body, Idempotency_Key="k1").status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(send, range(16)))
    done = {"/events": 202, "/memories": 200}[path]
    assert set(statuses) <= {done, 202} and done in statuses
    assert Episode.objects.count() == 1
    assert adding.WAIT_SECONDS > 0
