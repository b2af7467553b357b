"""What the queue says of itself: counts under the present filters, the reviewer's progress, why a list is empty."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from memory.models import Conflict
from memory.policy import policy_of
from review import urgency
from review.filters import NOBODY, Filters
from review.models import Assignment, Claim, Decision
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
    cells, hidden = _cells(desk, filters.without("kind", "band", "overdue"))
    for kind, band, n, late, since in cells:
        right_kind, right_band = filters.kind in ("", kind), filters.band in ("", str(int(band)))
        wanted = late if filters.overdue else n
        kinds[kind] += wanted if right_band else 0
        bands[band] += wanted if right_kind else 0
        if right_kind and right_band:
            total, overdue = total + wanted, overdue + late
            oldest = min(oldest or since, since) if wanted else oldest
    left_out = Counter(
        reason
        for row, reasons in hidden
        for reason in reasons
        if filters.kind in ("", row.kind)
        and filters.band in ("", str(int(row.band_now)))
        and not (filters.overdue and row.due_at >= desk.now)
    )
    return Tally(
        open=total, overdue=overdue, oldest=oldest, kinds=[(kind, kinds[kind.value]) for kind in Conflict.Kind],
        bands=[(band, bands[band]) for band in Conflict.Band], left_out={name: left_out[name] for name in HIDDEN},
    )  # fmt: skip


def _cells(desk: Desk, filters: Filters) -> tuple[list[tuple], list[tuple[Conflict, list[str]]]]:
    """(kind, band as of now, conflicts, of them overdue, the oldest) of each that there are, and the conflicts that are
    out of the way, each with the reasons.

    Those are counted apart and taken off: few rows, where leaving them out would cost a look at each of all the others.
    """
    everything = filters if filters.show else filters.showing("all")
    rows = {reason: aside(desk).get(reason) for reason in HIDDEN if not filters.show}
    if filters.assignee == NOBODY:
        everything = everything.without("assignee")
        rows["assigned"] = Assignment.objects.filter(conflict__workspace=desk.workspace).values("conflict")
    why: dict[UUID, list[str]] = {}
    for reason, found in rows.items():
        for pk in found.values_list("conflict", flat=True) if found is not None else ():
            why.setdefault(pk, []).append(reason)
    out = narrowed(desk, everything).filter(pk__in=list(why)).only("kind", "band", "status", "due_at") if why else ()
    hidden, off, policy = [], Counter(), policy_of(desk.workspace)
    for row in out:
        row.band_now = urgency.band_of(row, now=desk.now, policy=policy)
        hidden.append((row, why[row.pk]))
        off[row.kind, row.band_now, row.due_at < desk.now] += 1
    cells = []
    for (kind, band), (n, late, very_late, oldest) in _grouped(desk, narrowed(desk, everything)).items():
        for band_now, (there, there_late) in urgency.spread(band, n, late, very_late).items():
            cells.append([kind, band_now, there, there_late, oldest])
    for cell in cells:
        fewer_late, fewer = off.pop((cell[0], cell[1], True), 0), off.pop((cell[0], cell[1], False), 0)
        cell[2] -= min(cell[2], fewer + fewer_late)
        cell[3] -= min(cell[3], fewer_late)
    return cells, [(row, reasons) for row, reasons in hidden if reasons != ["assigned"]]


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
