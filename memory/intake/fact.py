"""One fact as the readers of both languages give it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject`: "user", a lower-case name, "they" for a pronoun, "" when none is named. `attribute`: a stable
    English key. `value`: as written. `ended`: says itself that it is no longer so. `changed`: says that something
    is new. `also`: says that it comes on top. `only`: says that it holds for nobody or nothing else."""

    subject: str
    attribute: str
    value: str
    negated: bool = False
    past: bool = False
    tentative: bool = False
    ended: bool = False
    changed: bool = False
    also: bool = False
    only: bool = False


# One value at a time, as everything that begins with one of the prefixes.
SINGLE = frozenset(
    {"name", "age", "birthday", "birthplace", "residence", "hometown", "employer", "school", "commute",
     "diet", "schedule",
     "location", "deadline", "contact", "wears", "spouse", "marital", "runs_on", "position"}
)  # fmt: skip
SINGLE_PREFIXES = ("slot:", "be:", "held_by:", "measure:", "best:", "count:", "frequency:", "version:", "favourite:")
# What cannot change: two values are an error, never a course of events.
FIXED = frozenset({"birthday", "birthplace", "hometown"})


def is_single(attribute: str) -> bool:
    """True when a subject has one value of this attribute at a time."""
    return attribute in SINGLE or attribute.startswith(SINGLE_PREFIXES)
