"""How urgent a conflict is: impact × doubt as a band, and when it is due. Pure."""

from datetime import datetime, timedelta

from memory.models.conflict import Conflict
from memory.policy import Policy

_ATTACKS = (Conflict.Kind.INJECTION, Conflict.Kind.MISREPORT)
OFTEN_RECALLED = 3


def band(*, kind: str, candidate: float, held: float | None, held_hits: int, held_confirmed: bool) -> Conflict.Band:
    """High: an attack or false report, or doubt about what agents rely on. Low: a weak claim against a strong one."""
    if kind in _ATTACKS:
        return Conflict.Band.HIGH
    if held is None:
        return Conflict.Band.LOW if candidate < 0.5 else Conflict.Band.MEDIUM
    if candidate < held - 0.3:
        return Conflict.Band.LOW
    if held_confirmed or held_hits >= OFTEN_RECALLED:
        return Conflict.Band.HIGH
    return Conflict.Band.MEDIUM


def due(*, opened: datetime, band: int, policy: Policy) -> datetime:
    return opened + timedelta(hours=policy.due_hours(band))
