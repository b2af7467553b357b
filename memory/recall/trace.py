"""One search laid open, stage by stage, for people who want to know why. It logs and warms nothing.

The search is the real one (search.find, past.find_at); here its stages are only given their memories' texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from uuid import UUID

from memory.index.text import stop_words
from memory.models import Memory
from memory.recall import past, search
from memory.recall.answer import Found, Hit, Neighbour, Withheld
from memory.recall.consensus import Dispute
from memory.recall.dates import Period
from memory.recall.question import Question
from memory.recall.ranking import Weighed
from memory.recall.scoring import Score

FIRST = 10  # shown of each arm
BELOW = 5  # shown of what was not relevant enough


@dataclass(frozen=True, slots=True)
class Said:
    """What one arm says of a memory: `value` 0..1 or a cosine, None where it says nothing; `place` from 1."""

    arm: str
    value: float | None
    place: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory as the search saw it. `hit` where it was told, with what was said `around` it if that was asked for;
    `withheld` where it was held back."""

    memory: Memory
    score: Score
    said: list[Said]
    hit: Hit | None = None
    withheld: Withheld | None = None
    around: Sequence[Neighbour] = ()


@dataclass(frozen=True, slots=True)
class Arm:
    """What one way to find memories puts first, before anything is fused; `found` of how many it says anything."""

    name: str
    found: int
    first: list[tuple[Said, Memory]]


@dataclass(frozen=True, eq=False)
class Trace:
    """The stages of one search.

    `relevant` counts what reached the line. `dropped` are the question's stop words, `periods` the first and last day
    of each time it names, `below` what would have come next were it relevant, `disputes` those about what was told or
    withheld, `members` their memories by id.
    """

    found: Found
    relevant: int
    dropped: list[str]
    periods: list[tuple[date, date]]
    arms: list[Arm]
    told: list[Entry]
    withheld: list[Entry]
    below: list[Entry]
    disputes: list[Dispute]
    members: Mapping[UUID, Memory]


@dataclass(frozen=True, slots=True)
class Move:
    """Where two settings put one memory, places from 1; None where it is not told."""

    memory: Memory
    before: int | None
    after: int | None
    total_before: float | None
    total_after: float | None

    @property
    def by(self) -> int:
        """How many places it rose; below 0 it fell. 0 where one of the two does not tell it."""
        return self.before - self.after if self.before and self.after else 0

    @property
    def fell(self) -> int:
        return -self.by


def trace(question: Question) -> Trace:
    """The stages of the search that answers the question, now or at its past moment."""
    found = search.find(question) if question.at is None else past.find_at(question)
    return _laid_open(question, found)


def moves(before: Trace, after: Trace) -> list[Move]:
    """What two searches told, in the order of the later one; what only the earlier one told comes last."""
    places = {entry.memory.pk: (place, entry) for place, entry in enumerate(before.told, 1)}
    found = []
    for place, entry in enumerate(after.told, 1):
        was, old = places.pop(entry.memory.pk, (None, None))
        found.append(Move(entry.memory, was, place, old.score.total if old else None, entry.score.total))
    return found + [Move(old.memory, was, None, old.score.total, None) for was, old in places.values()]


def _laid_open(question: Question, found: Found) -> Trace:
    weighed, zone = found.weighed, question.moment.tzinfo
    rows = {id: row for row, id in enumerate(weighed.index.ids)}
    firsts = {name: weighed.top(name, FIRST) for name in weighed.arms}
    below = weighed.below(BELOW)
    concerned = {each.memory.pk for each in [*found.results, *found.withheld]}
    disputes = [each for each in found.disputes if concerned & _ids(each)]
    wanted = {hit.id for hits in [below, *firsts.values()] for hit in hits}.union(*map(_ids, disputes))
    memories = _memories(question, found, wanted)

    def entry(memory: Memory, **more) -> Entry:
        row = rows[memory.pk]
        return Entry(memory, weighed.hit(row).score, [_said(weighed, name, row) for name in weighed.arms], **more)

    return Trace(
        found=found,
        relevant=weighed.answers,
        dropped=stop_words(question.query),
        periods=[_days(period, zone) for period in found.plan.periods],
        arms=[
            Arm(
                name, weighed.says(name),
                [(_said(weighed, name, hit.row), memories[hit.id]) for hit in hits if hit.id in memories],
            )
            for name, hits in firsts.items()
        ],
        told=[entry(hit.memory, hit=hit, around=found.neighbours.get(hit.memory.pk, ())) for hit in found.results],
        withheld=[entry(each.memory, withheld=each) for each in found.withheld],
        below=[entry(memories[hit.id]) for hit in below if hit.id in memories],
        disputes=disputes,
        members=memories,
    )  # fmt: skip


def _said(weighed: Weighed, arm: str, row: int) -> Said:
    value = float(weighed.arms[arm][row])
    return Said(arm, None if value != value else value, weighed.place(arm, row))


def _ids(dispute: Dispute) -> set[UUID]:
    return {member.id for side in (dispute.leader, *dispute.others) for member in side.members}


def _days(period: Period, zone: tzinfo) -> tuple[date, date]:
    """The first and the last day of it."""
    return datetime.fromtimestamp(period.start, zone).date(), datetime.fromtimestamp(period.end - 1, zone).date()


def _memories(question: Question, found: Found, wanted: Iterable[UUID]) -> dict[UUID, Memory]:
    """The texts of what the stages name: of the past moment, or as the database has them, if agents may be told."""
    if found.states is not None:
        return {id: found.states[id] for id in wanted if id in found.states}
    user = question.user
    told = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status__in=question.statuses)
    return told.in_bulk(list(wanted))
