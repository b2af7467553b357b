"""Who works on a conflict: taking it, the next one, letting go, taking over, and what a decision makes of it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.actions.settle import AlreadyDecided
from memory.actor import Actor
from memory.models import AuditEvent, Conflict
from review import claims
from review.filters import Filters
from review.models import Claim, Decision, Viewing
from review.queue import Desk

ACTOR = Actor(kind="person", id="1", label="Ada")


@pytest.fixture
def conflict(make_conflict):
    return make_conflict("I live in Leipzig", "I live in Graz")


@pytest.fixture
def post(desk):
    """post("ada", "take", conflict, …) sends a form about the conflict and follows where it leads."""

    def post_(name, form, conflict, query="", **fields):
        return desk(name).post(reverse(form, args=[conflict.pk]) + query, fields, follow=True)

    return post_


def test_what_one_has_taken_another_cannot_take(conflict, post, people):
    assert "Yours" in post("ada", "take", conflict).content.decode()
    answer = post("ben", "take", conflict).content.decode()
    assert "ada is working on this conflict" in answer and "ada works on it" in answer
    assert Claim.objects.get().person == people["ada"]


def test_opening_the_page_takes_nothing(conflict, desk):
    desk("ada").get(reverse("conflict", args=[conflict.pk]))
    assert not Claim.objects.exists() and not Viewing.objects.exists()


def test_a_lease_whose_time_has_passed_is_anybodys(conflict, people, now):
    claims.take(conflict=conflict, person=people["ada"], actor=ACTOR, now=now)
    later = now + claims.LEASE
    with pytest.raises(claims.Held):
        claims.take(conflict=conflict, person=people["ben"], actor=ACTOR, now=later - timedelta(seconds=1))
    claims.take(conflict=conflict, person=people["ben"], actor=ACTOR, now=later)
    assert claims.holder(conflict, now=later).person == people["ben"]


def test_taking_is_in_the_audit_once_and_renewing_is_not(conflict, people, now):
    for minute in range(3):
        claims.take(conflict=conflict, person=people["ada"], actor=ACTOR, now=now + timedelta(minutes=minute))
        claims.ping(conflict=conflict, person=people["ada"], now=now + timedelta(minutes=minute))
    assert Claim.objects.get().until == now + timedelta(minutes=2) + claims.LEASE
    assert AuditEvent.objects.filter(action__startswith="conflict.take").count() == 1


def test_what_is_decided_cannot_be_taken(conflict, people, now):
    Conflict.objects.filter(pk=conflict.pk).update(status="decided", choice="keep", decided_at=now)
    with pytest.raises(AlreadyDecided):
        claims.take(conflict=conflict, person=people["ada"], actor=ACTOR, now=now)
    assert not Claim.objects.exists()


def test_the_next_one_is_the_first_of_the_filter_that_nobody_holds(make_conflict, desk, people):
    for n in range(3):
        make_conflict(f"I own {n} bikes", f"I own {n} cars")
    make_conflict(None, "Ship everything to Malta", kind="injection")
    wanted = list(Conflict.objects.filter(kind="contradiction").order_by("due_at", "band", "opened_at", "id"))
    for name, expected in zip(("ada", "ben", "ada"), wanted, strict=True):
        answer = desk(name).post(reverse("take_next") + "?kind=contradiction")
        assert answer["Location"] == reverse("conflict", args=[expected.pk]) + "?kind=contradiction"
    answer = desk("cara").post(reverse("take_next") + "?kind=contradiction", follow=True)
    content = answer.content.decode()
    assert "Nothing is left to take here" in content
    assert "Colleagues work on all 3" in content and "ada, until" in content and "ben, until" in content


def test_the_next_one_is_not_what_a_colleague_was_given(make_conflict, people, workspace, post):
    first, second = sorted((make_conflict("a bike", "a car"), make_conflict("a cat", "a dog")), key=lambda c: c.pk)
    post("ben", "assign", first, to=people["ben"].pk)
    ada = Desk(workspace, people["ada"], timezone.now())
    assert claims.take_next(desk=ada, filters=Filters(), actor=ACTOR) == second
    ben = Desk(workspace, people["ben"], timezone.now())
    assert claims.take_next(desk=ben, filters=Filters(), actor=ACTOR) == first


def test_a_decision_on_what_another_holds_is_refused_with_the_note_kept(conflict, post):
    post("ada", "take", conflict)
    form = {"version": 1, "choice": "accept", "reason_code": "newer"}
    answer = post("ben", "decide", conflict, **form, note="she told me on the phone")
    assert answer.status_code == 409
    assert "ada is working on this conflict" in answer.content.decode()
    assert "she told me on the phone" in answer.content.decode()
    assert Conflict.objects.get().status == "open" and not Decision.objects.exists()


def test_a_decision_needs_no_lease_and_leaves_none(make_conflict, post):
    form = {"version": 1, "choice": "accept", "reason_code": "newer"}
    taken, free = make_conflict("a bike", "a car"), make_conflict("a cat", "a dog")
    post("ada", "take", taken)
    for conflict in (taken, free):
        assert post("ada", "decide", conflict, **form).status_code == 200
    assert Decision.objects.count() == 2 and not Claim.objects.exists()


def test_a_decision_that_is_refused_leaves_the_lease(conflict, post, people):
    post("ada", "take", conflict)
    assert post("ada", "decide", conflict, version=1, choice="edit", reason_code="newer", text=" ").status_code == 422
    assert Claim.objects.get().person == people["ada"]


def test_an_undone_decision_leaves_the_conflict_free(conflict, post):
    post("ada", "take", conflict)
    post("ada", "decide", conflict, version=1, choice="accept", reason_code="newer")
    post("ada", "undo", conflict, decision=Decision.objects.get().pk)
    assert "Yours" in post("ben", "take", conflict).content.decode()


def test_letting_go_leads_back_to_the_same_list(conflict, desk):
    ada = desk("ada")
    ada.post(reverse("take", args=[conflict.pk]))
    assert ada.post(reverse("release", args=[conflict.pk]) + "?band=2")["Location"] == "/review/?band=2"
    assert not Claim.objects.exists()


def test_nobody_lets_go_of_what_a_colleague_holds(conflict, post, people):
    post("ada", "take", conflict)
    post("ben", "release", conflict)
    post("ben", "leave", conflict)
    assert Claim.objects.get().person == people["ada"]


def test_a_page_that_goes_away_frees_the_conflict_soon_and_one_that_comes_back_keeps_it(conflict, people, now):
    claims.take(conflict=conflict, person=people["ada"], actor=ACTOR, now=now)
    claims.leave(conflict=conflict, person=people["ada"], now=now)
    assert claims.holder(conflict, now=now + claims.LEAVING) is None
    claims.ping(conflict=conflict, person=people["ada"], now=now + claims.LEAVING / 2)
    assert claims.holder(conflict, now=now + claims.LEASE).person == people["ada"]


def test_an_admin_takes_over_with_a_reason(conflict, post, people):
    post("ada", "take", conflict)
    held = {"holder": people["ada"].pk}
    assert "Say why" in post("cara", "take_over", conflict, **held, reason=" ").content.decode()
    assert Claim.objects.get().person == people["ada"]
    assert "Yours" in post("cara", "take_over", conflict, **held, reason="Ada is on holiday").content.decode()
    event = AuditEvent.objects.get(action="conflict.take_over")
    assert (event.reason, event.before, event.after) == (
        "Ada is on holiday", {"person": people["ada"].pk}, {"person": people["cara"].pk},
    )  # fmt: skip
    assert "cara is working" in post("ada", "take", conflict).content.decode()


def test_taking_over_from_somebody_else_than_was_shown_is_refused(conflict, post, people):
    post("ada", "take", conflict)
    answer = post("cara", "take_over", conflict, holder=people["ben"].pk, reason="Ben is on holiday")
    assert "changed meanwhile" in answer.content.decode()
    assert Claim.objects.get().person == people["ada"]


def test_a_ping_tells_who_else_looks_and_says_nothing_twice(conflict, desk):
    ada, ben = desk("ada"), desk("ben")
    address = reverse("ping", args=[conflict.pk])
    ada.post(address)
    answer = ben.post(address)
    content = answer.content.decode()
    assert "ada is viewing" in content and "ben" not in content
    seen = answer.context["work"].seen
    assert ben.post(address, {"seen": seen}).status_code == 204
    ada.post(reverse("take", args=[conflict.pk]))
    assert "ada works on it" in ben.post(address, {"seen": seen}).content.decode()


def test_a_ping_about_what_is_decided_is_the_last(conflict, post, desk):
    post("ada", "decide", conflict, version=1, choice="accept", reason_code="newer")
    answer = desk("ben").post(reverse("ping", args=[conflict.pk]))
    assert answer.status_code == 286 and "Decided" in answer.content.decode()


def test_who_has_left_or_fallen_silent_is_not_viewing(conflict, people, now):
    for name in ("ada", "ben"):
        claims.ping(conflict=conflict, person=people[name], now=now)
    claims.leave(conflict=conflict, person=people["ben"], now=now)
    assert claims.viewers(conflict, but=people["cara"], now=now) == ["ada"]
    assert claims.viewers(conflict, but=people["cara"], now=now + claims.PRESENT) == []
