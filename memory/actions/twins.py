"""What says the same as an archived memory brings that one back, whichever way it comes in: never a second copy.

Every verb that makes an active memory asks here first: remember, settle, and an import.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from memory.actions.base import move
from memory.actor import Actor
from memory.models import Change, Memory
from memory.models.memory import MemoryStatus

SAID_A_QUERY = 500


class Said(NamedTuple):
    """What of a claim says whether another says the same: the same words, or the same value of the same thing."""

    user_id: int
    fingerprint: str
    subject: str = ""
    attribute: str = ""
    value: str = ""
    negated: bool = False
    past: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    @classmethod
    def by(cls, memory: Memory) -> "Said":
        """Of a memory, saved or not."""
        return cls(*(getattr(memory, name) for name in cls._fields))

    @property
    def meaning(self) -> "Said | None":
        """Equal for the same value of the same thing in other words; None where no value is known."""
        return self._replace(fingerprint="") if self.attribute and self.value else None


def archived_twin(memory: Memory) -> Memory | None:
    """The archived memory of the same user that says what this unsaved one says."""
    return archived_twins([Said.by(memory)])[0]


def archived_twins(said: Sequence[Said]) -> list[Memory | None]:
    """As `archived_twin`, for many, in one query for every 500: what says the same has the same twin.

    What was archived last comes first, and the same words before the same value. A memory whose words are active
    elsewhere is nobody's twin: it could not come back.
    """
    by_words: dict[tuple[int, str], Memory] = {}
    by_meaning: dict[Said, Memory] = {}
    for start in range(0, len(said), SAID_A_QUERY):
        for memory in _archived(said[start : start + SAID_A_QUERY]):
            mine = Said.by(memory)
            twin = by_words.setdefault((mine.user_id, mine.fingerprint), memory)
            if mine.meaning:
                by_meaning.setdefault(mine.meaning, twin)
    return [by_words.get((each.user_id, each.fingerprint)) or by_meaning.get(each.meaning) for each in said]


def bring_back(
    memory: Memory, *, change: Change, actor: Actor, now: datetime, reason: str, **fields: Any
) -> Memory:  # fmt: skip
    """Makes an archived twin active again, with what speaks for it now in `fields`."""
    step = {"change": change, "actor": actor, "now": now, "reason": reason}
    return move(memory, status=MemoryStatus.ACTIVE, **fields, **step)


def _archived(said: Sequence[Said]) -> Iterator[Memory]:
    same = Q(fingerprint__in={each.fingerprint for each in said})
    if values := {(each.attribute, each.value) for each in said if each.meaning}:
        same |= Q(attribute__in={attribute for attribute, _ in values}, value__in={value for _, value in values})
    active = Memory.objects.filter(
        user_id=OuterRef("user_id"), fingerprint=OuterRef("fingerprint"), status=MemoryStatus.ACTIVE
    )
    rows = Memory.objects.filter(
        same, ~Exists(active), user_id__in={each.user_id for each in said}, status=MemoryStatus.ARCHIVED
    )
    return rows.select_related("user", "workspace").order_by("-updated_at", "pk").iterator()
