"""Sealing: every few minutes a job chains what was written since, off the way of those who write.

A batch of one workspace becomes one AuditSeal: the digest of each event, and a hash over them and the hash of the seal
before. Events are only read. No event is left out: see horizon.py for how late ones are waited for.
"""

import math
import time
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from memory.audit import canon, horizon
from memory.models import AuditEvent, AuditSeal

BATCH = 5000  # events of one transaction; a seal has at most so many


def seal(*, now: datetime, until: float = math.inf) -> int:
    """Seals what is final; answers how many events. No batch is begun after `until`, of time.monotonic()."""
    final, sealed = horizon.find_final(), 0
    while time.monotonic() < until and (count := _batch(final, now)):
        sealed += count
    return sealed


def sealed_upto() -> int:
    """The id up to which every event of every workspace is in a seal."""
    return AuditSeal.objects.aggregate(upto=Max("upto"))["upto"] or 0


@transaction.atomic
def _batch(final: int, now: datetime) -> int:
    horizon.locked()
    waiting = AuditEvent.objects.filter(id__gt=sealed_upto(), id__lte=final).order_by("id")
    rows = list(waiting.values_list(*canon.COLUMNS)[:BATCH])
    if not rows:
        return 0
    upto = rows[-1][0] if len(rows) == BATCH else final
    chains: dict[int | None, list[tuple[int, bytes]]] = {}
    for row in rows:
        chains.setdefault(row[1], []).append((row[0], canon.row_digest(row)))
    AuditSeal.objects.bulk_create(_link(chain, entries, upto, now) for chain, entries in chains.items())
    return len(rows)


def _link(chain: int | None, entries: list[tuple[int, bytes]], upto: int, now: datetime) -> AuditSeal:
    """The next seal of a workspace's chain, unsaved."""
    links = AuditSeal.objects.filter(workspace=chain).order_by("-number")
    number, total, previous = links.values_list("number", "total", "hash").first() or (0, 0, "")
    header = {
        "number": number + 1, "previous": previous, "count": len(entries), "total": total + len(entries),
        "first_id": entries[0][0], "last_id": entries[-1][0], "upto": upto, "sealed_at": now,
        "digests": canon.pack(entries),
    }  # fmt: skip
    found = canon.seal_hash(chain=chain or 0, **header)
    return AuditSeal(workspace_id=chain, form=canon.FORM, hash=found, **header)
