"""Two that go by one name: kept apart, asked about, ruled on, and the ruling taken back."""

import pytest
from django.utils import timezone

from memory.actions.base import Refused
from memory.actions.settle import choices_for, settle
from memory.actions.undo import undo
from memory.actor import SYSTEM
from memory.graph import sync
from memory.graph.read import graph_of
from memory.history.scope import Scope
from memory.models import Conflict, EndUser, Entity, IdentityDoubt, Memory
from memory.recall import past, search
from memory.records import records_of


@pytest.fixture
def annas(make_memory, user):
    """The sister and the boss who share a name, and the conflict that asks about them."""
    make_memory("My sister Anna lives in Lisbon")
    make_memory("My boss Anna is strict")
    sync.sync(user.pk)
    return Conflict.objects.get()


@pytest.fixture
def decide(people, now):
    def decide_(conflict, choice):
        settle(
            conflict=conflict, choice=choice, person=people["ada"], actor=SYSTEM, now=now,
            expected_version=conflict.version,
        )  # fmt: skip
        conflict.refresh_from_db()

    return decide_


def people_called(name, user):
    sync.sync(user.pk)
    return Entity.objects.filter(user=user, kind="person", name=name).count()


def test_two_roles_that_hardly_go_together_are_asked_about_and_kept_apart(annas, user):
    assert (annas.kind, annas.reason_code, annas.status) == ("identity", "one_name_two_roles", "open")
    assert {annas.memory.text, annas.text} == {"My sister Anna lives in Lisbon", "My boss Anna is strict"}
    assert people_called("Anna", user) == 2
    [doubt] = graph_of(EndUser.objects.get(pk=user.pk)).doubts
    assert (doubt.first, doubt.second, doubt.conflict) == ("Anna", "Anna", annas.pk)
    assert Conflict.objects.count() == 1  # building again asks nobody twice


def test_a_doubt_contests_no_memory_and_is_no_claim_of_the_session(annas, user, workspace, now):
    at = max(Memory.objects.values_list("created_at", flat=True))
    asked = {"user": EndUser.objects.get(pk=user.pk), "query": "where does my sister live", "asked_by": "t"}
    for answer in (search.search(**asked, now=now), past.search_at(**asked, now=timezone.now(), at=at)):
        assert answer.results and not any(hit.contested or hit.conflicts for hit in answer.results)
    assert not Scope(workspace, "session", str(annas.episode.session_id)).claims().exists()


@pytest.mark.parametrize(("choice", "count"), [("same", 1), ("different", 2)])
def test_a_ruling_holds_and_changes_no_memory(annas, user, decide, choice, count):
    before = list(Memory.objects.order_by("pk").values())
    decide(annas, choice)
    assert people_called("Anna", user) == count
    assert list(Memory.objects.order_by("pk").values()) == before
    assert Conflict.objects.get().status == "decided"
    assert records_of(user.workspace_id, annas.evidence.values_list("source", flat=True)) == {}


def test_undoing_the_decision_takes_the_ruling_back(annas, user, decide, now):
    decide(annas, "same")
    assert people_called("Anna", user) == 1
    undo(conflict=annas, actor=SYSTEM, now=now, expected_version=annas.version)
    assert people_called("Anna", user) == 2
    assert IdentityDoubt.objects.get().status == "open"


def test_such_a_conflict_takes_no_other_choice(annas, make_conflict, decide):
    assert choices_for(annas) == ("same", "different")
    with pytest.raises(Refused):
        decide(annas, "accept")
    with pytest.raises(Refused):
        decide(make_conflict("I live in Lyon", "I live in Graz"), "same")


def test_at_most_three_are_open_and_the_next_follows_a_decision(make_memory, user, decide):
    for name in ("Anna", "Clara", "Emma", "Nora"):
        make_memory(f"My sister {name} sings")
        make_memory(f"My boss {name} is strict")
    sync.sync(user.pk)
    waiting = Conflict.objects.filter(status="open")
    assert waiting.count() == 3
    decide(waiting.first(), "different")
    sync.sync(user.pk)
    assert waiting.count() == 3 and Conflict.objects.count() == 4


def test_a_short_name_that_fits_two_is_asked_about(make_memory, user, decide):
    make_memory("Anna Schmidt works at Acme")
    make_memory("Anna Bell lives in Graz")
    make_memory("We met Anna")
    sync.sync(user.pk)
    assert set(Conflict.objects.values_list("reason_code", flat=True)) == {"short_name_fits"}
    decide(IdentityDoubt.objects.get(second_key="anna bell").conflict, "same")
    sync.sync(user.pk)
    assert Entity.objects.get(key="anna bell").aliases == ["Anna"]


def test_rooms_with_different_numbers_are_never_asked_about(make_memory, user):
    make_memory("The workshop is in Room 101")
    make_memory("The workshop was moved to Room 102")
    sync.sync(user.pk)
    assert set(Entity.objects.filter(kind="place").values_list("name", flat=True)) == {"Room 101", "Room 102"}
    assert not Conflict.objects.exists()


def test_one_who_is_a_friend_and_a_colleague_is_one(make_memory, user):
    make_memory("My friend Anna sings")
    make_memory("My colleague Anna works at Acme")
    sync.sync(user.pk)
    assert people_called("Anna", user) == 1 and not Conflict.objects.exists()
