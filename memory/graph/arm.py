"""The graph as an arm of retrieval: which memories a question reaches through whom and what it names.

A memory of somebody named counts fully, one of somebody related to them less, one of somebody two steps away less
again. Who stands in many memories tells them apart badly and counts little. What states the very relation that is
asked for ("where does my sister work") counts fully.
"""

import math
import time
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from memory.graph import asking
from memory.graph.reading import SELF_KEY
from memory.graph.resolve import Resolved, key_of
from memory.intake.clean import normalise

ONE_STEP, TWO_STEPS, TOGETHER = 0.6, 0.3, 0.25
# of an edge that is not asked for
UNASKED = 0.6
# A question names a few; more are a list, of which no one is meant.
MOST_NAMED = 8
# Who stands in more memories than this share, and this many, is what a user always speaks of: words tell more.
COMMON_SHARE, COMMON_FROM = 0.05, 5
# followed from one entity; a hub leads everywhere
MOST_EDGES, MOST_FURTHER = 50, 20
# memories of one entity that a step leads to; with more it leads nowhere
MOST_LED_TO = 100
# of one entity, for the step from one to another that stands beside it
FEW_MEMORIES = 20


@dataclass(slots=True)
class Node:
    """One entity; `edges`: predicate -> number of another entity -> the memories that say so, in either direction."""

    is_self: bool
    memories: list[Hashable] = field(default_factory=list)
    edges: dict[int, dict[str, list[Hashable]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))


class Arm:
    """One user's graph, ready to be asked."""

    def __init__(self, total: int = 0) -> None:
        """`total`: how many memories the user has, with and without names."""
        self._total = total
        self._nodes: list[Node] = []
        self._named: dict[str, set[int]] = defaultdict(set)
        self._of_memory: dict[Hashable, list[int]] = defaultdict(list)
        self._self: int | None = None
        self.size = 0  # mentions and relations, what it takes to keep

    @classmethod
    def of(cls, resolved: Resolved, *, total: int) -> "Arm":
        """From readings that were just resolved, without tables."""
        arm, numbers = cls(total), {}
        for node, entity in resolved.entities.items():
            numbers[node] = arm.add(entity.kind, entity.key, (entity.name, *entity.aliases), entity.memories)
        for source, target, predicate, memory in resolved.relations:
            arm.relate(numbers[source], numbers[target], predicate, memory)
        return arm

    def add(self, kind: str, key: str, names: Iterable[str], memories: Iterable[Hashable]) -> int:
        """Adds an entity; answers its number."""
        number = len(self._nodes)
        self._nodes.append(Node(is_self=key == SELF_KEY, memories=list(memories)))
        for memory in self._nodes[number].memories:
            self._of_memory[memory].append(number)
        self.size += len(self._nodes[number].memories)
        if key == SELF_KEY:
            self._self = number
            return number
        for name in names:
            self._named[normalise(name)].add(number)
            self._named[key_of(name, kind)].add(number)
        self._named.pop("", None)
        return number

    def relate(self, source: int, target: int, predicate: str, memory: Hashable) -> None:
        self._nodes[source].edges[target][predicate].append(memory)
        self._nodes[target].edges[source][predicate].append(memory)
        self.size += 1

    def reach(self, query: str) -> dict[Hashable, float]:
        """Memories that a question leads to, with a weight of 0 to 1. Empty when it names nobody and nothing that is
        known."""
        if not self._nodes:
            return {}
        seeds = self.named(query)
        if not seeds or len(seeds) > MOST_NAMED:
            return {}
        asked = asking.predicates_in(query)
        found: dict[Hashable, float] = {}
        for seed in seeds:
            weight = self._rarity(seed)
            if not self._is_common(seed):
                for memory in self._nodes[seed].memories:
                    _raise(found, memory, weight)
            self._follow(seed, weight, asked, found, seeds)
        return found

    def named(self, query: str) -> set[int]:
        """Whom and what a question names: by name, alias, or by what they are to the user. Never the user."""
        seeds: set[int] = set()
        for name in asking.names_in(query):
            seeds |= self._named.get(name, set())
        if self._self is not None and (own := asking.own_in(query)):
            for other, said in self._nodes[self._self].edges.items():
                if not own.isdisjoint(said):
                    seeds.add(other)
        return seeds

    def _follow(self, seed, weight, asked, found, seeds) -> None:
        """Two steps along the relations of a seed, and one to whoever stands beside it in a memory."""
        near, common = self._neighbours(seed), self._is_common(seed)
        for other, said in near:
            wanted = not asked.isdisjoint(said)
            if common and not wanted:
                continue
            for predicate in asked & said.keys():
                for memory in said[predicate]:
                    _raise(found, memory, 1.0)
            step = weight * self._rarity(other) * (1.0 if wanted else UNASKED)
            self._spread(other, ONE_STEP * step, found)
            for further, beyond in self._neighbours(other)[:MOST_FURTHER]:
                if further == seed or further in seeds:
                    continue
                again = step * self._rarity(further) * (UNASKED if asked.isdisjoint(beyond) else 1.0)
                self._spread(further, TWO_STEPS * again, found)
        if len(self._nodes[seed].memories) > FEW_MEMORIES:
            return
        known = {other for other, _ in near}
        beside = {other for memory in self._nodes[seed].memories for other in self._of_memory[memory]}
        for other in sorted(beside - known - {seed})[:MOST_EDGES]:
            if not self._nodes[other].is_self:
                self._spread(other, TOGETHER * weight * self._rarity(other), found)

    def _spread(self, number: int, weight: float, found: dict[Hashable, float]) -> None:
        memories = self._nodes[number].memories
        if len(memories) <= MOST_LED_TO:
            for memory in memories:
                _raise(found, memory, weight)

    def _neighbours(self, number: int) -> list[tuple[int, Mapping[str, list[Hashable]]]]:
        """Without the user, who is related to everything."""
        edges = self._nodes[number].edges
        return [(other, said) for other, said in edges.items() if not self._nodes[other].is_self][:MOST_EDGES]

    def _is_common(self, number: int) -> bool:
        return len(self._nodes[number].memories) > max(COMMON_SHARE * self._total, COMMON_FROM)

    def _rarity(self, number: int) -> float:
        """1 for who stands in few memories, 0 for who stands in all."""
        stands_in = len(self._nodes[number].memories)
        if stands_in <= COMMON_FROM:
            return 1.0
        return max(0.0, math.log((self._total + 1) / stands_in) / math.log((self._total + 1) / COMMON_FROM))


def _raise(found: dict[Hashable, float], memory: Hashable, weight: float) -> None:
    if weight > found.get(memory, 0.0):
        found[memory] = weight


@dataclass(frozen=True, slots=True)
class Kept:
    """`looked_at`: when the tables were last asked whether there is a newer one, by time.monotonic()."""

    revision: int
    arm: Arm
    looked_at: float


class ArmCache:
    """The arms of recently asked users in this process, by the revision they were built at."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._held: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> Kept | None:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def put(self, key: Hashable, revision: int, arm: Arm) -> None:
        with self._lock:
            if before := self._held.pop(key, None):
                self._size -= 1 + before.arm.size
            self._held[key] = Kept(revision, arm, time.monotonic())
            self._size += 1 + arm.size
            while self._size > self._most and len(self._held) > 1:
                _key, oldest = self._held.popitem(last=False)
                self._size -= 1 + oldest.arm.size

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._size = 0
