"""The audit as people read it: what its filters name, one event's before and after, and how its chain stands."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from django.db.models import Q, QuerySet
from django.http import QueryDict

from memory.history.diff import Segment, word_diff
from memory.models import AuditCheck, AuditEvent, AuditSeal, Change, Membership, Workspace
from review.audit_words import OBJECTS
from review.changes import moment_of

OUTSIDE = "outside"
CHUNK = 2000
WAITING = 10_000  # counted at most
COLUMNS = [
    "id", "at", "actor_kind", "actor_id", "actor", "action", "denied", "object_type", "object_id", "reason", "before",
    "after", "address", "request_id", "erased_by",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address bar says. Unknown values are dropped, so that an old bookmark still opens."""

    action: str = ""
    actor: str = ""  # agent, person or system, with the id after a colon: "person:3"
    object: str = ""  # an id, or with its type before a colon: "memory:0b1f…"
    denied: str = ""
    since: str = ""
    until: str = ""
    request: str = ""
    place: str = ""  # "outside": what belongs to no workspace

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        given = {f.name: query.get(f.name, "").replace("\0", "").strip()[:220] for f in fields(cls)}
        if given["actor"].partition(":")[0] not in Change.ActorKind.values:
            given["actor"] = ""
        for name in ("since", "until"):
            if moment_of(given[name]) is None:
                given[name] = ""
        given["denied"] = "1" if given["denied"] == "1" else ""
        given["place"] = OUTSIDE if given["place"] == OUTSIDE else ""
        return cls(**given)

    @property
    def active(self) -> bool:
        return self != Filters()

    @property
    def query(self) -> dict[str, str]:
        """Those that are set, as the audit and an export's address keep them."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name))}


@dataclass(frozen=True, slots=True)
class State:
    """How a workspace's chain stands. `waiting` counts up to WAITING events that are not sealed yet."""

    last: AuditSeal | None
    waiting: int
    check: AuditCheck | None

    @property
    def many(self) -> bool:
        return self.waiting == WAITING


@dataclass(frozen=True, slots=True)
class Field:
    """One value of an event before and after, and where both are words how they differ."""

    name: str
    before: str
    after: str
    diff: list[Segment]


def events(workspace: Workspace, filters: Filters, person: Any) -> QuerySet[AuditEvent]:
    """The events the filters name, newest first.

    Outside of workspaces a superuser sees everything, others the sign-ins of the workspace's members.
    """
    if filters.place == OUTSIDE:
        found = AuditEvent.objects.filter(workspace=None)
        if not person.is_superuser:
            members = Membership.objects.filter(workspace=workspace).values_list("person_id", flat=True)
            found = found.filter(object_type="account", object_id__in=[str(pk) for pk in members])
    else:
        found = AuditEvent.objects.filter(workspace=workspace)
    if filters.action:
        found = found.filter(action=filters.action)
    if filters.actor:
        kind, _colon, id = filters.actor.partition(":")
        found = found.filter(actor_kind=kind, **({"actor_id": id} if id else {}))
    if filters.object:
        found = found.filter(_named(filters.object))
    if filters.denied:
        found = found.filter(denied=True)
    if filters.request:
        # the second part lets the partial index answer on SQLite
        found = found.filter(request_id=filters.request).exclude(request_id="")
    if filters.since:
        found = found.filter(at__gte=moment_of(filters.since))
    if filters.until:
        found = found.filter(at__lt=moment_of(filters.until))
    return found.order_by("-at", "-id")


def _named(given: str) -> Q:
    kind, colon, id = given.partition(":")
    if colon and kind in OBJECTS:
        return Q(object_type=kind, object_id=id)
    return Q(object_type__in=list(OBJECTS), object_id=given)


def lines(found: QuerySet[AuditEvent], kind: str) -> Iterator[dict[str, Any]]:
    """One record an event, however many there are. In CSV before and after are JSON texts.

    Each piece is a query of its own, from where the last one ended: a cursor kept open outside of a transaction would
    have PostgreSQL copy all rows first.
    """
    piece = list(found[:CHUNK])
    while piece:
        for event in piece:
            yield _line(event, kind)
        at, id = piece[-1].at, piece[-1].pk
        piece = list(found.filter(at__lte=at).exclude(at=at, id__gte=id)[:CHUNK])


def _line(event: AuditEvent, kind: str) -> dict[str, Any]:
    return {
        "id": event.pk, "at": event.at.isoformat(), "actor_kind": event.actor_kind, "actor_id": event.actor_id,
        "actor": event.actor_label, "action": event.action, "denied": event.denied,
        "object_type": event.object_type, "object_id": event.object_id, "reason": event.reason,
        "before": _cell(event.before, kind), "after": _cell(event.after, kind), "address": event.address or "",
        "request_id": event.request_id, "erased_by": event.erased_by or "",
    }  # fmt: skip


def _cell(value: Any, kind: str) -> Any:
    if kind == "jsonl":
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def state_of(workspace: Workspace | None) -> State:
    last = AuditSeal.objects.filter(workspace=workspace).defer("digests").order_by("-number").first()
    waiting = AuditEvent.objects.filter(workspace=workspace, id__gt=last.upto if last else 0)[:WAITING].count()
    return State(last, waiting, AuditCheck.objects.filter(workspace=workspace).first())


def compared(event: AuditEvent) -> list[Field]:
    """Every name in before or after; an unchanged one has no difference."""
    before, after = _named_values(event.before), _named_values(event.after)
    found = []
    for name in {**before, **after}:
        old, new = _words(before.get(name)), _words(after.get(name))
        both = isinstance(before.get(name), str) and isinstance(after.get(name), str) and old != new
        found.append(Field(name, old, new, word_diff(old, new) if both else []))
    return found


def _named_values(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"": value}


def _words(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
