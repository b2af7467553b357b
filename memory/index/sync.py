"""The vector database follows the database: what changed waits in the outbox until it was taken over there."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Min
from django.utils import timezone
from django_q.tasks import async_task

from memory.index import embedded, follower
from memory.index.base import Follower, FollowerAway, FollowerEmpty, FollowerResting, PointsRejected
from memory.models import EndUser, Memory, OutboxEntry, Workspace
from memory.models.memory import MemoryStatus

BATCH = 200
BATCHES_A_RUN = 10  # a run must end well within a job's time limit, also against a slow server
FIRST_WAIT = timedelta(seconds=2)
LONGEST_WAIT = timedelta(minutes=1)
USERS_A_PAGE = 100
BUSY_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Lag:
    """How far the vector database is behind: waiting memories, since when the oldest waits, and the latest error."""

    count: int
    oldest: datetime | None
    error: str


def enqueue(memories: Iterable[Memory]) -> None:
    """Says that these memories changed. Call it in the transaction that changes them; without Qdrant it does nothing.

    The transaction must have taken the user's turn (actions.base.take_turn), or lock rows in no other order.
    """
    if not follower.is_set_up():
        return
    # by the clock, not by the time of the change: an import writes what was said years ago
    now = timezone.now()
    rows = [_row(memory.pk, memory.workspace_id, memory.user_id, memory.version, now) for memory in memories]
    if not rows:
        return
    quiet = not OutboxEntry.objects.exists()
    _put(rows)
    if quiet:
        # one job empties the whole outbox; where rows wait already, one is on its way or the schedule sees to it
        async_task("memory.tasks.sync_index", group="index")


def drain(now: datetime) -> bool:
    """Brings over what is due at `now`, in batches. True: more waits that was never tried.

    Safe to run twice at once and to be killed anywhere: a row goes only after its version was taken over. A vector
    database that holds nothing yet is filled: every active memory is put into the outbox.
    """
    if follower.get_follower() is None:
        return False
    try:
        if not follower.ask(lambda there: there.check()):
            _put_everything(now)
            follower.ask(lambda there: there.ensure())
    except FollowerResting:
        return False
    except FollowerAway as error:
        _postpone(_due(now), now=now, error=str(error))
        return False
    for _ in range(BATCHES_A_RUN):
        rows = _due(now)
        if not rows:
            break
        if not _bring(rows, now=now):
            return False
    # also what came in meanwhile and found the outbox not empty, so that no job was made for it
    return OutboxEntry.objects.filter(attempts=0).exists()


def lag(workspace: Workspace | None = None) -> Lag:
    """The outbox of one workspace, or of all. Two queries; 0 when nothing waits."""
    rows = OutboxEntry.objects.all() if workspace is None else OutboxEntry.objects.filter(workspace=workspace)
    found = rows.aggregate(count=Count("pk"), oldest=Min("created_at"))
    failed = rows.exclude(error="").order_by("-next_try_at").first() if found["count"] else None
    return Lag(found["count"], found["oldest"], failed.error if failed else "")


def _bring(rows: Sequence[OutboxEntry], *, now: datetime) -> bool:
    """Sends the rows and forgets them; False when the other side does not work and nothing more should be sent."""
    try:
        follower.ask(lambda there: _send(there, rows))
    except PointsRejected as error:
        if len(rows) == 1:
            _postpone(rows, now=now, error=str(error))
            return True
        middle = len(rows) // 2  # one bad row must not hold up the others for ever
        return _bring(rows[:middle], now=now) and _bring(rows[middle:], now=now)
    except FollowerResting:
        return False
    except (FollowerAway, FollowerEmpty) as error:
        _postpone(rows, now=now, error=str(error))
        return False
    _forget(rows)
    return True


def _send(there: Follower, rows: Sequence[OutboxEntry]) -> None:
    """The memories' state as it is now, which may be newer than the rows: only the newest matters."""
    points = embedded.points([row.memory_id for row in rows])
    there.upsert(points)
    active = {point.id for point in points}
    there.delete({row.memory_id: row.version for row in rows if row.memory_id not in active})


def _due(now: datetime) -> list[OutboxEntry]:
    return list(OutboxEntry.objects.filter(next_try_at__lte=now).order_by("next_try_at", "created_at")[:BATCH])


def _forget(rows: Sequence[OutboxEntry]) -> None:
    with transaction.atomic():
        OutboxEntry.objects.filter(pk__in=_unmoved(rows)).delete()


def _postpone(rows: Sequence[OutboxEntry], *, now: datetime, error: str) -> None:
    waits = {row.pk: min(FIRST_WAIT * 2 ** min(row.attempts, 10), LONGEST_WAIT) for row in rows}
    with transaction.atomic():
        unmoved = _unmoved(rows)
        for wait in set(waits.values()):
            OutboxEntry.objects.filter(pk__in=[pk for pk in unmoved if waits[pk] == wait]).update(
                attempts=F("attempts") + 1, next_try_at=now + wait, error=error
            )


def _unmoved(rows: Sequence[OutboxEntry]) -> list[Any]:
    """Locks and names the rows still at the version they were read at.

    A row that a writer holds is about to change and is left alone: waiting for it could end in a deadlock that the
    writer loses.
    """
    versions = {row.pk: row.version for row in rows}
    found = OutboxEntry.objects.select_for_update(skip_locked=True).filter(pk__in=versions)
    return [row.pk for row in found if row.version == versions[row.pk]]


def _put_everything(now: datetime) -> None:
    """Every active memory into the outbox, users at a time; one who is being written to comes again later."""
    left = list(EndUser.objects.order_by("pk").values_list("pk", flat=True))
    while left:
        busy: list[int] = []
        for start in range(0, len(left), USERS_A_PAGE):
            page = left[start : start + USERS_A_PAGE]
            taken = _put_users(page, now)
            busy += [pk for pk in page if pk not in taken]
        left = list(EndUser.objects.filter(pk__in=busy).values_list("pk", flat=True)) if busy else []
        time.sleep(BUSY_SECONDS if left else 0)


@transaction.atomic
def _put_users(pks: Sequence[int], now: datetime) -> set[int]:
    """Puts what these users have, of those whom nobody is writing to; answers which that were."""
    # A writer holds this lock too, so rows are never locked in two orders; skipped, so nobody waits for us.
    free = EndUser.objects.select_for_update(skip_locked=True).filter(pk__in=pks)
    taken = set(free.values_list("pk", flat=True))
    active = Memory.objects.filter(user_id__in=taken, status=MemoryStatus.ACTIVE)
    fields = active.values_list("pk", "workspace_id", "user_id", "version")
    _put([_row(*values, now) for values in fields.iterator()])
    return taken


def _row(memory_id: Any, workspace_id: int, user_id: int, version: int, now: datetime) -> OutboxEntry:
    return OutboxEntry(
        memory_id=memory_id, workspace_id=workspace_id, user_id=user_id, version=version, next_try_at=now,
        created_at=now,
    )  # fmt: skip


def _put(rows: Sequence[OutboxEntry]) -> None:
    """New rows, or the new version in rows that wait already; those keep the time since when they wait."""
    OutboxEntry.objects.bulk_create(
        rows, batch_size=500, update_conflicts=True, unique_fields=["memory"],
        update_fields=["version", "attempts", "next_try_at", "error"],
    )  # fmt: skip
