"""The log of recalls: what was asked, what was told at which version, what was withheld and why.

It never stands in the way of an answer: what cannot be written is counted, and the answer says so.
"""

import logging
import random
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from threading import Lock
from uuid import UUID

from django.db import Error, transaction
from django.db.models import F, Sum

from memory.actor import SYSTEM
from memory.audit import log as audit
from memory.brief import brief_write
from memory.models import Recall, RecallHit, UnloggedDay, Workspace
from memory.policy import policy_of
from memory.recall.answer import Found
from memory.recall.question import Question

NEIGHBOUR = "neighbour"  # the reason of a row that was told beside a result
NOT_LOGGED = "not_logged"  # the log could not be written; who was told this cannot be found out later
BATCH = 500
OUTVOTERS = 10  # kept with what a recall withheld

Lost = tuple[int, date]  # workspace, UTC day

log = logging.getLogger(__name__)


def keep(
    question: Question, found: Found, *, folded: bool = False, beside: Callable[[], None] | None = None
) -> UUID | None:
    """Stores one search, which later warms what was told unless it is `folded` already; answers its id. What `beside`
    writes is of the same transaction.

    None when the workspace logs a share of its searches and this one is not of it, or when the log cannot be written:
    then `found.degraded` says so.
    """
    share = policy_of(question.user.workspace).recall_log_share
    if share < 1 and random.random() >= share:
        return None
    recall = Recall(
        workspace_id=question.user.workspace_id, user=question.user, session=question.session,
        agent_id=question.agent_id, asked_by=question.asked_by[:200], query=question.query, params=question.params(),
        degraded=list(found.degraded), candidates=len(found.weighed.index), took_ms=found.took_ms,
        created_at=question.now, folded=folded,
    )  # fmt: skip
    try:
        store(recall, found, beside)
    except Error:
        log.exception("A recall of workspace %s could not be logged.", question.user.workspace_id)
        found.degraded.append(NOT_LOGGED)
        _lose({(question.user.workspace_id, question.now.astimezone(UTC).date()): 1})
        return None
    return recall.pk


def store(recall: Recall, found: Found, beside: Callable[[], None] | None = None) -> None:
    """Two inserts, however many memories were told: the recall, and a row for each of them, in this order: what was
    told, what was withheld, and what was told beside the results as their neighbours."""
    told, withheld = found.results, found.withheld
    rows = [
        RecallHit(
            recall=recall, memory=each.memory, version=each.memory.version, rank=place, score=each.score,
            scores=each.scores,
        )
        for place, each in enumerate([*told, *withheld], start=1)
    ]  # fmt: skip
    for row, each in zip(rows[len(told) :], withheld, strict=True):
        row.withheld, row.reason_code = True, each.reason.code
        row.reason_params = each.reason.params | {"outvoted_by": [str(id) for id in each.outvoted_by[:OUTVOTERS]]}
    rows += _neighbours(recall, found, place=len(rows))
    due = _take_lost()
    try:
        with brief_write():
            recall.save(force_insert=True)
            RecallHit.objects.bulk_create(rows)
            _write_lost(due)
            if beside:
                beside()
    except Error:
        _lose(due)
        raise


def _neighbours(recall: Recall, found: Found, *, place: int) -> list[RecallHit]:
    """They count as told, and not as asked for: no score, and no warmth."""
    beside = {
        each.memory.pk: (each.memory, of) for of, around in found.neighbours.items() for each in around
    }  # fmt: skip
    for hit in found.results:
        beside.pop(hit.memory.pk, None)
    return [
        RecallHit(
            recall=recall, memory=memory, version=memory.version, rank=rank, score=0, reason_code=NEIGHBOUR,
            reason_params={"of": str(of)},
        )
        for rank, (memory, of) in enumerate(beside.values(), place + 1)
    ]  # fmt: skip


def lost() -> int:
    """How many searches could not be logged since the beginning; what this process has yet to write is counted."""
    written = UnloggedDay.objects.aggregate(n=Sum("count"))["n"] or 0
    with _lock:
        return written + _waiting.total()


def drop_old(workspace: Workspace, *, now: datetime) -> int:
    """Deletes one batch of recalls that are older than the workspace keeps them; answers how many, 0 when none is left.

    Only what is counted into heat goes. The days of the hits (HitDay) stay, so that seasons are known years later.
    """
    until = now - timedelta(days=policy_of(workspace).recall_days)
    old = Recall.objects.filter(workspace=workspace, folded=True, created_at__lt=until).order_by("created_at")
    with transaction.atomic():
        ids = list(old.values_list("pk", flat=True)[:BATCH])
        gone = Recall.objects.filter(pk__in=ids).delete()[1].get(Recall._meta.label, 0)
        if gone:
            audit.record(
                workspace=workspace, actor=SYSTEM, action="recalls.expire", now=now, object_type="workspace",
                object_id=workspace.pk, after={"recalls": gone, "older_than": until.isoformat()},
            )  # fmt: skip
    return gone


def _lose(counts: Mapping[Lost, int]) -> None:
    with _lock:
        _waiting.update(counts)


def _take_lost() -> Counter[Lost]:
    if not _waiting:
        return Counter()
    with _lock:
        taken = _waiting.copy()
        _waiting.clear()
    return taken


def _write_lost(counts: Mapping[Lost, int]) -> None:
    for (workspace_pk, day), count in counts.items():
        row, _ = UnloggedDay.objects.get_or_create(workspace_id=workspace_pk, day=day)
        UnloggedDay.objects.filter(pk=row.pk).update(count=F("count") + count)


# searches that this process could not log and has not counted in the database yet: the next log that works does
_waiting: Counter[Lost] = Counter()
_lock = Lock()
