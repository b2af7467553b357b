"""What sets two claims apart that are both kept: under which circumstances, or when, each of them holds."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext as _

from memory.actions.base import Refused
from memory.models import Conflict, Memory
from memory.recall.consensus import may_vote

# characters of a scope ("at work", "工作日"); what is longer is a claim of its own
SCOPE = 60
# the name under which a memory's metadata keeps its scope: agents are told it with the memory
SCOPE_KEY = "scope"
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Apart:
    """A scope of either side, and the period for which it holds; what is "" or None stays as it was said."""

    held_scope: str = ""
    new_scope: str = ""
    held_from: datetime | None = None
    held_to: datetime | None = None
    new_from: datetime | None = None
    new_to: datetime | None = None

    def __bool__(self) -> bool:
        return any(asdict(self).values())

    @property
    def stored(self) -> dict[str, str]:
        """As JSON keeps it, without what is empty."""
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in asdict(self).items()
            if value
        }

    @classmethod
    def read(cls, stored: Mapping[str, str]) -> "Apart":
        """What `stored` wrote."""
        return cls(
            **{
                name: value if name.endswith("_scope") else datetime.fromisoformat(value)
                for name, value in stored.items()
            }
        )

    def of_held(self, held: Memory) -> dict[str, Any]:
        """The fields of the held memory that change."""
        return _fields(held.metadata, self.held_scope, self.held_from, self.held_to)

    def of_new(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of the memory that enters, whose metadata are these."""
        return _fields(metadata, self.new_scope, self.new_from, self.new_to)


def must_be_told_apart(conflict: Conflict) -> bool:
    """Whether both sides can only be true under different circumstances or at different times."""
    held = conflict.memory
    if held is None or (held.subject, held.attribute) != (conflict.subject, conflict.attribute):
        return False
    return may_vote(
        conflict.subject, conflict.attribute, conflict.value, negated=conflict.negated, past=conflict.past
    ) and may_vote(held.subject, held.attribute, held.value, negated=held.negated, past=held.past)


def check(apart: Apart, conflict: Conflict) -> None:
    """Raises Refused for a scope that is too long or the same twice, a period that ends before it begins, and periods
    that overlap where only one value can hold at a time."""
    held = conflict.memory
    if held is None:
        raise Refused(_("There is no memory on the other side to be set apart from."))
    for scope in (apart.held_scope, apart.new_scope):
        if len(scope) > SCOPE:
            raise Refused(_("A scope has %(most)d characters at most.") % {"most": SCOPE})
    if apart.held_scope and apart.held_scope.casefold() == apart.new_scope.casefold():
        raise Refused(_("Both scopes are the same, so they tell nothing apart."))
    periods = (
        (apart.held_from or held.valid_from, apart.held_to or held.valid_to),
        (apart.new_from or conflict.valid_from, apart.new_to or conflict.valid_to),
    )
    for begins, ends in periods:
        if begins and ends and ends <= begins:
            raise Refused(_("A period must end after it begins."))
    dated = apart.held_from or apart.held_to or apart.new_from or apart.new_to
    scoped = apart.held_scope or apart.new_scope
    if dated and not scoped and must_be_told_apart(conflict) and _overlap(*periods):
        raise Refused(_("The two periods overlap, and only one of the two can hold at a time."))


def _overlap(one: tuple, other: tuple) -> bool:
    begins = max(one[0] or _FIRST, other[0] or _FIRST)
    return begins < min(one[1] or _LAST, other[1] or _LAST)


def _fields(metadata: Mapping[str, Any], scope: str, begins: datetime | None, ends: datetime | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"metadata": {**metadata, SCOPE_KEY: scope}} if scope else {}
    if begins:
        fields["valid_from"] = begins
    if ends:
        fields["valid_to"] = ends
    return fields
