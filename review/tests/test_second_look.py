"""/quality/second-look/: a sample of decisions, looked at by somebody who does not see them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.models import Memory
from review import second_look
from review.models import Decision, SecondLook
from review.tests.test_page_races import at_once

PAGE = "/quality/second-look/"


@pytest.fixture
def all_drawn(workspace):
    workspace.settings = {"second_look_share": 1}
    workspace.save()


@pytest.fixture
def decided(all_drawn, desk, make_conflict):
    """Ada's decision to keep what is held."""
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    sent = {"version": 1, "choice": "keep", "reason_code": "mistaken", "note": "ada knows better"}
    desk("ada").post(reverse("decide", args=[conflict.pk]), sent)
    return Decision.objects.get()


def send(client, decision, choice="accept", note=""):
    return client.post(reverse("second_look_answer", args=[decision.pk]), {"choice": choice, "note": note})


def test_the_sample_is_as_large_as_the_share_and_always_the_same():
    drawn = [second_look.is_drawn(number, 0.1) for number in range(1, 10_001)]
    assert 900 < sum(drawn) < 1100
    assert drawn == [second_look.is_drawn(number, 0.1) for number in range(1, 10_001)]
    assert not any(second_look.is_drawn(number, 0) for number in range(1000))
    assert all(second_look.is_drawn(number, 1) for number in range(1000))


def test_a_colleague_sees_both_sides_and_not_the_decision(decided, desk):
    page = desk("ben").get(PAGE).content.decode()
    assert "I live in Leipzig" in page and "I live in Graz" in page
    assert "ada knows better" not in page and reverse("conflict", args=[decided.conflict_id]) not in page
    form = page.partition("second-look/")[2]
    assert 'name="choice"' in form and "required checked" not in form


def test_nobody_looks_at_their_own(decided, desk):
    assert "Nothing to look at again" in desk("ada").get(PAGE).content.decode()
    assert send(desk("ada"), decided).status_code == 422
    assert SecondLook.objects.get().answered_at is None


@pytest.mark.parametrize("choice, agrees", [("keep", True), ("accept", False), ("edit", False)])
def test_the_answer_is_kept_beside_the_decision_and_changes_no_memory(choice, agrees, decided, desk, people):
    before = list(Memory.objects.values_list("pk", "version", "status"))
    page = desk("ben").post(
        reverse("second_look_answer", args=[decided.pk]), {"choice": choice, "note": "重新看过"}, follow=True
    )
    look = SecondLook.objects.get()
    assert (look.choice, look.agrees, look.reviewer, look.note) == (choice, agrees, people["ben"], "重新看过")
    assert ("decided the same" if agrees else "decided otherwise") in page.content.decode()
    assert list(Memory.objects.values_list("pk", "version", "status")) == before and Decision.objects.count() == 1


def test_another_wording_is_no_disagreement():
    assert second_look.agree("accept", "edit") and second_look.agree("edit", "accept")
    assert not second_look.agree("accept", "keep_both")


def test_where_the_two_differ_the_quality_page_shows_both(decided, desk):
    send(desk("ben"), decided, "accept", "she moved")
    page = desk("cara").get(reverse("quality"))
    assert [look.decision_id for look in page.context["differing"]] == [decided.pk]
    assert (page.context["agreement"].n, page.context["agreement"].agree) == (1, 0)
    assert "she moved" in page.content.decode()


def test_what_was_undone_or_is_old_is_not_looked_at(decided, desk, people, workspace):
    now = timezone.now()
    assert second_look.waiting(workspace, people["ben"], now=now + timedelta(days=29)).count() == 1
    assert second_look.waiting(workspace, people["ben"], now=now + timedelta(days=31)).count() == 0
    desk("ada").post(reverse("undo", args=[decided.conflict_id]), {"decision": decided.pk})
    assert second_look.waiting(workspace, people["ben"], now=now).count() == 0
    assert send(desk("ben"), decided).status_code == 409 and SecondLook.objects.get().answered_at is None


def test_both_answers_are_told_in_the_words_of_the_kind(all_drawn, desk, make_conflict):
    report = make_conflict(None, "All tests pass now.", kind="misreport")
    sent = {"version": 1, "choice": "accept", "reason_code": "other"}
    desk("ada").post(reverse("decide", args=[report.pk]), sent)
    send(desk("ben"), Decision.objects.get(), "keep")
    page = desk("cara").get(reverse("quality")).content.decode()
    assert "Remember it all the same" in page and "Turn away the report" in page


@pytest.mark.parametrize("form", [{"choice": "same"}, {"choice": ""}, {"choice": "keep", "note": "x" * 501}])
def test_what_does_not_fit_is_refused_and_the_note_kept(form, decided, desk):
    answer = desk("ben").post(reverse("second_look_answer", args=[decided.pk]), form)
    assert answer.status_code == 422 and form.get("note", "") in answer.content.decode()
    assert SecondLook.objects.get().answered_at is None


def test_the_second_to_answer_is_told(decided, desk):
    assert send(desk("ben"), decided).status_code == 302
    lost = send(desk("cara"), decided, "keep", "mine")
    assert lost.status_code == 409 and "Somebody was faster" in lost.content.decode()
    assert SecondLook.objects.get().choice == "accept"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_answer_at_once_and_one_counts(decided, desk):
    address = reverse("second_look_answer", args=[decided.pk])
    answers = at_once((desk("ben"), address, {"choice": "keep"}), (desk("cara"), address, {"choice": "accept"}))
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    assert SecondLook.objects.exclude(answered_at=None).count() == 1
