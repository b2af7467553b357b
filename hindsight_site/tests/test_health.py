"""Probes: no login, no data, the truth."""

import os
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.models import WorkerBeat


def test_live_asks_nothing_of_the_database(client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        assert client.get("/health/live").json() == {"status": "ok"}


def test_ready_says_degraded_while_no_worker_runs(client, db):
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"]["worker"] != "ok"


def test_ready_with_a_fresh_heartbeat(client, db):
    WorkerBeat.objects.create(name="host", at=timezone.now())
    assert client.get("/health/ready").json()["checks"]["worker"] == "ok"


def test_a_heartbeat_of_three_minutes_ago_is_no_worker(client, db):
    WorkerBeat.objects.create(name="host", at=timezone.now() - timedelta(minutes=3, seconds=1))
    assert client.get("/health/ready").json()["checks"]["worker"] != "ok"


def test_a_redis_that_is_away_is_named_and_nothing_fails(client, db, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["checks"]["redis"]) == (200, "away: contexts come from the episodes")


@pytest.mark.redis
def test_a_redis_that_answers_is_ok(client, db, settings):
    settings.REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
    assert client.get("/health/ready").json()["checks"]["redis"] == "ok"
