"""Editing, pinning, retracting and restoring: new versions, never lost ones."""

import pytest

from memory.actions.base import Refused, Stale
from memory.actions.remember import support
from memory.actions.revise import pin, restore, retract, retract_all, revise
from memory.actions.source import Source
from memory.actor import SYSTEM, Actor
from memory.models import IndexEntry, Memory

AGENT = Actor(kind="agent", id="abc", label="helper")
CARA = Actor(kind="person", id="3", label="Cara", address="10.0.0.7")


def test_an_edit_makes_a_version_and_keeps_the_first(make_memory, now):
    memory = make_memory("My bike is blue", attribute="owns", value="bike")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, reason="typo", text="My bike is green")
    assert list(memory.versions.values_list("number", "text", "reason")) == [
        (1, "My bike is blue", ""), (2, "My bike is green", "typo"),
    ]  # fmt: skip
    memory.refresh_from_db()
    # what was read out of the old wording is not claimed of the new one
    assert (memory.text, memory.attribute, memory.value) == ("My bike is green", "", "")


def test_an_edit_of_a_version_that_is_not_current_is_refused(make_memory, now):
    memory = make_memory("My bike is blue")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is green")
    with pytest.raises(Stale):
        revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is red")
    assert Memory.objects.get().text == "My bike is green"


def test_an_edit_into_what_is_remembered_already_is_refused(make_memory, now):
    make_memory("My bike is green")
    memory = make_memory("My bike is blue")
    with pytest.raises(Refused):
        revise(memory=memory, actor=CARA, now=now, expected_version=1, text="my bike is GREEN.")


def test_a_blank_edit_is_refused(make_memory, now):
    with pytest.raises(Refused):
        revise(memory=make_memory("My bike is blue"), actor=CARA, now=now, expected_version=1, text=" \n")


def test_a_retracted_memory_leaves_the_index_and_returns_with_restore(make_memory, now):
    memory = make_memory("My bike is blue")
    retract(memory=memory, actor=CARA, now=now, expected_version=1)
    assert not IndexEntry.objects.exists()
    restore(memory=memory, number=1, actor=CARA, now=now, expected_version=2)
    assert IndexEntry.objects.get().version == 3
    assert Memory.objects.get().status == "active"


def test_restore_brings_an_older_wording_back_as_a_new_version(make_memory, now):
    memory = make_memory("My bike is blue")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is green")
    restore(memory=memory, number=1, actor=CARA, now=now, expected_version=2, reason="it was blue")
    assert list(memory.versions.values_list("number", "text")) == [
        (1, "My bike is blue"), (2, "My bike is green"), (3, "My bike is blue"),
    ]  # fmt: skip


def test_restore_of_a_version_that_never_was_is_refused(make_memory, now):
    with pytest.raises(Refused):
        restore(memory=make_memory("My bike is blue"), number=7, actor=CARA, now=now, expected_version=1)


def test_retracting_all_of_one_user_leaves_the_others(make_memory, workspace, now):
    from memory.models import EndUser

    other = EndUser.objects.create(workspace=workspace, external_id="u2")
    first = make_memory("My bike is blue")
    make_memory("My car is red")
    make_memory("My bike is blue", user=other)
    assert retract_all(user=first.user, actor=CARA, now=now) == 2
    assert list(Memory.objects.filter(status="active").values_list("user__external_id", flat=True)) == ["u2"]


def test_every_edit_moves_the_users_revision(make_memory, now):
    memory = make_memory("My bike is blue")
    before = memory.user.revision
    memory.user.refresh_from_db()
    pin(memory=memory, pinned=True, actor=CARA, now=now, expected_version=1)
    memory.user.refresh_from_db()
    assert memory.user.revision > before + 1


def test_a_memory_an_agent_reworded_is_worth_the_agents_word(make_memory, now):
    memory = make_memory("My bike is blue", source="user_input")
    revise(memory=memory, actor=AGENT, now=now, expected_version=1, text="My bike is green")
    memory.refresh_from_db()
    assert (memory.source_class, memory.credibility) == ("llm_reasoning", 0.5)


def test_rewording_never_makes_a_weak_source_stronger(make_memory, now):
    memory = make_memory("My bike is blue", source="external_content")
    revise(memory=memory, actor=AGENT, now=now, expected_version=1, text="My bike is green")
    memory.refresh_from_db()
    assert (memory.source_class, memory.credibility) == ("external_content", 0.3)


def test_a_persons_edit_keeps_the_source(make_memory, now):
    memory = make_memory("My bike is blue")
    revise(memory=memory, actor=CARA, now=now, expected_version=1, text="My bike is green")
    memory.refresh_from_db()
    assert (memory.source_class, memory.credibility) == ("user_input", 1.0)


def test_an_agent_may_not_reword_what_a_person_confirmed(make_memory, now):
    memory = make_memory("My bike is blue")
    Memory.objects.filter(pk=memory.pk).update(confirmed_at=now)
    memory.refresh_from_db()
    with pytest.raises(Refused, match="confirmed"):
        revise(memory=memory, actor=AGENT, now=now, expected_version=1, text="My bike is green")
    revise(memory=memory, actor=AGENT, now=now, expected_version=1, metadata={"team": "red"})
    assert Memory.objects.get().text == "My bike is blue"


def test_a_wording_longer_than_a_memory_may_be_is_refused(make_memory, now):
    with pytest.raises(Refused, match="10000"):
        revise(memory=make_memory("My bike is blue"), actor=CARA, now=now, expected_version=1, text="x" * 10_001)


def test_words_an_agent_changed_do_not_win_their_credibility_back_by_being_said_again(make_memory, make_episode, now):
    memory = make_memory("I live in Lyon")
    memory = revise(memory=memory, actor=AGENT, now=now, expected_version=1, text="I live in Oslo")
    assert (memory.credibility, memory.source_class) == (0.5, "llm_reasoning")
    episode = make_episode("I live in Oslo", run_id="r9", role="assistant", source_class="llm_reasoning")
    source = Source(episode, "I live in Oslo", "llm_reasoning")
    memory = support(memory=memory, source=source, actor=AGENT, now=now)
    assert memory.credibility == pytest.approx(0.575)


def test_an_agents_rewording_takes_what_others_have_added(make_memory, make_episode, now):
    memory = make_memory("I live in Lyon", source="llm_reasoning")
    source = Source(make_episode("I live in Lyon", run_id="r9"), "I live in Lyon", "user_input")
    memory = support(memory=memory, source=source, actor=SYSTEM, now=now)
    assert memory.credibility == 1.0
    memory = revise(memory=memory, actor=AGENT, now=now, expected_version=memory.version, text="I live in Oslo")
    assert memory.credibility == 0.5
