"""What was remembered at a moment: the state of then, of one user, and what two moments differ by."""

import random
from datetime import timedelta

import pytest

from memory.actions.base import VERSIONED
from memory.actions.revise import pin, restore, retract, retract_all, revise
from memory.actions.settle import settle
from memory.actions.undo import undo
from memory.actor import Actor
from memory.history import asof
from memory.models import Conflict, EndUser, Memory

pytestmark = pytest.mark.django_db

ADA = Actor(kind="person", id="1", label="Ada")
STEPS = 120


def seen(user):
    """{id: (version, state)} of the active memories as they stand."""
    return {memory.pk: _state(memory, memory.version) for memory in Memory.objects.filter(user=user, status="active")}


def read(user, at):
    return {version.memory_id: _state(version, version.number) for version in asof.versions_at(user, at)}


def _state(row, number):
    return number, tuple(getattr(row, name) for name in VERSIONED)


class Walk:
    """Random verbs upon two users' memories, one a minute."""

    def __init__(self, make_memory, make_conflict, person, users, now):
        self.random, self.now = random.Random(20260503), now
        self.make_memory, self.make_conflict, self.person, self.users = make_memory, make_conflict, person, users
        self.done = set()

    def step(self, number):
        self.now += timedelta(minutes=1)
        verbs = [self.write, self.write, self.edit, self.pin, self.retract, self.restore, self.decide, self.take_back]
        verb = self.random.choice([*verbs, self.retract_all] if number % 40 == 39 else verbs)
        if verb(number) is not False:
            self.done.add(verb.__name__)

    def one(self, **wanted):
        found = list(Memory.objects.filter(**wanted).order_by("created_at", "text"))
        return self.random.choice(found) if found else None

    def write(self, number):
        self.make_memory(f"I own boat {number}", user=self.random.choice(self.users), at=self.now)

    def edit(self, number):
        return self._act(revise, self.one(status="active"), text=f"I own yacht {number}")

    def pin(self, number):
        memory = self.one(status="active", pinned=False)
        return self._act(pin, memory, pinned=True)

    def retract(self, number):
        return self._act(retract, self.one(status="active"))

    def restore(self, number):
        return self._act(restore, self.one(status="retracted"), number=1)

    def retract_all(self, number):
        retract_all(user=self.random.choice(self.users), actor=ADA, now=self.now)

    def decide(self, number):
        memory = self.one(status="active")
        if memory is None:
            return False
        conflict = self.make_conflict(None, f"I own a raft {number}", memory=memory, at=self.now)
        choice = self.random.choice(["keep", "accept", "keep_both", "reject_both"])
        settle(conflict=conflict, choice=choice, person=self.person, actor=ADA, now=self.now, expected_version=1)
        self.decided = conflict.pk

    def take_back(self, number):
        conflict = Conflict.objects.filter(pk=getattr(self, "decided", None), status="decided").first()
        if conflict is None:
            return False
        try:
            undo(conflict=conflict, actor=ADA, now=self.now, expected_version=conflict.version)
        except Exception as refused:  # changed since: a refusal is a step that changed nothing
            assert type(refused).__name__ in ("Stale", "Refused")

    def _act(self, verb, memory, **more):
        if memory is None:
            return False
        verb(memory=memory, actor=ADA, now=self.now, expected_version=memory.version, **more)


def test_the_state_as_of_every_past_moment_is_the_state_observed_then(make_memory, make_conflict, people, user, now):
    users = [user, EndUser.objects.create(workspace=user.workspace, external_id="u2")]
    walk = Walk(make_memory, make_conflict, people["ada"], users, now)
    observed = []
    for number in range(STEPS):
        walk.step(number)
        observed += [(walk.now, each, seen(each)) for each in users]
    assert walk.done >= {"write", "edit", "pin", "retract", "restore", "decide", "take_back"}
    for at, each, state in observed:
        assert read(each, at) == state
        assert read(each, at + timedelta(seconds=59)) == state
    assert read(user, now - timedelta(days=1)) == {}
    for (early, each, old), (late, same, new) in zip(observed[::2], observed[14::2], strict=False):
        assert each == same
        found = asof.between(each, early, late)
        assert {version.memory_id for version in found.added} == new.keys() - old.keys()
        assert {version.memory_id for version in found.gone} == old.keys() - new.keys()
        both = old.keys() & new.keys()
        assert {change.later.memory_id for change in found.changed} == {id for id in both if old[id] != new[id]}


def test_another_workspaces_user_of_the_same_name_has_a_past_of_its_own(make_memory, other_workspace, user, now):
    stranger = EndUser.objects.create(workspace=other_workspace, external_id=user.external_id)
    mine, theirs = make_memory("I live in Bergen"), make_memory("I live in Oslo", user=stranger)
    assert [version.memory_id for version in asof.versions_at(user, now)] == [mine.pk]
    assert [version.memory_id for version in asof.versions_at(stranger, now)] == [theirs.pk]


def test_what_was_erased_is_not_shown_even_in_the_past(make_memory, user, now):
    make_memory("My passport number is 123").delete()
    assert list(asof.versions_at(user, now)) == []


def test_two_moments_differ_by_what_was_added_changed_and_gone(make_memory, user, now):
    later = now + timedelta(hours=1)
    kept, edited, gone = make_memory("I sail"), make_memory("I live in Bergen"), make_memory("I ski")
    revise(memory=edited, actor=ADA, now=later, expected_version=1, text="I live in Oslo")
    retract(memory=gone, actor=ADA, now=later, expected_version=1)
    added = make_memory("I row", at=later)
    found = asof.between(user, now, later)
    assert [version.memory_id for version in found.added] == [added.pk]
    assert [version.memory_id for version in found.gone] == [gone.pk]
    [change] = found.changed
    assert [(each.kind, each.text) for each in change.words if each.kind != "same"] == [
        ("removed", "Bergen"), ("added", "Oslo"),
    ]  # fmt: skip
    assert kept.pk not in {version.memory_id for version in [*found.added, *found.gone]}
