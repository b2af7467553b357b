"""POST /review/<id>/decide/ with keep both: what sets the two apart is asked for, checked, and told afterwards."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from memory.models import Conflict, Memory
from review.models import Decision

LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def homes(make_memory, make_conflict):
    held = make_memory("I live in Leipzig", value="Leipzig", **LIVES)
    return make_conflict(None, "I live in Graz", memory=held, value="Graz", **LIVES)


@pytest.fixture
def keep_both(desk, homes):
    def keep_both_(**form):
        form = {"version": 1, "choice": "keep_both", "reason_code": "both_true"} | form
        return desk("ada").post(reverse("decide", args=[homes.pk]), form)

    return keep_both_


def test_two_homes_are_not_kept_without_a_word_what_sets_them_apart(keep_both):
    answer = keep_both(both_text="I live in Graz")
    assert answer.status_code == 422 and "what sets them apart" in answer.content.decode()
    assert Conflict.objects.get().status == "open"


def test_scopes_and_days_are_stored_with_the_decision_and_shown_in_its_history(keep_both, homes, desk):
    assert keep_both(held_scope="on weekdays", held_to="2026-05-01").status_code == 302
    held = Memory.objects.get(text="I live in Leipzig")
    assert (held.metadata["scope"], held.valid_to) == ("on weekdays", datetime(2026, 5, 1, tzinfo=UTC))
    assert Decision.objects.get().apart == {"held_scope": "on weekdays", "held_to": "2026-05-01T00:00:00+00:00"}
    content = desk("ada").get(reverse("conflict", args=[homes.pk])).content.decode()
    assert "held: on weekdays, until May 1, 2026" in content


@pytest.mark.parametrize("day", ["soon", "2026-02-30", "0001-01-01", "２０２６-05-01"])
def test_what_is_no_day_is_refused_and_everything_typed_is_kept(day, keep_both):
    answer = keep_both(held_scope="工作日", held_to=day, note="asked her")
    content = answer.content.decode()
    assert answer.status_code == 422 and 'value="工作日"' in content and "asked her" in content
    assert Conflict.objects.get().status == "open"


def test_a_wording_that_is_unchanged_is_no_wording_of_its_own(keep_both):
    keep_both(new_scope="in summer", both_text=" I live in Graz ")
    assert Decision.objects.get().edited_text == ""


def test_other_choices_take_nothing_from_these_fields(keep_both):
    keep_both(choice="accept", held_scope="x" * 99, held_to="never", both_text="something else")
    assert Memory.objects.get(status="active").text == "I live in Graz"
