"""Decisions and notes: the database itself refuses to change or delete them, but for an erasure."""

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from memory.models import Conflict
from review.models import Decision, Erasing, Note
from review.redaction import erasing


@pytest.fixture
def decided(make_conflict, desk):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    desk("ada").post(reverse("note", args=[conflict.pk]), {"said": "she moved"})
    form = {"version": 1, "choice": "accept", "reason_code": "newer", "note": "asked her"}
    desk("ada").post(reverse("decide", args=[conflict.pk]), form)
    return conflict


@pytest.mark.parametrize(
    "change",
    [
        lambda: Decision.objects.update(note="another"),
        lambda: Decision.objects.update(choice="keep"),
        lambda: Decision.objects.update(decider=None, held_text=""),
        lambda: Decision.objects.all().delete(),
        lambda: Conflict.objects.all().delete(),
        lambda: Note.objects.update(text="another"),
        lambda: Note.objects.all().delete(),
    ],
)
def test_no_row_is_changed_or_deleted(change, decided):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change()
    assert (Decision.objects.get().note, Note.objects.get().text) == ("asked her", "she moved")


def test_a_person_who_leaves_takes_no_decision_along(decided, people):
    people["ada"].delete()
    decision = Decision.objects.get()
    assert (decision.decider, decision.note, Note.objects.get().author) == (None, "asked her", None)


def test_after_an_erasure_the_rule_holds_again_also_after_a_failed_one(decided):
    with erasing():
        Note.objects.all().delete()
    with pytest.raises(ZeroDivisionError), erasing():
        raise ZeroDivisionError
    assert not Erasing.objects.exists()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Decision.objects.update(note="another")


def test_inside_an_erasure_a_decision_goes_with_its_conflict(decided):
    with erasing():
        Conflict.objects.all().delete()
    assert not Decision.objects.exists() and not Note.objects.exists()
