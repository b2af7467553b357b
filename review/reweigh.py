"""What other weights of source classes would do to the last answers: each reckoned again from its log.

Nothing is searched again, so a thousand answers take seconds; what an answer did not hold cannot enter it here. Both
orders are made from the same evidence of today, by the present weights and by the wanted ones.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from memory.credibility import Record, Support, credibility
from memory.history.evidence import support_of_many
from memory.models import Memory, Recall, RecallHit, Workspace
from memory.policy import policy_of
from memory.recall.scoring import trust
from memory.records import records_of

RECALLS = 1000
BATCH = 100
SHOWN = 10
# a smaller move of credibility is none
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class Trust:
    """A memory's credibility by the present weights and by the wanted ones."""

    memory: Memory
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Move:
    """One memory in one answer: its places from 1."""

    recall: Recall
    trust: Trust
    before: int
    after: int

    @property
    def rises(self) -> bool:
        return self.after < self.before


@dataclass(slots=True)
class Reckoning:
    """`asked` of the last `known` answers were reckoned again; `changed` of them have another order, `new_firsts`
    another first. `touched` memories in them would be worth more or less; `movers` are the SHOWN that go farthest."""

    known: int
    asked: int = 0
    changed: int = 0
    new_firsts: int = 0
    touched: int = 0
    movers: list[Move] = field(default_factory=list)
    largest: list[Trust] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        return self.asked == self.known


def reckon(workspace: Workspace, wanted: Mapping[str, float], *, until: float) -> Reckoning:
    """Reckons the last RECALLS answers, newest first, and not after `until` (time.monotonic()). Nothing is written."""
    recalls = list(Recall.objects.filter(workspace=workspace).select_related("user").order_by("-created_at")[:RECALLS])
    found, known, moves = Reckoning(known=len(recalls)), {}, []
    scale = _Scale(workspace, wanted)
    for start in range(0, len(recalls), BATCH):
        if time.monotonic() >= until:
            break
        batch = recalls[start : start + BATCH]
        hits = _hits(batch)
        scale.weigh({each.memory_id for rows in hits.values() for each in rows} - set(known), known)
        for recall in batch:
            moves += _compare(found, recall, hits.get(recall.pk, []), known, scale)
    moved = [each for each in known.values() if abs(each.after - each.before) >= LEAST]
    found.touched = len(moved)
    found.largest = sorted(moved, key=lambda each: -abs(each.after - each.before))[:SHOWN]
    found.movers = sorted(moves, key=lambda move: -abs(move.after - move.before))[:SHOWN]
    return found


class _Scale:
    """Weighs memories by both tables; a source's decisions are read once."""

    def __init__(self, workspace: Workspace, wanted: Mapping[str, float]) -> None:
        policy = policy_of(workspace)
        self._workspace, self._present, self._wanted = workspace, policy.source_weights, wanted
        self._ranking = policy.ranking_settings()
        self._records: dict[str, Record] = {}

    def weigh(self, ids: Iterable[UUID], known: dict[UUID, Trust]) -> None:
        memories = list(
            Memory.objects.filter(pk__in=list(ids)).only("pk", "text", "source_class", "confirmed_at", "user_id")
        )
        support = support_of_many(memories)
        sources = {each.source for rests in support.values() for each in rests} - set(self._records)
        self._records |= dict.fromkeys(sources, Record()) | records_of(self._workspace.pk, sources)
        for memory in memories:
            known[memory.pk] = Trust(memory, *(self._of(memory, support[memory.pk], table) for table in self._tables()))

    def total(self, scores: Mapping[str, float], worth: float) -> float:
        """A logged score with another credibility in it (memory/recall/scoring.py Score)."""
        weighed = (scores["relevance"] + scores.get("context", 0) + scores.get("graph", 0)) * scores["decay"]
        bonuses = scores.get("session_bonus", 0) + scores.get("period_bonus", 0)
        return float(weighed * trust(worth, self._ranking)) + bonuses

    def _tables(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        return self._present, self._wanted

    def _of(self, memory: Memory, support: list[Support], table: Mapping[str, float]) -> float:
        confirmed = memory.confirmed_at is not None
        return credibility(support, weights=table, records=self._records, confirmed=confirmed).value


def _hits(batch: list[Recall]) -> dict[UUID, list[RecallHit]]:
    rows = RecallHit.objects.filter(recall__in=batch, withheld=False).only("recall_id", "memory_id", "rank", "scores")
    found: dict[UUID, list[RecallHit]] = {}
    for row in rows.order_by("recall_id", "rank"):
        # told beside the results, as a neighbour of one, it has no score
        if {"relevance", "decay"} <= row.scores.keys():
            found.setdefault(row.recall_id, []).append(row)
    return found


def _compare(
    found: Reckoning, recall: Recall, hits: list[RecallHit], known: Mapping[UUID, Trust], scale: _Scale
) -> list[Move]:
    """Counts one answer; answers what moves in it."""
    found.asked += 1
    hits = [hit for hit in hits if hit.memory_id in known]
    old = sorted(hits, key=lambda hit: -scale.total(hit.scores, known[hit.memory_id].before))
    new = sorted(hits, key=lambda hit: -scale.total(hit.scores, known[hit.memory_id].after))
    places = {hit.memory_id: place for place, hit in enumerate(new, 1)}
    moves = [
        Move(recall, known[hit.memory_id], place, places[hit.memory_id])
        for place, hit in enumerate(old, 1)
        if places[hit.memory_id] != place
    ]
    if moves:
        found.changed += 1
        found.new_firsts += old[0].memory_id != new[0].memory_id
    return moves
