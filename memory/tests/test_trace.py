"""The stages of one search: the same as an agent's, laid open, and without a trace of their own."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django_q.models import OrmQ

from memory import embedding
from memory.actions.revise import revise
from memory.actor import SYSTEM
from memory.models import EndUser, Memory, Recall
from memory.recall.question import InFuture, Question
from memory.recall.scoring import RankingSettings
from memory.recall.search import search
from memory.recall.trace import moves, trace

pytestmark = pytest.mark.django_db
LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def look(user, now):
    def look_(query, **more):
        return trace(Question(user=EndUser.objects.get(pk=user.pk), query=query, **({"now": now} | more)))

    return look_


def words(entries):
    return [entry.memory.text for entry in entries]


@pytest.fixture
def filled(make_memory):
    for text in (
        "I live in Lyon near the river",
        "The river floods each spring",
        "My cat is called Mimi",
        "I like tea",
    ):
        make_memory(text)


def test_what_is_told_and_every_score_is_that_of_the_search(filled, look, user, now):
    laid_open = look("where do I live, near which river")
    answer = search(user=user, query="where do I live, near which river", asked_by="t", now=now, log=False)
    assert [(entry.memory.pk, entry.score.total) for entry in laid_open.told] == [
        (hit.memory.pk, hit.scores["total"]) for hit in answer.results
    ]
    assert len(laid_open.told) > 1


def test_it_is_neither_logged_nor_warms_nor_asks_a_person(make_memory, look):
    for n, city in enumerate(("Lyon", "Oslo")):
        make_memory(f"I live in {city}", value=city, run_id=f"r{n}", **LIVES)
    before = list(Memory.objects.order_by("pk").values("heat", "hits", "updated_at"))
    assert look("where do I live").disputes
    assert not Recall.objects.exists() and not OrmQ.objects.exists()
    assert list(Memory.objects.order_by("pk").values("heat", "hits", "updated_at")) == before


def test_each_arm_tells_what_it_puts_first_with_value_and_place(filled, look):
    laid_open = look("the river")
    arms = {arm.name: arm for arm in laid_open.arms}
    assert set(arms) == {"dense", "lexical", "graph"} and arms["graph"].found == 0
    for arm in (arms["dense"], arms["lexical"]):
        assert [said.place for said, _ in arm.first] == sorted(said.place for said, _ in arm.first)
        values = [said.value for said, _ in arm.first]
        assert values == sorted(values, reverse=True) and arm.found >= len(values) > 0
    assert {memory.text for _, memory in arms["lexical"].first} == {
        "I live in Lyon near the river", "The river floods each spring",
    }  # fmt: skip
    first = laid_open.told[0]
    assert {said.arm: said.value for said in first.said} == {
        "dense": first.score.dense, "lexical": first.score.lexical, "graph": 0.0,
    }  # fmt: skip


def test_without_an_embedder_there_is_an_arm_less_and_it_says_so(filled, look, monkeypatch):
    monkeypatch.setattr(embedding, "get_embedder", lambda: None)
    laid_open = look("the river")
    assert [arm.name for arm in laid_open.arms] == ["lexical", "graph"]
    assert laid_open.found.degraded == ["no_embedder"]


def test_what_is_below_the_line_is_told_apart(filled, look):
    laid_open = look("the river", settings=RankingSettings(min_relevance=1.0))
    assert laid_open.told == [] and laid_open.found.weighed.line.lexical == 1.0
    assert len(laid_open.below) == 4
    totals = [entry.score.total for entry in laid_open.below]
    assert totals == sorted(totals, reverse=True)


def test_the_question_is_read_in_both_languages(filled, look, now):
    laid_open = look("what did I do yesterday")
    day = now.date() - timedelta(days=1)
    assert laid_open.periods == [(day, day)] and "what" in laid_open.dropped
    laid_open = look("5月3日我在哪里")
    assert laid_open.periods == [(date(2026, 5, 3), date(2026, 5, 3))] and "我" in laid_open.dropped
    assert "05-03" in laid_open.found.plan.terms


def test_the_withheld_and_the_sides_of_the_dispute(make_memory, look):
    true = make_memory("I live in Lyon", value="Lyon", **LIVES)
    false = make_memory("The user lives in Oslo", value="Oslo", run_id="r2", source="llm_reasoning", **LIVES)
    laid_open = look("where does the user live")
    [held] = laid_open.withheld
    assert (held.memory.pk, held.withheld.outvoted_by) == (false.pk, [true.pk])
    [dispute] = laid_open.disputes
    assert {laid_open.members[member.id].text for member in dispute.leader.members} == {true.text}


def test_a_past_moment_shows_the_wording_of_then(make_memory, look, now):
    memory = make_memory("I live in Bergen")
    revise(memory=memory, actor=SYSTEM, now=now + timedelta(hours=1), expected_version=1, text="I live in Oslo")
    later = now + timedelta(days=1)
    assert words(look("where do I live", now=later).told) == ["I live in Oslo"]
    laid_open = look("where do I live", now=later, at=now)
    assert words(laid_open.told) == ["I live in Bergen"]
    assert [memory.text for arm in laid_open.arms for _, memory in arm.first] == ["I live in Bergen"] * 2
    with pytest.raises(InFuture):
        look("where do I live", at=now + timedelta(days=2))


def test_the_stages_are_timed_in_their_order(filled, look, now):
    stages = [stage for stage, took in look("the river").found.times if took >= 0]
    assert stages == ["candidates", "question", "embed", "weigh", "consensus"]
    assert [stage for stage, _ in look("the river", at=now).found.times] == ["versions", *stages]


def test_other_settings_move_places_in_and_out(make_memory, look):
    make_memory("The deploy key is in drawer A", run_id="monday")
    make_memory("The deploy key is in drawer B", run_id="friday")
    plain = look("where is the deploy key")
    second = plain.told[1].memory
    heavy = look("where is the deploy key", session=second.session, settings=RankingSettings(session_bonus=1.0))
    moved = moves(plain, heavy)
    assert [(move.memory, move.before, move.after, move.by) for move in moved] == [
        (second, 2, 1, 1), (plain.told[0].memory, 1, 2, -1),
    ]  # fmt: skip
    assert moved[0].total_after == pytest.approx(moved[0].total_before + 1.0)
    one = look("where is the deploy key", top_k=1)
    assert [(move.before, move.after, move.by) for move in moves(plain, one)] == [(1, 1, 0), (2, None, 0)]
    assert [(move.before, move.after, move.by) for move in moves(one, plain)] == [(1, 1, 0), (None, 2, 0)]


def test_nobody_elses_memory_is_in_any_stage(filled, make_memory, look, workspace, other_workspace):
    for place, name in ((workspace, "u2"), (other_workspace, "u1")):
        stranger = EndUser.objects.create(workspace=place, external_id=name)
        make_memory("I live in Zanzibar near the river", user=stranger)
    laid_open = look("where do I live near the river", settings=replace(RankingSettings(), min_relevance=0.0))
    shown = [*words(laid_open.told), *words(laid_open.below)]
    shown += [memory.text for arm in laid_open.arms for _, memory in arm.first]
    assert len(shown) > 4 and not [text for text in shown if "Zanzibar" in text]


def test_a_person_without_memories_has_empty_stages(look):
    laid_open = look("anything")
    assert (laid_open.told, laid_open.below, laid_open.withheld, laid_open.disputes) == ([], [], [], [])
