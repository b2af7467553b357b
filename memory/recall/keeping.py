"""Which memories stay although nobody asks for them: pure rules on heat, dates and the calendar."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from memory.recall.heat import cooled

# Hits at most this far apart are one visit: a week of Christmas shopping is one season's, not seven.
VISIT_DAYS = 14
# (days between visits, days it may be off, visits it takes). Two a quarter apart are chance, a year apart hardly.
YEAR, QUARTER = (365, 21, 2), (91, 14, 3)
# Hit days kept: three turns of a year with what it may be off.
REMEMBERED_DAYS = 3 * 365 + 60


class Spared(StrEnum):
    PINNED = "pinned"
    RECENT = "recent"
    WARM = "warm"
    CONTESTED = "contested"
    SEASONAL = "seasonal"


@dataclass(frozen=True, slots=True)
class Limits:
    """`below`: heat under which a memory is cold. `days`: how long it was neither recalled nor changed."""

    below: float
    days: int
    half_life_days: float

    def quiet_since(self, now: datetime) -> datetime:
        """Who was recalled, made or changed after this moment is recent."""
        return now - timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Warmth:
    """What the rules look at. `hit_days` are UTC dates, in any order; `changed_at` is the last version's time, so that
    a person's confirmation counts as a change."""

    pinned: bool
    contested: bool
    heat: float
    heat_at: datetime | None
    last_hit_at: datetime | None
    changed_at: datetime
    hit_days: Sequence[date] = ()


def spared(memory: Warmth, *, limits: Limits, now: datetime) -> Spared | None:
    """Why the memory stays; None when it goes. A moment in the future (a skewed clock) is recent: sparing is cheap."""
    if memory.pinned:
        return Spared.PINNED
    if max(memory.changed_at, memory.last_hit_at or memory.changed_at) > limits.quiet_since(now):
        return Spared.RECENT
    heat = cooled(memory.heat, since=memory.heat_at, now=now, half_life_days=limits.half_life_days)
    if heat >= limits.below:
        return Spared.WARM
    if memory.contested:
        return Spared.CONTESTED
    return Spared.SEASONAL if is_seasonal(memory.hit_days, today=now.date()) else None


def is_seasonal(hit_days: Iterable[date], *, today: date) -> bool:
    """Whether it is asked for once a year or a quarter, and its next turn is not overdue yet.

    The slack is days, not months, and far wider than a leap day, a month's length or a time zone can shift a date.
    """
    starts = visits(hit_days)
    return _returns(starts, *YEAR, today) or _returns(starts, *QUARTER, today)


def visits(hit_days: Iterable[date]) -> list[date]:
    """The first day of each visit, oldest first."""
    starts: list[date] = []
    previous = None
    for day in sorted(set(hit_days)):
        if previous is None or (day - previous).days > VISIT_DAYS:
            starts.append(day)
        previous = day
    return starts


def _returns(starts: list[date], period: int, slack: int, needed: int, today: date) -> bool:
    chain: dict[date, int] = {}
    for index, start in enumerate(starts):
        before = [chain[old] for old in starts[:index] if abs((start - old).days - period) <= slack]
        chain[start] = 1 + max(before, default=0)
        # Missing one turn by more than twice the slack ends it.
        if chain[start] >= needed and (today - start).days <= period + 2 * slack:
            return True
    return False
