"""What recall answers: the shapes of a hit, of what is withheld, and of all that a search found."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from memory.intake.types import Reason
from memory.models import Memory
from memory.recall.consensus import Dispute
from memory.recall.query import QueryPlan
from memory.recall.ranking import Weighed
from memory.recall.scoring import RankingSettings


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory told. `conflicts` are the ids of open conflicts that contest it; `scores` the score's parts.

    `contested`: a conflict is open, or other memories of the same thing differ and none outvotes the rest.
    """

    memory: Memory
    score: float
    scores: dict[str, float]
    conflicts: list[UUID]
    contested: bool


@dataclass(frozen=True, slots=True)
class Withheld:
    """One memory that would have been told, were it not outvoted by the memories `outvoted_by`."""

    memory: Memory
    score: float
    scores: dict[str, float]
    reason: Reason
    outvoted_by: list[UUID]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory said around a hit in its session, and no answer itself: `place` is -1 for the one just before, 1 for
    the next. `conflicts` and `contested` as for a hit."""

    place: int
    memory: Memory
    conflicts: list[UUID]
    contested: bool


@dataclass(frozen=True, eq=False)
class Found:
    """All that one search found and how it came about, before any of it is logged.

    `times` are milliseconds by stage, in the order of the stages. `states` are all memories as they were at a past
    moment; None: they are as the database has them. `neighbours` are those of the results, by the result's memory.
    """

    plan: QueryPlan
    settings: RankingSettings
    weighed: Weighed
    results: list[Hit]
    withheld: list[Withheld]
    disputes: list[Dispute]
    degraded: list[str]
    times: list[tuple[str, float]]
    states: Mapping[UUID, Memory] | None = None
    neighbours: Mapping[UUID, list[Neighbour]] = field(default_factory=dict)

    @property
    def took_ms(self) -> float:
        return sum(took for _, took in self.times)


@dataclass(frozen=True, eq=False)
class Answer:
    """What a search answers. `recall_id` is None when it was not logged; `found` tells how it came about."""

    recall_id: UUID | None
    found: Found

    @property
    def results(self) -> list[Hit]:
        return self.found.results

    @property
    def withheld(self) -> list[Withheld]:
        return self.found.withheld

    @property
    def degraded(self) -> list[str]:
        return self.found.degraded

    @property
    def took_ms(self) -> float:
        return round(self.found.took_ms, 2)


class Clock:
    """Milliseconds by stage, each from the one before."""

    def __init__(self) -> None:
        self.times: list[tuple[str, float]] = []
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        before, self._last = self._last, time.perf_counter()
        self.times.append((stage, (self._last - before) * 1000))
