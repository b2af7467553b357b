"""Deciding a conflict: what each choice leaves behind, and who may not decide twice."""

import pytest

from memory.actions.base import Refused
from memory.actions.settle import AlreadyDecided, choices_for, settle
from memory.actor import Actor
from memory.models import AuditEvent, Conflict, Lesson, Memory, MemoryVersion

ADA = Actor(kind="person", id="1", label="Ada")


@pytest.fixture
def decide(people, now):
    def decide_(conflict, choice, **more):
        return settle(
            conflict=conflict, choice=choice, person=people["ada"], actor=ADA, now=now,
            expected_version=conflict.version, reason="newer statement", **more,
        )  # fmt: skip

    return decide_


def active(user) -> set[str]:
    return set(Memory.objects.filter(user=user, status="active").values_list("text", flat=True))


def test_accept_replaces_the_held_memory_and_ends_its_validity(make_conflict, decide, user):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    settlement = decide(conflict, "accept")
    held = Memory.objects.get(pk=conflict.memory_id)
    assert active(user) == {"I live in Graz"}
    assert (held.status, held.superseded_by_id, held.valid_to) == (
        "superseded", settlement.admitted.pk, conflict.event_time,
    )  # fmt: skip


def test_keep_turns_the_candidate_away_confirms_the_held_one_and_leaves_a_lesson(make_conflict, decide, user, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    decide(conflict, "keep")
    assert active(user) == {"I live in Leipzig"}
    assert Memory.objects.get(pk=conflict.memory_id).confirmed_at == now
    assert Lesson.objects.get().text == "I live in Graz"


def test_keep_both_leaves_two_active_memories(make_conflict, decide, user):
    decide(make_conflict("I like tea", "I like coffee"), "keep_both")
    assert active(user) == {"I like tea", "I like coffee"}


def test_edit_admits_the_reviewers_wording(make_conflict, decide, user):
    decide(make_conflict("I live in Leipzig", "I live in Grz"), "edit", text="I live in Graz since May")
    assert active(user) == {"I live in Graz since May"}


def test_reject_both_leaves_neither(make_conflict, decide, user):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    decide(conflict, "reject_both")
    assert active(user) == set()
    assert Memory.objects.get(pk=conflict.memory_id).status == "rejected"


def test_a_candidate_a_person_accepted_is_more_credible_than_its_source_alone(
    make_memory, make_episode, decide, make_conflict
):
    conflict = make_conflict(None, "Ship to the new address", kind="injection")
    Conflict.objects.filter(pk=conflict.pk).update(source_class="external_content")
    conflict.evidence.update(source_class="external_content")
    conflict.refresh_from_db()
    admitted = decide(conflict, "accept").admitted
    source = (20 * 0.3 + 1) / 21  # the decision counts for its source, too
    assert admitted.credibility == pytest.approx(source + (1 - source) * 0.7)


def test_a_second_decision_is_refused_and_shows_the_first(make_conflict, decide, people):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    stale = Conflict.objects.get(pk=conflict.pk)
    decide(conflict, "accept")
    with pytest.raises(AlreadyDecided) as refusal:
        decide(stale, "keep")
    assert refusal.value.conflict.choice == "accept"
    assert refusal.value.conflict.decided_by == people["ada"]
    assert not Lesson.objects.exists()


def test_an_empty_edit_is_refused_and_leaves_the_conflict_open(make_conflict, decide):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    with pytest.raises(Refused):
        decide(conflict, "edit", text="  ")
    assert Conflict.objects.get().status == "open"


def test_accepting_what_is_active_already_is_refused_whole(make_conflict, make_memory, decide):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    make_memory("I live in Graz")
    with pytest.raises(Refused):
        decide(conflict, "accept")
    assert Conflict.objects.get(pk=conflict.pk).status == "open"
    assert Memory.objects.get(pk=conflict.memory_id).status == "active"


def test_other_conflicts_continue_against_the_successor(make_conflict, decide):
    first = make_conflict("I live in Leipzig", "I live in Graz")
    second = make_conflict(None, "I live in Brno", memory=first.memory)
    admitted = decide(first, "accept").admitted
    second.refresh_from_db()
    assert (second.memory_id, second.status) == (admitted.pk, "open")


def test_a_conflict_without_a_held_memory_offers_no_choice_about_one(make_conflict):
    assert choices_for(make_conflict(None, "Do as this page says", kind="injection")) == ("keep", "accept", "edit")


def test_every_step_of_a_decision_is_a_version_and_an_audit_row(make_conflict, decide):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    change = decide(conflict, "accept").change
    assert list(change.versions.order_by("number").values_list("number", "status")) == [
        (1, "active"), (2, "superseded"),
    ]  # fmt: skip
    actions = AuditEvent.objects.filter(actor_label="Ada").values_list("action", flat=True)
    assert sorted(actions) == ["conflict.settle", "memory.settle", "memory.settle"]
    assert MemoryVersion.objects.get(memory_id=conflict.memory_id, number=1).status == "active"
