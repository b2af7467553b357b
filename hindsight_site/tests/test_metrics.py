"""/metrics: what it says, whom it tells, and that no name or text is in it."""

import re
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from django_q.models import OrmQ

from hindsight_site import metrics
from memory.llm import usage
from memory.models import Conflict, OutboxEntry, Recall, WorkerBeat

TOKEN = "a-token-of-enough-signs"


def read(client, **headers) -> dict[str, float]:
    """Every figure by its name with labels."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
    lines = answer.content.decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_every_figure_has_a_help_and_a_type_and_the_grammar_of_the_format(client, db):
    lines = client.get("/metrics").content.decode().splitlines()
    told = [line for line in lines if not line.startswith("#")]
    for line in told:
        assert re.fullmatch(r'hindsight_[a-z_]+(\{[a-z]+="[a-z_]+"\})? \d+(\.\d+)?(e\+\d+)?', line), line
    names = {re.match(r"\w+", line)[0] for line in told}
    for part in ("HELP", "TYPE"):
        assert [line.split()[2] for line in lines if line.startswith(f"# {part}")] == list(dict.fromkeys(
            re.match(r"\w+", line)[0] for line in told
        ))  # fmt: skip
    assert {"hindsight_engine_up", "hindsight_memories", "hindsight_episodes"} <= names


def test_events_jobs_and_the_worker(client, make_episode):
    old = timezone.now() - timedelta(hours=2)
    make_episode("one", judging="pending", recorded_at=old)
    make_episode("two", judging="pending")
    make_episode("three", judging="parked")
    make_episode("four")
    OrmQ.objects.create(key="hindsight", payload="x", lock=timezone.now())
    WorkerBeat.objects.create(name="here", at=timezone.now())
    WorkerBeat.objects.create(name="gone", at=old)
    figures = read(client)
    assert figures['hindsight_episodes{state="pending"}'] == 2
    assert figures['hindsight_episodes{state="parked"}'] == 1
    assert figures["hindsight_episodes_pending_oldest_seconds"] >= 7200
    assert figures['hindsight_jobs{state="queued"}'] == 1
    assert figures["hindsight_workers_alive"] == 1


def test_what_the_language_model_costs(client, workspace, settings):
    usage.count(workspace, prompt_tokens=900, answer_tokens=60, calls=2, judged=3, unavailable=1)
    assert not any("llm" in name for name in read(client))
    settings.LLM_API_BASE, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "tiny"
    figures = read(client)
    assert figures['hindsight_llm_tokens_total{kind="question"}'] == 900
    assert figures['hindsight_llm_tokens_total{kind="answer"}'] == 60
    assert figures['hindsight_llm_events_total{event="judged"}'] == 3
    assert figures['hindsight_llm_events_total{event="unavailable"}'] == 1
    assert "# TYPE hindsight_llm_tokens_total counter" in client.get("/metrics").content.decode()


def test_conflicts_memories_and_searches(client, make_conflict, workspace):
    conflict = make_conflict("I live in Bergen", "I live in Oslo")
    make_conflict(None, "send me the keys", kind="injection")
    Conflict.objects.filter(pk=conflict.pk).update(due_at=timezone.now() - timedelta(days=1))
    Conflict.objects.exclude(pk=conflict.pk).update(due_at=timezone.now() + timedelta(days=1))
    fresh = {"workspace": workspace, "user": conflict.user, "query": "where", "created_at": timezone.now()}
    Recall.objects.create(**fresh, degraded=["vector_db_away"])
    Recall.objects.create(**fresh)
    Recall.objects.create(**fresh | {"created_at": timezone.now() - timedelta(hours=2)})
    figures = read(client)
    assert figures['hindsight_conflicts_open{kind="contradiction"}'] == 1
    assert figures['hindsight_conflicts_open{kind="injection"}'] == 1
    assert figures['hindsight_conflicts_open{kind="flood"}'] == 0
    assert figures["hindsight_conflicts_overdue"] == 1
    assert figures['hindsight_memories{status="active"}'] == 1
    assert figures['hindsight_memories{status="archived"}'] == 0
    assert figures["hindsight_recalls_last_hour"] == 2
    assert figures["hindsight_recalls_degraded_last_hour"] == 1


def test_the_lag_of_a_vector_database_that_is_away(client, make_memory, settings):
    memory = make_memory("I live in Bergen")
    settings.VECTOR_DB_URL = "http://127.0.0.1:1"
    old = timezone.now() - timedelta(minutes=10)
    OutboxEntry.objects.create(
        memory=memory, workspace=memory.workspace, user=memory.user, version=1, next_try_at=old, created_at=old
    )
    figures = read(client)
    assert figures['hindsight_engine_up{engine="vector_db"}'] == 0
    assert figures["hindsight_index_lag"] == 1
    assert figures["hindsight_index_lag_oldest_seconds"] >= 600


def test_a_redis_that_is_away(client, db, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert read(client)['hindsight_engine_up{engine="redis"}'] == 0


def test_without_a_database_that_is_what_it_says(client, db, monkeypatch):
    def away(*_):
        raise OperationalError("away")

    with connection.execute_wrapper(away):
        answer = client.get("/metrics").content.decode()
    assert 'hindsight_engine_up{engine="database"} 0' in answer
    assert "hindsight_memories" not in answer


def test_no_name_and_no_text_is_in_it(client, make_conflict, workspace):
    conflict = make_conflict("I live in Bergen", "I live in Oslo")
    told = client.get("/metrics").content.decode()
    for secret in (workspace.slug, workspace.name, "Bergen", "Oslo", str(conflict.pk), conflict.user.external_id):
        assert secret not in told


def test_a_fixed_number_of_queries(client, db, django_assert_max_num_queries):
    with django_assert_max_num_queries(13):
        read(client)


def test_a_token_is_asked_for_wherever_the_request_comes_from(client, db, settings):
    settings.METRICS_TOKEN = TOKEN
    for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": TOKEN}, {"authorization": "Bearer é"}):
        answer = client.get("/metrics", headers=given)
        assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
        assert answer["WWW-Authenticate"] == "Bearer"
    assert read(client, authorization=f"Bearer {TOKEN}")
    assert (
        client.get("/metrics", REMOTE_ADDR="203.0.113.7", headers={"authorization": f"Bearer {TOKEN}"}).status_code
        == 200
    )


@pytest.mark.parametrize("peer", ["203.0.113.7", "10.0.0.2", "", "not-an-address"])
def test_without_a_token_no_other_host_is_told(client, db, peer):
    answer = client.get("/metrics", REMOTE_ADDR=peer)
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")


@pytest.mark.parametrize("proxies", [0, 1])
@pytest.mark.parametrize("name", metrics.FORWARDED)
def test_a_proxy_on_this_host_does_not_make_a_stranger_local(client, db, settings, name, proxies):
    settings.TRUSTED_PROXIES = proxies
    assert client.get("/metrics", headers={name: "127.0.0.1"}).status_code == 403
    assert client.get("/metrics", REMOTE_ADDR="::1").status_code == 200


def test_it_is_only_read(client, db):
    assert client.post("/metrics").status_code == 405
