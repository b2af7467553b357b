"""GET /api/v1/users/{user_id}/graph: who and what is remembered, around one entity, up to a limit."""

import pytest

from memory.models import AuditEvent, Memory
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.fixture
def told(agent):
    """An agent whose user has a small world."""
    for text in ("I live in Porto.", "I work at Northwind.", "My sister Ana lives in Leipzig.", "I use PostgreSQL."):
        agent.say(text)
    return agent


def graph(agent, user_id: str = "u1", **query):
    answer = agent.get(f"/users/{user_id}/graph", **query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def names(found: dict) -> set[str]:
    return {node["name"] for node in found["nodes"] if not node["is_user"]}


def sentences(found: dict) -> set[tuple[str, str, str]]:
    name = {node["id"]: "user" if node["is_user"] else node["name"] for node in found["nodes"]}
    return {(name[edge["source"]], edge["predicate"], name[edge["target"]]) for edge in found["edges"]}


def test_names_and_relations_come_with_the_memories_that_say_so(told):
    found = graph(told)
    assert {"Porto", "Northwind", "Ana", "Leipzig", "PostgreSQL"} <= names(found)
    assert {("user", "residence", "Porto"), ("Ana", "residence", "Leipzig")} <= sentences(found)
    assert (found["limit"], found["fresh"]) == (100, True)
    assert found["total"] == len(found["nodes"])
    kinds = {node["name"]: node["kind"] for node in found["nodes"]}
    assert (kinds["Porto"], kinds["Northwind"], kinds["Ana"], kinds["PostgreSQL"]) == (
        "place", "organisation", "person", "tool",
    )  # fmt: skip
    [said] = [edge for edge in found["edges"] if edge["predicate"] == "residence" and edge["memory_ids"]][:1]
    assert set(said["memory_ids"]) <= {str(pk) for pk in Memory.objects.values_list("pk", flat=True)}


def test_chinese_names_are_there_as_they_were_written(agent):
    agent.say("我住在上海。")
    agent.say("我在腾讯工作。")
    assert {"上海", "腾讯"} <= names(graph(agent))


def test_around_an_entity_by_name_in_any_case_or_by_id(told):
    near = graph(told, entity="ana")
    assert names(near) == {"Ana", "Leipzig"}
    id = next(node["id"] for node in near["nodes"] if node["name"] == "Ana")
    assert graph(told, entity=id, hops=1) == near
    assert near["total"] == len(near["nodes"]) == 3


def test_two_hops_go_further_but_not_through_the_user(told):
    assert names(graph(told, entity="Leipzig", hops=1)) == {"Leipzig", "Ana"}
    assert names(graph(told, entity="Leipzig", hops=2)) == {"Leipzig", "Ana"}


def test_a_limit_keeps_the_best_connected_and_says_how_many_there_are(told):
    all_of_it, some = graph(told), graph(told, limit=3)
    assert (len(some["nodes"]), some["limit"], some["total"]) == (3, 3, all_of_it["total"])
    shown = {node["id"] for node in some["nodes"]}
    assert all({edge["source"], edge["target"]} <= shown for edge in some["edges"])
    near = graph(told, entity="Ana", limit=1)
    assert (len(near["nodes"]), near["total"]) == (1, 3)


def test_what_no_active_memory_says_any_more_is_gone(told):
    memory = next(item for item in told.listed() if "Porto" in item["memory"])
    told.delete(f"/memories/{memory['id']}")
    answer = told.get("/users/u1/graph").content.decode()
    assert "Porto" not in answer and memory["id"] not in answer


def test_a_claim_that_waits_names_nobody(agent, make_conflict):
    make_conflict("I live in Bergen", "I live in Oslo")
    assert "Oslo" not in agent.get("/users/u1/graph").content.decode()


def test_an_unknown_user_has_nothing(agent):
    assert graph(agent, "never-seen") == {"nodes": [], "edges": [], "total": 0, "limit": 100, "fresh": True}


def test_an_unknown_entity_is_404(told):
    for entity in ("Atlantis", "00000000-0000-4000-8000-000000000000"):
        answer = told.get("/users/u1/graph", entity=entity)
        assert (answer.status_code, answer.json()["field"]) == (404, "entity")


def test_an_entity_of_another_user_is_404(told, workspace):
    told.say("I live in Bergen.", user_id="u2")
    bergen = next(node["id"] for node in graph(told, "u2")["nodes"] if node["name"] == "Bergen")
    for entity in (bergen, "Bergen"):
        assert told.get("/users/u1/graph", entity=entity).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"hops": "1"}, {"entity": "Ana", "hops": "3"}, {"entity": "Ana", "hops": "0"}, {"entity": "Ana", "hops": "x"},
        {"limit": "0"}, {"limit": "201"}, {"limit": "many"}, {"entity": ""}, {"entity": " "}, {"entity": "*"},
        {"entity": "a\0b"}, {"entity": "x" * 201}, {"depth": "1"},
    ],
)  # fmt: skip
def test_a_malformed_question_is_400(agent, wrong):
    answer = agent.get("/users/u1/graph", **wrong)
    assert (answer.status_code, answer.json()["field"]) == (400, [*wrong][-1])


def test_a_parameter_given_twice_is_400(agent):
    assert agent.get("/users/u1/graph?limit=1&limit=2").status_code == 400


def test_the_star_is_not_a_user(told):
    for user_id in ("*", "%20"):
        assert told.get(f"/users/{user_id}/graph").status_code == 400


def test_a_user_that_the_key_may_not_name_is_404_and_in_the_audit(told, workspace):
    bound = Agent(workspace, name="bound", only_users=["u2"])
    assert bound.get("/users/u1/graph").status_code == 404
    assert AuditEvent.objects.filter(denied=True, object_type="user").count() == 1


def test_a_key_that_only_writes_may_not_read_it(workspace):
    assert Agent(workspace, name="writer", scopes=["write"]).get("/users/u1/graph").status_code == 403


def test_the_same_name_in_another_workspace_is_somebody_else(told, other_workspace):
    assert graph(Agent(other_workspace))["nodes"] == []


def test_a_graph_costs_the_same_queries_however_large(agent, django_assert_max_num_queries):
    for place in ("Porto", "Leipzig", "Graz", "Bergen", "Oslo", "Kyoto"):
        agent.say(f"My friend lives in {place}.")
        agent.say(f"I have a meeting in {place}.")
    graph(agent)
    with django_assert_max_num_queries(12):
        graph(agent)
