"""What the queue says of itself: counts under the present filters, the reviewer's progress, why a list is empty."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from memory.models import Conflict
from memory.policy import policy_of
from review import urgency
from review.filters import NOBODY, Filters
from review.models import Claim, Decision
from review.queue import HIDDEN, Desk, aside, narrowed


@dataclass(frozen=True, slots=True)
class Tally:
    """Of the open conflicts that the filters name: how many, how many overdue, since when the oldest waits (whoever
    has it); how many of each kind, each band and overdue there would be, were that filter another; and how many the
    list leaves out: `held` by others, `deferred`, `skipped` by this person."""

    open: int
    overdue: int
    oldest: datetime | None
    kinds: list[tuple[Conflict.Kind, int]]
    bands: list[tuple[Conflict.Band, int]]
    left_out: dict[str, int]

    @property
    def known(self) -> tuple[int, int]:
        """What a Listing may be told of its length."""
        return self.open, dict(self.kinds)[Conflict.Kind.FLOOD]


def tally(desk: Desk, filters: Filters) -> Tally:
    kinds, bands, total, overdue, oldest = Counter(), Counter(), 0, 0, None
    there, hidden = _there(desk, filters.without("kind", "band", "overdue"))
    for (kind, band), (n, late, since) in there.items():
        right_kind, right_band = filters.kind in ("", kind), filters.band in ("", str(int(band)))
        wanted = late if filters.overdue else n
        kinds[kind] += wanted if right_band else 0
        bands[band] += wanted if right_kind else 0
        if right_kind and right_band:
            total, overdue = total + wanted, overdue + late
            oldest = min(oldest or since, since) if wanted else oldest
    left_out = Counter(
        reason
        for kind, band, late, reasons in hidden
        for reason in reasons
        if filters.kind in ("", kind) and filters.band in ("", str(int(band))) and (late or not filters.overdue)
    )
    return Tally(
        open=total, overdue=overdue, oldest=oldest, kinds=[(kind, kinds[kind.value]) for kind in Conflict.Kind],
        bands=[(band, bands[band]) for band in Conflict.Band], left_out={name: left_out[name] for name in HIDDEN},
    )  # fmt: skip


def _there(desk: Desk, filters: Filters) -> tuple[dict, list[tuple]]:
    """{(kind, band as of now): (conflicts, of them overdue, the oldest)} and, of each conflict that is out of the way,
    (kind, band, whether overdue, reasons).

    Those are counted apart and taken off: few rows, where leaving them out would cost a look at each of all the others.
    """
    everything = filters if filters.show else filters.showing("all")
    hidden, policy = {}, policy_of(desk.workspace)
    if filters.assignee == NOBODY:
        everything = everything.without("assignee")
    rows = narrowed(desk, everything)
    for reason, found in _hidden(desk, filters, rows):
        for pk, kind, band, due in found.values_list("pk", "kind", "band", "due_at"):
            band_now = urgency.risen(band, due, now=desk.now, policy=policy)
            hidden.setdefault(pk, (kind, band_now, due < desk.now, []))[-1].append(reason)
    off = Counter((kind, band, late) for kind, band, late, _reasons in hidden.values())
    there: dict[tuple[str, int], tuple[int, int, datetime]] = {}
    for (kind, band), (n, late, very_late, since) in _grouped(desk, rows).items():
        for now_in, (more, more_late) in urgency.spread(band, n, late, very_late).items():
            before, before_late, oldest = there.get((kind, now_in), (0, 0, since))
            there[kind, now_in] = before + more, before_late + more_late, min(oldest, since)
    for (kind, band, late), fewer in off.items():
        # what changed between the two queries is not worth an error
        n, n_late, since = there.get((kind, band), (0, 0, desk.now))
        there[kind, band] = max(n - fewer, 0), max(n_late - fewer * late, 0), since
    return there, [row for row in hidden.values() if NOBODY not in row[-1]]


def _hidden(desk: Desk, filters: Filters, rows: QuerySet[Conflict]) -> Iterator[tuple[str, QuerySet[Conflict]]]:
    if not filters.show:
        for reason in HIDDEN if desk.person else ("deferred",):
            yield reason, aside(desk, rows, reason)
    if filters.assignee == NOBODY:
        yield NOBODY, rows.filter(assignment__isnull=False)


def _grouped(desk: Desk, rows: QuerySet[Conflict]) -> dict[tuple[str, int], tuple[int, int, int, datetime]]:
    very_late = urgency.very_late(now=desk.now, policy=policy_of(desk.workspace))
    grouped = rows.values_list("kind", "band").annotate(
        n=Count("*"),
        late=Count("due_at", filter=Q(due_at__lt=desk.now)),
        very_late=Count("due_at", filter=Q(due_at__lt=very_late)),
        oldest=Min("opened_at"),
    )
    return {(kind, band): tuple(numbers) for kind, band, *numbers in grouped.order_by()}


def progress(desk: Desk) -> dict[str, int]:
    """What the person decided today, and what waits in the whole workspace."""
    waits = Conflict.objects.filter(workspace=desk.workspace, status=Conflict.Status.OPEN)
    midnight = timezone.localtime(desk.now).replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Decision.objects.filter(decider=desk.person, decided_at__gte=midnight, undoes=None, undone_by=None)
    return {
        "today": mine.filter(conflict__workspace=desk.workspace).count(),
        "open": waits.count(),
        "overdue": waits.filter(due_at__lt=desk.now).count(),
    }


EMPTY_NONE, EMPTY_FILTERED, EMPTY_HELD = "none", "filtered", "held"


def empty_state(desk: Desk, filters: Filters, tally: Tally | None) -> str:
    """Why the list is empty: nothing is open at all, nothing matches, or others hold all that matches."""
    if tally and tally.left_out["held"]:
        return EMPTY_HELD
    anything = Conflict.objects.filter(workspace=desk.workspace, status=Conflict.Status.OPEN).exists()
    return EMPTY_FILTERED if anything or not filters.is_open else EMPTY_NONE


def holders(desk: Desk, filters: Filters) -> list[Claim]:
    """Who holds what the filters name, each with the lease that ends last, the first to end first."""
    held = narrowed(desk, filters.showing("held")).values("pk")
    last = {}
    for claim in Claim.objects.filter(conflict__in=held).select_related("person").order_by("until"):
        last[claim.person_id] = claim
    return list(last.values())
