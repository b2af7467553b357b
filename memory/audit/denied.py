"""What was refused, written down without letting a flood of refusals fill the table.

Of one actor and action the first eight in an hour are written, then the 16th, the 32nd, the 64th …, each with the
count so far; of one workspace (or of all strangers together) the first 256, then as rarely. Where the shared counter
is away, each process counts for itself.
"""

import time
from datetime import datetime
from typing import Any

from memory.actor import Actor
from memory.audit import log
from memory.counter import counter
from memory.models import Workspace

WINDOW = 3600
EACH, ALL = 8, 256  # powers of two
NAMES = 10_000  # counted in one process while the counter is away

_own: dict[str, int] = {}


def deny(
    *, workspace: Workspace | None, actor: Actor, action: str, now: datetime, object_type: str = "",
    object_id: object = "", reason: str = "",
) -> None:  # fmt: skip
    """Records one refusal, or only counts it. Call it outside of a transaction that the refusal undoes."""
    place = workspace.pk if workspace else 0
    attempts = _count(f"{place}:{actor.kind}:{actor.id or actor.address}:{action}:{object_type}")
    if not _is_told(attempts, EACH) or not _is_told(_count(f"{place}"), ALL):
        return
    after: dict[str, Any] | None = {"attempts": attempts} if attempts > EACH else None
    log.record(
        workspace=workspace, actor=actor, action=action, now=now, object_type=object_type,
        object_id=str(object_id)[:64], reason=reason[:500], after=after, denied=True,
    )  # fmt: skip


def _is_told(count: int, first: int) -> bool:
    return count <= first or count & (count - 1) == 0


def _count(name: str) -> int:
    window = int(time.time() // WINDOW)
    return counter.step(f"denied:{window}:{name}", seconds=WINDOW) or _count_here(f"{window}:{name}")


def _count_here(name: str) -> int:
    if name not in _own and len(_own) >= NAMES:
        _own.clear()
    _own[name] = _own.get(name, 0) + 1
    return _own[name]
