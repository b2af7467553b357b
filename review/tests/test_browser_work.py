"""Two reviewers on one conflict in real browsers, and parts of a page that change under the reader's eyes."""

import pytest
from django.utils import timezone

from memory.models import Conflict
from review.models import Claim
from review.tests.test_every_page import JUMPED, JUMPS

pytestmark = [pytest.mark.chromium, pytest.mark.django_db(transaction=True)]


def test_who_loses_a_lease_is_told_and_keeps_what_they_wrote(visit, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    ada, ben = visit("ada"), visit("ben")
    ada.goto(f"/review/{conflict.pk}/")
    ada.click("#work-take")
    ada.wait_for_selector("#presence >> text=Yours")
    ada.check("input[name=choice][value=accept]")
    ada.check("input[name=reason_code][value=newer]")
    ada.fill("#note", "I asked her myself")
    # she went for lunch
    Claim.objects.update(until=timezone.now())
    ben.goto(f"/review/{conflict.pk}/")
    ben.click("#work-take")
    ben.wait_for_selector("#presence >> text=Yours")
    ada.click("button:has-text('Decide')")
    ada.wait_for_selector("text=ben is working on this conflict")
    assert ada.input_value("#note") == "I asked her myself"
    assert Conflict.objects.get().status == "open"
    # and Ben has it still
    ben.check("input[name=choice][value=keep]")
    ben.check("input[name=reason_code][value=mistaken]")
    ben.click("button:has-text('Decide')")
    ben.wait_for_selector("[role=status] >> text=Undo")
    assert Conflict.objects.get().choice == "keep"


def test_the_page_says_by_itself_that_somebody_else_has_taken_it(visit, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    ada, ben = visit("ada"), visit("ben")
    ada.goto(f"/review/{conflict.pk}/")
    ada.wait_for_selector("#work-take")
    ben.goto(f"/review/{conflict.pk}/")
    ben.click("#work-take")
    ben.wait_for_selector("#presence >> text=Yours")
    ada.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow'))")
    ada.wait_for_selector("#presence >> text=ben works on it")


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_jumps_when_a_part_of_the_page_is_replaced(width, visit, make_conflict):
    for city in ("Graz", "Linz", "Bern", "Rom"):
        make_conflict(f"I live near {city}", f"I live in {city}")
    page = visit("ada", viewport={"width": width, "height": 800})
    page.add_init_script(JUMPS)
    page.goto("/review/")
    with page.expect_response("**/review/?*q=Graz*"):
        page.fill("#q", "Graz")
    page.wait_for_function("document.querySelectorAll('#results tbody tr').length == 1")
    assert page.evaluate("window.jumped || 0") <= JUMPED
    conflict = Conflict.objects.first()
    page.goto(f"/review/{conflict.pk}/")
    page.wait_for_load_state("networkidle")
    with page.expect_response(f"**/review/{conflict.pk}/ping/*"):
        page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow'))")
    page.wait_for_timeout(200)
    assert page.evaluate("window.jumped || 0") <= JUMPED
