"""Hard erase: all of one user, or one memory, is taken out of every place, and a tombstone stays.

Asking closes the user's id at once: whoever names it from then on begins anew, as somebody nobody has heard of. A
worker does the rest in batches (memory/erasure), as often as it takes; each step may be repeated.
"""

import time
import uuid
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from memory import store
from memory.actions.base import Refused, Stale, take_turn
from memory.actor import Actor
from memory.audit import log
from memory.erasure import answers, audit, outside, rows
from memory.erasure.places import Scope
from memory.models import AgentKey, EndUser, Erasure, Memory, Workspace

CLOSED = "erased:"  # begins the id of a user whose erasure runs
JOB = "memory.tasks.erase"


def forget_user(*, user: EndUser, actor: Actor, reason_code: str, now: datetime) -> Erasure:
    """Closes the user's id and hands the erasure to a worker. Raises Stale when somebody has asked for it before."""
    name = user.external_id
    with transaction.atomic():
        mine = EndUser.objects.filter(pk=user.pk, workspace_id=user.workspace_id, external_id=name)
        closed = mine.exclude(external_id__startswith=CLOSED)
        if closed.update(external_id=f"{CLOSED}{uuid.uuid4()}", revision=F("revision") + 1) != 1:
            raise Stale(_("This person is being erased already."))
        _release_keys(user.workspace, name, now)
        erasure = _begin(user, name=name, memory=None, actor=actor, reason_code=reason_code, now=now)
    return erasure


def forget_memory(*, memory: Memory, actor: Actor, reason_code: str, now: datetime) -> Erasure:
    """Hands the erasure of one memory to a worker: its versions, evidence, conflicts, and what recalls told of it. What
    was said stays in the events. Raises Refused when somebody has asked for it before."""
    with transaction.atomic():
        take_turn(memory.user)
        if not Memory.objects.filter(pk=memory.pk, workspace_id=memory.workspace_id).exists():
            raise Stale(_("This memory is no longer there."))
        return _begin(memory.user, name="", memory=memory, actor=actor, reason_code=reason_code, now=now)


def carry_out(erasure: Erasure, *, now: datetime, until: float) -> bool:
    """Goes on with an erasure; false when more is to be done after `until` (time.monotonic()). May be run twice at
    once and be killed anywhere. Raises what kept it from reaching a place; nothing is lost by trying again."""
    scope = Scope(erasure.workspace_id, erasure.user_pk, erasure.memory_pk)
    actor = Actor(kind=erasure.actor_kind, id=erasure.actor_id, label=erasure.actor_label)
    if erasure.counts is None:
        Erasure.objects.filter(pk=erasure.pk, counts__isnull=True).update(counts=rows.count(scope))
    outside.erase(scope)
    audit.erase(scope, erasure.name, actor=actor, now=now)
    if scope.memory_pk is None:
        answers.erase(scope, erasure.name)
        if not rows.erase_most(scope, erasure.name, until=until):
            return False
        # a job that had read something may have brought it there meanwhile
        outside.erase(scope)
        # what changed between the first look and the last row has left events of its own
        audit.erase(scope, erasure.name, actor=actor, now=now)
    if time.monotonic() >= until:
        return False
    rows.erase_rest(scope, erasure.name)
    if scope.memory_pk is not None:
        outside.erase(scope)
        async_task("memory.tasks.sync_graph", scope.user_pk, group="graph")
    _finish(erasure, actor, now)
    store.compact()
    return True


def digest_of(workspace: Workspace, name: str) -> str:
    """What is kept of an erased user's id: it answers whether a known id was erased, and gives no id away."""
    return salted_hmac(f"hindsight.erasure.{workspace.pk}", name, algorithm="sha256").hexdigest()


def _begin(
    user: EndUser, *, name: str, memory: Memory | None, actor: Actor, reason_code: str, now: datetime
) -> Erasure:
    try:
        with transaction.atomic():
            erasure = Erasure.objects.create(
                workspace_id=user.workspace_id, user_pk=user.pk, memory_pk=memory and memory.pk, name=name,
                name_digest=digest_of(user.workspace, name) if name else "", reason_code=reason_code,
                actor_kind=actor.kind, actor_id=actor.id, actor_label=actor.label[:200], asked_at=now,
            )  # fmt: skip
    except IntegrityError as error:
        raise Refused(_("This is being erased already.")) from error
    log.record(
        workspace=user.workspace, actor=actor, action="memory.forget" if memory else "user.forget", now=now,
        object_type="erasure", object_id=erasure.pk, after={"reason": reason_code},
    )  # fmt: skip
    async_task(JOB, str(erasure.pk), group="erasure")
    return erasure


def _release_keys(workspace: Workspace, name: str, now: datetime) -> None:
    """A key for certain users must not name this one any more; one for this user alone would else be for all."""
    for key in AgentKey.objects.select_for_update().filter(workspace=workspace).exclude(only_users=[]):
        if name in key.only_users:
            left = [other for other in key.only_users if other != name]
            revoked = key.revoked_at or (None if left else now)
            AgentKey.objects.filter(pk=key.pk).update(only_users=left or [CLOSED], revoked_at=revoked)


@transaction.atomic
def _finish(erasure: Erasure, actor: Actor, now: datetime) -> None:
    finished = Erasure.objects.filter(pk=erasure.pk, finished_at=None).update(finished_at=now, name="", error="")
    if finished:
        counts = Erasure.objects.values_list("counts", flat=True).get(pk=erasure.pk)
        log.record(
            workspace=erasure.workspace, actor=actor, action="erasure.finish", now=now, object_type="erasure",
            object_id=erasure.pk, after={"rows": counts},
        )  # fmt: skip
