"""The health page's figures, made of what memory/upkeep has counted."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Sum
from django.utils.translation import gettext as _

from memory import llm as language_model
from memory.llm import usage
from memory.models import LlmUsage, Workspace
from memory.upkeep import days as counted

LLM = ("calls", "judged", "from_cache", "unavailable", "unreadable", "over_budget", "invented")


@dataclass(frozen=True, slots=True)
class Day:
    """One day of UTC: events, and verdicts by outcome."""

    day: date
    events: int
    added: int
    known: int
    queued: int
    rejected: int

    @property
    def total(self) -> int:
        return self.added + self.known + self.queued + self.rejected


@dataclass(frozen=True, slots=True)
class Flow:
    """Some days, and their sums by name. A share is None where there is nothing to share."""

    days: list[Day]
    totals: dict[str, int]

    @property
    def kept_share(self) -> float | None:
        """Of the events, those of which anything was remembered."""
        return self._share("kept", self.totals["events"])

    @property
    def conflict_share(self) -> float | None:
        """Of the claims, those that wait or waited for a person."""
        return self._share("queued", self.claims)

    @property
    def known_share(self) -> float | None:
        return self._share("known", self.claims)

    @property
    def claims(self) -> int:
        return sum(self.totals[name] for name in ("added", "known", "queued", "rejected"))

    def _share(self, name: str, of: int) -> float | None:
        return self.totals[name] / of if of else None


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart: its words, how many, and that as hundredths of the largest."""

    label: str
    count: int
    width: int


@dataclass(frozen=True, slots=True)
class State:
    """What is remembered, as of `at` (None: never counted)."""

    at: datetime | None
    active: int
    archived: int
    graph_behind: int
    ages: list[Bar]
    heats: list[Bar]


def flow(workspace: Workspace, *, days: int, now: datetime) -> Flow:
    names = {"added": "ADD", "known": "DUPLICATE", "queued": "QUEUED", "rejected": "REJECTED"}
    rows = counted.flow(workspace, days=days, now=now)
    totals = {figure: sum(row[figure] for _day, row in rows) for figure in counted.FLOW}
    return Flow(
        days=[Day(day, row[counted.EVENTS], *(row[code] for code in names.values())) for day, row in rows],
        totals=totals | {name: totals[code] for name, code in names.items()},
    )


def state(workspace: Workspace) -> State:
    found, at = counted.state(workspace)
    ages = [_("the last week"), _("a week to a month"), _("1 to 3 months"), _("3 months to a year"), _("over a year")]
    heats = [_("cold, below 0.1"), _("0.1 to 1"), _("1 to 5"), _("5 and more")]
    return State(
        at=at, active=found.get("active", 0), archived=found.get("archived", 0),
        graph_behind=found.get("graph_behind", 0),
        ages=_bars(ages, [found.get(f"age_{low}", 0) for low in (0, *counted.AGES)]),
        heats=_bars(heats, [found.get(f"heat_{low}", 0) for low in (0, *counted.HEATS)]),
    )  # fmt: skip


def llm(workspace: Workspace, *, days: int, now: datetime) -> dict[str, int] | None:
    """What the language model did in the last days and where rules stood in, by LLM; None without a model and use."""
    rows = LlmUsage.objects.filter(workspace=workspace, day__gt=usage.today() - timedelta(days=days))
    sums = rows.aggregate(**{name: Sum(name) for name in LLM})
    found = {name: sums[name] or 0 for name in LLM}
    return found if language_model.is_set_up() or any(found.values()) else None


def _bars(labels: list[str], counts: list[int]) -> list[Bar]:
    most = max(counts, default=0)
    return [
        Bar(label, count, round(100 * count / most) if most else 0) for label, count in zip(labels, counts, strict=True)
    ]
