"""Whatever was written, decided, archived, imported and rolled back, in whatever order: the past stays as it was seen,
and the last change can be taken back. A failure prints the shortest list of steps that shows it."""

from datetime import timedelta
from itertools import count

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memory.actions.archive import archive, unarchive
from memory.actions.base import VERSIONED, Refused, Stale
from memory.actions.revise import confirm, pin, restore, retract, retract_all, revise
from memory.actions.rollback import plan, rollback
from memory.actions.settle import AlreadyDecided, settle
from memory.actions.undo import undo
from memory.actor import SYSTEM, Actor
from memory.bulk import import_memories
from memory.history import asof
from memory.history.scope import Scope
from memory.models import Change, Conflict, EndUser, Memory
from memory.recall.keeping import Limits

ADA = Actor(kind="person", id="1", label="Ada")
WARM = Limits(below=1000, days=1, half_life_days=30)  # everything that is older than a day is cold
CHOICES = ("keep", "accept", "keep_both", "edit", "reject_both")
STATUSES = ("active", "archived")
_numbers = count()


class World:
    """Two people of one workspace, and a clock that goes on by a quarter of a day with each step."""

    def __init__(self, workspace, make_memory, make_conflict, person):
        self.workspace, self.make_memory, self.make_conflict = workspace, make_memory, make_conflict
        self.person, self.now = person, timezone.now() - timedelta(days=300)
        self.users = [EndUser.objects.create(workspace=workspace, external_id=f"p{next(_numbers)}") for _ in "ab"]

    def step(self, verb, number) -> None:
        self.now += timedelta(hours=6)
        # refused is nothing done; a step that has nothing to act upon is none
        try:
            verb(self, self.users[number % 2], number)
        except (Refused, Stale, AlreadyDecided):
            pass

    def one(self, user, number, **wanted) -> Memory | None:
        found = list(Memory.objects.filter(user=user, **wanted).order_by("created_at", "text"))
        return found[number % len(found)] if found else None

    def seen(self, user) -> dict:
        """{id: state} of what is active or archived, as it stands."""
        rows = Memory.objects.filter(user=user, status__in=STATUSES)
        return {row.pk: (row.version, *_state(row)) for row in rows}

    def content(self) -> dict:
        """The same of both people without the numbers of versions, which only go up."""
        return {pk: state[1:] for user in self.users for pk, state in self.seen(user).items()}

    def roll_back(self, kind: str, value) -> bool:
        scope = Scope(self.workspace, kind, str(value))
        try:
            rollback(
                scope=scope, token=plan(scope).token, actor=ADA, now=self.now, reason="poisoned", person=self.person
            )
        except Refused:
            return False
        return True

    def last_change(self) -> Change | None:
        return Change.objects.filter(user__in=self.users).order_by("pk").last()


def _state(row) -> tuple:
    return tuple(getattr(row, name) for name in VERSIONED)


def write(world, user, number):
    world.make_memory(f"I own boat {number}", user=user, run_id=f"r{number % 3}", at=world.now)


def write_in_a_slot(world, user, number):
    slot = {"subject": "user", "attribute": "residence", "value": f"City {number}"}
    world.make_memory(f"I live in City {number}", user=user, run_id=f"r{number % 3}", at=world.now, **slot)


def act(verb, **more):
    def act_(world, user, number):
        wanted = {"status": "retracted"} if verb is restore else {"status": "active"}
        if memory := world.one(user, number, **wanted):
            verb(memory=memory, actor=ADA, now=world.now, expected_version=memory.version, reason="so", **more)

    return act_


def reword(world, user, number):
    act(revise, text=f"I own yacht {number}")(world, user, number)


def retract_everything(world, user, number):
    retract_all(user=user, actor=ADA, now=world.now)


def decide(world, user, number):
    if memory := world.one(user, number, status="active"):
        conflict = world.make_conflict(None, f"I own a raft {number}", memory=memory, at=world.now)
        settle(
            conflict=conflict, choice=CHOICES[number % 5], person=world.person if number % 3 else None, actor=ADA,
            now=world.now, expected_version=1, text=f"I own a ferry {number}" if number % 5 == 3 else "",
        )  # fmt: skip


def undo_a_decision(world, user, number):
    decided = list(Conflict.objects.filter(user=user, status="decided").order_by("decided_at", "text"))
    if decided:
        conflict = decided[number % len(decided)]
        undo(conflict=conflict, actor=ADA, now=world.now, expected_version=conflict.version)


def archive_the_cold(world, user, number):
    ids = list(Memory.objects.filter(user=user, status="active").values_list("pk", flat=True))
    archive(user=user, ids=ids[: number % 4 + 1], limits=WARM, actor=SYSTEM, now=world.now)


def bring_back(world, user, number):
    if memory := world.one(user, number, status="archived"):
        unarchive(memory=memory, actor=ADA, now=world.now, expected_version=memory.version)


def bring_in(world, user, number):
    rows = [{"user_id": user.external_id, "memory": f"I own canoe {number % 7}.{n}"} for n in range(number % 3 + 1)]
    import_memories(world.workspace, rows, SYSTEM, world.now)


def roll_back_a_change(world, user, number):
    changes = list(Change.objects.filter(user=user).order_by("pk"))
    if changes:
        world.roll_back("change", changes[-1 - number % min(len(changes), 4)].pk)


def roll_back_a_session(world, user, number):
    if memory := world.one(user, number):
        world.roll_back("session", memory.session_id)


VERBS = (
    write, write, write_in_a_slot, reword, act(pin, pinned=True), act(confirm), act(retract), act(restore, number=1),
    retract_everything, decide, decide, undo_a_decision, archive_the_cold, bring_back, bring_in, roll_back_a_change,
    roll_back_a_session,
)  # fmt: skip
STEPS = st.lists(st.tuples(st.integers(0, len(VERBS) - 1), st.integers(0, 59)), min_size=6, max_size=20)


def check(world, steps) -> None:
    observed = []
    for verb, number in steps:
        world.step(VERBS[verb], number)
        observed += [(world.now, user, world.seen(user)) for user in world.users]
    for at, user, state in observed:
        found = asof.versions_at(user, at, STATUSES)
        assert {version.memory_id: (version.number, *_state(version)) for version in found} == state


def check_the_last_is_taken_back(world, steps) -> bool:
    """Whether the last step made a change that a rollback can take back; then it has."""
    for verb, number in steps[:-1]:
        world.step(VERBS[verb], number)
    before, last = world.content(), world.last_change()
    world.step(VERBS[steps[-1][0]], steps[-1][1])
    change = world.last_change()
    if change is None or change == last:
        return False
    kind, value = ("operation", change.operation) if change.operation else ("change", change.pk)
    world.now += timedelta(hours=6)
    if not world.roll_back(kind, value):
        return False
    assert world.content() == before
    return True


RANDOM = settings(
    max_examples=25, deadline=None, phases=[Phase.generate], derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip


@pytest.fixture
def make_world(workspace, make_memory, make_conflict, people):
    return lambda: World(workspace, make_memory, make_conflict, people["ada"])


@RANDOM
@given(steps=STEPS)
def test_the_state_as_of_every_past_moment_is_the_one_that_was_seen_then(make_world, steps):
    check(make_world(), steps)


@RANDOM
@given(steps=STEPS)
def test_rolling_back_the_last_change_restores_what_was_before_it(make_world, steps):
    check_the_last_is_taken_back(make_world(), steps)


def test_each_verb_is_done_and_taken_back(make_world):
    """The same by plan, so that no verb only ever meets an empty world: after some steps, each verb is the last."""
    before = [(0, 0), (0, 2), (2, 4), (9, 1 * 2), (14, 6), (12, 8), (6, 0)]
    taken_back = {
        VERBS[verb].__qualname__
        for verb in range(len(VERBS))
        for number in (0, 2, 4, 6, 8)
        if check_the_last_is_taken_back(make_world(), [*before, (verb, number)])
    }
    assert len(taken_back) >= 10, taken_back
