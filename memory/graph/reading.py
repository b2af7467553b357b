"""What one memory says of entities: the values between reading a text and making a graph of all readings."""

from dataclasses import dataclass

# Version of the rules in memory/graph: a reading made by others is made again.
RULES = 1
SELF = -1  # in a Link, in place of a mention: the user
SELF_KEY = "self"

PERSON, PLACE, ORGANISATION, TOOL, PROJECT = "person", "place", "organisation", "tool", "project"
KINDS = (PERSON, PLACE, ORGANISATION, TOOL, PROJECT)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as written. `kind` is "" where the text alone does not say: such a name counts only if another memory
    says what it is. `role`: what it is to the user ("sister", "boss"), "" when that is not said."""

    name: str
    kind: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """`source` and `target` are places in the reading's mentions, or SELF."""

    source: int
    target: int
    predicate: str


@dataclass(frozen=True, slots=True)
class Reading:
    """`also`: pairs of places whose names the text itself calls one. `own_names`: what the user is called."""

    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()
    also: tuple[tuple[int, int], ...] = ()
    own_names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.mentions or self.own_names)


def to_json(reading: Reading) -> dict:
    """As the database keeps it; {} for a reading without names."""
    if not reading:
        return {}
    return {
        "mentions": [[each.name, each.kind, each.role] for each in reading.mentions],
        "links": [[each.source, each.target, each.predicate] for each in reading.links],
        "also": [list(pair) for pair in reading.also],
        "own_names": list(reading.own_names),
    }


def from_json(stored: dict) -> Reading:
    if not stored:
        return Reading()
    return Reading(
        mentions=tuple(Mention(*each) for each in stored["mentions"]),
        links=tuple(Link(*each) for each in stored["links"]),
        also=tuple((one, other) for one, other in stored["also"]),
        own_names=tuple(stored["own_names"]),
    )
