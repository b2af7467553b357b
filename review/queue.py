"""The review queue: its order, its counts, and the conflict that comes next."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Count, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from memory.models import Conflict, EndUser, Evidence, Workspace
from memory.policy import policy_of
from review import urgency
from review.filters import ME, NOBODY, ORDERS, Filters
from review.models import Assignment, Claim, Decision, Deferral, Skip
from review.paging import MOST, Pages

PAGE = 25
DECIDED = ("-decided_at", "id")


@dataclass(frozen=True, slots=True)
class Desk:
    """Who looks at which workspace's queue, and when: what is theirs and what is late follows from it."""

    workspace: Workspace
    person: AbstractBaseUser | None  # None: nobody in particular, so nothing is taken or skipped
    now: datetime


def narrowed(desk: Desk, filters: Filters) -> QuerySet[Conflict]:
    """The conflicts the filters name, in no order."""
    found = Conflict.objects.filter(workspace=desk.workspace, status=filters.status)
    if filters.kind:
        found = found.filter(kind=filters.kind)
    if filters.category:
        found = found.filter(category=filters.category)
    if filters.user:
        # by its key: the planner then reads the index of that user and not the whole queue
        user = EndUser.objects.filter(workspace=desk.workspace, external_id=filters.user).values_list("pk", flat=True)
        found = found.filter(user=user.first() or 0)
    if filters.agent:
        found = found.filter(episode__agent_id=filters.agent)
    if filters.flood:
        of_origin = Evidence.objects.filter(
            workspace=desk.workspace, origin=filters.flood, against=False, conflict__isnull=False
        )
        found = found.filter(kind=Conflict.Kind.FLOOD, pk__in=of_origin.values("conflict"))
    if filters.assignee:
        found = _assigned(found, desk, filters.assignee)
    if filters.looks_back and (since := _decided_since(desk.workspace)):
        found = found.filter(decided_at__gte=since)
    if filters.q:
        found = found.filter(
            Q(text__icontains=filters.q)
            | Q(memory__text__icontains=filters.q)
            | Q(user__external_id__icontains=filters.q)
        )
    if not filters.is_open:
        return found.filter(band=int(filters.band)) if filters.band else found
    if filters.band:
        found = found.filter(urgency.in_band(int(filters.band), now=desk.now, policy=policy_of(desk.workspace)))
    if filters.overdue:
        found = found.filter(due_at__lt=desk.now)
    return _shown(found, desk, filters.show)


def _assigned(found: QuerySet[Conflict], desk: Desk, assignee: str) -> QuerySet[Conflict]:
    given = Assignment.objects.filter(conflict__workspace=desk.workspace)
    if assignee == NOBODY:
        return found.exclude(pk__in=given.values("conflict"))
    whose = {"person": desk.person} if assignee == ME else {"person__username": assignee}
    return found.filter(pk__in=given.filter(**whose).values("conflict"))


def _shown(found: QuerySet[Conflict], desk: Desk, show: str) -> QuerySet[Conflict]:
    held = Claim.objects.filter(workspace=desk.workspace, until__gt=desk.now)
    aside = {
        "held": held.exclude(person=desk.person), "mine": held.filter(person=desk.person),
        "deferred": Deferral.objects.filter(until__gt=desk.now), "skipped": Skip.objects.filter(person=desk.person),
    }  # fmt: skip
    if show in aside:
        return found.filter(pk__in=aside[show].values("conflict"))
    if show == "all":
        return found
    for name in ("held", "deferred", "skipped") if desk.person else ("deferred",):
        found = found.exclude(pk__in=aside[name].values("conflict"))
    return found


def _decided_since(workspace: Workspace) -> datetime | None:
    """When the oldest of the MOST decided last was decided; None when there are not as many."""
    decided = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.DECIDED).order_by("-decided_at")
    return decided.values_list("decided_at", flat=True)[MOST - 1 : MOST].first()


class Listing:
    """The queue in its order: parts one after another, each of which an index gives in order.

    What is assigned to the reader comes first; ordered by urgency, one band follows the other.
    """

    def __init__(self, desk: Desk, filters: Filters) -> None:
        self.desk, self.filters = desk, filters
        rows = narrowed(desk, filters)
        if filters.folded:
            rows = rows.filter(~Q(kind=Conflict.Kind.FLOOD) | Q(pk__in=_first_of_floods(desk, filters)))
        order = ORDERS[filters.order] if filters.is_open else DECIDED
        self.parts = [part.order_by(*order) for part in self._parts(rows)]

    def _parts(self, rows: QuerySet[Conflict]) -> list[QuerySet[Conflict]]:
        if not self.filters.is_open:
            return [rows]
        parts = []
        if self.desk.person and not self.filters.assignee:
            mine = Assignment.objects.filter(person=self.desk.person, conflict__workspace=self.desk.workspace)
            parts, rows = [rows.filter(pk__in=mine.values("conflict"))], rows.exclude(pk__in=mine.values("conflict"))
        if self.filters.order != "urgency":
            return [*parts, rows]
        policy = policy_of(self.desk.workspace)
        return parts + [rows.filter(urgency.in_band(band, now=self.desk.now, policy=policy)) for band in Conflict.Band]

    def keys(self, start: int, stop: int) -> list[UUID]:
        """Of the conflicts from place `start` (the first is 0) up to `stop`."""
        found: list[UUID] = []
        for part in self.parts:
            wanted = stop - start - len(found)
            skipped = 0 if found else start
            here = list(part.values_list("pk", flat=True)[skipped : skipped + wanted]) if wanted > 0 else []
            if not here and skipped:
                before = part.order_by()[:skipped].count()
                start, stop = start - before, stop - before
            found += here
        return found

    def rows(self, start: int, stop: int) -> list[Conflict]:
        """The same with what a line of the list shows; of a flood, `flood_origin` and `flood_size`."""
        keys = self.keys(start, stop)
        shown = Conflict.objects.select_related(
            "user", "memory", "decided_by", "claim__person", "assignment__person", "deferral"
        )
        found = shown.in_bulk(keys)
        rows = [found[key] for key in keys if key in found]
        if self.filters.folded:
            _measure_floods(self.desk, self.filters, rows)
        policy = policy_of(self.desk.workspace)
        for row in rows:
            row.band_now = urgency.band_of(row, now=self.desk.now, policy=policy)
        return rows

    @cached_property
    def count(self) -> int:
        """At most MOST."""
        total = 0
        for part in self.parts:
            total += part.order_by()[: MOST - total].count() if total < MOST else 0
        return total


class ListingPages(Pages):
    """The pages of a Listing."""

    @cached_property
    def count(self) -> int:
        return self.object_list.count

    def page(self, number: int | str):
        number = self.validate_number(number)
        start = (number - 1) * self.per_page
        rows = self.object_list.rows(start, min(start + self.per_page, self.count))
        return self._get_page(rows, number, self)


def page(desk: Desk, filters: Filters, number: str):
    return ListingPages(Listing(desk, filters), PAGE).get_page(number)


def _first_of_floods(desk: Desk, filters: Filters) -> QuerySet:
    """Of each origin that floods a user, the conflict that stands for all of them in the list."""
    floods = narrowed(desk, filters).filter(kind=Conflict.Kind.FLOOD, evidence__against=False)
    order = ORDERS[filters.order]
    place = Window(RowNumber(), partition_by=["user_id", "evidence__origin"], order_by=list(order))
    return floods.annotate(place=place).filter(place=1).values("pk")


def _measure_floods(desk: Desk, filters: Filters, rows: Sequence[Conflict]) -> None:
    floods = [row for row in rows if row.kind == Conflict.Kind.FLOOD]
    if not floods:
        return
    own = Evidence.objects.filter(conflict__in=floods, against=False).values_list("conflict_id", "origin").distinct()
    origins = list(own)
    counted = (
        narrowed(desk, filters)
        .filter(
            kind=Conflict.Kind.FLOOD, user__in={row.user_id for row in floods}, evidence__against=False,
            evidence__origin__in={origin for _pk, origin in origins},
        )
        .values_list("user_id", "evidence__origin")
        .annotate(n=Count("pk", distinct=True))
        .order_by()
    )  # fmt: skip
    sizes = {(user, origin): n for user, origin, n in counted}
    for row in floods:
        mine = [(sizes.get((row.user_id, origin), 0), origin) for pk, origin in origins if pk == row.pk]
        row.flood_size, row.flood_origin = max(mine, default=(0, ""))


def counts(desk: Desk, filters: Filters) -> dict[str, Any]:
    """Of the open conflicts that the filters name: how many, how many overdue, since when the oldest waits; and how
    many of each kind, each band and overdue there would be, were that filter another."""
    rows = narrowed(desk, filters.without("kind", "band", "overdue"))
    late = Count("due_at", filter=Q(due_at__lt=desk.now))
    band_now = urgency.as_column(now=desk.now, policy=policy_of(desk.workspace))
    cells = list(
        rows.annotate(band_now=band_now)
        .values_list("kind", "band_now")
        .annotate(n=Count("*"), late=late, oldest=Min("opened_at"))
        .order_by()
    )
    kinds, bands, total, overdue, oldest = Counter(), Counter(), 0, 0, None
    for kind, band, n, n_late, since in cells:
        right_kind, right_band = filters.kind in ("", kind), filters.band in ("", str(band))
        wanted = n_late if filters.overdue else n
        kinds[kind] += wanted if right_band else 0
        bands[band] += wanted if right_kind else 0
        if right_kind and right_band:
            total, overdue, oldest = total + wanted, overdue + n_late, min(oldest or since, since)
    return {
        "open": total, "overdue": overdue, "oldest": oldest,
        "kinds": [(kind, kinds[kind.value]) for kind in Conflict.Kind],
        "bands": [(band, bands[band.value]) for band in Conflict.Band],
    }  # fmt: skip


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


@dataclass(frozen=True, slots=True)
class Around:
    """A conflict's place in the list the filters name. `place` counts from 1, None when it is not in the list."""

    place: int | None
    total: int
    previous: UUID | None
    next: UUID | None


# Walking further than this by keyboard is not reviewing; the list's own pages lead there.
WALK = 1000


def around(
    conflict: Conflict, workspace: Workspace, filters: Filters, *, now: datetime, person: AbstractBaseUser | None = None
) -> Around:
    """Where the conflict stands; of one that has left the list, the next is the list's first."""
    ids = Listing(Desk(workspace, person, now), filters).keys(0, WALK)
    if conflict.pk not in ids:
        return Around(None, len(ids), None, ids[0] if ids else None)
    place = ids.index(conflict.pk)
    following = ids[place + 1] if place + 1 < len(ids) else None
    return Around(place + 1, len(ids), ids[place - 1] if place else None, following)


@dataclass(frozen=True, slots=True)
class Aside:
    """What the filters name but the list leaves out: `held` by others, `deferred`, `skipped` by this person."""

    held: int
    deferred: int
    skipped: int


def aside(desk: Desk, filters: Filters) -> Aside | None:
    """None where nothing is left out."""
    if not filters.is_open or filters.show:
        return None
    return Aside(*(narrowed(desk, filters.showing(show)).count() for show in ("held", "deferred", "skipped")))


EMPTY_NONE, EMPTY_FILTERED, EMPTY_HELD = "none", "filtered", "held"


def empty_state(desk: Desk, filters: Filters, left_out: Aside | None) -> str:
    """Why the list is empty: nothing is open at all, nothing matches, or others hold all that matches."""
    if left_out and left_out.held:
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
