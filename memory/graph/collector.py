"""Gathers what the readers of both languages find in one text, each name once."""

from memory.graph.reading import SELF, Link, Mention, Reading

# of one memory, with a kind and without; a page of names says nothing of any of them
MOST_NAMES, MOST_UNKNOWN = 40, 24
LONGEST_NAME = 60


class Collector:
    """`add` answers a name's place, by which links name it. A name told twice keeps the most that was said of it."""

    def __init__(self) -> None:
        self._mentions: list[Mention] = []
        self._links: dict[Link, None] = {}
        self._also: dict[tuple[int, int], None] = {}
        self._own: dict[str, None] = {}

    def add(self, name: str, kind: str = "", role: str = "") -> int | None:
        """The place of a name, or, where `name` is "", of whoever has the role. None when there is no room left."""
        name = " ".join(name.split()).strip(" ,.;:!?\"“”'’()")
        if len(name) > LONGEST_NAME or not (name or role):
            return None
        folded = name.casefold()
        for place, known in enumerate(self._mentions):
            same = known.name.casefold() == folded and (name or known.role == role)
            if same and (not kind or not known.kind or kind == known.kind):
                self._mentions[place] = Mention(known.name, known.kind or kind, known.role or role)
                return place
        if len(self._mentions) >= (MOST_NAMES if kind else MOST_UNKNOWN):
            return None
        self._mentions.append(Mention(name, kind, role))
        return len(self._mentions) - 1

    def has(self, name: str, kind: str) -> bool:
        folded = name.casefold()
        return any(known.kind == kind and known.name.casefold() == folded for known in self._mentions)

    def link(self, source: int | None, target: int | None, predicate: str) -> None:
        if source is not None and target is not None and source != target:
            self._links[Link(source, target, predicate[:80])] = None

    def relate(self, place: int | None, role: str) -> None:
        """The one at `place` is `role` to the user."""
        self.link(SELF, place, role)

    def also(self, one: int | None, other: int | None) -> None:
        if one is not None and other is not None and one != other:
            self._also[one, other] = None

    def own(self, name: str) -> None:
        name = name.strip()
        if name and len(name) <= LONGEST_NAME:
            self._own[name] = None

    def reading(self) -> Reading:
        return Reading(tuple(self._mentions), tuple(self._links), tuple(self._also), tuple(self._own))
