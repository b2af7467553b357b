"""The review queue: its order, its filters, its counts, and the conflict that comes next."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet
from django.http import QueryDict

from memory.models import Conflict, Workspace
from review.paging import MOST, Pages

PAGE = 25
ORDERS = {"due": ("due_at", "band", "id"), "newest": ("-opened_at", "id"), "oldest": ("opened_at", "id")}
DECIDED = ("-decided_at", "id")


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address bar says. Unknown values are dropped, so that an old bookmark still opens."""

    status: str = Conflict.Status.OPEN
    kind: str = ""
    band: str = ""
    user: str = ""
    q: str = ""
    overdue: str = ""
    order: str = "due"

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        allowed = {
            "status": Conflict.Status.values, "kind": Conflict.Kind.values, "order": list(ORDERS), "overdue": ["1"],
            "band": [str(band) for band in Conflict.Band.values],
        }  # fmt: skip
        given = {}
        for field in fields(cls):
            value = query.get(field.name, "").strip().replace("\0", "")[:200]
            if value and (field.name not in allowed or value in allowed[field.name]):
                given[field.name] = value
        return cls(**given)

    @property
    def active(self) -> bool:
        """Whether anything narrows the queue beyond its default."""
        return self.without("order") != Filters()

    @property
    def looks_back(self) -> bool:
        """Whether it looks for something among all that was decided: then only the MOST decided last are read."""
        return self.status != Conflict.Status.OPEN and bool(self.kind or self.band or self.q) and not self.user

    def without(self, name: str) -> "Filters":
        return Filters(**{f.name: getattr(self, f.name) for f in fields(self) if f.name != name})

    @property
    def query(self) -> str:
        """The filters as a query string, without what is default; "" for none."""
        default = Filters()
        return urlencode({f.name: v for f in fields(self) if (v := getattr(self, f.name)) != getattr(default, f.name)})


def conflicts(workspace: Workspace, filters: Filters, *, now: datetime) -> QuerySet[Conflict]:
    """The conflicts the filters name, in the order of the queue."""
    found = Conflict.objects.filter(workspace=workspace, status=filters.status)
    if filters.kind:
        found = found.filter(kind=filters.kind)
    if filters.band:
        found = found.filter(band=int(filters.band))
    if filters.user:
        found = found.filter(user__external_id=filters.user)
    if filters.overdue:
        found = found.filter(due_at__lt=now)
    if filters.looks_back and (since := _decided_since(workspace)):
        found = found.filter(decided_at__gte=since)
    if filters.q:
        found = found.filter(
            Q(text__icontains=filters.q)
            | Q(memory__text__icontains=filters.q)
            | Q(user__external_id__icontains=filters.q)
        )
    order = ORDERS[filters.order] if filters.status == Conflict.Status.OPEN else DECIDED
    return found.select_related("user", "memory", "decided_by", "episode").order_by(*order)


def _decided_since(workspace: Workspace) -> datetime | None:
    """When the oldest of the MOST decided last was decided; None when there are not as many."""
    decided = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.DECIDED).order_by("-decided_at")
    return decided.values_list("decided_at", flat=True)[MOST - 1 : MOST].first()


def page(workspace: Workspace, filters: Filters, number: str, *, now: datetime):
    return Pages(conflicts(workspace, filters, now=now), PAGE).get_page(number)


def counts(workspace: Workspace, *, now: datetime) -> dict[str, Any]:
    """Of the open ones: total, overdue, oldest, per kind and per band."""
    found = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.OPEN)
    total = found.aggregate(open=Count("*"), overdue=Count("due_at", filter=Q(due_at__lt=now)), oldest=Min("opened_at"))
    kinds = dict(found.values_list("kind").annotate(n=Count("*")))
    bands = dict(found.values_list("band").annotate(n=Count("*")))
    return total | {
        "kinds": [(kind, kinds.get(kind.value, 0)) for kind in Conflict.Kind],
        "bands": [(band, bands.get(band.value, 0)) for band in Conflict.Band],
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


def around(conflict: Conflict, workspace: Workspace, filters: Filters, *, now: datetime) -> Around:
    """Where the conflict stands; of one that has left the list, the next is the list's first."""
    ids = list(conflicts(workspace, filters, now=now).values_list("pk", flat=True)[:WALK])
    if conflict.pk not in ids:
        return Around(None, len(ids), None, ids[0] if ids else None)
    place = ids.index(conflict.pk)
    following = ids[place + 1] if place + 1 < len(ids) else None
    return Around(place + 1, len(ids), ids[place - 1] if place else None, following)


EMPTY_NONE, EMPTY_FILTERED = "none", "filtered"


def empty_state(workspace: Workspace, filters: Filters) -> str:
    """Why a page of the queue is empty: nothing is open at all, or nothing matches."""
    anything = Conflict.objects.filter(workspace=workspace, status=Conflict.Status.OPEN).exists()
    return EMPTY_FILTERED if anything or filters.status != Conflict.Status.OPEN else EMPTY_NONE
