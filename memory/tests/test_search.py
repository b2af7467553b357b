"""Recall of one user: what may be told, how it is marked, and the row that remembers it."""

from datetime import timedelta

import pytest

from memory import embedding
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.index import embedded
from memory.models import EndUser, Recall, RecallHit, Session
from memory.recall.search import search


@pytest.fixture
def ask(workspace, now):
    def ask_(query, *, user_id="u1", at=None, **more):
        user = EndUser.objects.get(workspace=workspace, external_id=user_id)
        return search(user=user, query=query, asked_by="test", now=at or now, **more)

    return ask_


def texts(answer):
    return [hit.memory.text for hit in answer.results]


def test_the_memory_that_answers_comes_first(make_memory, ask):
    make_memory("My dentist is Dr Okonkwo")
    make_memory("I keep the spare key under the blue pot")
    assert texts(ask("where is the spare key"))[0] == "I keep the spare key under the blue pot"


def test_an_unrelated_question_gets_nothing(make_memory, ask):
    make_memory("My dentist is Dr Okonkwo")
    assert texts(ask("sourdough hydration ratio")) == []


def test_chinese_words_hit_without_an_embedder(make_memory, ask, monkeypatch):
    monkeypatch.setattr(embedding, "get_embedder", lambda: None)
    make_memory("我叫沈知夏，在澄湖医院做护士，对青霉素过敏")
    answer = ask("青霉素")
    assert texts(answer) == ["我叫沈知夏，在澄湖医院做护士，对青霉素过敏"]
    assert answer.degraded == ["no_embedder"]


def test_another_users_memories_are_never_candidates(make_memory, ask, workspace):
    other = EndUser.objects.create(workspace=workspace, external_id="u2")
    make_memory("The safe code is 4471", user=other)
    make_memory("My bike is blue")
    answer = ask("safe code 4471")
    assert texts(answer) == []
    assert Recall.objects.get().candidates == 1


def test_a_change_by_another_process_is_seen_at_once(make_memory, ask):
    memory = make_memory("My bike is a blue Kestrel")
    ask("bike Kestrel")
    # as another process would: the cache of this one is not told
    revise(memory=memory, actor=SYSTEM, now=memory.created_at, expected_version=1, text="My bike is a red Falcon")
    assert texts(ask("which bike")) == ["My bike is a red Falcon"]


def test_a_retracted_memory_is_not_told_even_from_a_stale_index(make_memory, ask, monkeypatch):
    memory = make_memory("My bike is a blue Kestrel")
    index = embedded.load(EndUser.objects.get())
    retract(memory=memory, actor=SYSTEM, now=memory.created_at, expected_version=1)
    monkeypatch.setattr(embedded, "load", lambda user, model_id: index)
    assert texts(ask("blue Kestrel bike")) == []


def test_a_contested_memory_is_marked_and_the_candidate_stays_untold(make_conflict, ask):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    [hit] = ask("where do I live").results
    assert (hit.memory.text, hit.conflicts) == ("I live in Leipzig", [conflict.pk])


def test_the_session_of_the_question_is_preferred(make_memory, ask):
    make_memory("The deploy key is in drawer A", run_id="monday")
    make_memory("The deploy key is in drawer B", run_id="friday")
    session = Session.objects.get(run_id="monday")
    assert texts(ask("where is the deploy key", session=session))[0] == "The deploy key is in drawer A"
    assert texts(ask("where is the deploy key", session=Session.objects.get(run_id="friday")))[0].endswith("drawer B")


def test_the_more_credible_of_two_alike_comes_first(make_memory, ask):
    make_memory("The refund limit is 2000 euros", source="external_content")
    make_memory("The refund limit is 200 euros", source="user_input")
    assert texts(ask("what is the refund limit"))[0] == "The refund limit is 200 euros"


def test_an_exact_old_fact_is_found_behind_240_days_of_small_talk(make_memory, ask, now):
    make_memory("The spare key is under the blue flower pot", at=now - timedelta(days=240))
    for day in range(1, 120):
        make_memory(f"Had a nice walk by the lake, day {day}, and slept well", at=now - timedelta(days=day))
    assert texts(ask("where is the spare key"))[0] == "The spare key is under the blue flower pot"


def test_only_the_asked_categories(make_memory, ask):
    make_memory("I like green tea", category="preference")
    make_memory("The tea shop opens at nine", category="knowledge")
    assert texts(ask("tea", categories=["knowledge"])) == ["The tea shop opens at nine"]


def test_what_was_told_is_logged_with_its_version_and_scores(make_memory, ask):
    memory = make_memory("My bike is a blue Kestrel")
    answer = ask("Kestrel bike", agent_id="helper")
    hit = RecallHit.objects.get(recall_id=answer.recall_id)
    assert (hit.memory_id, hit.version, hit.rank, hit.withheld) == (memory.pk, 1, 1, False)
    assert hit.scores["total"] == pytest.approx(answer.results[0].scores["total"])
    assert Recall.objects.get().agent_id == "helper"


def test_an_empty_question_is_an_error(make_memory, ask):
    make_memory("My bike is blue")
    with pytest.raises(ValueError):
        ask("  \n")


def test_a_user_with_nothing_gets_nothing(user, ask):
    assert texts(ask("anything at all")) == []
