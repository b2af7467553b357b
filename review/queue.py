"""The review queue: its order, its counts, and the conflict that comes next."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import Count, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from memory.models import Conflict, EndUser, Evidence, Workspace
from memory.policy import policy_of
from review import urgency
from review.filters import ME, NOBODY, ORDERS, Filters
from review.models import Assignment, Claim, Deferral, Skip
from review.paging import MOST, Pages

PAGE = 25
# Of more open conflicts than this, words and agents are looked for in those due first.
SEARCHED = 10_000
DECIDED = ("-decided_at", "id")


@dataclass(frozen=True, slots=True)
class Desk:
    """Who looks at which workspace's queue, and when: what is theirs and what is late follows from it."""

    workspace: Workspace
    person: AbstractBaseUser | None  # None: nobody in particular, so nothing is taken or skipped
    now: datetime
    # {filters: until when what they look through is due}, asked once
    _searched: dict[Filters, datetime | None] = field(default_factory=dict, compare=False, repr=False)

    def searched_until(self, filters: Filters) -> datetime | None:
        """Until when the open conflicts are due in which words or an agent are looked for; None when in all of them."""
        plain = filters.without("q", "agent", "show", "overdue", "band", "order")
        if plain == filters.without("show", "overdue", "band", "order") or filters.user or not filters.is_open:
            return None
        if plain not in self._searched:
            due = narrowed(self, plain.showing("all")).order_by("due_at").values_list("due_at", flat=True)
            self._searched[plain] = due[SEARCHED : SEARCHED + 1].first()
        return self._searched[plain]


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
    if filters.flood:
        of_origin = Evidence.objects.filter(
            workspace=desk.workspace, origin=filters.flood, against=False, conflict__isnull=False
        )
        found = found.filter(kind=Conflict.Kind.FLOOD, pk__in=of_origin.values("conflict"))
    if filters.assignee:
        found = _assigned(found, desk, filters.assignee)
    if filters.looks_back and (since := _decided_since(desk.workspace)):
        found = found.filter(decided_at__gte=since)
    if filters.agent or filters.q:
        found = _searched(found, desk, filters)
    if not filters.is_open:
        return found.filter(band=int(filters.band)) if filters.band else found
    if filters.band:
        found = found.filter(urgency.in_band(int(filters.band), now=desk.now, policy=policy_of(desk.workspace)))
    if filters.overdue:
        found = found.filter(due_at__lt=desk.now)
    return _shown(found, desk, filters.show)


def _searched(found: QuerySet[Conflict], desk: Desk, filters: Filters) -> QuerySet[Conflict]:
    if until := desk.searched_until(filters):
        found = found.filter(due_at__lt=until)
    if filters.agent:
        found = found.filter(episode__agent_id=filters.agent)
    if not filters.q:
        return found
    words = Q(text__icontains=filters.q) | Q(memory__text__icontains=filters.q)
    return found.filter(words | Q(user__external_id__icontains=filters.q))


def _assigned(found: QuerySet[Conflict], desk: Desk, assignee: str) -> QuerySet[Conflict]:
    given = Assignment.objects.filter(conflict__workspace=desk.workspace)
    if assignee == NOBODY:
        return found.exclude(pk__in=given.values("conflict"))
    whose = {"person": desk.person} if assignee == ME else {"person__username": assignee}
    return found.filter(pk__in=given.filter(**whose).values("conflict"))


HIDDEN = ("held", "deferred", "skipped")


def aside(desk: Desk, reason: str) -> QuerySet:
    """The ids of the conflicts that are out of this person's way for the reason (or `mine`), of any workspace and
    status. Asked from this side, where rows are few."""
    if reason == "deferred":
        return Deferral.objects.filter(until__gt=desk.now).values("conflict")
    if reason == "skipped":
        return Skip.objects.filter(person=desk.person).values("conflict")
    held = Claim.objects.filter(workspace=desk.workspace, until__gt=desk.now)
    return (held.filter if reason == "mine" else held.exclude)(person=desk.person).values("conflict")


def hidden_from(desk: Desk) -> tuple[str, ...]:
    """For which reasons the plain list leaves conflicts out."""
    return HIDDEN if desk.person else ("deferred",)


def _shown(found: QuerySet[Conflict], desk: Desk, show: str) -> QuerySet[Conflict]:
    if show == "all":
        return found
    if show:
        return found.filter(pk__in=aside(desk, show))
    for reason in hidden_from(desk):
        found = found.exclude(pk__in=aside(desk, reason))
    return found


def _decided_since(workspace: Workspace) -> datetime | None:
    """When the oldest of the MOST decided last was decided; None when there are not as many."""
    decided = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.DECIDED).order_by("-decided_at")
    return decided.values_list("decided_at", flat=True)[MOST - 1 : MOST].first()


class Listing:
    """The queue in its order: parts one after another, each of which an index gives in order.

    What is assigned to the reader comes first; ordered by urgency, one band follows the other. `known`: how many
    conflicts the filters name and how many of them are floods, where that was counted already.
    """

    def __init__(self, desk: Desk, filters: Filters, known: tuple[int, int] | None = None) -> None:
        self.desk, self.filters, self.known, self.floods = desk, filters, known, None
        rows = narrowed(desk, filters)
        if filters.folded and filters.kind in ("", Conflict.Kind.FLOOD):
            self.floods = list(_first_of_floods(desk, filters))
            rows = rows.filter(~Q(kind=Conflict.Kind.FLOOD) | Q(pk__in=self.floods))
        order = ORDERS[filters.order] if filters.is_open else DECIDED
        self.parts = [part.order_by(*order) for part in self._parts(rows)]

    def _parts(self, rows: QuerySet[Conflict]) -> list[QuerySet[Conflict]]:
        if not self.filters.is_open:
            return [rows]
        parts = []
        if self.desk.person and not self.filters.assignee:
            mine = Assignment.objects.filter(person=self.desk.person, conflict__workspace=self.desk.workspace)
            own = list(mine.filter(conflict__status=Conflict.Status.OPEN).values_list("conflict", flat=True)[:MOST])
            if own:
                parts, rows = [rows.filter(pk__in=own)], rows.exclude(pk__in=own)
        if self.filters.order != "urgency" or self.filters.band:
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
        """How many lines there are, at most MOST."""
        if self.known is None:
            return min(MOST, sum(part.order_by()[:MOST].count() for part in self.parts))
        conflicts, floods = self.known
        folded = floods - len(self.floods) if self.floods is not None else 0
        return max(0, min(conflicts - folded, MOST))


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


def page(desk: Desk, filters: Filters, number: str, known: tuple[int, int] | None = None):
    return ListingPages(Listing(desk, filters, known), PAGE).get_page(number)


def _first_of_floods(desk: Desk, filters: Filters) -> QuerySet:
    """Of each origin that floods a user, the conflict that stands for all of them in the list."""
    floods = narrowed(desk, filters).filter(kind=Conflict.Kind.FLOOD, evidence__against=False)
    order = ORDERS[filters.order]
    place = Window(RowNumber(), partition_by=["user_id", "evidence__origin"], order_by=list(order))
    return floods.annotate(place=place).filter(place=1).values_list("pk", flat=True).distinct()[:MOST]


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
