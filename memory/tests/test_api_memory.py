"""/api/v1/memories/{id} and its history: read, changed as a new version, retracted; otherwise 404."""

import uuid

import pytest
from django.utils import timezone

from memory.actions import revise
from memory.actor import SYSTEM
from memory.models import AuditEvent, Memory
from memory.models.memory import MemoryStatus
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def test_a_memory_is_read_with_its_version(agent, make_memory):
    memory = make_memory("I live in Bergen")
    answer = agent.get(f"/memories/{memory.pk}")
    told = answer.json()
    assert (told["id"], told["memory"], told["user_id"], told["run_id"]) == (str(memory.pk), memory.text, "u1", "r1")
    assert (told["version"], answer["ETag"]) == (1, '"1"')
    assert "status" not in told and "fingerprint" not in told


def test_a_change_makes_a_new_version(agent, make_memory):
    memory = make_memory("I live in Bergen")
    answer = agent.patch(f"/memories/{memory.pk}", {"memory": "I live in Oslo", "reason": "typo"})
    assert (answer.status_code, answer.json()["memory"], answer.json()["version"]) == (200, "I live in Oslo", 2)
    assert list(memory.versions.values_list("text", flat=True)) == ["I live in Bergen", "I live in Oslo"]
    assert agent.get(f"/memories/{memory.pk}").json() == answer.json()


@pytest.mark.parametrize("stale", [{"body": {"version": 1}}, {"headers": {"If_Match": '"1"'}}])
def test_a_change_of_what_has_moved_on_is_409(agent, make_memory, stale):
    memory = make_memory("I live in Bergen")
    agent.patch(f"/memories/{memory.pk}", {"memory": "I live in Oslo"})
    body = {"memory": "I live in Voss"} | stale.get("body", {})
    answer = agent.patch(f"/memories/{memory.pk}", body, **stale.get("headers", {}))
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    assert Memory.objects.get().text == "I live in Oslo"


def test_a_change_of_the_version_read_goes_through(agent, make_memory):
    memory = make_memory("I live in Bergen")
    etag = agent.get(f"/memories/{memory.pk}")["ETag"]
    assert agent.patch(f"/memories/{memory.pk}", {"memory": "I live in Oslo"}, If_Match=etag).status_code == 200
    answer = agent.delete(f"/memories/{memory.pk}", If_Match=etag)
    assert answer.status_code == 409
    assert agent.delete(f"/memories/{memory.pk}", If_Match='"2"').json() == {"deleted": 1}


@pytest.mark.parametrize("header", ["one", '"x"', "1, 2", ""])
def test_an_if_match_that_is_no_version_is_400(agent, make_memory, header):
    memory = make_memory("I live in Bergen")
    answer = agent.patch(f"/memories/{memory.pk}", {"memory": "I live in Oslo"}, If_Match=header)
    assert (answer.status_code, answer.json()["field"]) == (400, "If-Match")


@pytest.mark.parametrize(
    "body, field",
    [
        ({}, None),
        ({"version": 1}, None),
        ({"memory": ""}, "memory"),
        ({"memory": None}, "memory"),
        ({"memory": ["x"]}, "memory"),
        ({"metadata": "x"}, "metadata"),
        ({"memory": "x", "version": "1"}, "version"),
        ({"memory": "x", "version": True}, "version"),
        ({"memory": "x", "version": 0}, "version"),
        ({"memory": "x", "credibility": 1}, "credibility"),
        ({"memory": "x", "status": "active"}, "status"),
        ({"memory": "x", "source_class": "user_input"}, "source_class"),
        ({"memory": "x", "category": "profile"}, "category"),
    ],
)
def test_a_change_that_may_not_be_is_400_and_changes_nothing(agent, make_memory, body, field):
    memory = make_memory("I live in Bergen")
    answer = agent.patch(f"/memories/{memory.pk}", body)
    assert (answer.status_code, answer.json().get("field")) == (400, field)
    assert Memory.objects.get().version == 1


def test_a_change_into_what_is_held_already_is_409(agent, make_memory):
    make_memory("I live in Oslo")
    memory = make_memory("I live in Bergen")
    answer = agent.patch(f"/memories/{memory.pk}", {"memory": "I live in Oslo"})
    assert answer.status_code == 409 and "already" in answer.json()["detail"]


@pytest.mark.parametrize("status", [status for status in MemoryStatus.values if status != MemoryStatus.ACTIVE])
def test_only_active_memories_exist_for_an_agent(agent, make_memory, status):
    memory = make_memory("I live in Bergen")
    Memory.objects.filter(pk=memory.pk).update(status=status)
    path = f"/memories/{memory.pk}"
    answers = [
        agent.get(path), agent.get(f"{path}/history"), agent.patch(path, {"memory": "I live in Oslo"}),
        agent.delete(path),
    ]  # fmt: skip
    assert {answer.status_code for answer in answers} == {404}
    assert agent.listed() == []


@pytest.mark.parametrize("name", ["not-an-id", "0", "6bdf651e-b6b9-4ada-a405-be29ba6f94a4", "%00", "..", "null"])
def test_an_unknown_id_is_404(agent, name):
    answer = agent.get(f"/memories/{name}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_deleted_memory_is_gone_for_agents_and_kept_for_the_team(agent, make_memory):
    memory = make_memory("I live in Bergen")
    assert agent.delete(f"/memories/{memory.pk}").json() == {"deleted": 1}
    assert agent.get(f"/memories/{memory.pk}").status_code == 404
    assert agent.delete(f"/memories/{memory.pk}").status_code == 404
    memory.refresh_from_db()
    assert (memory.status, memory.versions.count()) == (MemoryStatus.RETRACTED, 2)


def by_id(agent, memory):
    path = f"/memories/{memory.pk}"
    return [
        agent.get(path), agent.patch(path, {"memory": "I live in Oslo"}), agent.get(f"{path}/history"),
        agent.delete(path),
    ]  # fmt: skip


def test_c07_an_id_of_another_workspace_is_404_and_the_attempt_is_in_the_audit(make_memory, other_workspace):
    memory = make_memory("I live in Bergen")
    stranger = Agent(other_workspace, name="stranger")
    answers = by_id(stranger, memory)
    assert {answer.status_code for answer in answers} == {404}
    assert all("Bergen" not in answer.content.decode() for answer in answers)
    assert answers[0].json() == stranger.get(f"/memories/{uuid.uuid4()}").json()
    denied = AuditEvent.objects.filter(denied=True, workspace=other_workspace)
    assert [event.action for event in denied.order_by("pk")] == ["api.get", "api.patch", "api.get", "api.delete"]
    assert {(event.object_id, event.actor_label) for event in denied} == {(str(memory.pk), "stranger")}
    memory.refresh_from_db()
    assert (memory.version, memory.status) == (1, "active")


def test_c07_an_id_of_a_user_outside_the_key_is_404_and_the_attempt_is_in_the_audit(make_memory, workspace):
    memory = make_memory("I live in Bergen")
    answers = by_id(Agent(workspace, only_users=["u2"]), memory)
    assert {answer.status_code for answer in answers} == {404}
    assert AuditEvent.objects.filter(denied=True, workspace=workspace, object_id=str(memory.pk)).count() == 4


def test_c13_the_history_tells_who_changed_what_and_why(agent, workspace):
    """Added by one agent, edited by another, restored by the team, retracted: four rows, none of them thinner."""
    added = agent.remember("My team is red", agent_id="a1", metadata={"team": "red"}, infer=False)
    path = f"/memories/{added['id']}"
    Agent(workspace, name="a2").patch(path, {"memory": "My team is blue", "reason": "it moved"})
    memory = Memory.objects.get(pk=added["id"])
    revise.restore(memory=memory, number=1, actor=SYSTEM, now=timezone.now(), expected_version=2, reason="it had not")

    items = agent.get(f"{path}/history").json()["items"]
    assert [(row["version"], row["change"]) for row in items] == [(1, "remember"), (2, "revise"), (3, "restore")]
    assert [row["memory"] for row in items] == ["My team is red", "My team is blue", "My team is red"]
    assert all(row["metadata"]["team"] == "red" for row in items)
    assert [row["actor"] for row in items][1] == "a2"
    assert [row["reason"] for row in items][1:] == ["it moved", "it had not"]
    assert all(row["at"].endswith("Z") for row in items)
    # an agent's rewording weighs as much as an agent's word, until the team restores the user's
    assert items[1]["before"] == {"memory": "My team is red", "credibility": 1.0}
    assert items[1]["after"] == {"memory": "My team is blue", "credibility": 0.5}
    assert items[2]["after"]["credibility"] == 1.0
    assert items[0]["before"] == {} and items[0]["after"]["memory"] == "My team is red"
    assert agent.get(path).json()["agent_id"] == "a1"

    agent.delete(path)
    assert agent.get(f"{path}/history").status_code == 404
    assert list(memory.versions.values_list("change__kind", flat=True)) == ["remember", "revise", "restore", "retract"]
