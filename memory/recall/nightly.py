"""The night's archive run: bounded batches by user, each a transaction of its own, so it may be killed anywhere.

What it has seen is kept (ArchiveRun): the next run goes on after it, and a night's second one leaves what is done.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import groupby
from uuid import UUID

from django.db.models import Q

from memory.actions.archive import archive, judged
from memory.actor import SYSTEM, Actor
from memory.models import ArchiveRun, Memory, Workspace
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.recall.keeping import Limits

BATCH = 500
# a run that ended so lately was tonight's
FRESH = timedelta(hours=12)
Place = tuple[int, UUID]  # a memory by its user and its id, the order in which all are seen


def limits_of(workspace: Workspace) -> Limits:
    policy = policy_of(workspace)
    return Limits(policy.archive_below, policy.archive_days, policy.heat_half_life_days)


def quiet(workspace: Workspace, *, limits: Limits, now: datetime, after: Place | None = None):
    """Active memories that nobody recalled, changed or pinned for long enough, by user; `after` is (user, memory)."""
    since = limits.quiet_since(now)
    rows = Memory.objects.filter(
        Q(last_hit_at=None) | Q(last_hit_at__lte=since), workspace=workspace, status=MemoryStatus.ACTIVE,
        pinned=False, updated_at__lte=since,
    )  # fmt: skip
    if after is not None:
        rows = rows.filter(Q(user_id=after[0], pk__gt=after[1]) | Q(user_id__gt=after[0]), user_id__gte=after[0])
    return rows.select_related("user").order_by("user_id", "pk")


def run(workspace: Workspace, *, now: datetime, until: float) -> tuple[int, bool]:
    """The night's run, where the workspace wants one, from where the last one stopped; answers as `sweep` does."""
    if not policy_of(workspace).archive_on:
        return 0, True
    mine, _ = ArchiveRun.objects.get_or_create(workspace=workspace)
    if mine.finished_at is not None and now - FRESH < mine.finished_at <= now:
        return 0, True
    after = (mine.user_id, mine.memory_id) if mine.memory_id else None
    gone, all_seen = sweep(workspace, actor=SYSTEM, now=now, until=until, after=after, seen=partial(_keep, workspace))
    if all_seen:
        _keep(workspace, None, finished_at=now)
    return gone, all_seen


def sweep(
    workspace: Workspace,
    *,
    actor: Actor,
    now: datetime,
    until: float,
    after: Place | None = None,
    seen: Callable[[Place], None] = lambda place: None,
) -> tuple[int, bool]:
    """Archives what is cold; answers how many, and whether it saw all before `until` (time.monotonic()).

    What a killed run left is found by the next, and what another run took meanwhile is not taken again. It begins
    `after` a memory, and tells `seen` of the last one of each batch that is done.
    """
    limits, gone = limits_of(workspace), 0
    for batch in _batches(workspace, limits, now, after):
        if time.monotonic() >= until:
            return gone, False
        cold = [memory for memory, why in judged(batch, limits=limits, now=now) if why is None]
        for user, memories in groupby(cold, key=lambda memory: memory.user):
            ids = [memory.pk for memory in memories]
            change = archive(user=user, ids=ids, limits=limits, actor=actor, now=now)
            gone += change.versions.count() if change else 0
        seen((batch[-1].user_id, batch[-1].pk))
    return gone, True


def _keep(workspace: Workspace, place: Place | None, finished_at: datetime | None = None) -> None:
    user_id, memory_id = place or (None, None)
    ArchiveRun.objects.filter(workspace=workspace).update(user_id=user_id, memory_id=memory_id, finished_at=finished_at)


def _batches(workspace: Workspace, limits: Limits, now: datetime, after: Place | None) -> Iterator[list[Memory]]:
    while batch := list(quiet(workspace, limits=limits, now=now, after=after)[:BATCH]):
        yield batch
        after = (batch[-1].user_id, batch[-1].pk)
