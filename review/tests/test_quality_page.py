"""/quality/: agreement, pace and what waited, counted by hand."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memory.actor import SYSTEM
from memory.models import Conflict
from review import claims, quality, tasks
from review.models import BacklogDay, Decision, Handling
from review.quality import Row

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def row(decider="ada", choice="accept", suggestion="accept", waited=60, worked=None, at=NOON, **more):
    taken = at - timedelta(seconds=worked) if worked is not None else None
    given = {"kind": "contradiction", "source_class": "user_input", "is_undone": False} | more
    return Row(decider=decider, choice=choice, suggestion=suggestion, opened_at=at - timedelta(seconds=waited),
               decided_at=at, taken_at=taken, **given)  # fmt: skip


def test_agreement_counts_only_what_had_a_suggestion():
    found = quality.figures([row(), row(choice="keep"), row(suggestion=""), row(is_undone=True)])
    assert (found.n, found.advised, found.followed, found.undone) == (4, 3, 2, 1)
    assert found.agreement == pytest.approx(2 / 3)
    assert quality.figures([row(suggestion="")]).agreement is None


def test_times_are_values_that_occurred():
    found = quality.figures([row(waited=n, worked=n / 10) for n in range(10, 110, 10)])
    assert found.waited == (50, 90) and found.worked == (5, 9)
    assert quality.figures([row(waited=7)]).waited == (7, 7)
    assert quality.figures([row()]).worked is None and quality.figures([]).waited is None


def test_pace_counts_the_hours_in_which_somebody_decided():
    later = NOON + timedelta(hours=3)
    found = quality.figures([row(), row(at=NOON + timedelta(minutes=59)), row(at=later), row(decider="ben", at=later)])
    assert found.per_hour == pytest.approx(4 / 3)


def test_groups_come_largest_first():
    found = quality.grouped([row("ben"), row("ada"), row("ada")], lambda each: each.decider)
    assert [(name, figures.n) for name, figures in found] == [("ada", 2), ("ben", 1)]


@pytest.fixture
def decide(desk, make_conflict):
    """decide("ada", "I own 3 cats", "keep") files a claim, takes and decides it; answers the decision."""

    def decide_(name, text, choice="accept"):
        conflict = make_conflict(None, text)
        client = desk(name)
        client.post(reverse("take", args=[conflict.pk]))
        client.post(reverse("decide", args=[conflict.pk]), {"version": 1, "choice": choice, "reason_code": "newer"})
        return Decision.objects.get(conflict=conflict)

    return decide_


def test_the_page_tells_who_decided_how_many_and_whose_were_undone(decide, desk):
    decide("ada", "I own a cat")
    gone = decide("ben", "I own a dog", "keep")
    desk("ben").post(reverse("undo", args=[gone.conflict_id]), {"decision": gone.pk})
    page = desk("eve").get(reverse("quality"))
    assert [(name, figures.n, figures.undone) for name, figures in page.context["people"]] == [
        ("ada", 1, 0), ("ben", 1, 1),
    ]  # fmt: skip
    assert page.context["figures"].n == 2


def test_only_the_period_and_the_workspace_asked_for_is_counted(decide, desk, other_workspace):
    decision = decide("ada", "I own a cat")
    conflict = decision.conflict
    Decision.objects.create(
        conflict=conflict, choice="keep", reason_code="other", decider=decision.decider, conflict_version=1,
        decided_at=timezone.now() - timedelta(days=8), incoming_text="old",
    )  # fmt: skip
    assert desk("eve").get(reverse("quality"), {"days": 7}).context["figures"].n == 1
    assert desk("eve").get(reverse("quality"), {"days": 30}).context["figures"].n == 2
    assert desk("eve").get(reverse("quality"), {"days": "x"}).context["days"] == 30
    assert quality.rows(other_workspace, since=timezone.now() - timedelta(days=30)) == []


def test_since_when_the_decider_had_it_is_kept_and_exported(decide, desk):
    decision = decide("ada", "I own a cat")
    taken = Handling.objects.get(decision=decision).taken_at
    assert decision.decided_at - timedelta(seconds=60) < taken <= decision.decided_at
    exported = desk("eve").get("/review/decisions.jsonl?status=decided")
    assert taken.isoformat() in b"".join(exported.streaming_content).decode()


def test_a_lease_that_is_renewed_keeps_its_beginning(make_conflict, people, now):
    conflict = make_conflict(None, "I own a cat")
    who = {"conflict": conflict, "person": people["ada"]}
    claims.take(**who, actor=SYSTEM, now=now)
    claims.ping(**who, now=now + timedelta(minutes=4))
    assert claims.refuse_if_held(**who, now=now + timedelta(minutes=6)) == now


def test_a_decision_without_a_lease_has_no_beginning(desk, make_conflict):
    conflict = make_conflict(None, "I own a cat")
    sent = {"version": 1, "choice": "keep", "reason_code": "newer"}
    desk("ada").post(reverse("decide", args=[conflict.pk]), sent)
    assert Decision.objects.count() == 1 and not Handling.objects.exists()


def test_the_backlog_of_days_gone_by_is_counted_from_what_opened_and_was_decided(make_conflict, workspace):
    day = datetime(2026, 5, 4, tzinfo=UTC)
    for opened, due, decided in ((0, 1, None), (0, 3, 2), (1, 2, None)):
        conflict = make_conflict(None, f"I own {opened} {due} {decided} cats")
        closed = {}
        if decided is not None:
            closed = {"status": "decided", "choice": "keep", "decided_at": day + timedelta(days=decided, hours=1)}
        Conflict.objects.filter(pk=conflict.pk).update(
            opened_at=day + timedelta(days=opened, hours=1), due_at=day + timedelta(days=due, hours=1), **closed
        )
    assert quality.count_backlog(workspace, now=day + timedelta(days=3, hours=2)) == 3
    stored = list(BacklogDay.objects.order_by("day").values_list("open", "overdue"))
    # opened on day 0: two. Day 1: a third, the first overdue. Day 2: the second was decided, the third is overdue too.
    assert stored == [(2, 0), (3, 1), (2, 2)]
    assert quality.count_backlog(workspace, now=day + timedelta(days=3, hours=2)) == 0
    shown = quality.backlog(workspace, days=7, now=day + timedelta(days=3, hours=2))
    assert [(each.open, each.overdue) for each in shown] == [(2, 0), (3, 1), (2, 2), (2, 2)]
    assert [each.place for each in shown] == [3, 4, 5, 6]


def test_a_single_day_keeps_its_narrow_place_at_the_end_of_the_period(make_conflict, desk):
    make_conflict(None, "I own a cat")
    body = desk("ada").get(reverse("quality"), {"days": 30}).content.decode()
    assert 'viewBox="0 0 30 1"' in body and 'class="queued" x="29.1" width=".8" height="1"' in body


def test_the_job_counts_every_workspace(make_conflict, workspace, other_workspace):
    make_conflict(None, "I own a cat")
    assert tasks.count_backlog() == BacklogDay.objects.count() > 0
    assert set(BacklogDay.objects.values_list("workspace", flat=True)) == {workspace.pk}


def test_it_costs_the_same_however_much_was_decided(decide, desk, django_assert_num_queries):
    client = desk("eve")
    decide("ada", "I own a cat")
    client.get(reverse("quality"))
    with CaptureQueriesContext(connection) as captured:
        client.get(reverse("quality"))
    few = len(captured)
    for n in range(5):
        decide("ben", f"I own {n} dogs")
    with django_assert_num_queries(few):
        client.get(reverse("quality"))


def test_empty_it_says_what_will_be_there(desk):
    page = desk("ada").get(reverse("quality")).content.decode()
    assert "No decision in these days" in page and "Nothing waits" in page
