"""Review outcomes: decisions in force move the trust in a source; undone ones do not count."""

import pytest

from memory.actions.source import source_of
from memory.actions.undo import undo
from memory.actor import SYSTEM
from memory.credibility import Record
from memory.records import records_of


@pytest.fixture
def decided(people, make_conflict, now):
    """decided("keep", "text") holds a claim of the user against a memory and decides it; answers the conflict."""
    from memory.actions.settle import settle

    def decide(choice: str, claim: str, **fields):
        conflict = make_conflict(f"not {claim}", claim)
        settle(
            conflict=conflict, choice=choice, person=people["ada"], actor=SYSTEM, now=now,
            expected_version=conflict.version, **fields,
        )  # fmt: skip
        conflict.refresh_from_db()
        return conflict

    return decide


def of_user(workspace):
    return records_of(workspace.pk, ["user:u1"]).get("user:u1", Record())


def test_taken_and_turned_away_are_counted_by_source(workspace, decided):
    decided("accept", "I live in Lyon")
    decided("keep_both", "I like tea")
    decided("keep", "I am forty")
    decided("reject_both", "My cat is blue")
    assert of_user(workspace) == Record(accepted=2, rejected=2)


def test_an_edited_claim_speaks_neither_for_its_source_nor_against_it(workspace, decided):
    decided("edit", "I live in Lyon", text="I live near Lyon")
    assert of_user(workspace) == Record()


def test_an_open_conflict_and_an_undone_decision_count_for_nothing(workspace, decided, make_conflict, now):
    make_conflict("The gate is red", "The gate is green")
    conflict = decided("keep", "I live in Lyon")
    assert of_user(workspace) == Record(0, 1)
    undo(conflict=conflict, actor=SYSTEM, now=now, expected_version=conflict.version)
    assert of_user(workspace) == Record()


def test_another_workspaces_decisions_count_for_nothing(other_workspace, decided):
    decided("keep", "I live in Lyon")
    assert of_user(other_workspace) == Record()


def test_a_source_that_was_turned_away_is_trusted_less_from_then_on(decided, make_memory):
    before = make_memory("I play the cello").credibility
    decided("keep", "I live in Lyon")
    assert before == 1.0
    assert make_memory("I play the oboe").credibility == pytest.approx(20 / 21)


def test_the_figures_are_one_query_however_many_sources(workspace, decided, django_assert_num_queries):
    decided("keep", "I live in Lyon")
    with django_assert_num_queries(1):
        records_of(workspace.pk, [f"tool:{n}" for n in range(50)] + ["user:u1"])


@pytest.mark.parametrize(
    ("fields", "source"),
    [
        ({"role": "user"}, "user:u1"),
        ({"role": "assistant", "agent_id": "helper"}, "agent:helper"),
        ({"role": "tool", "kind": "tool_result", "name": "crm"}, "tool:crm"),
        ({"role": "tool", "kind": "tool_result", "metadata": {"url": "https://Ex.org/a?b"}}, "site:ex.org"),
        ({"role": "user", "metadata": {"url": "http://["}}, "user:u1"),
        ({"role": "system", "name": "import"}, "other:import"),
    ],
)
def test_whose_record_it_is(make_episode, fields, source):
    assert source_of(make_episode("text", **fields)) == source
