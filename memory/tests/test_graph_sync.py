"""A user's graph in the tables: what enters it, what leaves it, and how little is done for a change."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import tasks
from memory.actions.archive import archive
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.graph import sync
from memory.graph.read import graph_of
from memory.models import EndUser, Entity, EntityMention, GraphReading, GraphState, Memory, Relation
from memory.recall.keeping import Limits


@pytest.fixture
def graph(user):
    """graph() answers the user's graph, brought up to date; node names by kind and name, edges by names."""

    def graph_(**more):
        return graph_of(EndUser.objects.get(pk=user.pk), **more)

    return graph_


def names(graph):
    return {(node.kind, node.name) for node in graph.nodes if not node.is_self}


def edges(graph):
    known = {node.id: "self" if node.is_self else node.name for node in graph.nodes}
    return {(known[edge.source], edge.predicate, known[edge.target]) for edge in graph.edges}


def test_a_users_memories_become_entities_and_relations(make_memory, graph):
    make_memory("My sister Anna lives in Lisbon and works at Acme")
    make_memory("我参与猎鹰项目")
    found = graph()
    assert names(found) == {
        ("person", "Anna"), ("place", "Lisbon"), ("organisation", "Acme"), ("project", "猎鹰项目"),
    }  # fmt: skip
    assert edges(found) == {
        ("self", "sister", "Anna"), ("Anna", "residence", "Lisbon"), ("Anna", "employer", "Acme"),
        ("self", "project", "猎鹰项目"),
    }  # fmt: skip
    assert found.fresh and found.total_nodes == 5
    assert [(node.name, node.memories) for node in found.nodes if node.is_self] == [("u1", 2)]


def test_what_is_retracted_archived_or_reworded_leaves_the_graph(make_memory, graph, now):
    anna = make_memory("My sister Anna lives in Lisbon")
    make_memory("My boss Tom works at Acme")
    zoe = make_memory("My friend Zoe lives in Graz")
    graph()
    retract(memory=anna, actor=SYSTEM, now=now, expected_version=1)
    assert ("person", "Anna") not in names(graph())
    cold = Limits(below=0.1, days=90, half_life_days=30)
    archive(user=zoe.user, ids=[zoe.pk], limits=cold, actor=SYSTEM, now=now + timedelta(days=200))
    tom = Memory.objects.get(text__contains="Tom")
    revise(memory=tom, actor=SYSTEM, now=now, expected_version=1, text="My boss Tim works at Acme")
    assert names(graph()) == {("person", "Tim"), ("organisation", "Acme")}
    assert not Entity.objects.filter(name__in=["Anna", "Zoe", "Tom", "Lisbon", "Graz"]).exists()
    assert GraphReading.objects.count() == 1


def test_building_again_changes_nothing_and_ids_stay(make_memory, graph, user):
    make_memory("My sister Anna lives in Lisbon")
    before = {node.name: node.id for node in graph().nodes}
    rows = [model.objects.order_by("pk").values_list("pk", flat=True) for model in (Entity, EntityMention, Relation)]
    held = [list(each) for each in rows]
    GraphState.objects.update(revision=-1)
    assert {node.name: node.id for node in graph().nodes} == before
    assert [list(each) for each in rows] == held
    sync.forget(user)
    assert {node.name: node.id for node in graph().nodes} == before


def test_a_change_reads_one_memory_and_a_fresh_graph_reads_none(make_memory, graph, user, monkeypatch):
    make_memory("My sister Anna lives in Lisbon")
    make_memory("My boss Tom works at Acme")
    graph()
    read, real = [], sync.read_memory
    monkeypatch.setattr(sync, "read_memory", lambda text, **slot: read.append(text) or real(text, **slot))
    make_memory("My friend Zoe lives in Graz")
    graph()
    assert read == ["My friend Zoe lives in Graz"]
    with CaptureQueriesContext(connection) as queries:
        assert sync.sync(user.pk)
    assert len(queries) == 2


def test_the_most_connected_come_first_and_all_are_counted(make_memory, graph):
    make_memory("My sister Anna lives in Lisbon and works at Acme")
    make_memory("We met Zoe")
    found = graph(limit=2)
    assert [node.name for node in found.nodes] == ["u1", "Anna"]
    assert found.total_nodes == 5 and edges(found) == {("self", "sister", "Anna")}


def test_a_job_builds_the_graph_after_judging(tell, user):
    tell("My sister Anna lives in Lisbon.")
    tasks.judge_user(user.pk)
    assert Entity.objects.filter(user=user, name="Anna").exists()
    assert sync.is_fresh(EndUser.objects.get(pk=user.pk))


def test_a_graph_that_is_far_behind_tells_only_what_is_still_so(make_memory, graph, now, monkeypatch):
    anna = make_memory("My sister Anna lives in Lisbon")
    make_memory("My boss Tom works at Acme")
    graph()
    retract(memory=anna, actor=SYSTEM, now=now, expected_version=1)
    make_memory("My friend Zoe lives in Graz")
    monkeypatch.setattr(sync, "AT_ONCE", 0)
    found = graph()
    assert not found.fresh and names(found) == {("person", "Tom"), ("organisation", "Acme")}


def test_a_run_out_of_time_goes_on_where_it_stopped(make_memory, user, monkeypatch):
    for name in ("Anna", "Zoe", "Clara"):
        make_memory(f"My friend {name} sings")
    monkeypatch.setattr(sync, "BATCH", 2)
    assert not sync.sync(user.pk, until=0)
    assert GraphReading.objects.count() == 2 and not Entity.objects.exists()
    assert sync.sync(user.pk)
    assert Entity.objects.filter(kind="person").count() == 4


def test_nobody_elses_memories_are_in_a_graph(make_memory, graph, workspace, other_workspace):
    for place, name in ((workspace, "u2"), (other_workspace, "u1")):
        other = EndUser.objects.create(workspace=place, external_id=name)
        make_memory("My sister Xenia lives in Oslo", user=other)
        sync.sync(other.pk)
    make_memory("My sister Anna lives in Lisbon")
    assert names(graph()) == {("person", "Anna"), ("place", "Lisbon")}
    assert Entity.objects.filter(name="Xenia").count() == 2


def test_the_command_builds_all_graphs_anew(make_memory, user, graph, now):
    make_memory("My sister Anna lives in Lisbon", at=now - timedelta(days=1))
    graph()
    Entity.objects.filter(name="Anna").update(name="Broken")
    out = StringIO()
    call_command("rebuild_graph", stdout=out)
    assert "1 graphs built" in out.getvalue() and Entity.objects.filter(name="Anna").exists()
