"""Search and list with reference_time: what an agent would have been told then."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.embedding import EmbedderUnavailable
from memory.index import serving
from memory.models import EndUser, Memory, Recall, RecallHit
from memory.recall import heat
from memory.recall.past import search_at
from memory.recall.question import InFuture
from memory.recall.search import search
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.fixture
def moved(make_memory, now):
    """A home told at `now` and another wording of it an hour later."""
    memory = make_memory("I live in Bergen")
    revise(memory=memory, actor=SYSTEM, now=now + timedelta(hours=1), expected_version=1, text="I live in Oslo")
    return memory


def ask(user, at, query="where do I live", **more):
    return search_at(user=user, at=at, query=query, asked_by="a1", now=timezone.now(), **more)


def told(answer):
    return [hit.memory.text for hit in answer.results]


class Away:
    """The embedder of a server that does not answer."""

    model_id = "away"

    def embed(self, texts):
        raise EmbedderUnavailable("nothing answers")

    embed_query = embed


def test_while_the_embedder_is_away_the_past_answers_by_words(moved, user, now, monkeypatch):
    monkeypatch.setattr(serving, "get_embedder", Away)
    answer = ask(user, now, query="live in Bergen")
    assert (told(answer), answer.degraded) == (["I live in Bergen"], ["no_embedder"])


def test_the_wording_of_then_is_told_with_its_version(moved, user, now):
    [hit] = ask(user, now).results
    assert (hit.memory.text, hit.memory.version) == ("I live in Bergen", 1)
    assert told(ask(user, now + timedelta(hours=2))) == ["I live in Oslo"]
    assert told(ask(user, now - timedelta(seconds=1))) == []


def test_what_was_retracted_since_is_told_as_it_was(make_memory, user, now):
    memory = make_memory("I live in Bergen")
    retract(memory=memory, actor=SYSTEM, now=now + timedelta(hours=1), expected_version=1)
    assert told(ask(user, now)) == ["I live in Bergen"]
    assert told(ask(user, now + timedelta(hours=1))) == []


def test_a_look_at_the_present_ranks_and_scores_as_a_search_does(make_memory, user, now):
    for text in ("I live in Bergen", "I lived in Graz as a child", "My sister lives in Turin", "I like tea"):
        make_memory(text)
    today = search(user=user, query="where do I live", asked_by="a1", now=now, log=False)
    then = search_at(user=user, at=now, query="where do I live", asked_by="a1", now=now, log=False)
    assert len(today.results) > 1
    assert [(hit.memory.pk, hit.scores) for hit in then.results] == [
        (hit.memory.pk, pytest.approx(hit.scores)) for hit in today.results
    ]


def test_the_outvoted_of_then_is_withheld_then(make_memory, user, now):
    slot = {"subject": "user", "attribute": "residence"}
    for n in range(3):
        make_memory(f"I live in Bergen, {n}", value="Bergen", run_id=f"r{n}", **slot)
    lone = make_memory("I live in Oslo", value="Oslo", source="external_content", run_id="r9", **slot)
    today = search(user=user, query="where do I live", asked_by="a1", now=now, log=False)
    then = search_at(user=user, at=now, query="where do I live", asked_by="a1", now=now, log=False)
    assert [one.memory.pk for one in then.withheld] == [one.memory.pk for one in today.withheld] == [lone.pk]
    assert lone.text not in told(then)


def test_time_travel_never_crosses_a_user_or_a_workspace(make_memory, other_workspace, user, now):
    others = [
        EndUser.objects.create(workspace=user.workspace, external_id="u2"),
        EndUser.objects.create(workspace=other_workspace, external_id="u1"),
    ]
    for place, each in enumerate([user, *others]):
        make_memory(f"The code word is zanzibar {place}", user=each)
    for place, each in enumerate([user, *others]):
        assert told(ask(each, now, "zanzibar code word")) == [f"The code word is zanzibar {place}"]


def test_it_is_logged_with_the_version_of_then_and_warms_nothing(moved, user, now):
    ask(user, now)
    recall = Recall.objects.get()
    assert recall.params["reference_time"] == now.isoformat()
    assert list(RecallHit.objects.values_list("memory_id", "version")) == [(moved.pk, 1)]
    heat.fold(timezone.now())
    assert Memory.objects.get().hits == 0


def test_the_future_is_refused(user):
    with pytest.raises(InFuture):
        ask(user, timezone.now() + timedelta(minutes=1))


def test_an_agent_is_told_what_was_known_at_reference_time(agent, moved, now):
    body = {"user_id": "u1", "query": "where do I live", "reference_time": now.isoformat()}
    [hit] = agent.post("/search", body | {"explain": True}).json()["results"]
    assert (hit["memory"], hit["version"]) == ("I live in Bergen", 1)
    listed = agent.get("/memories", user_id="u1", reference_time=now.isoformat()).json()
    assert (listed["total"], listed["items"][0]["memory"]) == (1, "I live in Bergen")
    assert agent.get("/memories", user_id="u1").json()["items"][0]["memory"] == "I live in Oslo"


@pytest.mark.parametrize("moment", ["2999-01-01T00:00:00Z", "2026-05-03", "2026-05-03T10:00:00", "yesterday", 5, None])
def test_a_moment_that_is_none_or_has_not_come_is_400(agent, moved, moment):
    answer = agent.post("/search", {"user_id": "u1", "query": "home", "reference_time": moment})
    assert (answer.status_code, answer.json()["field"]) == (400, "reference_time")
    if isinstance(moment, str):
        answer = agent.get("/memories", user_id="u1", reference_time=moment)
        assert (answer.status_code, answer.json()["field"]) == (400, "reference_time")
