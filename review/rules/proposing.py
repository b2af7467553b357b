"""Which classes people always decided alike, and what a rule would have to do with what waits now."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from memory.models import Conflict, Workspace
from review.models import AutoRule, Decision
from review.rules.classes import CHOICES, KINDS, Class, class_of, free

# so many decisions in a row, by two people at least, without one otherwise, undone, or doubted by a second look
ALIKE, PEOPLE = 20, 2
BACK = timedelta(days=90)
READ = 5000  # the latest decisions that are looked through
COUNTED = 500


@dataclass(frozen=True, slots=True)
class Proposed:
    """A class of which the last `alike` decisions were the same. `waiting` of it are open and free for a rule now."""

    about: Class
    choice: str
    reason_code: str
    alike: int
    people: int
    last_at: datetime
    waiting: int

    @property
    def kind_label(self) -> str:
        return str(Conflict.Kind(self.about.kind).label)


def proposals(workspace: Workspace, *, now: datetime) -> list[Proposed]:
    """The classes that a rule could decide and none does, those with the most decisions first."""
    ruled = {class_of(rule) for rule in AutoRule.objects.filter(workspace=workspace, off="")}
    found = []
    for about, decided in _runs(workspace, now).items():
        if about in ruled or len(decided) < ALIKE or len({row.person for row in decided}) < PEOPLE:
            continue
        choice = decided[0].choice
        waiting = sum(1 for _ in islice(free(workspace, about, now=now).values_list("pk"), COUNTED))
        found.append(
            Proposed(
                about, choice, _reason(decided), len(decided),
                len({row.person for row in decided}), decided[0].at, waiting,
            )
        )  # fmt: skip
    return sorted(found, key=lambda each: (-each.alike, each.about))


def proposal_for(workspace: Workspace, about: Class, *, now: datetime) -> Proposed | None:
    return next((each for each in proposals(workspace, now=now) if each.about == about), None)


@dataclass(frozen=True, slots=True)
class _Row:
    person: int
    choice: str
    reason: str
    at: datetime


def _runs(workspace: Workspace, now: datetime) -> dict[Class, list[_Row]]:
    """Of each class the latest decisions of people that are alike, latest first; none where the latest is doubted."""
    rows = Decision.objects.filter(
        conflict__workspace=workspace, decided_at__gte=now - BACK, undoes=None, decider__isnull=False,
        conflict__kind__in=KINDS,
    )  # fmt: skip
    columns = (
        "conflict__kind", "conflict__reason_code", "conflict__category", "conflict__source_class", "choice",
        "reason_code", "decider", "decided_at", "undone_by", "second_look__agrees",
    )  # fmt: skip
    found: dict[Class, list[_Row]] = {}
    ended: set[Class] = set()
    latest = rows.order_by("-decided_at").values_list(*columns)[:READ]
    for *about, choice, reason, person, at, undone_by, agrees in latest:
        about = Class(*about)
        if about in ended:
            continue
        mine = found.setdefault(about, [])
        alike = choice in CHOICES and (not mine or mine[0].choice == choice)
        if not alike or undone_by is not None or agrees is False:
            ended.add(about)
            continue
        mine.append(_Row(person, choice, reason, at))
    return found


def _reason(decided: list[_Row]) -> str:
    """The reason most of them gave."""
    reasons = [row.reason for row in decided]
    return max(sorted(set(reasons)), key=reasons.count)
