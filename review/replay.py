"""What other ranking settings would do to the answers that agents were given: their questions asked again, unlogged."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from memory.models import Memory, Recall, Workspace
from memory.recall import past, search
from memory.recall.answer import Hit
from memory.recall.question import Question
from memory.recall.scoring import RankingSettings

QUESTIONS = 50
# Read to find so many different questions: one that is asked by the clock counts once.
READ = 500
SHOWN, LISTED = 10, 3


@dataclass(frozen=True, slots=True)
class Move:
    """One memory in one answer: its places from 1, None where it is not told."""

    recall: Recall
    memory: Memory
    before: int | None
    after: int | None
    # how far it goes; what enters or leaves comes from or goes to just behind the last place
    by: int

    @property
    def rises(self) -> bool:
        return self.before is None or self.after is not None and self.after < self.before


@dataclass(frozen=True, slots=True)
class Changed:
    """One answer that would be another: what enters it and what leaves it."""

    recall: Recall
    entered: list[Move]
    left: list[Move]
    new_first: bool

    @property
    def more(self) -> int:
        """How many of them a list does not show that shows the first LISTED of each."""
        return max(len(self.entered) - LISTED, 0) + max(len(self.left) - LISTED, 0)


@dataclass(slots=True)
class Replay:
    """`asked` of the last `known` different questions were asked again; `changed` answers differ, in what is told or in
    its order. The lists hold the first SHOWN."""

    known: int
    asked: int = 0
    changed: int = 0
    new_firsts: int = 0
    entered: int = 0
    left: int = 0
    answers: list[Changed] = field(default_factory=list)
    movers: list[Move] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return self.asked == self.known


def replay(
    workspace: Workspace, *, present: RankingSettings, wanted: RankingSettings, now: datetime, until: float
) -> Replay:
    """Asks the last QUESTIONS different questions by both settings, newest first, and not after `until`
    (time.monotonic()). Nothing is logged and nothing is warmed."""
    recalls = _last(workspace)
    found = Replay(known=len(recalls))
    movers: list[Move] = []
    for recall in recalls:
        if time.monotonic() >= until:
            break
        before, after = (_told(Question.of(recall, now=now, settings=each)) for each in (present, wanted))
        found.asked += 1
        movers += _compare(found, recall, before, after)
    found.movers = sorted(movers, key=lambda move: -move.by)[:SHOWN]
    return found


def _last(workspace: Workspace) -> list[Recall]:
    recalls = Recall.objects.filter(workspace=workspace).select_related("user", "session").order_by("-created_at")
    different: dict[tuple[int, str], Recall] = {}
    for recall in recalls[:READ]:
        if len(different) == QUESTIONS:
            break
        recall.user.workspace = workspace
        different.setdefault((recall.user_id, recall.query), recall)
    return list(different.values())


def _told(question: Question) -> list[Hit]:
    return (search.find(question) if question.at is None else past.find_at(question)).results


def _compare(found: Replay, recall: Recall, before: list[Hit], after: list[Hit]) -> list[Move]:
    """Counts one answer, and answers what moves in it."""
    old, new = _places(before), _places(after)
    if list(old) == list(new):
        return []
    behind = max(len(before), len(after)) + 1
    memories = {hit.memory.pk: hit.memory for hit in [*before, *after]}
    moves = [
        Move(recall, memory, old.get(pk), new.get(pk), abs(old.get(pk, behind) - new.get(pk, behind)))
        for pk, memory in memories.items()
        if old.get(pk) != new.get(pk)
    ]
    changed = Changed(
        recall,
        entered=[move for move in moves if move.before is None],
        left=[move for move in moves if move.after is None],
        new_first=next(iter(old), None) != next(iter(new), None),
    )
    found.changed += 1
    found.new_firsts += changed.new_first
    found.entered += len(changed.entered)
    found.left += len(changed.left)
    if len(found.answers) < SHOWN:
        found.answers.append(changed)
    return moves


def _places(hits: Iterable[Hit]) -> dict:
    return {hit.memory.pk: place for place, hit in enumerate(hits, 1)}
