"""Skipping, putting off and assigning: what waits is shared out, and comes back."""

from datetime import timedelta

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from memory.models import AuditEvent, Conflict, Membership
from review.models import Assignment, Claim, Deferral, Skip


@pytest.fixture
def two(make_conflict):
    """The first and the second of the queue."""
    made = [make_conflict("a bike", "a car"), make_conflict("a cat", "a dog")]
    for hours, conflict in enumerate(made, start=1):
        Conflict.objects.filter(pk=conflict.pk).update(due_at=timezone.now() + timedelta(hours=hours))
    return made


@pytest.fixture
def post(desk):
    def post_(name, form, conflict, query="", **fields):
        return desk(name).post(reverse(form, args=[conflict.pk]) + query, fields)

    return post_


def listed(client, query=""):
    return [row.text for row in client.get(f"/review/{query}").context["page"].object_list]


def in_days(days):
    return f"{timezone.localtime() + timedelta(days=days):%Y-%m-%d}"


def told(answer):
    return " ".join(str(message) for message in get_messages(answer.wsgi_request))


def test_what_one_skips_stays_with_the_others_and_can_be_had_back(two, desk, post):
    answer = post("ada", "skip", two[0], query="?band=2")
    assert answer["Location"] == reverse("conflict", args=[two[1].pk]) + "?band=2"
    assert listed(desk("ada")) == ["a dog"] and listed(desk("ben")) == ["a car", "a dog"]
    assert listed(desk("ada"), "?show=skipped") == ["a car"]
    post("ada", "skip", two[0])
    post("ada", "unskip", two[0])
    assert listed(desk("ada")) == ["a car", "a dog"]
    actions = list(AuditEvent.objects.filter(action__contains="skip").order_by("pk").values_list("action", flat=True))
    assert actions == ["conflict.skip", "conflict.unskip"]


def test_who_skips_what_they_hold_takes_the_next(two, post, people):
    post("ada", "take", two[0])
    post("ada", "skip", two[0])
    claim = Claim.objects.get()
    assert (claim.conflict, claim.person) == (two[1], people["ada"])


def test_skipping_the_last_one_leads_to_the_queue(make_conflict, post):
    assert post("ada", "skip", make_conflict("a bike", "a car"))["Location"] == "/review/"


def test_what_is_put_off_leaves_everybodys_list_and_comes_back_by_itself(two, desk, post):
    answer = post("ada", "defer", two[0], day=in_days(3), note="she is back on Monday")
    assert answer["Location"] == reverse("conflict", args=[two[1].pk])
    assert listed(desk("ada")) == listed(desk("ben")) == ["a dog"]
    assert listed(desk("ben"), "?show=deferred") == ["a car"]
    content = desk("ben").get(reverse("conflict", args=[two[0].pk])).content.decode()
    assert "Put off until" in content and "she is back on Monday" in content
    Deferral.objects.update(until=timezone.now())
    assert listed(desk("ben")) == ["a dog", "a car"]


def test_it_comes_back_as_if_it_had_come_in_then(two, post):
    post("ada", "defer", two[0], day=in_days(3))
    conflict, deferral = Conflict.objects.get(pk=two[0].pk), Deferral.objects.get()
    assert conflict.due_at - deferral.until == timedelta(hours=24)
    assert AuditEvent.objects.get(action="conflict.defer").actor_label == "ada"


def test_it_can_be_brought_back_at_once(two, desk, post):
    post("ada", "defer", two[0], day=in_days(3))
    post("ben", "bring_back", two[0])
    assert set(listed(desk("ada"))) == {"a car", "a dog"}
    assert "changed meanwhile" in told(post("ben", "bring_back", two[0]))


@pytest.mark.parametrize(
    "day", ["", "soon", "2026-02-30", "0001-01-01", "9999-12-31", in_days(0), in_days(400), "x" * 999]
)
def test_a_day_that_makes_no_sense_puts_nothing_off(day, two, post, desk):
    answer = post("ada", "defer", two[0], day=day)
    assert answer.status_code == 302 and not Deferral.objects.exists()
    assert listed(desk("ada")) == ["a car", "a dog"]


def test_a_decided_conflict_is_not_put_off_skipped_or_assigned(two, post, people):
    Conflict.objects.filter(pk=two[0].pk).update(status="decided", choice="keep", decided_at=timezone.now())
    post("ada", "defer", two[0], day=in_days(3))
    post("ada", "skip", two[0])
    post("ada", "assign", two[0], to=people["ben"].pk)
    assert not Deferral.objects.exists() and not Skip.objects.exists() and not Assignment.objects.exists()


def test_what_is_assigned_to_one_comes_first_for_them(two, desk, post, people):
    post("ada", "assign", two[1], to=people["ben"].pk)
    assert listed(desk("ben")) == ["a dog", "a car"] and listed(desk("ada")) == ["a car", "a dog"]
    assert listed(desk("ben"), "?assignee=me") == listed(desk("ada"), "?assignee=ben") == ["a dog"]
    assert listed(desk("ben"), "?assignee=nobody") == ["a car"]
    event = AuditEvent.objects.get(action="conflict.assign")
    assert event.after == {"person": str(people["ben"].pk)}


def test_an_assignment_moves_only_from_whom_it_was_shown_with(two, post, people):
    ada, ben = people["ada"].pk, people["ben"].pk
    post("ada", "assign", two[0], to=ben)
    for shown in ("", ada, "x"):
        assert "changed meanwhile" in told(post("cara", "assign", two[0], to=ada, shown=shown))
    assert Assignment.objects.get().person_id == ben
    post("cara", "assign", two[0], to=ada, shown=ben)
    assert Assignment.objects.get().person_id == ada
    post("cara", "assign", two[0], to="", shown=ada)
    assert not Assignment.objects.exists()


def test_only_who_may_decide_here_is_given_work(two, post, people):
    Membership.objects.filter(person=people["ben"]).delete()
    for name in ("ben", "eve", "dan"):
        assert "Choose a colleague" in told(post("ada", "assign", two[0], to=people[name].pk))
    assert not Assignment.objects.exists()
