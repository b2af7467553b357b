"""The feed of changes: what its filters name, what each change touched, and a rollback with the decisions it moves."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import QueryDict
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, make_aware

from memory.actions.rollback import RolledBack, rollback
from memory.actor import Actor
from memory.history.diff import Segment, word_diff
from memory.history.scope import KINDS, Scope
from memory.models import Change, Conflict, EndUser, MemoryVersion, Session, Workspace
from review.decisions import NOTE, last_decision
from review.models import Decision

TOUCHED = 50  # shown of one change
WORDED = ("status", "category", "value", "credibility", "pinned", "confirmed_at", "valid_from", "valid_to", "metadata")


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address bar says. Unknown values are dropped, so that an old bookmark still opens."""

    kind: str = ""
    actor: str = ""  # agent, person or system, with the id after a colon: "person:3"
    agent: str = ""
    source: str = ""
    session: str = ""  # the caller's name of the run
    user: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        given = {f.name: query.get(f.name, "").replace("\0", "").strip()[:220] for f in fields(cls)}
        if given["kind"] not in Change.Kind.values:
            given["kind"] = ""
        if given["actor"].partition(":")[0] not in Change.ActorKind.values:
            given["actor"] = ""
        for name in ("since", "until"):
            if moment_of(given[name]) is None:
                given[name] = ""
        return cls(**given)

    @property
    def active(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Touched:
    """One memory that a change touched: its version then, how the words changed, and which other fields."""

    version: MemoryVersion
    diff: list[Segment]
    others: list[tuple[str, Any, Any]]


def moment_of(text: str) -> datetime | None:
    """A date or a moment as a form sends it; None for anything else."""
    try:
        moment = parse_datetime(text) if "T" in text or " " in text else None
        day = None if moment else parse_date(text)
    except ValueError:
        return None
    if day:
        moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if moment is None or not 1900 <= moment.year <= 9000:
        return None
    return make_aware(moment) if is_naive(moment) else moment


def changes(workspace: Workspace, filters: Filters) -> QuerySet[Change]:
    """The changes the filters name, newest first; each filter alone is answered by an index in this order."""
    found = Change.objects.filter(workspace=workspace)
    if filters.kind:
        found = found.filter(kind=filters.kind)
    if filters.actor:
        kind, _colon, id = filters.actor.partition(":")
        found = found.filter(actor_kind=kind, **({"actor_id": id} if id else {}))
    if filters.agent:
        found = found.filter(agent_id=filters.agent)
    if filters.source:
        found = found.filter(source=filters.source)
    if filters.session:
        runs = Session.objects.filter(workspace=workspace, run_id=filters.session)
        found = found.filter(session__in=list(runs.values_list("pk", flat=True)[:500]))
    if filters.user:
        # by its key: the planner then reads the index of that user and not the whole feed
        user = EndUser.objects.filter(workspace=workspace, external_id=filters.user).values_list("pk", flat=True)
        found = found.filter(user=user.first() or 0)
    if filters.since:
        found = found.filter(created_at__gte=moment_of(filters.since))
    if filters.until:
        found = found.filter(created_at__lt=moment_of(filters.until))
    return found.select_related("user", "session", "undoes").order_by("-created_at", "-id")


def first_words(page: Sequence[Change]) -> dict[int, tuple[str, bool]]:
    """Of each change, the text of one memory it touched and whether there are others. An import touches thousands, so
    no more than two rows of each are read, in no order."""
    mine = MemoryVersion.objects.filter(change=OuterRef("pk")).order_by().values("text")
    rows = Change.objects.filter(pk__in=[change.pk for change in page])
    found = rows.annotate(one=Subquery(mine[:1]), other=Subquery(mine[1:2])).values_list("pk", "one", "other")
    return {pk: (one or "", other is not None) for pk, one, other in found}


def touched(change: Change) -> list[Touched]:
    """The first TOUCHED memories that the change touched, each with what it changed of it."""
    versions = list(change.versions.select_related("memory").order_by("pk")[:TOUCHED])
    ids, numbers = [each.memory_id for each in versions], {each.number - 1 for each in versions}
    earlier = {
        (each.memory_id, each.number): each
        for each in MemoryVersion.objects.filter(memory_id__in=ids, number__in=numbers)
    }
    return [difference(earlier.get((each.memory_id, each.number - 1)), each) for each in versions]


def difference(before: MemoryVersion | None, after: MemoryVersion) -> Touched:
    if before is None:
        return Touched(after, [Segment("added", after.text)], [])
    diff = word_diff(before.text, after.text) if before.text != after.text else []
    pairs = [(name, getattr(before, name), getattr(after, name)) for name in WORDED]
    return Touched(after, diff, [pair for pair in pairs if pair[1] != pair[2]])


def scope_of(workspace: Workspace, query: QueryDict) -> Scope | None:
    """The scope that a form names; None when it names none of this workspace."""
    # one button a scope sends both in one
    kind, _colon, value = query.get("scope", "").partition(":")
    kind, value = query.get("kind", kind), query.get("value", value).replace("\0", "")[:220]
    given = query.get("since", "").strip()
    since = moment_of(given)
    if kind not in KINDS or not value or (given and since is None):
        return None
    try:
        scope = Scope(workspace, kind, value, since)
        return scope if scope.changes().exists() or scope.claims().exists() else None
    except (ValueError, OverflowError, ValidationError):  # a key that is none
        return None


@transaction.atomic
def roll_back(
    *, scope: Scope, token: str, person: AbstractBaseUser, actor: Actor, now: datetime, reason: str, force: bool
) -> RolledBack:  # fmt: skip
    """Rolls back, and appends to the log of decisions what that did to them. Raises what `rollback` raises."""
    done = rollback(scope=scope, token=token, actor=actor, now=now, reason=reason, force=force, person=person)
    change_of = {change.user_id: change for change in done.changes}
    for conflict in done.reopened:
        decision = last_decision(conflict)
        if decision is not None:
            _decide(conflict, decision, person, now, change_of[conflict.user_id], undoes=decision)
    for conflict in done.decided:
        undone = conflict.decisions.filter(undoes=None, choice=conflict.choice).last()
        if undone is not None:
            _decide(conflict, undone, person, now, change_of[conflict.user_id], undoes=None)
    Decision.objects.bulk_create(
        Decision(
            conflict=claim, choice=Conflict.Choice.KEEP, reason_code=Decision.ReasonCode.UNTRUSTED, note=reason[:NOTE],
            decider=person, decided_at=now, conflict_version=claim.version, incoming_text=claim.text,
            held_text=claim.memory.text if claim.memory else "", change=change_of[claim.user_id],
        )
        for claim in done.closed
    )  # fmt: skip
    return done


def _decide(conflict: Conflict, like: Decision, person, now: datetime, change: Change, *, undoes) -> None:
    Decision.objects.create(
        conflict=conflict, choice=like.choice, reason_code=Decision.ReasonCode.OTHER, decider=person, decided_at=now,
        conflict_version=conflict.version, held_text=like.held_text, incoming_text=like.incoming_text,
        edited_text="" if undoes else like.edited_text, change=change, undoes=undoes,
    )  # fmt: skip
