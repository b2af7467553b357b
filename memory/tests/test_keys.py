"""Agents' keys: issued once, checked with every request, limited, and ended."""

import hashlib
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actor import SYSTEM
from memory.api import keys
from memory.counter import Counter
from memory.models import AgentKey, AuditEvent, EndUser
from memory.tests.agent import API, Agent

pytestmark = pytest.mark.django_db


def ask(client, **headers):
    return client.get(f"{API}/memories", {"user_id": "u1"}, headers=headers)


def test_only_the_hash_of_the_secret_is_stored(workspace):
    key, token = keys.issue(workspace=workspace, name="a1", scopes=["read"], actor=SYSTEM, now=timezone.now())
    kind, prefix, secret = token.split("_", 2)
    assert (kind, prefix, len(secret)) == ("hc", key.prefix, 43)
    assert key.digest == hashlib.sha256(secret.encode()).hexdigest()
    row = json.dumps(AgentKey.objects.filter(pk=key.pk).values("name", "prefix", "digest", "scopes", "only_users")[0])
    assert secret not in row
    assert secret not in json.dumps(list(AuditEvent.objects.values("after", "reason")))


def test_issuing_and_revoking_are_in_the_audit(workspace):
    agent = Agent(workspace, name="a1")
    assert keys.revoke(key=agent.key, actor=SYSTEM, now=timezone.now()) is True
    assert keys.revoke(key=agent.key, actor=SYSTEM, now=timezone.now()) is False
    assert list(AuditEvent.objects.order_by("pk").values_list("action", flat=True)) == ["key.issue", "key.revoke"]


@pytest.mark.parametrize(
    "wrong", [{"scopes": []}, {"scopes": ["admin"]}, {"name": " "}, {"expires_at": timezone.now() - timedelta(days=1)}]
)
def test_a_key_that_could_not_work_is_not_issued(workspace, wrong):
    options = {"name": "a1", "scopes": ["read"]} | wrong
    with pytest.raises(ValueError):
        keys.issue(workspace=workspace, actor=SYSTEM, now=timezone.now(), **options)
    assert not AgentKey.objects.exists()


def test_both_headers_are_taken(workspace, client):
    token = Agent(workspace).token
    assert ask(client, Authorization=f"Bearer {token}").status_code == 200
    assert ask(client, Authorization=f"bearer {token}").status_code == 200
    assert ask(client, **{"X-API-Key": token}).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer hc_0000000000_",
        "Token abc",
        "Basic YTpi",
        "Bearer é",
        "Bearer hc__x",
        "Bearer \x01",
    ],
)
def test_no_key_or_a_malformed_one_is_401(client, header):
    answer = ask(client, **({"Authorization": header} if header else {}))
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert answer.json()["status"] == 401


def test_a_right_prefix_with_a_wrong_secret_is_401(workspace, client):
    agent = Agent(workspace)
    forged = f"hc_{agent.key.prefix}_{'A' * 43}"
    unknown = f"hc_{'0' * 10}_{'A' * 43}"
    assert ask(client, Authorization=f"Bearer {forged}").json() == ask(client, Authorization=f"Bearer {unknown}").json()
    assert ask(client, Authorization=f"Bearer {forged}").status_code == 401


def test_a_revoked_key_is_401_at_once(workspace):
    agent = Agent(workspace)
    keys.revoke(key=agent.key, actor=SYSTEM, now=timezone.now())
    answer = agent.get("/memories", user_id="u1")
    assert answer.status_code == 401 and "revoked" in answer.json()["detail"]


def test_an_expired_key_is_401(workspace):
    agent = Agent(workspace, expires_at=timezone.now() + timedelta(hours=1))
    assert agent.get("/memories", user_id="u1").status_code == 200
    AgentKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = agent.get("/memories", user_id="u1")
    assert answer.status_code == 401 and "expired" in answer.json()["detail"]


def test_the_last_use_is_noted_once_a_minute(workspace, django_assert_num_queries):
    agent = Agent(workspace)
    agent.get("/memories", user_id="u1")
    first = AgentKey.objects.get().last_used_at
    assert first is not None
    agent.get("/memories", user_id="u1")
    assert AgentKey.objects.get().last_used_at == first
    AgentKey.objects.update(last_used_at=first - timedelta(seconds=61))
    agent.get("/memories", user_id="u1")
    assert AgentKey.objects.get().last_used_at >= first


def test_a_read_key_reads_and_searches_but_writes_nothing(workspace):
    agent = Agent(workspace, scopes=["read"])
    assert agent.get("/memories", user_id="u1").status_code == 200
    assert agent.post("/memories/search", {"user_id": "u1", "query": "tea"}).status_code == 200
    assert agent.post("/search", {"user_id": "u1", "query": "tea"}).status_code == 200
    refused = [
        agent.post("/events", {"user_id": "u1", "run_id": "r1", "role": "user", "content": "I like tea"}),
        agent.post("/memories", {"user_id": "u1", "memory": "I like tea"}),
        agent.post("/memories/batch", {"memories": [{"user_id": "u1", "memory": "I like tea"}]}),
        agent.delete("/memories?user_id=u1"),
        agent.patch("/memories/00000000-0000-0000-0000-000000000000", {"memory": "x"}),
    ]
    assert {answer.status_code for answer in refused} == {403}
    assert "write" in refused[0].json()["detail"]
    assert not EndUser.objects.exists()


def test_a_write_key_reads_nothing(workspace):
    agent = Agent(workspace, scopes=["write"])
    assert agent.get("/memories", user_id="u1").status_code == 403
    assert agent.post("/memories/search", {"user_id": "u1", "query": "tea"}).status_code == 403


def test_a_key_for_certain_users_finds_no_others(workspace, user):
    """u1 exists, u9 does not, and to this key both are the same."""
    agent = Agent(workspace, only_users=["u2"])
    answers = [agent.get("/memories", user_id=user_id) for user_id in ("u1", "u9")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()
    assert agent.post("/memories/search", {"user_id": "u1", "query": "x"}).status_code == 404
    assert agent.get("/users/u1/episodes").status_code == 404
    assert agent.get("/conflicts", user_id="u1").status_code == 404
    assert agent.get("/sessions/r1/context", user_id="u1").status_code == 404
    assert agent.delete("/memories?user_id=u1").status_code == 404
    assert agent.get("/memories", user_id="u2").status_code == 200
    assert AuditEvent.objects.filter(denied=True, object_type="user").count() == 7


def test_a_key_for_certain_users_records_nothing_of_others(workspace):
    agent = Agent(workspace, only_users=["u2"])
    event = {"run_id": "r1", "role": "user", "content": "I like tea"}
    answer = agent.post("/events", {"events": [event | {"user_id": "u2"}, event | {"user_id": "u3"}]})
    assert (answer.status_code, answer.json()["field"]) == (404, "events[1].user_id")
    assert not EndUser.objects.exists()


def test_too_many_requests_of_one_key_are_429(workspace, monkeypatch):
    monkeypatch.setattr(keys.KeyThrottle, "THROTTLE_RATES", {"key": "2/min"})
    monkeypatch.setattr(keys.KeyThrottle, "timer", lambda self: 1_000_000.0)
    busy, other = Agent(workspace), Agent(workspace)
    assert [busy.get("/memories", user_id="u1").status_code for _ in range(3)] == [200, 200, 429]
    refused = busy.get("/memories", user_id="u1")
    assert refused["Content-Type"] == "application/problem+json" and int(refused["Retry-After"]) >= 1
    assert other.get("/memories", user_id="u1").status_code == 200


def test_nobody_is_throttled_when_the_counter_is_away(workspace, settings, monkeypatch):
    monkeypatch.setattr(keys, "counter", Counter())
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 1},
        }
    }  # fmt: skip
    agent = Agent(workspace)
    assert [agent.get("/memories", user_id="u1").status_code for _ in range(3)] == [200, 200, 200]
