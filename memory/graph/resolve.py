"""Which names are one: readings of all memories in, entities, relations and doubts out. Pure.

Same key and kind is the same. Numbers are part of the key, so Room 101 and Room 102 never meet. A person's short name
joins the one full name that it fits. What rules cannot know is a doubt, and stays apart until a person has ruled.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from memory.graph import roles
from memory.graph.reading import KINDS, ORGANISATION, PERSON, PROJECT, SELF, SELF_KEY, Mention, Reading
from memory.intake.alias_names import ALIASES, GROUPS
from memory.intake.clean import HAN, normalise

Key = tuple[str, str]  # kind, key
SELF_NODE: Key = (PERSON, SELF_KEY)
SAME, DIFFERENT = "same", "different"
# a second doubt about one name is asked when the first is answered
FITS_SHOWN = 2
_GROUP_NAMES = [line.split("|")[0] for line in GROUPS.strip().split("\n")]
_LEGAL = re.compile(
    r" (?:inc|ltd|llc|corp|corporation|co|company|gmbh|plc)\.?$|(?:股份)?有限公司$|(?<=..)(?:集团|公司)$"
)
_PROJECT = re.compile(r"^project | project$|项目$")


@dataclass(slots=True)
class Entity:
    """`name`: the fullest name, as most often written; `aliases`: every other way. `memories` in the order read."""

    kind: str
    key: str
    name: str = ""
    aliases: tuple[str, ...] = ()
    memories: dict[Hashable, None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two entities that may be one, the smaller key first; a memory of each speaks for it.

    `why`: "roles" (one name, two roles that do not go together) or "short" (a short name that fits two full ones).
    """

    kind: str
    keys: tuple[str, str]
    names: tuple[str, str]
    roles: tuple[str, str]
    memories: tuple[Hashable, Hashable]
    why: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """`relations`: (source, target, predicate, memory), each once; `doubts`: without a ruling, best supported first."""

    entities: dict[Key, Entity]
    relations: dict[tuple[Key, Key, str, Hashable], None]
    doubts: list[Doubt]


@lru_cache(maxsize=20_000)
def key_of(name: str, kind: str) -> str:
    """The same for all spellings of one name; "" for what has no letter or digit."""
    key = normalise(name).removeprefix("the ")
    if kind == PROJECT:
        key = _PROJECT.sub("", key) or key
    if kind == ORGANISATION:
        key = _LEGAL.sub("", key).strip() or key
    if kind != PERSON and key in ALIASES:
        key = _GROUP_NAMES[ALIASES[key]]
    return key[:200]


def resolve(
    readings: Iterable[tuple[Hashable, Reading]], rulings: Mapping[tuple[str, str, str], str], self_name: str = ""
) -> Resolved:
    """`readings` are (memory, what it says), oldest first. `rulings`: (kind, smaller key, greater key) -> what a person
    said, "same" or "different". `self_name`: what to call the user who has told no name."""
    readings = [(memory, reading) for memory, reading in readings if reading]
    return _Resolver(readings, rulings).run(self_name)


class _Resolver:
    def __init__(self, readings: list[tuple[Hashable, Reading]], rulings: Mapping[tuple[str, str, str], str]) -> None:
        self._readings = readings
        self._rulings = rulings
        self._doubts: dict[tuple[str, str, str], Doubt] = {}
        own = (name for _, reading in readings for name in reading.own_names)
        self._own = {key_of(name, PERSON): name for name in own}
        self._kinds = self._kinds_by_name()
        self._parents: dict[Key, Key] = {}
        # of persons: key -> role -> memories that say so, and key -> memories that name it
        self._roles: dict[str, dict[str, list[Hashable]]] = defaultdict(lambda: defaultdict(list))
        self._named: dict[str, list[Hashable]] = defaultdict(list)
        self._parts: dict[str, dict[str, str]] = {}  # split key -> group of roles -> the key of that part

    def run(self, self_name: str) -> Resolved:
        self._read_people()
        for key in sorted(self._roles):
            self._split(key)
        self._join_short_names()
        self._join_said_aliases()
        self._by_role = self._people_by_role()
        return self._collect(self_name)

    # what a name is

    def _kinds_by_name(self) -> dict[str, Counter]:
        kinds: dict[str, Counter] = defaultdict(Counter)
        for _, reading in self._readings:
            for mention in reading.mentions:
                if mention.name and mention.kind:
                    for key in {key_of(mention.name, PERSON), key_of(mention.name, mention.kind)}:
                        kinds[key][mention.kind] += 1
        return kinds

    def _kind(self, mention: Mention) -> str:
        if mention.kind:
            return mention.kind
        told = self._kinds.get(key_of(mention.name, PERSON))
        return max(told, key=lambda kind: (told[kind], -KINDS.index(kind))) if told else ""

    def _node(self, mention: Mention) -> Key | None:
        """Where a mention belongs, before anything was joined; None where nothing says what the name is."""
        if not mention.name:
            return self._by_role.get(mention.role)
        kind = self._kind(mention)
        if kind in ("", PERSON) and not mention.role and key_of(mention.name, PERSON) in self._own:
            return SELF_NODE
        key = key_of(mention.name, kind) if kind else ""
        if not key:
            return None
        if kind == PERSON and mention.role and key in self._parts:
            return PERSON, self._parts[key][roles.group_of(mention.role)]
        return kind, key

    # people

    def _read_people(self) -> None:
        for memory, reading in self._readings:
            for mention in reading.mentions:
                if mention.name and self._kind(mention) == PERSON:
                    key = key_of(mention.name, PERSON)
                    if mention.role:
                        self._roles[key][mention.role].append(memory)
                    if mention.role or key not in self._own:
                        self._named[key].append(memory)

    def _split(self, key: str) -> None:
        """Parts a name whose roles do not go together, unless a person has said that it is one."""
        groups: dict[str, list[str]] = defaultdict(list)
        for role in sorted(self._roles[key]):
            groups[roles.group_of(role)].append(role)
        if len(groups) < 2:
            return
        parts = {group: f"{key} ({group})" for group in groups}
        self._parts[key] = parts
        names = sorted(groups)
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                first, second = groups[one][0], groups[other][0]
                memories = self._roles[key][first][0], self._roles[key][second][0]
                self._judge(parts[one], parts[other], (first, second), memories, "roles", key)
        if len({self._find((PERSON, part)) for part in parts.values()}) == 1:
            for part in parts.values():
                self._join((PERSON, key), (PERSON, part))

    def _join_short_names(self) -> None:
        full: dict[str, list[str]] = defaultdict(list)
        for key in sorted(self._named):
            words = key.split()
            if len(words) > 1 and not HAN.search(key) and key not in self._parts:
                full[words[0]].append(key)
                full[words[-1]].append(key)
        for short in sorted(self._named):
            fits = [key for key in full.get(short, []) if self._ruling(short, key) != DIFFERENT]
            if not fits or short in self._parts:
                continue
            sure = [key for key in fits if self._ruling(short, key) == SAME]
            if len(fits) == 1 and not self._go_together(short, fits[0]):
                self._doubt_short(short, fits[0])
            elif sure or len(fits) == 1:
                for key in sure or fits:
                    self._join((PERSON, key), (PERSON, short))
            else:
                for key in sorted(fits, key=lambda each: (-len(self._named[each]), each))[:FITS_SHOWN]:
                    self._doubt_short(short, key)

    def _go_together(self, one: str, other: str) -> bool:
        if self._ruling(one, other) == SAME:
            return True
        return all(roles.go_together(a, b) for a in self._roles.get(one, ()) for b in self._roles.get(other, ()))

    def _doubt_short(self, short: str, full: str) -> None:
        told = tuple(min(self._roles.get(key, {}), default="") for key in (short, full))
        self._judge(short, full, told, (self._named[short][0], self._named[full][0]), "short", "")

    def _judge(self, one: str, other: str, told: tuple, memories: tuple, why: str, shown: str) -> None:
        """Joins two people that were ruled the same, and asks about two without a ruling."""
        ruling = self._ruling(one, other)
        if ruling == SAME:
            self._join((PERSON, one), (PERSON, other))
        elif not ruling and memories[0] != memories[1]:
            sides = sorted(zip((one, other), told, memories, strict=True), key=lambda side: side[0])
            keys, told, memories = zip(*sides, strict=True)
            names = (shown, shown) if shown else keys
            self._doubts[PERSON, *keys] = Doubt(PERSON, keys, names, told, memories, why)

    def _ruling(self, one: str, other: str) -> str:
        return self._rulings.get((PERSON, *sorted((one, other))), "")

    def _people_by_role(self) -> dict[str, Key]:
        """Who has a role, where that is one person only."""
        found: dict[str, set[Key]] = defaultdict(set)
        for key, told in self._roles.items():
            for role in told:
                part = self._parts[key][roles.group_of(role)] if key in self._parts else key
                found[role].add(self._find((PERSON, part)))
        return {role: next(iter(nodes)) for role, nodes in found.items() if len(nodes) == 1}

    # joining

    def _join_said_aliases(self) -> None:
        self._by_role: dict[str, Key] = {}
        for _, reading in self._readings:
            for one, other in reading.also:
                first, second = reading.mentions[one], reading.mentions[other]
                kind = self._kind(first) or self._kind(second)
                if not kind:
                    continue
                nodes = [self._node(Mention(each.name, kind, each.role)) for each in (first, second)]
                if all(nodes) and SELF_NODE not in nodes and len({node[0] for node in nodes}) == 1:
                    self._kinds[key_of(first.name, PERSON)][kind] += 1
                    self._kinds[key_of(second.name, PERSON)][kind] += 1
                    self._join(*nodes)

    def _find(self, node: Key) -> Key:
        while (parent := self._parents.get(node, node)) != node:
            node = parent
        return node

    def _join(self, one: Key, other: Key) -> None:
        """The one with the fuller name stands for both; a part of a name never does when the name itself is there."""
        first, second = self._find(one), self._find(other)
        if first != second:
            stays, goes = sorted((first, second), key=lambda node: (node[1].endswith(")"), -len(node[1]), node))
            self._parents[goes] = stays

    # the answer

    def _collect(self, self_name: str) -> Resolved:
        entities: dict[Key, Entity] = {}
        written: dict[Key, Counter] = defaultdict(Counter)
        relations: dict[tuple[Key, Key, str, Hashable], None] = {}
        for memory, reading in self._readings:
            nodes = [self._find(node) if (node := self._node(each)) else None for each in reading.mentions]
            for node, mention in zip(nodes, reading.mentions, strict=True):
                if node:
                    entities.setdefault(node, Entity(*node)).memories[memory] = None
                    written[node][mention.name] += bool(mention.name)
            for link in reading.links:
                source, target = (SELF_NODE if at == SELF else nodes[at] for at in (link.source, link.target))
                if source and target and source != target:
                    relations[source, target, link.predicate, memory] = None
                    for node in (source, target):
                        entities.setdefault(node, Entity(*node)).memories[memory] = None
        if entities:
            entities.setdefault(SELF_NODE, Entity(*SELF_NODE))
        for node, entity in entities.items():
            entity.name, entity.aliases = _names(node, written[node])
        if SELF_NODE in entities:
            names = list(dict.fromkeys([*self._own.values(), self_name]))
            entities[SELF_NODE].name, entities[SELF_NODE].aliases = names[0], tuple(name for name in names[1:] if name)
        doubts = [doubt for doubt in self._doubts.values() if self._stands(doubt)]
        doubts.sort(
            key=lambda doubt: (doubt.why, -sum(len(self._named[name]) for name in set(doubt.names)), doubt.keys)
        )
        return Resolved(entities, relations, [self._shown(doubt, entities) for doubt in doubts])

    def _shown(self, doubt: Doubt, entities: dict[Key, Entity]) -> Doubt:
        nodes = [self._find((doubt.kind, key)) for key in doubt.keys]
        named = zip(nodes, doubt.names, strict=True)
        return replace(doubt, names=tuple(entities[node].name if node in entities else name for node, name in named))

    def _stands(self, doubt: Doubt) -> bool:
        first, second = ((doubt.kind, key) for key in doubt.keys)
        return self._find(first) != self._find(second)


def _names(node: Key, written: Counter) -> tuple[str, tuple[str, ...]]:
    """The name to show, and every other way it is written, case aside."""
    kind, key = node
    spellings: dict[str, str] = {}
    for name, _ in sorted(written.items(), key=lambda each: (-each[1], each[0])):
        if name:
            spellings.setdefault(name.casefold(), name)
    bare = key.rsplit(" (", 1)[0]
    fit = [name for name in spellings.values() if key_of(name, kind) in (key, bare)]
    shown = (
        max(fit, key=lambda name: (len(name) if kind == PROJECT else 0, written[name]))
        if fit
        else next(iter(spellings.values()), key)
    )
    return shown[:200], tuple(name for name in spellings.values() if name != shown)
