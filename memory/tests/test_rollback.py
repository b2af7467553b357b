"""actions/rollback: previewed, done as previewed, once, and taken back the same way."""

import random
from datetime import timedelta

import pytest

from memory.actions.base import Refused, Stale, scored
from memory.actions.remember import support
from memory.actions.revise import pin, restore, retract, retract_all, revise
from memory.actions.rollback import plan, rollback
from memory.actions.settle import AlreadyDecided, settle
from memory.actions.source import Source
from memory.actions.undo import undo
from memory.actor import SYSTEM, Actor
from memory.history.scope import Scope
from memory.models import Change, Conflict, EndUser, IndexEntry, Lesson, Memory, MemoryVersion
from memory.recall import search
from memory.tests.test_races import together

CARA = Actor(kind="person", id="3", label="Cara")


@pytest.fixture
def roll(workspace, now):
    """roll("session", pk) previews and carries out; `last` of a change by default."""

    def roll_(kind: str = "change", value=None, *, force=False, since=None):
        value = Change.objects.latest("pk").pk if value is None else value
        scope = Scope(workspace, kind, str(value), since)
        return rollback(scope=scope, token=plan(scope).token, actor=CARA, now=now, reason="poisoned", force=force)

    return roll_


def state() -> dict:
    """What is active, and how it stands."""
    names = ("text", "credibility", "pinned", "category", "confirmed_at", "metadata", "fingerprint")
    return {row.pk: [getattr(row, name) for name in names] for row in Memory.objects.filter(status="active")}


def test_all_of_one_session_goes_and_what_others_wrote_stays(make_memory, roll):
    bad = [make_memory(f"The code of door {n} is {n}", run_id="poison") for n in range(3)]
    kept = make_memory("My bike is blue", run_id="r2")
    done = roll("session", bad[0].session_id)
    assert len(done.effects) == 3
    assert list(state()) == [kept.pk]
    assert list(IndexEntry.objects.values_list("memory", flat=True)) == [kept.pk]
    assert search.search(user=kept.user, query="code of door 1", asked_by="t", now=kept.created_at).results == []


def test_each_version_says_who_why_and_under_which_change(make_memory, roll):
    memory = make_memory("My bike is blue")
    done = roll()
    memory.refresh_from_db()
    version = memory.versions.get(number=2)
    assert (version.status, version.reason, version.change) == ("retracted", "poisoned", done.changes[0])
    assert (version.change.kind, version.change.actor_label) == ("rollback", "Cara")


def test_support_that_was_rolled_back_counts_no_more_and_again_when_that_is_rolled_back(
    make_memory, make_episode, roll, now
):
    memory = make_memory("My bike is blue", source="llm_reasoning")
    episode = make_episode("My bike is blue", run_id="poison")
    memory = support(memory=memory, source=Source(episode, "My bike is blue", "user_input"), actor=SYSTEM, now=now)
    raised = memory.credibility
    assert raised > 0.5
    done = roll("session", episode.session_id)
    memory.refresh_from_db()
    assert (memory.credibility, scored(memory).value) == (0.5, 0.5)
    roll("operation", done.operation)
    memory.refresh_from_db()
    assert (memory.credibility, scored(memory).value) == (raised, raised)


def test_since_leaves_what_came_before(make_memory, roll, now):
    early = make_memory("I own a canoe", at=now - timedelta(days=2))
    late = make_memory("I own a kayak")
    roll("session", late.session_id, since=now - timedelta(hours=1))
    assert list(state()) == [early.pk]


@pytest.mark.parametrize("kind", ["agent", "source"])
def test_all_that_an_agent_or_a_tool_brought_to_many_users(kind, workspace, make_memory, make_episode, roll, now):
    from memory.actions.remember import remember
    from memory.intake.types import Category, Claim

    users = [EndUser.objects.create(workspace=workspace, external_id=f"x{n}") for n in range(3)]
    for user in users:
        episode = make_episode(
            "The gate is open", user=user, run_id="r", agent_id="bot", kind="tool_result", role="tool", name="crm"
        )
        claim = Claim(text="The gate is open", quote="The gate is open", category=Category.KNOWLEDGE)
        remember(
            user=user, claim=claim, source=Source(episode, "The gate is open", "tool_return"), actor=SYSTEM, now=now
        )
    kept = make_memory("My bike is blue")
    done = roll(kind, "bot" if kind == "agent" else "tool:crm")
    assert {change.user_id for change in done.changes} == {user.pk for user in users}
    assert list(state()) == [kept.pk]
    roll("operation", done.operation)
    assert len(state()) == 4


def test_what_changed_since_is_named_and_skipped_unless_forced(make_memory, roll, workspace, now):
    memory = make_memory("The code is 1234", run_id="poison")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="The code is 9999")
    other = make_memory("The gate is open", run_id="poison")
    scope = Scope(workspace, "session", str(memory.session_id))
    assert {each.memory.pk: each.outcome for each in plan(scope).effects} == {
        memory.pk: "changed", other.pk: "retract",
    }  # fmt: skip
    assert roll("session", memory.session_id).skipped == 1
    assert [text for text, *_ in state().values()] == ["The code is 9999"]
    assert roll("session", memory.session_id, force=True).skipped == 1  # the other is gone already
    assert state() == {}


def test_an_identical_memory_that_is_active_today_stands_in_the_way(make_memory, roll, workspace, now):
    memory = make_memory("My bike is blue")
    retract(memory=memory, actor=CARA, now=now, expected_version=1)
    change = Change.objects.latest("pk")
    make_memory("My bike is blue", run_id="r2")
    scope = Scope(workspace, "change", str(change.pk))
    assert [each.outcome for each in plan(scope).effects] == ["taken"]
    with pytest.raises(Refused):
        roll("change", change.pk)


def test_a_plan_that_is_another_by_now_is_refused_and_writes_nothing(make_memory, workspace, now):
    memory = make_memory("My bike is blue")
    scope = Scope(workspace, "session", str(memory.session_id))
    token = plan(scope).token
    make_memory("I own a kayak")
    with pytest.raises(Stale):
        rollback(scope=scope, token=token, actor=CARA, now=now, reason="x")
    assert len(state()) == 2


def test_a_reason_is_asked_for(make_memory, workspace, now):
    make_memory("My bike is blue")
    scope = Scope(workspace, "change", str(Change.objects.get().pk))
    with pytest.raises(Refused):
        rollback(scope=scope, token=plan(scope).token, actor=CARA, now=now, reason=" ")


def test_a_change_of_another_workspace_is_not_touched(make_memory, other_workspace):
    make_memory("My bike is blue")
    assert plan(Scope(other_workspace, "change", str(Change.objects.get().pk))).effects == []


def test_a_rolled_back_decision_is_open_again_and_a_rolled_back_rollback_decides_it_again(
    make_conflict, people, roll, now
):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    settle(conflict=conflict, choice="keep", person=people["ada"], actor=CARA, now=now, expected_version=1)
    before = state()
    done = roll("change", conflict.change_id)
    conflict.refresh_from_db()
    assert (conflict.status, done.reopened) == ("open", [conflict])
    assert Lesson.objects.get().undone_at == now
    back = roll("operation", done.operation)
    conflict.refresh_from_db()
    assert (conflict.status, conflict.choice, back.decided) == ("decided", "keep", [conflict])
    assert (state(), Lesson.objects.get().undone_at) == (before, None)


@pytest.mark.parametrize("seed", range(12))
def test_rolling_back_the_last_change_restores_the_state_before_it(seed, make_memory, make_episode, roll, user, now):
    chance = random.Random(seed)
    make_memory("Fact number 0", run_id="r0")
    for step in range(25):
        before, count = state(), Change.objects.count()
        _something(chance, step, make_memory, make_episode, user, now)
        if Change.objects.count() == count:
            continue
        after = state()
        if not plan(Scope(user.workspace, "change", str(Change.objects.latest("pk").pk))).wanted(force=False):
            assert after == before  # such as a restored version that is the present one
            continue
        done = roll()
        assert state() == before
        roll("operation", done.operation)
        assert state() == after
    for memory in Memory.objects.all():
        assert list(memory.versions.values_list("number", flat=True)) == list(range(1, memory.version + 1))
        current = memory.versions.get(number=memory.version)
        assert (current.text, current.status) == (memory.text, memory.status)
    assert set(IndexEntry.objects.values_list("memory", flat=True)) == set(state())


def _something(chance, step, make_memory, make_episode, user, now) -> None:
    """One random verb on a random memory; what may not be is not done."""
    memory = chance.choice(list(Memory.objects.order_by("created_at", "text", "pk")))
    place = {"memory": memory, "actor": CARA, "now": now, "expected_version": memory.version}
    try:
        match chance.randrange(7):
            case 0 | 1:
                make_memory(f"Fact number {step}", run_id=f"r{step}", source="llm_reasoning")
            case 2:
                revise(**place, text=f"Fact reworded {chance.randrange(4)}")
            case 3:
                retract(**place)
            case 4:
                restore(**place, number=chance.randint(1, memory.version))
            case 5:
                pin(**place, pinned=not memory.pinned)
            case 6 if chance.random() < 0.2:
                retract_all(user=user, actor=CARA, now=now)
            case _:
                source = Source(make_episode("It is so", run_id=f"s{step}"), "It is so", "user_input")
                support(memory=memory, source=source, actor=SYSTEM, now=now)
    except Refused:
        pass


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_admins_roll_back_the_same_change_at_once_and_it_happens_once(make_memory, roll):
    for n in range(8):
        make_memory(f"Fact {n}", run_id=f"r{n}")
        pk = Change.objects.latest("pk").pk
        answers = together(lambda pk=pk: roll("change", pk), lambda pk=pk: roll("change", pk))
        assert sorted(isinstance(each, Stale | Refused) for each in answers) == [False, True]
    assert Change.objects.filter(kind="rollback").count() == 8
    assert MemoryVersion.objects.count() == 16


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_rollback_and_a_decision_at_once_lose_nothing(make_conflict, people, roll, now):
    conflicts = [make_conflict(f"I own {n} bikes", f"I own {n} cars") for n in range(8)]
    ada = Actor(kind="person", id="1", label="Ada")
    for conflict in conflicts:
        first = Change.objects.get(versions__memory=conflict.memory_id)
        decide = {"conflict": conflict, "choice": "accept", "person": people["ada"], "actor": ada, "now": now}
        answers = together(lambda: settle(**decide, expected_version=1), lambda pk=first.pk: roll("change", pk))  # noqa: B023
        assert all(not isinstance(each, Exception) or isinstance(each, Stale | Refused) for each in answers)
        memory = Memory.objects.get(pk=conflict.memory_id)
        versions = list(memory.versions.select_related("change"))
        assert [version.number for version in versions] == list(range(1, memory.version + 1))
        assert not isinstance(answers[0], Exception | AlreadyDecided)  # the decision is never lost
        assert Conflict.objects.get(pk=conflict.pk).status == "decided"


def test_an_undone_decision_that_is_rolled_back_stands_again(make_conflict, people, roll, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    settle(conflict=conflict, choice="accept", person=people["ada"], actor=CARA, now=now, expected_version=1)
    before = state()
    undone = undo(conflict=conflict, actor=CARA, now=now, expected_version=conflict.version)
    roll("change", undone.pk)
    conflict.refresh_from_db()
    assert (conflict.status, state()) == ("decided", before)


def test_what_a_poisoned_session_left_waiting_goes_with_it_and_comes_back_with_it(
    make_memory, make_conflict, make_episode, roll
):
    held = make_memory("My locker is 12", run_id="r1")
    bad = make_conflict(None, "My locker is 666", memory=held)
    others = make_conflict(None, "My desk is by the window")
    another = make_episode("My desk is by the window", run_id="r3")
    Source(another, another.content, "user_input").attach(conflict=others, now=another.event_time)
    session = bad.episode.session_id
    done = roll("session", session)
    bad.refresh_from_db()
    others.refresh_from_db()
    assert (bad.status, bad.choice, others.status) == ("decided", "keep", "open")
    assert not Lesson.objects.exists() and state().keys() == {held.pk}
    roll("operation", done.operation)
    bad.refresh_from_db()
    assert bad.status == "open"
    roll()
    bad.refresh_from_db()
    assert bad.status == "decided"


def test_a_claim_that_came_after_the_preview_makes_it_another(make_memory, make_conflict, workspace, now):
    memory = make_memory("The code of the door is 4", run_id="r2")
    scope = Scope(workspace, "session", str(memory.session_id))
    seen = plan(scope)
    make_conflict(None, "The code of the gate is 5")
    with pytest.raises(Stale):
        rollback(scope=scope, token=seen.token, actor=CARA, now=now, reason="poisoned")


def test_claims_since_a_moment_only(make_conflict, workspace, now):
    old = make_conflict(None, "My locker is 666")
    session = str(old.episode.session_id)
    assert plan(Scope(workspace, "session", session, now)).claims == [old]
    assert plan(Scope(workspace, "session", session, now + timedelta(seconds=1))).claims == []
