"""POST /memories/search with include_archived: what went cold is found again, marked, and nothing else is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actions.archive import archive, unarchive
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.embedding import get_embedder
from memory.models import EndUser, IndexEntry, Memory, Recall, RecallHit
from memory.recall import made_index
from memory.recall.keeping import Limits
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db

LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.fixture
def gone(make_memory, now):
    """gone("text") is a memory that was archived."""

    def make(text, **more):
        memory = make_memory(text, at=now - timedelta(days=400), **more)
        limits = Limits(below=0.1, days=90, half_life_days=30)
        archive(user=memory.user, ids=[memory.pk], limits=limits, actor=SYSTEM, now=now - timedelta(days=200))
        memory.refresh_from_db()
        assert memory.status == "archived"
        return memory

    return make


def ask(agent, query, **more):
    answer = agent.post("/search", {"user_id": "u1", "query": query} | more)
    assert answer.status_code == 200, answer.content
    return answer.json()


def told(answer):
    return {hit["memory"]: hit["status"] for hit in answer["results"]}


def test_the_archived_is_told_when_asked_for_and_marked(agent, gone, make_memory):
    gone("My bike is a blue Kestrel")
    make_memory("My other bike is a red Falcon")
    assert told(ask(agent, "which bike")) == {"My other bike is a red Falcon": "active"}
    answer = ask(agent, "which bike", include_archived=True)
    assert told(answer) == {"My other bike is a red Falcon": "active", "My bike is a blue Kestrel": "archived"}
    assert answer["degraded"] == []


def test_it_is_found_by_meaning_as_by_words(agent, gone):
    if get_embedder() is None:
        pytest.skip("no embedder on this machine")
    gone("My bike is a blue Kestrel")
    [hit] = ask(agent, "bicycle", include_archived=True, explain=True)["results"]
    assert hit["scores"]["dense"] > 0 and hit["scores"]["lexical"] == 0


def test_asking_restores_nothing_and_is_logged(agent, gone):
    memory = gone("My bike is a blue Kestrel")
    answer = ask(agent, "which bike", include_archived=True)
    assert not IndexEntry.objects.filter(memory=memory).exists()
    assert Recall.objects.get(pk=answer["recall_id"]).params["include_archived"] is True
    assert RecallHit.objects.get().version == memory.version
    assert told(ask(agent, "which bike")) == {}


def test_what_is_rejected_retracted_or_superseded_is_never_told(agent, gone, make_memory):
    memory = gone("The code word is zanzibar")
    for status in ("rejected", "retracted", "superseded"):
        Memory.objects.filter(pk=memory.pk).update(status=status)
        assert told(ask(agent, "code word zanzibar", include_archived=True)) == {}
    live = make_memory("The code word is mombasa")
    retract(memory=live, actor=SYSTEM, now=timezone.now(), expected_version=1)
    assert told(ask(agent, "code word mombasa", include_archived=True)) == {}


def test_an_archived_memory_that_is_outvoted_is_withheld(agent, gone, make_memory):
    lie = gone("The user lives in Oslo", value="Oslo", source="llm_reasoning", run_id="r9", **LIVES)
    make_memory("I live in Lyon", value="Lyon", **LIVES)
    answer = ask(agent, "where does the user live", include_archived=True)
    assert told(answer) == {"I live in Lyon": "active"}
    assert [one["id"] for one in answer["withheld"]] == [str(lie.pk)]


def test_the_archived_outvote_nothing_that_is_active(agent, gone, make_memory):
    for n in range(3):
        gone(f"I live in Lyon, {n}", value="Lyon", run_id=f"r{n}", **LIVES)
    make_memory("The user lives in Oslo", value="Oslo", source="llm_reasoning", run_id="r9", **LIVES)
    answer = ask(agent, "where does the user live", include_archived=True)
    assert told(answer)["The user lives in Oslo"] == "active"
    assert answer["withheld"] == []


def test_what_was_archived_then_is_told_of_then(agent, gone, now):
    memory = gone("My bike is a blue Kestrel")
    then = (now - timedelta(days=100)).isoformat()
    unarchive(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version)
    memory.refresh_from_db()
    revise(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version, text="My bike is a red Falcon")
    assert told(ask(agent, "which bike", reference_time=then)) == {}
    answer = ask(agent, "which bike", reference_time=then, include_archived=True)
    assert told(answer) == {"My bike is a blue Kestrel": "archived"}


def test_more_than_can_be_looked_at_is_said(agent, gone, monkeypatch):
    monkeypatch.setattr(made_index, "ARCHIVED_AT_ONCE", 1)
    gone("My bike is a blue Kestrel")
    gone("My bike is a red Falcon")
    answer = ask(agent, "which bike", include_archived=True)
    assert (len(answer["results"]), answer["degraded"]) == (1, ["archived_cut"])


def test_what_is_too_much_to_embed_is_found_by_words(agent, gone, monkeypatch):
    monkeypatch.setattr(made_index, "ARCHIVED_EMBEDDED", 0)
    gone("My bike is a blue Kestrel")
    answer = ask(agent, "which bike", include_archived=True)
    assert len(answer["results"]) == 1
    assert answer["degraded"] == (["archived_words_only"] if get_embedder() else ["no_embedder"])


def test_another_users_archive_is_never_searched(agent, gone, workspace, other_workspace):
    gone("The code word is zanzibar", user=EndUser.objects.create(workspace=workspace, external_id="u2"))
    gone("The code word is zanzibar", user=EndUser.objects.create(workspace=other_workspace, external_id="u1"))
    EndUser.objects.get_or_create(workspace=workspace, external_id="u1")
    assert told(ask(agent, "code word zanzibar", include_archived=True)) == {}
    assert Recall.objects.get().candidates == 0


@pytest.mark.parametrize("wrong", ["true", 1, None, []])
def test_anything_but_true_or_false_is_400(agent, user, wrong):
    answer = agent.post("/search", {"user_id": "u1", "query": "bike", "include_archived": wrong})
    assert (answer.status_code, answer.json()["field"]) == (400, "include_archived")
