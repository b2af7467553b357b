"""POST /memories/search with context_window: what was said around a result in its session comes with it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory.actions.revise import retract
from memory.actor import SYSTEM
from memory.history import blast
from memory.index import sync
from memory.models import EndUser, Memory, Recall, RecallHit
from memory.recall import heat
from memory.recall.neighbours import around
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db

TRIP = (
    "We land on Tuesday",
    "The hotel is the Aurora",
    "The locker code is 4471",
    "Breakfast ends at ten",
    "Taxi is paid",
)


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.fixture
def trip(make_memory, now):
    """Five things said in one session, a minute apart."""
    return [make_memory(text, at=now + timedelta(minutes=n), run_id="trip") for n, text in enumerate(TRIP)]


def ask(agent, query="locker code", **more):
    answer = agent.post("/search", {"user_id": "u1", "query": query, "top_k": 1} | more)
    assert answer.status_code == 200, answer.content
    return answer.json()


def beside(answer):
    [hit] = answer["results"]
    return [(each["place"], each["memory"]) for each in hit["neighbours"]]


def test_what_was_said_before_and_after_comes_in_order(agent, trip):
    assert beside(ask(agent, context_window=1)) == [(-1, TRIP[1]), (1, TRIP[3])]
    assert beside(ask(agent, context_window=2)) == [(-2, TRIP[0]), (-1, TRIP[1]), (1, TRIP[3]), (2, TRIP[4])]
    assert beside(ask(agent, context_window=5)) == beside(ask(agent, context_window=2))


def test_the_database_says_the_same_as_the_index(agent, trip, qdrant):
    """With the archive, and where a vector database picks the candidates, it is asked instead."""
    expected = [(-2, TRIP[0]), (-1, TRIP[1]), (1, TRIP[3]), (2, TRIP[4])]
    assert beside(ask(agent, context_window=2, include_archived=True)) == expected
    sync.drain(timezone.now())
    assert beside(ask(agent, context_window=2)) == expected


def test_without_it_there_are_none(agent, trip):
    assert "neighbours" not in ask(agent)["results"][0]
    assert "neighbours" not in ask(agent, context_window=0)["results"][0]


def test_other_sessions_and_other_people_are_no_neighbours(agent, trip, make_memory, workspace, other_workspace, now):
    """Sessions of the same name, at the same minutes."""
    between = now + timedelta(minutes=2, seconds=1)
    make_memory("Something of another run", at=between, run_id="r9")
    for place in (workspace, other_workspace):
        other, _ = EndUser.objects.get_or_create(workspace=place, external_id="u1" if place != workspace else "u2")
        make_memory("A stranger's word", at=between, run_id="trip", user=other)
    assert beside(ask(agent, context_window=1)) == [(-1, TRIP[1]), (1, TRIP[3])]


def test_what_is_not_active_is_passed_over(agent, trip):
    retract(memory=trip[3], actor=SYSTEM, now=timezone.now(), expected_version=1)
    assert beside(ask(agent, context_window=1)) == [(-1, TRIP[1]), (1, TRIP[4])]


def test_what_is_outvoted_is_not_told_by_the_back_door(agent, trip, make_memory, now):
    slot = {"subject": "user", "attribute": "residence"}
    make_memory("I live in Lyon", value="Lyon", run_id="r2", **slot)
    at = now + timedelta(minutes=2, seconds=5)
    make_memory("The user lives in Oslo", value="Oslo", run_id="trip", source="llm_reasoning", at=at, **slot)
    assert "Oslo" not in str(ask(agent, context_window=2))


def test_they_are_logged_as_told_and_warm_nothing(agent, trip):
    answer = ask(agent, context_window=1)
    recall = Recall.objects.get(pk=answer["recall_id"])
    assert recall.params["context_window"] == 1
    rows = [(hit.memory.text, hit.reason_code, hit.withheld) for hit in recall.hits.select_related("memory")]
    assert rows == [(TRIP[2], "", False), (TRIP[1], "neighbour", False), (TRIP[3], "neighbour", False)]
    assert recall.hits.get(rank=2).reason_params == {"of": str(trip[2].pk)}
    assert blast.reach(trip[1]).recalls == 1
    heat.fold(timezone.now())
    assert [memory.hits for memory in Memory.objects.order_by("event_time")] == [0, 0, 1, 0, 0]


def test_a_neighbour_that_is_a_result_itself_is_logged_once(agent, trip):
    answer = ask(agent, "hotel Aurora locker code", top_k=2, context_window=1)
    assert len(answer["results"]) == 2
    assert RecallHit.objects.filter(reason_code="").count() == 2
    assert RecallHit.objects.filter(reason_code="neighbour").count() == 2


def test_a_memory_of_no_session_has_none(agent, trip):
    Memory.objects.filter(pk=trip[2].pk).update(session=None)
    assert beside(ask(agent, context_window=2)) == []


def test_the_neighbours_of_then_are_told_of_then(agent, trip, now):
    then = timezone.now().isoformat()
    retract(memory=trip[3], actor=SYSTEM, now=timezone.now(), expected_version=1)
    assert beside(ask(agent, context_window=1, reference_time=then)) == [(-1, TRIP[1]), (1, TRIP[3])]
    earlier = (now + timedelta(minutes=2)).isoformat()
    assert beside(ask(agent, context_window=1, reference_time=earlier)) == [(-1, TRIP[1])]


@pytest.mark.usefixtures("nothing_changes_hands")
@pytest.mark.parametrize("reference", [False, True])
def test_no_query_for_each_hit(agent, make_memory, now, reference):
    for n in range(30):
        make_memory(f"Peanuts are in tin number {n}", at=now + timedelta(minutes=n), run_id=f"r{n % 3}")
    more = {"reference_time": timezone.now().isoformat()} if reference else {}
    ask(agent, "peanuts")
    counts = []
    for top_k in (1, 20):
        with CaptureQueriesContext(connection) as queries:
            ask(agent, "peanuts", top_k=top_k, context_window=3, **more)
        counts.append(len(queries))
    assert counts[1] <= counts[0]


@pytest.mark.parametrize("wrong", [-1, 6, "2", True, 1.5, None])
def test_a_window_that_is_none_is_400(agent, user, wrong):
    answer = agent.post("/search", {"user_id": "u1", "query": "bike", "context_window": wrong})
    assert (answer.status_code, answer.json()["field"]) == (400, "context_window")


def test_an_archived_hit_has_its_active_neighbours():
    order = [("a", 1, "active"), ("b", 1, "archived"), ("c", 1, "archived"), ("d", 1, "active"), ("e", 2, "active")]
    assert around(["b"], order, 2) == {"b": [(-1, "a"), (1, "d")]}
