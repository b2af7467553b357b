"""What the queue says of itself: counts under the present filters, the reviewer's progress, why a list is empty."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from memory.models import Conflict, Workspace
from memory.policy import policy_of
from review import urgency
from review.filters import NOBODY, Filters
from review.models import Assignment, Claim, Decision
from review.queue import HIDDEN, Desk, aside, hidden_from, narrowed


@dataclass(frozen=True, slots=True)
class Tally:
    """Of the open conflicts that the filters name: how many, how many overdue, since when the oldest waits (whoever
    has it); how many of each kind, each band and overdue there would be, were that filter another; and how many the
    list leaves out: `held` by others, `deferred`, `skipped` by this person. `everywhere`: how many are open in all the
    workspace and of them overdue, where that was counted on the way."""

    open: int
    overdue: int
    oldest: datetime | None
    kinds: list[tuple[Conflict.Kind, int]]
    bands: list[tuple[Conflict.Band, int]]
    left_out: dict[str, int]
    everywhere: tuple[int, int] | None

    @property
    def known(self) -> tuple[int, int]:
        """What a Listing may be told of its length."""
        return self.open, dict(self.kinds)[Conflict.Kind.FLOOD]


def tally(desk: Desk, filters: Filters) -> Tally:
    kinds, bands, total, overdue, oldest = Counter(), Counter(), 0, 0, None
    there, hidden, everywhere = _there(desk, filters.without("kind", "band", "overdue"))
    for (kind, band), (n, late, since) in there.items():
        right_kind, right_band = filters.kind in ("", kind), filters.band in ("", str(int(band)))
        wanted = late if filters.overdue else n
        kinds[kind] += wanted if right_band else 0
        bands[band] += wanted if right_kind else 0
        if right_kind and right_band:
            total, overdue = total + wanted, overdue + late
            oldest = min(oldest or since, since) if wanted else oldest
    left_out = Counter()
    for (kind, band, late), reasons in hidden.items():
        if filters.kind in ("", kind) and filters.band in ("", str(int(band))) and (late or not filters.overdue):
            left_out += reasons
    return Tally(
        open=total, overdue=overdue, oldest=oldest, kinds=[(kind, kinds[kind.value]) for kind in Conflict.Kind],
        bands=[(band, bands[band]) for band in Conflict.Band], left_out={name: left_out[name] for name in HIDDEN},
        everywhere=everywhere,
    )  # fmt: skip


def _there(desk: Desk, filters: Filters) -> tuple[dict, dict[tuple, Counter[str]], tuple[int, int] | None]:
    """{(kind, band as of now): (conflicts, of them overdue, the oldest)}; of what is out of the way, {(kind, band,
    whether overdue): how many for each reason}; and Tally.everywhere.

    Those are counted apart and taken off: few rows, where leaving them out would cost a look at each of all the others.
    """
    everything = filters if filters.show else filters.showing("all")
    if filters.assignee == NOBODY:
        everything = everything.without("assignee")
    rows = narrowed(desk, everything)
    hidden, off = _hidden(desk, filters, rows)
    there: dict[tuple[str, int], tuple[int, int, datetime]] = {}
    grouped = _grouped(desk, rows)
    for (kind, band), (n, late, very_late, since) in grouped.items():
        for now_in, (more, more_late) in urgency.spread(band, n, late, very_late).items():
            before, before_late, oldest = there.get((kind, now_in), (0, 0, since))
            there[kind, now_in] = before + more, before_late + more_late, min(oldest, since)
    for (kind, band, late), fewer in off.items():
        # what changed between the two queries is not worth an error
        n, n_late, since = there.get((kind, band), (0, 0, desk.now))
        there[kind, band] = max(n - fewer, 0), max(n_late - fewer * late, 0), since
    if everything.without("order") != Filters(show="all"):
        return there, hidden, None
    return there, hidden, (sum(n for n, *_ in grouped.values()), sum(late for _, late, *_ in grouped.values()))


def _hidden(desk: Desk, filters: Filters, rows: QuerySet[Conflict]) -> tuple[dict[tuple, Counter[str]], Counter[tuple]]:
    """Of each (kind, band as of now, whether overdue) how many are out of the way for which reason, and how many in
    all: one may be so for two reasons."""
    aside_of = {} if filters.show else {reason: aside(desk, reason) for reason in hidden_from(desk)}
    if filters.assignee == NOBODY:
        aside_of[NOBODY] = Assignment.objects.filter(conflict__workspace=desk.workspace).values("conflict")
    if not aside_of:
        return {}, Counter()
    first, *others = aside_of.values()
    late_since = urgency.very_late(now=desk.now, policy=policy_of(desk.workspace))
    counted = (
        rows.filter(pk__in=first.union(*others, all=True) if others else first)
        .annotate(
            late=Q(due_at__lt=desk.now), very_late=Q(due_at__lt=late_since),
            **{f"is_{reason}": Q(pk__in=ids) for reason, ids in aside_of.items()},
        )
        .values_list("kind", "band", "late", "very_late", *(f"is_{reason}" for reason in aside_of))
        .annotate(n=Count("*"))
        .order_by()
    )  # fmt: skip
    hidden, off = defaultdict(Counter), Counter()
    for kind, band, late, very_late, *is_aside, n in counted:
        place = kind, urgency.raised(band, late=late, by_much=very_late), late
        off[place] += n
        reasons = [reason for reason, is_so in zip(aside_of, is_aside, strict=True) if is_so]
        if NOBODY not in reasons:
            hidden[place].update(dict.fromkeys(reasons, n))
    return hidden, off


def _grouped(desk: Desk, rows: QuerySet[Conflict]) -> dict[tuple[str, int], tuple[int, int, int, datetime]]:
    very_late = urgency.very_late(now=desk.now, policy=policy_of(desk.workspace))
    grouped = rows.values_list("kind", "band").annotate(
        n=Count("*"),
        late=Count("due_at", filter=Q(due_at__lt=desk.now)),
        very_late=Count("due_at", filter=Q(due_at__lt=very_late)),
        oldest=Min("opened_at"),
    )
    return {(kind, band): tuple(numbers) for kind, band, *numbers in grouped.order_by()}


def progress(desk: Desk, counts: Tally | None) -> dict[str, int]:
    """What the person decided today, and what waits in the whole workspace: of `counts`, where they cover it."""
    midnight = timezone.localtime(desk.now).replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Decision.objects.filter(decider=desk.person, decided_at__gte=midnight, undoes=None, undone_by=None)
    waiting, overdue = counts and counts.everywhere or everywhere(desk.workspace, now=desk.now)
    return {"today": mine.filter(conflict__workspace=desk.workspace).count(), "open": waiting, "overdue": overdue}


def everywhere(workspace: Workspace, *, now: datetime) -> tuple[int, int]:
    """How many conflicts are open in the whole workspace, and how many of them overdue."""
    waits = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.OPEN)
    return waits.count(), waits.filter(due_at__lt=now).count()


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
