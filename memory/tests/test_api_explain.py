"""`explain`: what makes each score can be added up by the caller, now and at a past moment."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory import embedding
from memory.models import Memory
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db
LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def ask(agent, query, **more):
    return agent.post("/search", {"user_id": "u1", "query": query, "explain": True} | more).json()


@pytest.fixture
def told(make_memory):
    """Said in two sessions, one just after the other, by sources of different weight."""
    at = timezone.now() - timedelta(days=1)
    make_memory("Which river is near my house? The Rhone", at=at)
    make_memory("It floods in spring", at=at + timedelta(minutes=1))
    make_memory("The river Rhone is long", at=at - timedelta(days=90), run_id="r2", source="external_content")
    return at + timedelta(minutes=2)


def check(hit, explained):
    """Relevance from the arms, the total from its parts, the trust from the credibility."""
    parts, settings = hit["scores"], explained["settings"]
    weights = settings["dense_weight"], settings["lexical_weight"]
    relevance = (weights[0] * max(parts["dense"], 0) + weights[1] * parts["lexical"]) / sum(weights)
    assert parts["relevance"] == pytest.approx(relevance, abs=1e-5)
    weighed = (parts["relevance"] + parts["context"]) * parts["decay"] * parts["credibility"]
    assert parts["total"] == pytest.approx(weighed + parts["session_bonus"] + parts["period_bonus"], abs=1e-5)
    assert hit["score"] == pytest.approx(parts["total"], abs=1e-4)
    trust = sum(addend["amount"] for addend in hit["credibility_addends"])
    assert parts["credibility"] == pytest.approx(1 - settings["credibility_weight"] * (1 - trust), abs=1e-3)


@pytest.mark.parametrize("past", [False, True])
def test_the_parts_make_the_total(agent, told, past):
    more = {"reference_time": told.isoformat()} if past else {}
    answer = ask(agent, "what about the river Rhone yesterday", run_id="r1", **more)
    assert len(answer["results"]) > 1
    for hit in answer["results"]:
        check(hit, answer["explained"])
    parts = [hit["scores"] for hit in answer["results"]]
    assert {part["session_bonus"] for part in parts} == {0.0, 0.2}
    assert past or {part["period_bonus"] for part in parts} == {0.0, 0.15}


def test_the_trust_of_then_is_the_sum_of_the_evidence_of_then(agent, make_memory, tell):
    memory = make_memory("I live in Bergen", at=timezone.now() - timedelta(days=2), **LIVES)
    then = timezone.now()
    tell("I live in Bergen", run_id="r9")
    memory.refresh_from_db()
    assert memory.evidence.count() == 2
    for more, pieces in (({"reference_time": then.isoformat()}, 1), ({}, 2)):
        answer = ask(agent, "where do I live", **more)
        [hit] = answer["results"]
        assert len(hit["credibility_addends"]) <= pieces
        check(hit, answer["explained"])


def test_what_is_withheld_is_weighed_too(agent, make_memory):
    make_memory("I live in Lyon", value="Lyon", **LIVES)
    make_memory("The user lives in Oslo", value="Oslo", run_id="r2", source="llm_reasoning", **LIVES)
    answer = ask(agent, "where does the user live")
    [held] = answer["withheld"]
    check(held, answer["explained"])
    assert held["reason_code"] == "outvoted" and held["outvoted_by"] == [answer["results"][0]["id"]]


def test_how_the_question_was_read(agent, told):
    day = timezone.now().date() - timedelta(days=1)
    explained = ask(agent, "what about the river Rhone yesterday", threshold=0.3)["explained"]
    assert explained["terms"] == 3 and "about" in explained["dropped"]
    assert explained["periods"] == [
        {"since": f"{day}T00:00:00Z", "until": f"{day + timedelta(days=1)}T00:00:00Z"},
    ]  # fmt: skip
    assert explained["candidates"] == Memory.objects.count() == 3
    assert explained["settings"]["min_relevance"] == explained["minimum"]["lexical"] == 0.3
    assert list(explained["stages"]) == ["candidates", "question", "embed", "weigh", "consensus"]


def test_what_it_had_to_do_without_is_said_in_the_callers_language(agent, told, monkeypatch):
    monkeypatch.setattr(embedding, "get_embedder", lambda: None)
    answer = ask(agent, "river Rhone")
    assert answer["degraded"] == ["no_embedder"]
    [reason] = answer["explained"]["degraded"]
    assert reason["code"] == "no_embedder" and "words alone" in reason["reason"]
    assert {hit["scores"]["dense"] for hit in answer["results"]} == {None}


def test_without_explain_nothing_of_it_is_there(agent, told):
    answer = agent.post("/search", {"user_id": "u1", "query": "river Rhone"}).json()
    assert "explained" not in answer and "scores" not in answer["results"][0]
    assert "explained" not in agent.post("/search", {"user_id": "nobody", "query": "x", "explain": True}).json()
