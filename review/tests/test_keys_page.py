"""/settings/keys/: an agent's key is shown once and revoked at once."""

import re

import pytest

from memory.models import AgentKey, AuditEvent


@pytest.fixture
def made(desk):
    client = desk("cara")
    answer = client.post("/settings/keys/new/", {"name": "tour", "write": "on", "days": "30", "only_users": "u1, u2"})
    return client, answer


def test_the_secret_is_shown_once_and_stored_nowhere(made):
    client, answer = made
    secret = re.search(r"hc_[0-9a-f]{10}_[\w-]{43}", answer.content.decode())[0]
    assert secret not in client.get("/settings/keys/").content.decode()
    key = AgentKey.objects.get()
    assert secret.split("_", 2)[2] not in f"{key.digest}{key.prefix}{AuditEvent.objects.values_list('after')}"
    assert (key.scopes, key.only_users, key.created_by.username) == (["read", "write"], ["u1", "u2"], "cara")
    assert client.get("/api/v1/memories?user_id=u1", headers={"Authorization": f"Bearer {secret}"}).status_code == 200


def test_a_revoked_key_stops_working(made):
    client, answer = made
    secret = re.search(r"hc_[0-9a-f]{10}_[\w-]{43}", answer.content.decode())[0]
    client.post(f"/settings/keys/{AgentKey.objects.get().pk}/revoke/")
    assert client.get("/api/v1/memories?user_id=u1", headers={"Authorization": f"Bearer {secret}"}).status_code == 401


@pytest.mark.parametrize(
    "form", [{"name": ""}, {"name": " "}, {"name": "k", "days": "0"}, {"name": "k", "days": "soon"}]
)
def test_a_key_without_a_name_or_with_an_odd_end_is_not_made(form, desk):
    assert desk("cara").post("/settings/keys/new/", form).status_code == 422
    assert not AgentKey.objects.exists()
