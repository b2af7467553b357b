"""How urgent a waiting conflict is now: its band, raised while it waits past its time, and why in words.

A band falls due by the workspace's hours. What is overdue counts one band higher, and once it has been so for as long
as a Medium one may wait, High: nothing stays behind for good, whatever comes in meanwhile. Read, never stored.
"""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from memory.models import Conflict
from memory.policy import Policy
from memory.priority import OFTEN_RECALLED

Band = Conflict.Band


def in_band(band: int, *, now: datetime, policy: Policy) -> Q:
    """Which open conflicts count as `band` at `now`."""
    late = very_late(now=now, policy=policy)
    if band == Band.HIGH:
        return Q(band=Band.HIGH) | Q(band=Band.MEDIUM, due_at__lt=now) | Q(band=Band.LOW, due_at__lt=late)
    if band == Band.MEDIUM:
        return Q(band=Band.MEDIUM, due_at__gte=now) | Q(band=Band.LOW, due_at__lt=now, due_at__gte=late)
    return Q(band=Band.LOW, due_at__gte=now)


def spread(band: int, n: int, late: int, very_late: int) -> dict[int, tuple[int, int]]:
    """How `n` open conflicts put into one band count now, when `late` of them are overdue and `very_late` of those for
    as long as a Medium one may wait: (how many, how many overdue) of each band."""
    if band == Band.HIGH:
        return {Band.HIGH: (n, late)}
    if band == Band.MEDIUM:
        return {Band.HIGH: (late, late), Band.MEDIUM: (n - late, 0)}
    less_late = late - very_late
    return {Band.HIGH: (very_late, very_late), Band.MEDIUM: (less_late, less_late), Band.LOW: (n - late, 0)}


def band_of(conflict: Conflict, *, now: datetime, policy: Policy) -> Band:
    """The band one conflict counts as; of a decided one, the band it had."""
    if conflict.status != Conflict.Status.OPEN:
        return Band(conflict.band)
    return risen(conflict.band, conflict.due_at, now=now, policy=policy)


def risen(band: int, due_at: datetime, *, now: datetime, policy: Policy) -> Band:
    """What an open conflict counts as that was put into `band` and is due at `due_at`."""
    return raised(band, late=due_at < now, by_much=due_at < very_late(now=now, policy=policy))


def raised(band: int, *, late: bool, by_much: bool) -> Band:
    """The same of one that is overdue, and `by_much` for as long as a Medium one may wait."""
    if not late or band == Band.HIGH:
        return Band(band)
    return Band.HIGH if band == Band.MEDIUM or by_much else Band.MEDIUM


def why(conflict: Conflict) -> str:
    """Why the conflict was put into its band, as far as can be read today."""
    held = conflict.memory
    if conflict.kind in (Conflict.Kind.INJECTION, Conflict.Kind.MISREPORT):
        return _("An attack or a false report is always High.")
    figures = {"claim": f"{conflict.credibility:.2f}", "held": f"{held.credibility:.2f}" if held else ""}
    if held is None:
        return {
            Band.LOW: _("No memory is at stake, and the claim's credibility of %(claim)s is below 0.5."),
            Band.MEDIUM: _("No memory is at stake; the claim's credibility is %(claim)s."),
        }.get(Band(conflict.band), _("No memory is at stake any more.")) % figures
    if conflict.band == Band.LOW:
        return _("The claim (%(claim)s) is much weaker than the memory it is about (%(held)s).") % figures
    if conflict.band == Band.MEDIUM:
        return _("The claim (%(claim)s) puts a memory in doubt (%(held)s) that agents seldom used.") % figures
    if held.confirmed_at:
        return _("The claim (%(claim)s) puts a memory in doubt (%(held)s) that a person confirmed.") % figures
    return _(
        "The claim (%(claim)s) puts a memory in doubt (%(held)s) that agents were told %(times)d times or more."
    ) % (figures | {"times": OFTEN_RECALLED})


def very_late(*, now: datetime, policy: Policy) -> datetime:
    """What was due before this is High by now, whatever it began as."""
    return now - timedelta(hours=policy.due_hours_medium)
