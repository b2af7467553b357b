"""Roll back one change, or all that came from one session, agent, source or key: previewed, then done as previewed.

All of it is one transaction, also across users: what a person saw in the preview happens as a whole or not at all, and
MOST keeps it to seconds. The users' turns are taken in the order of their keys, as an import does.
"""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from memory.actions import reopen, revert
from memory.actions.base import Refused, Stale
from memory.actions.revert import Effect, Outcome
from memory.actor import Actor
from memory.audit import log
from memory.history.scope import Scope
from memory.models import Change, Conflict, EndUser, Evidence
from memory.store import parts, patient, store

MOST = 5000
# kinds that may bring an archived memory back with new evidence
_BRING_BACK = (Change.Kind.RESTORE, Change.Kind.SETTLE, Change.Kind.IMPORT)


@dataclass(frozen=True)
class Plan:
    """What a rollback would do now. `token` stands for exactly this: it changes when any of it does."""

    scope: Scope
    changes: int
    effects: Sequence[Effect]
    claims: Sequence[Conflict]  # they wait for a person and came from the scope alone: they are turned away

    @cached_property
    def token(self) -> str:
        seen = hashlib.sha256(f"{self.changes}".encode())
        for each in self.effects:
            before = each.before.number if each.before else 0
            seen.update(f"|{each.memory.pk} {each.memory.version} {before} {each.outcome}".encode())
        for claim in self.claims:
            seen.update(f"|{claim.pk} {claim.version}".encode())
        return seen.hexdigest()

    @property
    def counts(self) -> dict[str, int]:
        """How many memories have each outcome."""
        return {str(kind): sum(each.outcome == kind for each in self.effects) for kind in Outcome}

    def wanted(self, *, force: bool) -> list[Effect]:
        """The effects that happen; with `force` also to what has changed since."""
        return [each for each in self.effects if each.is_ready or (force and each.outcome == Outcome.CHANGED)]


@dataclass(frozen=True, slots=True)
class RolledBack:
    """`changes`: one a user. `reopened` and `decided`: conflicts whose decision went out of, or into, force again.
    `closed`: those that were waiting."""

    operation: uuid.UUID
    changes: list[Change]
    effects: list[Effect]
    skipped: int
    reopened: list[Conflict] = field(default_factory=list)
    decided: list[Conflict] = field(default_factory=list)
    closed: Sequence[Conflict] = ()


def plan(scope: Scope) -> Plan:
    """What rolling back would do, written nowhere. Raises Refused when it would touch more than MOST memories or
    waiting claims."""
    changes = scope.changes()
    claims = list(scope.claims().select_related("user", "workspace", "memory")[: MOST + 1])
    if len(claims) > MOST:
        raise Refused(_("More than %(most)d waiting claims came from there. Take a shorter time.") % {"most": MOST})
    return Plan(scope, changes.count(), revert.effects_of(changes, most=MOST), claims)


@transaction.atomic
def rollback(
    *, scope: Scope, token: str, actor: Actor, now: datetime, reason: str, force: bool = False,
    person: AbstractBaseUser | None = None,
) -> RolledBack:  # fmt: skip
    """Carries out the plan whose `token` a person has seen; `person` turns away the claims that were waiting.

    Raises Stale when the plan is another by now, Refused when there is nothing to do or no reason was given.
    """
    if not reason.strip():
        raise Refused(_("Say why."))
    patient()
    _take_turns(scope)
    found = plan(scope)
    if found.token != token:
        raise Stale("What this would do has changed since it was shown.")
    wanted = found.wanted(force=force)
    decisions = list(scope.changes().filter(kind__in=(Change.Kind.SETTLE, Change.Kind.UNDO, Change.Kind.ROLLBACK)))
    if not wanted and not found.claims and not any(map(_carries, decisions)):
        raise Refused(_("There is nothing left to roll back."))
    operation = uuid.uuid4()
    users = {each.memory.user_id for each in wanted} | {each.user_id for each in (*decisions, *found.claims)}
    changes = {pk: _change(scope, pk, operation, actor, reason, now) for pk in sorted(users)}
    store(list(changes.values()))
    revert.carry_out(wanted, change_of=changes, reason=reason, actor=actor, now=now)
    moved = {each.memory.pk for each in wanted} | {
        each.memory.pk for each in found.effects if each.outcome == Outcome.SAME
    }
    _withdraw(scope, decisions, wanted, changes)
    reopened, decided = _decisions(decisions, changes, moved, actor=actor, now=now, reason=reason)
    reopen.turn_away(found.claims, change_of=changes, person=person, actor=actor, now=now, reason=reason)
    log.record(
        workspace=scope.workspace, actor=actor, action="change.rollback", now=now, object_type="operation",
        object_id=operation, reason=reason,
        after={
            "scope": scope.kind, "value": scope.value, "memories": len(wanted), "claims": len(found.claims),
            "forced": force,
        },
    )  # fmt: skip
    skipped = len(found.effects) - len(wanted)
    return RolledBack(operation, list(changes.values()), wanted, skipped, reopened, decided, found.claims)


def _take_turns(scope: Scope) -> None:
    """As actions.base.take_turn, of every user whom the changes touch. Who is touched only after this is in no plan
    that anybody saw."""
    users = set(scope.changes().order_by().values_list("user_id", flat=True))
    users |= set(scope.claims().order_by().values_list("user_id", flat=True))
    for part in parts(sorted(users)):
        rows = EndUser.objects.filter(pk__in=part)
        list(rows.select_for_update().order_by("pk").values_list("pk"))
        rows.update(revision=F("revision") + 1)


def _change(scope: Scope, user_pk: int, operation: uuid.UUID, actor: Actor, reason: str, now: datetime) -> Change:
    return Change(
        workspace=scope.workspace, user_id=user_pk, kind=Change.Kind.ROLLBACK, actor_kind=actor.kind, actor_id=actor.id,
        actor_label=actor.label[:200], reason=reason, request_id=actor.request_id, operation=operation, created_at=now,
        details={"scope": scope.kind, "value": scope.value},
    )  # fmt: skip


def _withdraw(scope: Scope, decisions: Sequence[Change], effects: list[Effect], changes: dict[int, Change]) -> None:
    """What the changes added in support counts no more; what an earlier rollback withdrew counts again."""
    moved = [each.memory.pk for each in effects]
    stay = [each.memory.pk for each in effects if each.before is not None]
    for earlier in decisions:
        Evidence.objects.filter(pk__in=earlier.details.get("withdrawn", [])).update(withdrawn=False)
    supported = Q(kind=Change.Kind.SUPPORT, versions__memory__in=moved)
    brought_back = Q(kind__in=_BRING_BACK, versions__memory__in=stay)
    added = scope.changes().filter(supported | brought_back).order_by()
    pairs = set(added.values_list("versions__memory_id", "created_at"))
    rows = Evidence.objects.filter(
        memory_id__in={pk for pk, _at in pairs}, created_at__in={at for _pk, at in pairs}, withdrawn=False
    )
    by_user: dict[int, list[int]] = {}
    for pk, memory, at, user in rows.values_list("pk", "memory_id", "created_at", "memory__user_id"):
        if (memory, at) in pairs:
            by_user.setdefault(user, []).append(pk)
    for user, ids in by_user.items():
        Evidence.objects.filter(pk__in=ids).update(withdrawn=True)
        changes[user].details["withdrawn"] = ids
        Change.objects.filter(pk=changes[user].pk).update(details=changes[user].details)


def _carries(change: Change) -> bool:
    """Whether a decision goes into or out of force with the change."""
    return (
        change.kind == Change.Kind.SETTLE
        or bool(change.details.get("reopened"))
        or Conflict.objects.filter(change=change).exists()
    )


def _decisions(decisions, changes, moved, **step) -> tuple[list[Conflict], list[Conflict]]:
    """A decision goes out of force with its memories; where one of them stays as decided, so does the conflict."""
    reopened, decided = [], []
    for decision in decisions:
        if set(decision.versions.values_list("memory_id", flat=True)) - moved:
            continue
        if decision.kind != Change.Kind.SETTLE:
            again = [reopen.decide_again(kept, **step) for kept in decision.details.get("reopened", [])]
            decided += [conflict for conflict in again if conflict]
        for conflict in Conflict.objects.select_related("workspace").filter(change=decision):
            kept = reopen.reopen(conflict, expected_version=conflict.version, decision=decision, **step)
            if kept:
                change = changes[decision.user_id]
                change.details.setdefault("reopened", []).append(kept)
                Change.objects.filter(pk=change.pk).update(details=change.details)
                reopened.append(conflict)
    return reopened, decided
