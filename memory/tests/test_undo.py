"""Taking a decision back."""

import pytest

from memory.actions.base import Stale
from memory.actions.revise import revise
from memory.actions.settle import AlreadyDecided, settle
from memory.actions.undo import undo
from memory.actor import Actor
from memory.models import Conflict, Lesson, Memory

ADA = Actor(kind="person", id="1", label="Ada")


@pytest.fixture
def decided(make_conflict, people, now):
    def decided_(choice, **more):
        conflict = make_conflict("I live in Leipzig", "I live in Graz")
        settle(conflict=conflict, choice=choice, person=people["ada"], actor=ADA, now=now, expected_version=1, **more)
        conflict.refresh_from_db()
        return conflict

    return decided_


@pytest.mark.parametrize("choice", ["keep", "accept", "keep_both", "reject_both"])
def test_undo_puts_everything_back_as_it_was(decided, now, choice):
    conflict = decided(choice)
    undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    held = Memory.objects.get(pk=conflict.memory_id)
    assert list(Memory.objects.filter(status="active")) == [held]
    assert (held.text, held.valid_to, held.superseded_by, held.confirmed_at) == ("I live in Leipzig", None, None, None)
    conflict.refresh_from_db()
    assert (conflict.status, conflict.choice, conflict.decided_at) == ("open", "", None)
    assert not Lesson.objects.filter(undone_at=None).exists()


def test_undo_adds_versions_and_removes_none(decided, now):
    conflict = decided("accept")
    undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    held = Memory.objects.get(pk=conflict.memory_id)
    assert list(held.versions.values_list("status", flat=True)) == ["active", "superseded", "active"]


def test_undo_is_refused_when_the_memory_has_changed_since(decided, now):
    conflict = decided("accept")
    admitted = Memory.objects.get(status="active")
    revise(memory=admitted, actor=ADA, now=now, expected_version=admitted.version, text="I live in Graz, Austria")
    with pytest.raises(Stale):
        undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    assert Conflict.objects.get().status == "decided"


def test_a_decision_is_undone_once(decided, now):
    conflict = decided("keep")
    undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    with pytest.raises(AlreadyDecided):
        undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)


def test_a_conflict_can_be_decided_again_after_an_undo(decided, people, now):
    conflict = decided("accept")
    undo(conflict=conflict, actor=ADA, now=now, expected_version=conflict.version)
    conflict.refresh_from_db()
    settle(
        conflict=conflict, choice="accept", person=people["ben"], actor=ADA, now=now, expected_version=conflict.version
    )
    assert Memory.objects.get(status="active").text == "I live in Graz"
