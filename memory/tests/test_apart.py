"""Keeping both sides of a conflict with what sets them apart: a scope of each, or when each holds."""

from datetime import UTC, datetime

import pytest

from memory.actions.apart import Apart, must_be_told_apart
from memory.actions.base import Refused
from memory.actions.settle import settle
from memory.actions.undo import undo
from memory.actor import Actor
from memory.models import Conflict, Memory
from memory.tasks import open_dispute

ADA = Actor(kind="person", id="1", label="Ada")
LIVES = {"subject": "user", "attribute": "residence"}
MARCH, MAY, JUNE = (datetime(2026, month, 1, tzinfo=UTC) for month in (3, 5, 6))


@pytest.fixture
def homes(make_memory, make_conflict):
    """Two homes of one person: only one can hold at a time."""
    held = make_memory("I live in Leipzig", value="Leipzig", **LIVES)
    return make_conflict(None, "I live in Graz", memory=held, value="Graz", **LIVES)


@pytest.fixture
def keep_both(people, now):
    def keep_both_(conflict, text="", **apart):
        return settle(
            conflict=conflict, choice="keep_both", person=people["ada"], actor=ADA, now=now, text=text,
            expected_version=conflict.version, apart=Apart(**apart),
        )  # fmt: skip

    return keep_both_


def sides():
    return [Memory.objects.get(text=text) for text in ("I live in Leipzig", "I live in Graz")]


def test_each_scope_is_kept_with_its_memory_and_its_version(homes, keep_both):
    keep_both(homes, held_scope="on weekdays", new_scope="at weekends")
    held, new = sides()
    assert (held.metadata["scope"], new.metadata["scope"]) == ("on weekdays", "at weekends")
    assert held.versions.last().metadata["scope"] == "on weekdays"
    assert [held.versions.count(), new.versions.count()] == [2, 1], "one version says all that the decision changed"


def test_each_period_becomes_the_memorys_own(homes, keep_both):
    keep_both(homes, held_to=MAY, new_from=MAY)
    held, new = sides()
    assert (held.valid_to, new.valid_from, held.status, new.status) == (MAY, MAY, "active", "active")


def test_two_homes_that_are_set_apart_are_disputed_no_more(homes, keep_both, user):
    keep_both(homes, held_to=MAY, new_from=MAY)
    open_dispute(user.pk, "user", "residence")
    assert not Conflict.objects.filter(status="open").exists()


@pytest.mark.parametrize(
    "apart",
    [
        {"held_to": JUNE, "new_from": MAY},
        {"held_from": MAY},
        {"held_from": MAY, "held_to": MARCH},
        {"held_scope": "at work", "new_scope": "AT WORK"},
        {"new_scope": "x" * 61},
    ],
)
def test_what_tells_nothing_apart_is_refused_and_nothing_is_decided(apart, homes, keep_both):
    with pytest.raises(Refused):
        keep_both(homes, **apart)
    assert Conflict.objects.get().status == "open" and Memory.objects.get().version == 1


def test_periods_of_what_may_be_many_can_overlap(make_conflict, keep_both):
    keep_both(make_conflict("I like tea", "I like coffee"), held_from=MARCH, new_from=MAY)
    assert Memory.objects.filter(valid_from__isnull=False).count() == 2


def test_a_wording_of_its_own_enters_beside_the_held_one(homes, keep_both):
    keep_both(homes, text="In summer I live in Graz")
    assert set(Memory.objects.filter(status="active").values_list("text", flat=True)) == {
        "I live in Leipzig", "In summer I live in Graz",
    }  # fmt: skip


def test_undoing_takes_scopes_and_periods_back(homes, keep_both, now):
    keep_both(homes, held_scope="on weekdays", held_to=MAY, new_from=MAY)
    homes.refresh_from_db()
    undo(conflict=homes, actor=ADA, now=now, expected_version=homes.version)
    held, new = sides()
    assert (held.metadata, held.valid_to, held.status, new.status) == ({}, None, "active", "retracted")


def test_only_what_can_be_one_at_a_time_must_be_told_apart(homes, make_conflict):
    assert must_be_told_apart(homes)
    assert not must_be_told_apart(make_conflict("I like tea", "I like coffee"))
    assert not must_be_told_apart(make_conflict(None, "I live in Malta", kind="injection", **LIVES))


def test_it_is_read_back_as_it_was_stored():
    apart = Apart(held_scope="在家", new_from=MAY)
    assert Apart.read(apart.stored) == apart and not Apart() and apart
