"""What was remembered of one user at a moment, read from the versions; and what two moments differ by.

A version counts from the moment its change was made. What was retracted since is shown as it was then; what a person
had erased is gone with its versions.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, QuerySet, Subquery

from memory.actions.base import VERSIONED
from memory.history.diff import Segment, word_diff
from memory.models import EndUser, Memory, MemoryVersion
from memory.models.memory import MemoryStatus


@dataclass(frozen=True, slots=True)
class Reworded:
    """A memory that both moments have, at different versions."""

    earlier: MemoryVersion
    later: MemoryVersion

    @property
    def words(self) -> list[Segment]:
        """What changed in the wording, empty when it is the same. Worked out when asked: a long list shows a part."""
        old, new = self.earlier.text, self.later.text
        return word_diff(old, new) if old != new else []


@dataclass(frozen=True, slots=True)
class Difference:
    """`added` only the later moment has, `gone` only the earlier one."""

    added: list[MemoryVersion]
    changed: list[Reworded]
    gone: list[MemoryVersion]


def versions_at(
    user: EndUser, at: datetime, statuses: Collection[str] = (MemoryStatus.ACTIVE,)
) -> QuerySet[MemoryVersion]:
    """The version that was current at `at` of each memory that was of `statuses` then, oldest event first."""
    own = MemoryVersion.objects.filter(memory__workspace_id=user.workspace_id, memory__user_id=user.pk)
    until = MemoryVersion.objects.filter(memory=OuterRef("memory"), created_at__lte=at).order_by("-number")
    current = own.filter(created_at__lte=at, number=Subquery(until.values("number")[:1]), status__in=statuses)
    return current.select_related("memory__session").order_by("event_time", "memory__created_at", "memory_id")


def as_it_was(version: MemoryVersion) -> Memory:
    """The memory in the state of one version, to be shown and never saved."""
    memory = version.memory
    for name in VERSIONED:
        setattr(memory, name, getattr(version, name))
    memory.version, memory.updated_at = version.number, version.created_at
    return memory


def between(user: EndUser, earlier: datetime, later: datetime) -> Difference:
    """What became of one user's memories between two moments. Reads only the memories that had a change meanwhile."""
    moved = MemoryVersion.objects.filter(
        memory__workspace_id=user.workspace_id, memory__user_id=user.pk, created_at__gt=earlier, created_at__lte=later
    )
    ids = moved.order_by().values("memory")
    before = {version.memory_id: version for version in versions_at(user, earlier).filter(memory__in=ids)}
    after = {version.memory_id: version for version in versions_at(user, later).filter(memory__in=ids)}
    return Difference(
        added=[version for id, version in after.items() if id not in before],
        changed=[Reworded(before[id], version) for id, version in after.items() if id in before],
        gone=[version for id, version in before.items() if id not in after],
    )
