"""The graph as an arm of recall: what a question reaches through people and things, in the product and alone."""

from datetime import timedelta

import pytest
from django_q.models import OrmQ

from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.graph import lead, sync
from memory.graph.arm import Arm
from memory.graph.extract import read_memory
from memory.graph.resolve import resolve
from memory.models import EndUser, Memory, Workspace
from memory.recall.past import search_at
from memory.recall.search import search

SAID = (
    "My sister Anna lives in Lisbon", "Anna is allergic to shellfish", "Anna works at Brightwell",
    "Brightwell moved to a building near the harbour", "My boss Tom likes tea", "我弟弟李强就读于浙江大学",
    "浙江大学九月开学", "李强最近在学潜水",
)  # fmt: skip


def arm_of(*texts: str, total: int = 100) -> Arm:
    return Arm.of(resolve([(text, read_memory(text)) for text in texts], {}), total=total)


@pytest.mark.parametrize(
    ("question", "reached"),
    [("What must my sister not eat?", "Anna is allergic to shellfish"),
     ("Where does Anna work?", "Anna works at Brightwell"),
     ("Where is my sister's company?", "Brightwell moved to a building near the harbour"),
     ("我弟弟的学校什么时候开学", "浙江大学九月开学"), ("李强在学什么", "李强最近在学潜水")],
)  # fmt: skip
def test_a_question_reaches_memories_by_name_by_role_and_one_step_on(question, reached):
    assert arm_of(*SAID).reach(question)[reached] >= 0.5


@pytest.mark.parametrize("question", ["sourdough hydration ratio", "Is it my turn?", "今天天气怎么样", "", "？？"])
def test_a_question_that_names_nobody_reaches_nothing(question):
    assert arm_of(*SAID).reach(question) == {}


def test_further_away_counts_less_and_who_stands_everywhere_counts_nothing():
    reached = arm_of(*SAID, "Brightwell is in Porto").reach("Anna")
    assert reached["Anna works at Brightwell"] == 1 > reached["Brightwell is in Porto"] > 0
    everywhere = [f"Anna has seen film number {number}" for number in range(40)]
    assert arm_of(*everywhere, "My sister Anna sings").reach("Which film has Anna seen?") == {}


def test_what_states_the_relation_that_is_asked_for_counts_fully():
    often = [f"Anna has seen film number {number}" for number in range(40)]
    reached = arm_of("My sister Anna works at Brightwell", *often, total=200).reach("Where does Anna work?")
    assert reached["My sister Anna works at Brightwell"] == 1


@pytest.fixture
def remembered(make_memory, user):
    made = {text: make_memory(text) for text in SAID}
    sync.sync(user.pk)
    return made


@pytest.fixture
def ask(user, now):
    def ask_(query: str, **more):
        answer = search(user=EndUser.objects.get(pk=user.pk), query=query, asked_by="test", now=now, **more)
        return {hit.memory.text: hit.scores for hit in answer.results}

    return ask_


def test_a_search_finds_what_only_the_graph_leads_to_and_says_so(remembered, ask, workspace):
    question = "Where is my sister's company?"
    found = ask(question)
    assert found["Brightwell moved to a building near the harbour"]["graph"] > 0
    Workspace.objects.filter(pk=workspace.pk).update(settings={"ranking": {"graph_weight": 0}})
    without = ask(question)
    assert all(scores["graph"] == 0 for scores in without.values())
    assert "Brightwell moved to a building near the harbour" not in without


def test_what_is_retracted_is_not_told_even_by_a_graph_that_is_behind(remembered, ask, now):
    ask("Anna")
    retract(memory=remembered["Anna is allergic to shellfish"], actor=SYSTEM, now=now, expected_version=1)
    assert "Anna is allergic to shellfish" not in ask("What must my sister not eat?")


def test_a_search_that_finds_the_graph_behind_asks_for_one_job(remembered, make_memory, ask):
    make_memory("My friend Zoe lives in Graz")
    OrmQ.objects.all().delete()
    ask("Where does my friend live?")
    lead.forget()
    ask("Where does my friend live?")
    assert [job.func() for job in OrmQ.objects.all()] == ["memory.tasks.sync_graph"]


def test_a_fresh_graph_costs_a_search_no_query(remembered, user, django_assert_num_queries):
    user.refresh_from_db()
    lead.reach(user, "Anna")
    with django_assert_num_queries(0):
        assert lead.reach(user, "Anna")


def test_the_past_is_searched_through_the_graph_of_then(make_memory, user, now):
    work = make_memory("My sister Anna works at Brightwell")
    make_memory("Brightwell moved to a building near the harbour")
    revise(
        memory=work, actor=SYSTEM, now=now + timedelta(days=2), expected_version=1,
        text="My sister Anna works at Northgate",
    )  # fmt: skip
    sync.sync(user.pk)
    asked = {"user": EndUser.objects.get(pk=user.pk), "asked_by": "test", "now": now + timedelta(days=3)}
    question = "Where is my sister's company?"
    then = search_at(at=now + timedelta(days=1), query=question, **asked)
    today = search(query=question, **asked)
    moved = "Brightwell moved to a building near the harbour"
    assert {hit.memory.text: hit.scores for hit in then.results}[moved]["graph"] > 0
    assert all(hit.scores["graph"] == 0 for hit in today.results if hit.memory.text == moved)


def test_a_past_with_too_many_wordings_goes_without_the_graph_and_says_so(remembered, user, now, monkeypatch):
    monkeypatch.setattr(lead, "READ_AT_ONCE", 1)
    sync.forget(user)
    answer = search_at(
        user=EndUser.objects.get(pk=user.pk), at=now, query="my sister", asked_by="test", now=now + timedelta(days=1)
    )
    assert "past_without_graph" in answer.degraded


def test_nobody_elses_names_are_known(remembered, ask, other_workspace, make_memory):
    other = EndUser.objects.create(workspace=other_workspace, external_id="u1")
    make_memory("My cousin Xenia collects stamps", user=other)
    sync.sync(other.pk)
    assert lead.reach(other, "Xenia") and not lead.reach(other, "Anna")
    assert Memory.objects.filter(user=other).count() == 1 and not any("Xenia" in text for text in ask("Xenia"))
