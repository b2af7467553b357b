"""The credibility page's figures, and the weights of source classes as people read and write them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from memory.actions.configure import WEIGHTS_ACTION
from memory.credibility import Record, track_record
from memory.models import Memory, SourceFigure, Workspace
from memory.models.episode import SourceClass
from memory.models.memory import MemoryStatus
from memory.policy import SOURCE_WEIGHTS
from memory.upkeep import days, trust
from review import tuning
from review.tuning import Earlier, shown

DOUBTFUL = 0.5  # what is below it, agents should not be told without a word of warning
LEAST_SEEN = 4  # hundredths of a bar
RISKY, SOURCES = 25, 50
KINDS = ("tool", "agent", "site")
ORDERS = {"": ("-memories", "source"), "rejected": ("-rejected", "source")}
NAMES = tuple(str(name) for name in SourceClass.values)


@dataclass(frozen=True, slots=True)
class Spread:
    """One source class: its memories by tenths of credibility, each bar in hundredths of its largest."""

    label: str
    counts: list[int]
    bars: list[int]
    memories: int
    doubtful: int


@dataclass(frozen=True, slots=True)
class Source:
    """One source as it was last counted. `weight` is what its class and the decisions on it make of it."""

    figure: SourceFigure
    kind: str
    name: str
    prior: float | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class Weight:
    """One source class in the form; texts, as its field holds them."""

    name: str
    label: str
    saved: str
    usual: str
    typed: str
    error: str


def spreads(workspace: Workspace) -> list[Spread]:
    """Every class that has memories, by the last count."""
    found, _at = days.state(workspace)
    table = {name: [found.get(f"{days.TRUST}{name}_{tenth}", 0) for tenth in range(trust.BINS)] for name in NAMES}
    return [
        Spread(
            str(SourceClass(name).label), counts, _bars(counts), sum(counts), sum(counts[: int(DOUBTFUL * trust.BINS)])
        )
        for name, counts in table.items()
        if any(counts)
    ]  # fmt: skip


def _bars(counts: list[int]) -> list[int]:
    most = max(counts)
    return [max(round(100 * n / most), LEAST_SEEN) if n else 0 for n in counts]


def risky(workspace: Workspace) -> QuerySet[Memory]:
    """The doubtful memories that were told most, warmest first."""
    found = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE, credibility__lt=DOUBTFUL, heat__gt=0)
    return found.select_related("user").order_by("-heat", "id")[:RISKY]


def sources(workspace: Workspace, *, kind: str, order: str, weights: Mapping[str, float]) -> list[Source]:
    """The first SOURCES of a kind ("": of all), by memories or by what was turned away."""
    rows = SourceFigure.objects.filter(workspace=workspace)
    rows = rows.filter(source__startswith=f"{kind}:") if kind else rows
    return [_source(row, weights) for row in rows.order_by(*ORDERS[order])[:SOURCES]]


# what the class of a source's words usually is; an agent's are its reasoning, or sums of other things
_PRIOR = {"tool": SourceClass.TOOL_RETURN, "site": SourceClass.EXTERNAL_CONTENT, "agent": SourceClass.LLM_REASONING}


def _source(figure: SourceFigure, weights: Mapping[str, float]) -> Source:
    kind, _colon, name = figure.source.partition(":")
    prior = weights[_PRIOR[kind]] if kind in _PRIOR else None
    weight = None if prior is None else track_record(prior, Record(figure.accepted, figure.rejected))
    return Source(figure, kind, name, prior, weight)


def read(given: Mapping[str, str]) -> tuple[dict[str, float], dict[str, str]]:
    """The weights that a form holds, and by name what is wrong with those that are none."""
    return tuning.read(given, dict.fromkeys(NAMES, 1.0))


def weights(saved: Mapping[str, float], typed: Mapping[str, str], errors: Mapping[str, str]) -> list[Weight]:
    return [
        Weight(
            name, str(SourceClass(name).label), shown(saved[name]), shown(SOURCE_WEIGHTS[name]),
            typed.get(name, shown(saved[name]))[:40], errors.get(name, ""),
        )
        for name in NAMES
    ]  # fmt: skip


def earlier(workspace: Workspace, saved: Mapping[str, float]) -> list[Earlier]:
    """The last weights that were saved, latest first."""
    labels = {name: str(SourceClass(name).label) for name in NAMES}
    return tuning.earlier(workspace, WEIGHTS_ACTION, saved, labels=labels, whole=_all)


def _all(own: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Every weight; a class that an older version did not know has its default."""
    return SOURCE_WEIGHTS | own["source_weights"]
