"""What says the same as an archived memory brings that one back, by every way in, and goes again when undone."""

import itertools
from datetime import timedelta

import pytest

from memory.actions.archive import archive
from memory.actions.base import scored
from memory.actions.rollback import plan, rollback
from memory.actions.settle import settle
from memory.actions.twins import Said, archived_twins
from memory.actions.undo import undo
from memory.actor import SYSTEM, Actor
from memory.bulk import import_memories
from memory.history.scope import Scope
from memory.models import Change, Evidence, IndexEntry, Memory
from memory.recall.keeping import Limits

ADA = Actor(kind="person", id="1", label="Ada")
HOME = {"subject": "user", "attribute": "home", "value": "leipzig"}


@pytest.fixture
def archived(make_memory, now):
    def make(text="I live in Leipzig", **fields):
        memory = make_memory(text, at=now - timedelta(days=200), **fields)
        limits = Limits(below=1, days=1, half_life_days=1)
        archive(user=memory.user, ids=[memory.pk], limits=limits, actor=SYSTEM, now=now - timedelta(days=1))
        memory.refresh_from_db()
        assert memory.status == "archived"
        return memory

    return make


@pytest.fixture
def decide(people, now):
    clock = itertools.count()

    def decide_(conflict, choice, **more):
        conflict.refresh_from_db()
        at = now + timedelta(minutes=next(clock))
        step = {"person": people["ada"], "actor": ADA, "now": at, "expected_version": conflict.version}
        return settle(conflict=conflict, choice=choice, **step, **more)

    return decide_


@pytest.fixture
def bring(workspace, now):
    def bring_(*rows):
        rows = [{"user_id": "u1", "category": "profile"} | row for row in rows]
        return import_memories(workspace, rows, SYSTEM, now)

    return bring_


def take_back(workspace, change, now):
    scope = Scope(workspace, "change", str(change.pk), None)
    return rollback(scope=scope, token=plan(scope).token, actor=ADA, now=now, reason="wrong")


@pytest.mark.parametrize("choice", ["accept", "keep_both", "edit"])
def test_a_candidate_that_says_what_was_archived_enters_as_that_memory(
    archived, make_conflict, decide, choice
):  # fmt: skip
    twin = archived()
    conflict = make_conflict("I live in Graz", "I live in Leipzig." if choice != "edit" else "I live in Lipsia")
    done = decide(conflict, choice, **({"text": "I live in Leipzig"} if choice == "edit" else {}))
    twin.refresh_from_db()
    assert (done.admitted, twin.status, twin.evidence.count()) == (twin, "active", 2)
    assert twin.confirmed_at is not None and twin.credibility == scored(twin).value
    assert IndexEntry.objects.filter(memory=twin).exists()
    assert Memory.objects.count() == 2


def test_the_same_value_of_the_same_thing_is_the_same_in_other_words(archived, make_conflict, decide):
    twin = archived(**HOME)
    assert decide(make_conflict(None, "Leipzig is home", **HOME), "accept").admitted == twin


def test_undone_it_is_archived_again_and_the_new_evidence_counts_for_nothing(archived, make_conflict, decide, now):
    twin = archived(source="llm_summary")
    conflict = make_conflict("I live in Graz", "I live in Leipzig.")
    decide(conflict, "accept")
    conflict.refresh_from_db()
    undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    twin.refresh_from_db()
    assert (twin.status, twin.confirmed_at) == ("archived", None)
    assert scored(twin).value == pytest.approx(twin.credibility)
    assert not IndexEntry.objects.filter(memory=twin).exists()
    decide(conflict, "accept")
    assert (twin.evidence.filter(withdrawn=False).count(), twin.evidence.count()) == (2, 2)


def test_a_decision_rolled_back_and_forth_withdraws_and_counts_again(
    archived, make_conflict, decide, workspace, now
):  # fmt: skip
    twin = archived()
    decision = decide(make_conflict("I live in Graz", "I live in Leipzig."), "accept").change
    [change] = take_back(workspace, decision, now).changes
    twin.refresh_from_db()
    assert (twin.status, twin.evidence.filter(withdrawn=True).count()) == ("archived", 1)
    take_back(workspace, change, now)
    twin.refresh_from_db()
    assert (twin.status, twin.evidence.filter(withdrawn=True).count()) == ("active", 0)


def test_an_import_brings_it_back_with_its_own_evidence(archived, bring):
    twin = archived(source="llm_summary")
    before = twin.credibility
    done = bring({"memory": "I live in Leipzig.", "source_class": "tool_return"}, {"memory": "I own a cat"})
    twin.refresh_from_db()
    assert (done.count, done.skipped) == (2, [])
    assert (twin.status, twin.version, twin.versions.last().change.kind) == ("active", 3, "import")
    assert twin.evidence.get(episode__name="import").quote == "I live in Leipzig."
    assert twin.credibility == scored(twin).value > before
    assert Memory.objects.count() == 2
    assert IndexEntry.objects.filter(memory=twin).exists()


def test_rows_of_one_import_that_mean_the_same_bring_one_memory_back(archived, bring):
    twin = archived(**HOME)
    bring({"memory": "Home is Leipzig"} | HOME, {"memory": "I live in Leipzig."}, {"memory": "Leipzig: home"} | HOME)
    twin.refresh_from_db()
    assert (twin.status, twin.version, twin.evidence.count(), Memory.objects.count()) == ("active", 3, 4, 1)


def test_an_import_rolled_back_archives_it_again(archived, bring, workspace, now):
    twin = archived()
    bring({"memory": "I live in Leipzig."}, {"memory": "I own a cat"})
    take_back(workspace, Change.objects.get(kind="import"), now)
    twin.refresh_from_db()
    assert (twin.status, twin.evidence.filter(withdrawn=True).count()) == ("archived", 1)
    assert Memory.objects.get(text="I own a cat").status == "retracted"


def test_said_again_and_rolled_back_it_is_archived_without_the_new_evidence(archived, tell, workspace, now):
    twin = archived()
    tell("I live in Leipzig.", run_id="r9", at=now)
    assert Memory.objects.get().status == "active"
    take_back(workspace, Change.objects.get(kind="restore"), now)
    assert Memory.objects.get().status == "archived"
    assert Evidence.objects.filter(memory=twin, withdrawn=True).count() == 1


def test_nobody_elses_and_no_other_value_is_a_twin(archived, make_memory):
    mine = archived(**HOME)
    said = Said.by(mine)
    other = [
        said._replace(user_id=mine.user_id + 1),
        said._replace(fingerprint="x", value="graz"),
        said._replace(fingerprint="x", negated=True),
        said._replace(fingerprint="x", past=True),
        said._replace(fingerprint="x", value=""),
    ]
    assert archived_twins([*other, said]) == [None] * len(other) + [mine]


def test_what_is_active_in_the_same_words_has_no_twin(archived, make_memory):
    older = archived(**HOME)
    make_memory("I live in Leipzig")
    assert archived_twins([Said.by(older)._replace(fingerprint="x")]) == [None]
