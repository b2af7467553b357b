"""Rules: proposed from what people always decided alike, made by an admin, watched, capped, and undone as a whole."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.actor import SYSTEM
from memory.models import AuditEvent, Conflict, Memory, Workspace
from memory.records import records_of
from review import claims, decisions
from review.access import Seat
from review.models import Assignment, AutoRule, Decision, Deferral, RuleAct, SecondLook
from review.rules import applying, classes, proposing
from review.rules.classes import Class
from review.tasks import apply_rules

pytestmark = pytest.mark.django_db
ABOUT = Class("contradiction", "value_changed", "profile", "user_input")
FILED = timedelta(hours=1)


@pytest.fixture
def waiting(make_conflict):
    """waiting(n) files n conflicts of the class an hour ago, that no rule leaves to people by its share."""
    made = iter(range(10_000))

    def file(n: int) -> list[Conflict]:
        found = []
        while len(found) < n:
            number = next(made)
            conflict = make_conflict(f"My code is A{number}", f"My code is B{number}")
            if classes.is_left(conflict.pk, 0.1):
                Conflict.objects.filter(pk=conflict.pk).delete()
                continue
            Conflict.objects.filter(pk=conflict.pk).update(
                opened_at=timezone.now() - FILED, due_at=timezone.now() + FILED, band=Conflict.Band.LOW
            )
            conflict.refresh_from_db()
            found.append(conflict)
        return found

    return file


def decide(conflict, person, choice="accept") -> Decision:
    conflict.refresh_from_db()
    return decisions.decide(
        conflict=conflict, person=person, actor=SYSTEM, now=timezone.now(), expected_version=conflict.version,
        draft=decisions.Draft(choice, "newer"),
    )  # fmt: skip


@pytest.fixture
def alike(waiting, people, monkeypatch):
    """Three decisions alike by Ada and Ben, which is enough here."""
    monkeypatch.setattr(proposing, "ALIKE", 3)
    return [
        decide(conflict, people[name]) for conflict, name in zip(waiting(3), ("ada", "ben", "ada"), strict=True)
    ]  # fmt: skip


@pytest.fixture
def make_rule(alike, workspace, desk):
    def make(**values) -> AutoRule:
        sent = ABOUT._asdict() | {"choice": "accept", "check_share": "0.1", "per_hour": "60"} | values
        answer = desk("cara").post(reverse("rule_make"), sent)
        assert answer.status_code == 302, answer.content
        return AutoRule.objects.get(off="")

    return make


def proposed(workspace):
    return proposing.proposals(workspace, now=timezone.now())


# proposing


def test_what_two_people_always_decided_alike_is_proposed(alike, waiting, workspace):
    waiting(2)
    [found] = proposed(workspace)
    assert (found.about, found.choice, found.reason_code) == (ABOUT, "accept", "newer")
    assert (found.alike, found.people, found.waiting) == (3, 2, 2)


def test_one_person_alone_proposes_nothing(waiting, people, workspace, monkeypatch):
    monkeypatch.setattr(proposing, "ALIKE", 3)
    for conflict in waiting(3):
        decide(conflict, people["ada"])
    assert proposed(workspace) == []


def test_twenty_in_a_row_are_asked_for(waiting, people, workspace):
    for number, conflict in enumerate(waiting(20)):
        assert proposed(workspace) == []
        decide(conflict, people["ada" if number % 2 else "ben"])
    assert proposed(workspace)[0].alike == 20


@pytest.mark.parametrize("spoilt", ["otherwise", "undone", "disagreed", "another workspace"])
def test_one_doubt_among_the_latest_ends_the_row(spoilt, alike, waiting, people, workspace, other_workspace):
    if spoilt == "otherwise":
        decide(waiting(1)[0], people["ben"], "keep")
    elif spoilt == "undone":
        _take_back(alike[-1], people["ada"])
    elif spoilt == "disagreed":
        SecondLook.objects.create(
            decision=alike[-1], workspace=workspace, drawn_at=timezone.now(), answered_at=timezone.now(),
            agrees=False, choice="keep",
        )  # fmt: skip
    else:
        workspace = other_workspace
    assert proposed(workspace) == []


def test_attacks_and_questions_of_identity_are_never_proposed(alike, workspace):
    for kind in ("injection", "identity"):
        Conflict.objects.update(kind=kind)
        assert proposed(workspace) == []


# deciding


def test_a_rule_decides_and_confirms_nothing(make_rule, waiting):
    rule, [conflict] = make_rule(), waiting(1)
    assert apply_rules() == 1
    conflict.refresh_from_db()
    assert (conflict.status, conflict.choice, conflict.decided_by) == ("decided", "accept", None)
    entered = Memory.objects.get(text=conflict.text)
    assert (entered.status, entered.confirmed_at, entered.credibility) == ("active", None, 1.0)
    decision = Decision.objects.get(conflict=conflict)
    assert decision.decider is None and decision.rule_act.rule == rule
    event = AuditEvent.objects.get(action="conflict.settle", object_id=str(conflict.pk))
    assert (event.actor_kind, event.actor_id) == ("system", f"rule:{rule.pk}")


def test_what_a_rule_keeps_counts_as_no_persons_word(make_rule, waiting):
    rule, [conflict] = make_rule(), waiting(1)
    AutoRule.objects.update(choice="keep")
    held = Memory.objects.get(pk=conflict.memory_id)
    apply_rules()
    conflict.refresh_from_db()
    assert (conflict.choice, Memory.objects.get(pk=held.pk).confirmed_at) == ("keep", None)
    assert Memory.objects.get(pk=held.pk).version == held.version
    assert rule.acts.count() == 1


def test_its_decisions_are_no_record_of_a_source_and_propose_nothing(make_rule, waiting, workspace):
    before = records_of(workspace.pk, ["user:u1"])
    make_rule()
    waiting(4)
    assert apply_rules() == 4
    assert records_of(workspace.pk, ["user:u1"]) == before
    AutoRule.objects.update(off="admin", off_at=timezone.now())
    assert proposed(workspace)[0].alike == 3


def test_what_somebody_has_in_hand_is_left_to_them(make_rule, waiting, people):
    make_rule()
    now = timezone.now()
    held, given, put_off, fresh, urgent, decided_before = waiting(6)
    claims.take(conflict=held, person=people["ada"], actor=SYSTEM, now=now)
    Assignment.objects.create(conflict=given, person=people["ben"], at=now)
    Deferral.objects.create(conflict=put_off, until=now + FILED, at=now)
    Conflict.objects.filter(pk=fresh.pk).update(opened_at=now - timedelta(minutes=9))
    Conflict.objects.filter(pk=urgent.pk).update(band=Conflict.Band.HIGH)
    _take_back(decide(decided_before, people["ada"]), people["ada"])
    assert apply_rules() == 0 and not RuleAct.objects.exists()


@pytest.mark.parametrize(("wanted", "decided"), [("off", 1), ("high", 1), ("always", 0)])
def test_where_a_second_person_is_wanted_it_decides_nothing(wanted, decided, make_rule, waiting, workspace):
    make_rule()
    waiting(1)
    Workspace.objects.filter(pk=workspace.pk).update(settings={"second_person": wanted})
    assert apply_rules() == decided


def test_a_share_is_left_to_people_always_the_same(make_conflict, make_rule):
    left = [classes.is_left(_uuid(number), 0.1) for number in range(10_000)]
    assert 900 < sum(left) < 1100
    assert left == [classes.is_left(_uuid(number), 0.1) for number in range(10_000)]
    make_rule(check_share="1")
    conflict = make_conflict("My desk is red", "My desk is white")
    Conflict.objects.filter(pk=conflict.pk).update(
        opened_at=timezone.now() - FILED, due_at=timezone.now() + FILED, band=Conflict.Band.LOW
    )
    assert apply_rules() == 0


def test_no_more_than_its_number_in_an_hour(make_rule, waiting):
    make_rule(per_hour="2")
    waiting(5)
    assert (apply_rules(), apply_rules()) == (2, 0)
    RuleAct.objects.update(at=timezone.now() - timedelta(minutes=61))
    assert apply_rules() == 2


def test_one_that_is_refused_is_tried_once_and_left_to_a_person(make_rule, waiting, make_memory):
    rule, [refused, fine] = make_rule(), waiting(2)
    make_memory(refused.text)
    assert (apply_rules(), apply_rules()) == (1, 0)
    assert rule.acts.get(decision=None).conflict == refused
    fine.refresh_from_db()
    assert fine.status == "decided"


# ending


@pytest.mark.parametrize("doubt", ["undone", "differs", "disagreed"])
def test_it_ends_when_somebody_sees_it_otherwise(doubt, make_rule, waiting, people, workspace):
    rule, [conflict, other] = make_rule(), waiting(2)
    RuleAct.objects.create(rule=rule, conflict=other, at=timezone.now())
    assert apply_rules() == 1
    decision = Decision.objects.get(conflict=conflict)
    if doubt == "undone":
        _take_back(decision, people["ben"])
    elif doubt == "differs":
        decide(other, people["ada"], "keep")
    else:
        SecondLook.objects.update_or_create(
            decision=decision,
            defaults={
                "workspace": workspace, "drawn_at": timezone.now(), "answered_at": timezone.now(), "agrees": False,
                "choice": "keep",
            },
        )  # fmt: skip
    waiting(1)
    assert apply_rules() == 0
    rule.refresh_from_db()
    assert rule.off == doubt and AuditEvent.objects.get(action="rule.off").actor_kind == "system"


def test_whoever_may_decide_may_undo_a_rules_decision(make_rule, waiting, desk):
    make_rule()
    [conflict] = waiting(1)
    apply_rules()
    page = desk("ben").get(reverse("conflict", args=[conflict.pk])).content.decode()
    assert reverse("rule", args=[AutoRule.objects.get().pk]) in page
    decision = Decision.objects.get(conflict=conflict)
    desk("ben").post(reverse("undo", args=[conflict.pk]), {"decision": decision.pk})
    conflict.refresh_from_db()
    assert conflict.status == "open"


def test_all_it_did_is_undone_and_the_rule_is_off_first(make_rule, waiting, desk):
    rule, conflicts = make_rule(), waiting(3)
    assert apply_rules() == 3
    # somebody has built on one of them
    desk("ada").post(
        reverse("memory_act", args=[Memory.objects.get(text=conflicts[0].text).pk, "edit"]),
        {"version": 1, "text": "My code is C"},
    )
    answer = desk("cara").post(reverse("rule_undo", args=[rule.pk]), follow=True).content.decode()
    assert "2 decisions are undone." in answer and "1 stays" in answer
    rule.refresh_from_db()
    assert rule.off == "admin" and apply_rules() == 0
    assert Conflict.objects.filter(pk__in=[each.pk for each in conflicts], status="open").count() == 2
    assert Memory.objects.get(text="My code is C").status == "active"


def test_all_are_undone_in_turns(make_rule, waiting, desk, monkeypatch):
    monkeypatch.setattr(applying, "UNDONE_AT_ONCE", 2)
    rule = make_rule()
    waiting(3)
    apply_rules()
    for left in (1, 0):
        desk("cara").post(reverse("rule_undo", args=[rule.pk]))
        assert Decision.objects.filter(rule_act__rule=rule, undone_by=None).count() == left


def test_an_admin_switches_it_off_and_what_it_decided_stays(make_rule, waiting, desk):
    rule = make_rule()
    waiting(2)
    apply_rules()
    desk("cara").post(reverse("rule_off", args=[rule.pk]))
    waiting(1)
    assert apply_rules() == 0 and Decision.objects.filter(rule_act__rule=rule, undone_by=None).count() == 2


# making


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"check_share": "0"}, 422), ({"check_share": "x"}, 422), ({"check_share": "nan"}, 422),
        ({"per_hour": "0"}, 422), ({"per_hour": "1001"}, 422), ({"choice": "keep"}, 409), ({"kind": "injection"}, 409),
        ({"why": "\x00"}, 400),
    ],
)  # fmt: skip
def test_what_is_not_proposed_or_out_of_range_makes_no_rule(values, status, alike, desk):
    sent = ABOUT._asdict() | {"choice": "accept", "check_share": "0.1", "per_hour": "60"} | values
    assert desk("cara").post(reverse("rule_make"), sent).status_code == status
    assert not AutoRule.objects.exists()


def test_a_class_has_one_rule_at_a_time_and_the_page_shows_it(make_rule, alike, desk, workspace):
    make_rule()
    sent = ABOUT._asdict() | {"choice": "accept", "check_share": "0.1", "per_hour": "60"}
    assert desk("cara").post(reverse("rule_make"), sent).status_code == 409
    assert AutoRule.objects.count() == 1 and proposed(workspace) == []
    assert AuditEvent.objects.get(action="rule.make").after["choice"] == "accept"


def test_an_auditor_sees_proposals_and_rules_and_no_button(alike, desk):
    page = desk("eve").get(reverse("rules")).content.decode()
    assert "Accept incoming" in page and reverse("rule_make") not in page


def _take_back(decision, person):
    conflict = Conflict.objects.get(pk=decision.conflict_id)
    seat = Seat(conflict.workspace, "Reviewer", frozenset({"decide_conflict"}))
    decisions.take_back(
        conflict=conflict, shown=decision.pk, seat=seat, person=person, actor=SYSTEM, now=timezone.now()
    )


def _uuid(number):
    return UUID(int=number)
