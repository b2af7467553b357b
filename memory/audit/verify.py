"""Verifying: reads a workspace's chain and its events side by side and names the first that is not as it was sealed.

Both are streamed in the order of ids, a seal and two thousand events at a time, whatever their number.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db import connection, transaction

from memory.audit import canon, seal
from memory.models import AuditEvent, AuditSeal

CHUNK, SEALS = 2000, 20
ERASE, RETIRE = "audit.erase", "audit.retire"
_ERASED_BY = len(canon.COLUMNS)

Heads = Mapping[int, str]  # number of a seal -> its hash, as somebody else kept it


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an event, or with a seal of the chain. `code` is a key of FAULTS."""

    code: str
    id: int  # of the event, or the number of the seal

    def __str__(self) -> str:
        return FAULTS[self.code].format(id=self.id)


FAULTS = {
    "edited": "event {id} was edited",
    "deleted": "event {id} was deleted",
    "inserted": "event {id} was put among sealed ones afterwards",
    "erased": "the text of event {id} was erased without a record of it",
    "seal_changed": "seal {id} was changed",
    "seal_missing": "seal {id} is missing",
    "seal_other": "seal {id} is not the one that was kept elsewhere",
}


@dataclass(slots=True)
class Report:
    """Of one chain. `rows` are sealed events that were compared; `waiting` those not sealed yet."""

    rows: int = 0
    seals: int = 0
    waiting: int = 0
    erased: int = 0
    removed: int = 0
    broken: int = 0
    first: Fault | None = None
    stopped_at: int | None = None  # the seal after which there was no time left
    seen: set[int] = field(default_factory=set)

    def found(self, code: str, id: int) -> None:
        self.broken += 1
        self.first = self.first or Fault(code, id)


def verify(chain: int | None, *, heads: Heads | None = None, after: int = 0, until: float = math.inf) -> Report:
    """Verifies the chain of a workspace's key, None for what happened outside of all.

    It begins after the seal of that number, which the caller has verified, and stops before a seal that would begin
    after `until`, of time.monotonic().
    """
    report, heads = Report(), dict(heads or {})
    with _one_moment():
        upto = seal.sealed_upto()
        start = AuditSeal.objects.filter(workspace=chain, number=after).first() if after else None
        events = AuditEvent.objects.filter(workspace=chain, **({"id__gt": start.upto} if start else {}))
        rows = events.order_by("id").values_list(*canon.COLUMNS, "erased_by").iterator(chunk_size=CHUNK)
        row = next(rows, None)
        acts = _acts(chain)
        for link in _links(chain, start, report, heads, until):
            is_removed = link.removed_by is not None and _retired(acts(link.removed_by), link.number)
            for id, digest in canon.unpack(bytes(link.digests)):
                while row is not None and row[0] < id:
                    report.found("inserted", row[0])
                    row = next(rows, None)
                if row is not None and row[0] == id:
                    _compare(row, digest, acts, report)
                    row = next(rows, None)
                elif is_removed:
                    report.removed += 1
                else:
                    report.found("deleted", id)
        while row is not None and report.stopped_at is None:
            if row[0] <= upto:
                report.found("inserted", row[0])
            else:
                report.waiting += 1
            row = next(rows, None)
    if report.stopped_at is None:
        for number in sorted(number for number in heads if number > after and number not in report.seen):
            report.found("seal_missing", number)
    return report


def _links(
    chain: int | None, start: AuditSeal | None, report: Report, heads: dict[int, str], until: float
) -> Iterator[AuditSeal]:
    """The chain's seals in order, each held against its hash, the one before it, and the heads kept elsewhere."""
    number, total, previous = (start.number, start.total, start.hash) if start else (0, 0, "")
    links = AuditSeal.objects.filter(workspace=chain, number__gt=number).order_by("number")
    for link in links.iterator(chunk_size=SEALS):
        if time.monotonic() > until:
            report.stopped_at = number
            return
        if link.number != number + 1:
            report.found("seal_missing", number + 1)
        elif link.previous != previous or link.total != total + link.count or link.hash != _hash(link):
            report.found("seal_changed", link.number)
        elif heads.get(link.number, link.hash) != link.hash:
            report.found("seal_other", link.number)
        number, total, previous = link.number, link.total, link.hash
        report.seals += 1
        report.seen.add(number)
        yield link


def _hash(link: AuditSeal) -> str:
    return canon.seal_hash(
        chain=link.workspace_id or 0, number=link.number, previous=link.previous, count=link.count, total=link.total,
        first_id=link.first_id, last_id=link.last_id, upto=link.upto, sealed_at=link.sealed_at,
        digests=bytes(link.digests),
    )  # fmt: skip


def _compare(row: Sequence[Any], sealed: bytes, acts, report: Report) -> None:
    report.rows += 1
    digest = canon.row_digest(row[:_ERASED_BY])
    if digest == sealed:
        return
    if row[_ERASED_BY] is None:
        report.found("edited", row[0])
        return
    act = acts(row[_ERASED_BY])
    told = act.after.get("digests", {}).get(str(row[0])) if act and act.action == ERASE and act.after else None
    if told == digest.hex():
        report.erased += 1
    else:
        report.found("erased" if told is None else "edited", row[0])


def _retired(act: AuditEvent | None, number: int) -> bool:
    """Whether the act says that the rows of this seal were removed."""
    if act is None or act.action != RETIRE or not act.after:
        return False
    return act.after.get("first_seal", 0) <= number <= act.after.get("last_seal", -1)


def _acts(chain: int | None):
    """Finds an act of the same chain by its id. That it is as it was sealed is seen when its own turn comes."""
    return lru_cache(maxsize=50)(lambda id: AuditEvent.objects.filter(workspace=chain, pk=id).first())


@contextmanager
def _one_moment() -> Iterator[None]:
    """All reads see the same moment. On SQLite the open streams do that, and a transaction would stop all writers."""
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
