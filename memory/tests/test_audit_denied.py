"""What was refused is written down, and a flood of refusals does not fill the table."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actor import SYSTEM, Actor
from memory.api import keys
from memory.audit import denied
from memory.counter import Counter
from memory.models import AgentKey, AuditEvent
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db
EVE = Actor(kind="person", id="5", label="Eve", address="192.0.2.9")


def refuse(workspace, times: int, actor=EVE, action="denied.manage_workspace") -> list[int]:
    """Refuses so often; answers the counts of those that were written."""
    for _ in range(times):
        denied.deny(workspace=workspace, actor=actor, action=action, now=timezone.now())
    rows = AuditEvent.objects.filter(denied=True, actor_id=actor.id, action=action).order_by("pk")
    return [(row.after or {}).get("attempts", 0) for row in rows]


def test_a_flood_is_counted_and_not_written_row_by_row(workspace):
    assert refuse(workspace, 1000) == [0] * 8 + [16, 32, 64, 128, 256, 512]


def test_a_flood_of_one_hides_nothing_of_another(workspace):
    refuse(workspace, 100)
    assert refuse(workspace, 2, Actor(kind="person", id="6", label="Dan")) == [0, 0]
    assert refuse(workspace, 2, action="denied.export_data") == [0, 0]


def test_many_names_together_do_not_fill_the_table_either(workspace):
    for n in range(600):
        denied.deny(
            workspace=None, actor=Actor(kind="agent", id=f"{n:010x}", label="unknown key"), action="key.unknown",
            now=timezone.now(),
        )  # fmt: skip
    assert AuditEvent.objects.filter(action="key.unknown").count() == 257


def test_it_is_counted_here_while_the_counter_is_away(workspace, settings, monkeypatch):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache",
                                   "LOCATION": "redis://127.0.0.1:1/0"}}  # fmt: skip
    monkeypatch.setattr(denied, "counter", Counter())
    monkeypatch.setattr(denied, "_own", {})
    assert refuse(workspace, 40) == [0] * 8 + [16, 32]


def test_a_key_without_the_scope_is_in_the_audit(workspace):
    agent = Agent(workspace, scopes=[AgentKey.READ])
    assert agent.post("/events", {"user_id": "u1", "run_id": "r1", "role": "user", "content": "x"}).status_code == 403
    event = AuditEvent.objects.get(denied=True)
    assert (event.workspace, event.action, event.object_type, event.object_id) == (
        workspace, "api.post", "scope", "write",
    )  # fmt: skip
    assert (event.actor_id, event.address, event.reason) == (agent.key.prefix, "127.0.0.1", "/api/v1/events")
    assert event.request_id


def test_a_revoked_or_expired_key_is_in_its_workspaces_audit(workspace):
    agent, old = Agent(workspace), Agent(workspace, name="old")
    keys.revoke(key=agent.key, actor=SYSTEM, now=timezone.now())
    AgentKey.objects.filter(pk=old.key.pk).update(expires_at=timezone.now() - timedelta(days=1))
    assert (agent.get("/memories", user_id="u1").status_code, old.get("/memories", user_id="u1").status_code) == (
        401, 401,
    )  # fmt: skip
    events = AuditEvent.objects.filter(denied=True, workspace=workspace).order_by("pk")
    assert [(event.action, event.actor_label) for event in events] == [("key.revoked", "a1"), ("key.expired", "old")]


@pytest.mark.parametrize("token", ["hc_0123456789_" + "a" * 43, "anything else"])
def test_an_unknown_key_is_in_the_audit_without_its_secret(workspace, client, token):
    client.get("/api/v1/memories", {"user_id": "u1"}, headers={"Authorization": f"Bearer {token}"})
    event = AuditEvent.objects.get(denied=True)
    assert (event.workspace, event.action, event.address) == (None, "key.unknown", "127.0.0.1")
    assert event.actor_id in ("0123456789", "")
    assert "aaa" not in f"{event.__dict__}" and "anything" not in f"{event.__dict__}"


def test_no_key_at_all_is_no_attempt(db, client):
    assert client.get("/api/v1/memories", {"user_id": "u1"}).status_code == 401
    assert not AuditEvent.objects.exists()


def test_an_address_that_is_none_does_not_lose_the_event(workspace):
    denied.deny(
        workspace=workspace, actor=Actor(kind="agent", id="x", label="x", address="unknown, really"), action="api.get",
        now=timezone.now(),
    )  # fmt: skip
    assert AuditEvent.objects.get().address is None
