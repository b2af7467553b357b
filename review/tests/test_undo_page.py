"""POST /review/<id>/undo/: by the decider for a while, by an admin at any time, and not over later changes."""

from datetime import timedelta

import pytest
from django.urls import reverse

from memory.actions.revise import revise
from memory.actor import SYSTEM
from memory.models import Conflict, Memory
from review.models import Decision
from review.redaction import erasing


@pytest.fixture
def decided(make_conflict, desk):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    form = {"version": 1, "choice": "accept", "reason_code": "newer"}
    assert desk("ada").post(reverse("decide", args=[conflict.pk]), form).status_code == 302
    return conflict


def undo(client, conflict, shown=None):
    """Sends the undo form of the decision `shown`, by default the latest one that is no undoing itself."""
    shown = shown or Decision.objects.filter(conflict=conflict, undoes=None).last()
    return client.post(reverse("undo", args=[conflict.pk]), {"decision": shown.pk})


def test_the_decider_takes_it_back(decided, desk):
    assert undo(desk("ada"), decided)["Location"] == reverse("conflict", args=[decided.pk])
    assert Conflict.objects.get().status == "open"
    assert Memory.objects.get(status="active").text == "I live in Leipzig"


def test_taking_back_is_a_decision_of_its_own_and_the_first_stays(decided, desk):
    undo(desk("ada"), decided)
    first, second = Decision.objects.all()
    assert (second.undoes, first.choice) == (first, "accept")


def test_a_colleague_may_not(decided, desk):
    assert undo(desk("ben"), decided).status_code == 409
    assert Conflict.objects.get().status == "decided"


def test_the_decider_may_not_after_the_window_but_an_admin_may(decided, desk):
    with erasing():
        Decision.objects.update(decided_at=Decision.objects.get().decided_at - timedelta(minutes=16))
    assert undo(desk("ada"), decided).status_code == 409
    assert undo(desk("cara"), decided).status_code == 302


def test_it_is_refused_when_the_memory_has_changed_since(decided, desk, now):
    memory = Memory.objects.get(status="active")
    revise(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version, text="I live in Graz, Austria")
    assert undo(desk("ada"), decided).status_code == 409
    assert Memory.objects.get(status="active").text == "I live in Graz, Austria"


def test_the_refusal_is_told_in_the_readers_language(decided, desk, now):
    memory = Memory.objects.get(status="active")
    revise(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version, text="I live in Graz, Austria")
    client = desk("ada")
    assert "Nothing was undone." in undo(client, decided).content.decode()
    client.cookies["django_language"] = "zh-hans"
    assert "未撤销任何内容" in undo(client, decided).content.decode()


def test_an_old_page_does_not_take_back_a_decision_it_never_showed(decided, desk):
    ada, first = desk("ada"), Decision.objects.get()
    undo(ada, decided)
    decided.refresh_from_db()
    form = {"version": decided.version, "choice": "keep", "reason_code": "mistaken"}
    assert ada.post(reverse("decide", args=[decided.pk]), form).status_code == 302
    answer = undo(desk("cara"), decided, shown=first)
    assert answer.status_code == 409 and "Nothing was undone." in answer.content.decode()
    assert Conflict.objects.get().choice == "keep"


@pytest.mark.parametrize("shown", [{}, {"decision": ""}, {"decision": "x"}, {"decision": "9" * 40}])
def test_a_form_that_names_no_decision_undoes_none(shown, decided, desk):
    assert desk("ada").post(reverse("undo", args=[decided.pk]), shown).status_code == 409
    assert Conflict.objects.get().status == "decided"


def test_both_undo_buttons_name_the_decision_they_take_back(make_conflict, desk):
    conflict, client = make_conflict("I live in Leipzig", "I live in Graz"), desk("ada")
    form = {"version": 1, "choice": "accept", "reason_code": "newer"}
    field = '<input type="hidden" name="decision" value="{}">'
    toast = client.post(reverse("decide", args=[conflict.pk]), form, follow=True).content.decode()
    page = client.get(reverse("conflict", args=[conflict.pk])).content.decode()
    assert field.format(Decision.objects.get().pk) in toast
    assert field.format(Decision.objects.get().pk) in page


def test_twice_is_once(decided, desk):
    client = desk("ada")
    undo(client, decided)
    assert undo(client, decided).status_code == 409
    assert Decision.objects.count() == 2
