"""Recall among memories that differ: what is withheld and logged, the conflict it opens, deciding it, undoing that."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from memory import tasks
from memory.actions.settle import settle
from memory.actions.undo import undo
from memory.actor import SYSTEM
from memory.bulk import import_memories
from memory.index import embedded
from memory.models import Conflict, EndUser, Lesson, Memory, RecallHit
from memory.recall import rivals
from memory.recall.ranking import UserIndex
from memory.recall.search import search

LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def lives(make_memory, now):
    """lives("Lyon", run_id=…, source=…) puts a memory of where the user lives beside what is held, as an import can."""

    def lives_(place: str, *, run_id: str = "r1", source: str = "user_input", days: int = 0, text: str = "", **more):
        return make_memory(
            text or f"I live in {place}", value=place, run_id=run_id, source=source, at=now + timedelta(days=days),
            **LIVES, **more,
        )  # fmt: skip

    return lives_


@pytest.fixture
def ask(user, now):
    def ask_(query: str = "where do I live", **more):
        return search(user=EndUser.objects.get(pk=user.pk), query=query, asked_by="test", now=now, **more)

    return ask_


@pytest.fixture
def decide(people, now):
    def decide_(conflict, choice, **more):
        return settle(
            conflict=conflict, choice=choice, person=people["ada"], actor=SYSTEM, now=now + timedelta(days=1),
            expected_version=conflict.version, **more,
        )  # fmt: skip

    return decide_


def asked():
    """How many jobs wait to ask a person."""
    return sum(job.func() == "memory.tasks.open_dispute" for job in OrmQ.objects.all())


def told(answer):
    return [hit.memory.text for hit in answer.results]


def open_it(user):
    tasks.open_dispute(user.pk, "user", "residence")
    return Conflict.objects.get(status="open")


def active(user):
    return set(Memory.objects.filter(user=user, status="active").values_list("text", flat=True))


def test_the_outvoted_is_not_told_but_named_with_its_reason_and_logged(lives, ask):
    true, false = lives("Lyon"), lives("Oslo", run_id="r2", source="llm_reasoning")
    answer = ask()
    assert told(answer) == ["I live in Lyon"] and not answer.results[0].contested
    [out] = answer.withheld
    assert (out.memory.pk, out.outvoted_by, out.reason.code) == (false.pk, [true.pk], "outvoted")
    row = RecallHit.objects.get(recall_id=answer.recall_id, memory=false)
    assert (row.withheld, row.rank, row.reason_code) == (True, 2, "outvoted")
    votes = {"value": "Lyon", "votes": 0.8, "own_votes": 0.5}
    assert row.reason_params == votes | {"outvoted_by": [str(true.pk)]}


def test_a_lie_that_alone_would_be_found_is_withheld_too(lives, ask):
    lives("Lyon", text="Lyon has been home for years")
    lives("Oslo", source="llm_reasoning", text="Where do I live, where do I live: Oslo")
    assert told(ask(top_k=1)) == ["Lyon has been home for years"]


def test_another_memory_stands_in_for_the_withheld_one(lives, make_memory, ask):
    lives("Lyon")
    lives("Oslo", source="llm_reasoning")
    make_memory("Where I live there is a lot of rain")
    answer = ask(top_k=2)
    assert set(told(answer)) == {"I live in Lyon", "Where I live there is a lot of rain"}


def test_equals_are_told_as_contested(lives, ask):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    answer = ask()
    assert set(told(answer)) == {"I live in Lyon", "I live in Oslo"} and not answer.withheld
    assert all(hit.contested for hit in answer.results)


def test_many_likes_are_no_dispute(make_memory, ask):
    for thing in ("tea", "coffee", "juice"):
        make_memory(f"I like {thing}", subject="user", attribute="likes", value=thing)
    answer = ask("what do I like")
    assert len(answer.results) == 3 and not any(hit.contested for hit in answer.results)


def test_what_has_ended_does_not_vote(lives, ask, now):
    old = lives("Oslo", run_id="r2")
    Memory.objects.filter(pk=old.pk).update(valid_to=now - timedelta(days=5))
    lives("Lyon")
    assert not any(hit.contested for hit in ask().results)


def test_another_users_memories_have_no_vote(lives, make_memory, workspace, ask):
    other = EndUser.objects.create(workspace=workspace, external_id="u2")
    make_memory("I live in Oslo", user=other, value="Oslo", **LIVES)
    lives("Lyon")
    assert told(ask()) == ["I live in Lyon"] and not ask().results[0].contested


def test_fifty_posts_of_one_origin_do_not_outvote_a_confirmed_memory(lives, ask, now, user):
    true = lives("Lyon", source="external_content")
    Memory.objects.filter(pk=true.pk).update(confirmed_at=now)
    for n in range(50):
        lives("Oslo", text=f"I live in Oslo, that is certain ({n})", run_id="flood")
    answer = ask(top_k=5)
    assert told(answer) == ["I live in Lyon"]
    assert {out.reason.code for out in answer.withheld} == {"outvoted_by_person"}
    conflict = open_it(user)
    assert conflict.memory == true and conflict.rivals.count() == 50


def test_ten_sessions_of_an_agent_are_one_voice(lives, ask):
    lives("Lyon")
    for n in range(10):
        lives("Oslo", text=f"The user's home is Oslo, note {n}", run_id=f"agent-{n}", source="llm_reasoning")
    assert told(ask("user's home, where do I live")) == ["I live in Lyon"]


def test_a_search_leaves_the_conflict_to_a_job_and_asks_for_it_once(lives, ask, user):
    lives("Lyon")
    lives("Oslo", run_id="r2", source="llm_reasoning")
    ask()
    assert not Conflict.objects.exists() and asked() == 1
    conflict = open_it(user)
    assert tasks.open_dispute(user.pk, "user", "residence") is False
    ask()
    assert asked() == 1 and Conflict.objects.get() == conflict


def test_an_unlogged_search_asks_nobody(lives, ask):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    ask(log=False)
    assert not OrmQ.objects.exists()


def test_one_conflict_holds_the_winner_against_all_others(lives, user):
    true, false = lives("Lyon"), lives("Oslo", run_id="r2", source="llm_reasoning")
    more = lives("Oslo", run_id="r3", source="llm_reasoning", text="The user lives in Oslo")
    conflict = open_it(user)
    assert (conflict.kind, conflict.memory, conflict.suggestion) == ("contradiction", true, "keep")
    assert set(conflict.rivals.all()) == {false, more}
    assert conflict.reason_code == "memories_differ"


def test_between_equals_the_newer_is_asked_about_and_advised(lives, user):
    old, new = lives("Lyon"), lives("Oslo", run_id="r2", days=40)
    conflict = open_it(user)
    assert (conflict.memory, conflict.text, conflict.suggestion) == (old, new.text, "accept")


def test_contested_memories_name_the_conflict(lives, ask, user):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    conflict = open_it(user)
    assert [hit.conflicts for hit in ask().results] == [[conflict.pk], [conflict.pk]]


def test_keep_rejects_every_other_value_and_learns_them(lives, ask, user, decide):
    lives("Lyon")
    lives("Oslo", run_id="r2", source="llm_reasoning")
    lives("Rome", run_id="r3", source="llm_summary")
    decide(open_it(user), "keep")
    assert active(user) == {"I live in Lyon"}
    assert set(Lesson.objects.values_list("text", flat=True)) == {"I live in Oslo", "I live in Rome"}
    answer = ask()
    assert told(answer) == ["I live in Lyon"] and not answer.results[0].contested and not answer.withheld


def test_accept_keeps_the_memory_that_is_there_and_supersedes_what_differs(lives, user, decide, now):
    old, new = lives("Lyon"), lives("Oslo", run_id="r2", days=40)
    same = lives("Oslo", run_id="r2", days=41, text="My home is Oslo")
    settlement = decide(open_it(user), "accept")
    assert settlement.admitted in (new, same)
    old.refresh_from_db()
    assert (old.status, old.superseded_by_id) == ("superseded", settlement.admitted.pk)
    assert active(user) == {new.text, same.text}
    assert Memory.objects.get(pk=settlement.admitted.pk).confirmed_at


def test_keep_both_confirms_all_and_nobody_is_asked_again(lives, ask, user, decide):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    decide(open_it(user), "keep_both")
    assert Memory.objects.filter(user=user, confirmed_at=None).count() == 0
    assert not any(hit.contested for hit in ask().results)
    assert tasks.open_dispute(user.pk, "user", "residence") is False


def test_an_own_wording_supersedes_all(lives, user, decide):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    decide(open_it(user), "edit", text="I live in Oslo and work in Lyon")
    assert active(user) == {"I live in Oslo and work in Lyon"}


def test_reject_both_leaves_none(lives, user, decide):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    decide(open_it(user), "reject_both")
    assert active(user) == set()


@pytest.mark.parametrize("choice", ["keep", "accept", "keep_both", "reject_both"])
def test_undoing_puts_every_memory_back(lives, user, decide, now, choice):
    lives("Lyon")
    lives("Oslo", run_id="r2")
    lives("Rome", run_id="r3", source="llm_summary")
    before = set(Memory.objects.values_list("pk", "status", "credibility", "confirmed_at"))
    conflict = open_it(user)
    decide(conflict, choice)
    conflict.refresh_from_db()
    undo(conflict=conflict, actor=SYSTEM, now=now + timedelta(days=2), expected_version=conflict.version)
    assert set(Memory.objects.values_list("pk", "status", "credibility", "confirmed_at")) == before
    assert not Lesson.objects.filter(undone_at=None).exists()


@pytest.mark.usefixtures("nothing_changes_hands")
def test_a_search_without_a_dispute_costs_no_query_more(lives, make_memory, ask, django_assert_num_queries):
    make_memory("I like green tea", subject="user", attribute="likes", value="green tea")
    ask("tea")
    with CaptureQueriesContext(connection) as plain:
        ask("tea")
    lives("Lyon")
    ask()
    with django_assert_num_queries(len(plain)):
        ask()


def test_where_a_vector_database_narrows_down_the_vote_reads_the_slot(lives, now, user):
    """What it picked may be the lie alone."""
    lives("Lyon")
    false = lives("Oslo", run_id="r2", source="llm_reasoning")
    [dispute] = rivals.among(user, [false], now=now, shared=None)
    assert [each.id for each in dispute.withheld] == [false.pk]
    index = UserIndex.build(embedded.rows(user, {false.pk}), total=2)
    assert index.shared_slots is None
    assert UserIndex.build(embedded.rows(user)).shared_slots == {("user", "residence")}


def test_an_import_that_brings_two_homes_is_seen_at_recall(workspace, now):
    def home(place, source_class):
        return {
            "user_id": "u1", "memory": f"Home is in {place}", "category": "profile", "value": place,
            "source_class": source_class, **LIVES,
        }  # fmt: skip

    import_memories(workspace, [home("Lyon", "user_input"), home("Oslo", "external_content")], SYSTEM, now)
    person = EndUser.objects.select_related("workspace").get(external_id="u1")
    answer = search(user=person, query="where is home", asked_by="test", now=now)
    assert told(answer) == ["Home is in Lyon"]
    assert [out.reason.code for out in answer.withheld] == ["outvoted"]
