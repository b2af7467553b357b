"""Rules and people at once, on PostgreSQL: nothing is decided twice, and nothing after a rule was switched off."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from memory.actions.settle import AlreadyDecided
from memory.actor import SYSTEM
from memory.models import Conflict
from memory.tests.test_races import together
from review import claims, decisions
from review.models import AutoRule, Claim, Decision
from review.rules import applying, switching

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
MANY = 12


@pytest.fixture
def rule(workspace, people, make_conflict):
    """A rule for MANY conflicts that wait, of which it leaves hardly any."""
    for number in range(MANY):
        make_conflict(f"My code is A{number}", f"My code is B{number}")
    now = timezone.now()
    Conflict.objects.update(opened_at=now - timedelta(hours=1), due_at=now + timedelta(hours=1), band=3)
    return AutoRule.objects.create(
        workspace=workspace, kind="contradiction", why="value_changed", category="profile", source_class="user_input",
        choice="accept", reason_code="newer", check_share=0.05, per_hour=1000, rests_on=20, made_at=now,
    )  # fmt: skip


def test_two_workers_and_a_person_decide_each_conflict_once(rule, people):
    def by_hand() -> int:
        done = 0
        for conflict in Conflict.objects.filter(status="open").select_related("user", "memory").order_by("-pk"):
            try:
                decisions.decide(
                    conflict=conflict, person=people["ada"], actor=SYSTEM, now=timezone.now(), expected_version=1,
                    draft=decisions.Draft("accept", "newer"),
                )  # fmt: skip
                done += 1
            except AlreadyDecided:
                pass
        return done

    answers = together(
        by_hand, lambda: applying.run(now=timezone.now()), lambda: applying.run(now=timezone.now())
    )  # fmt: skip
    decided = Decision.objects.values_list("conflict", flat=True)
    assert len(answers) == 3 and sum(answers) == len(decided) == len(set(decided)) == MANY


def test_what_a_person_takes_at_the_same_moment_is_theirs(rule, people):
    conflicts = list(Conflict.objects.select_related("user", "memory", "workspace"))

    def take() -> int:
        got = 0
        for conflict in conflicts:
            try:
                claims.take(conflict=conflict, person=people["ben"], actor=SYSTEM, now=timezone.now())
                got += 1
            except AlreadyDecided:
                pass
        return got

    together(take, lambda: applying.run(now=timezone.now()))
    held = set(Conflict.objects.filter(claim__person=people["ben"]).values_list("pk", flat=True))
    assert not held & set(Decision.objects.values_list("conflict", flat=True))


def test_who_takes_a_conflict_while_a_rule_decides_it_is_told_so(rule, people):
    conflict = Conflict.objects.select_related("user", "memory", "workspace").first()

    def take() -> None:
        claims.take(conflict=conflict, person=people["ben"], actor=SYSTEM, now=timezone.now())

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            draft = decisions.Draft("accept", "newer")
            decisions.decide_by_rule(conflict=conflict, draft=draft, actor=SYSTEM, now=timezone.now())
            answer = pool.submit(together, take)
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.3)  # it waits for the rule
        assert isinstance(answer.result()[0], AlreadyDecided)
    assert not Claim.objects.exists()


def test_nothing_is_decided_once_it_is_off(rule, people):
    after = []

    def off() -> None:
        switching.switch_off(rule=rule, why="admin", person=people["cara"], actor=SYSTEM, now=timezone.now())
        after.append(Decision.objects.count())

    together(off, lambda: applying.run(now=timezone.now()))
    assert [Decision.objects.count()] == after
