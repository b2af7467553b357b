"""What would be archived at a threshold, told before anything goes."""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q
from pydantic import ValidationError

from memory.actions.archive import judged
from memory.models import Memory, Workspace
from memory.models.memory import MemoryStatus
from memory.policy import Policy, policy_of
from memory.recall.heat import cooled
from memory.recall.keeping import Limits, Spared

MOST = 5000
BATCH = 500
SHOWN = 25


@dataclass(slots=True)
class Preview:
    """`going` and `kept` count what was looked at; `whole` says whether that was all. `first`: (memory, its heat now)
    of those that would go, longest unchanged first."""

    active: int
    seen: int = 0
    going: int = 0
    whole: bool = True
    first: list[tuple[Memory, float]] = field(default_factory=list)
    kept: Counter = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """Percent of the active memories."""
        return 100 * self.going / self.active if self.active else 0.0

    @property
    def spared(self) -> list[tuple[str, int]]:
        return [(reason.value, self.kept[reason]) for reason in Spared]


def asked_limits(given: Mapping[str, str], workspace: Workspace) -> tuple[Limits, set[str]]:
    """The limits a form asks for, the workspace's own where it names none or no valid one; and the names not valid."""
    policy, bad = policy_of(workspace), set()
    wanted = {name: given[name].strip() for name in ("archive_below", "archive_days") if name in given}
    try:
        policy = Policy(**workspace.settings | wanted)
    except ValidationError as error:
        bad = {str(each["loc"][0]) for each in error.errors()}
    return Limits(policy.archive_below, policy.archive_days, policy.heat_half_life_days), bad


def preview(workspace: Workspace, *, limits: Limits, now: datetime, until: float) -> Preview:
    """Judges as the archive run does, those unchanged for longest first: at most MOST, and not after `until`
    (time.monotonic()). What was changed since the limits' day is recent without a look."""
    mine = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE)
    found = Preview(active=mine.count())
    after = None
    while batch := _next(mine.filter(updated_at__lte=limits.quiet_since(now)), after):
        if found.seen >= MOST or time.monotonic() >= until:
            found.whole = False
            return found
        for memory, why in judged(batch, limits=limits, now=now):
            _count(found, memory, why, limits, now)
        after = batch[-1]
    found.kept[Spared.RECENT] += max(found.active - found.seen, 0)
    return found


def archived(workspace: Workspace, wanted: str = ""):
    """The workspace's archived memories, last archived first; `wanted`: part of the text or of the user's id."""
    rows = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ARCHIVED).select_related("user")
    if wanted:
        rows = rows.filter(Q(text__icontains=wanted) | Q(user__external_id__icontains=wanted))
    return rows.order_by("-updated_at", "-id")


def _next(old, after: Memory | None) -> list[Memory]:
    if after is not None:
        later = Q(updated_at=after.updated_at, pk__gt=after.pk) | Q(updated_at__gt=after.updated_at)
        old = old.filter(later, updated_at__gte=after.updated_at)
    return list(old.select_related("user").order_by("updated_at", "pk")[:BATCH])


def _count(found: Preview, memory: Memory, why: Spared | None, limits: Limits, now: datetime) -> None:
    found.seen += 1
    if why is not None:
        found.kept[why] += 1
        return
    found.going += 1
    if len(found.first) < SHOWN:
        heat = cooled(memory.heat, since=memory.heat_at, now=now, half_life_days=limits.half_life_days)
        found.first.append((memory, heat))
