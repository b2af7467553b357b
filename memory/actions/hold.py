"""Hold a candidate back for a person: open a conflict, or count its return to one that is open."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from memory import priority
from memory.actions.base import Refused, take_turn
from memory.actions.source import Source, origin_of, source_of
from memory.actor import Actor
from memory.audit import log
from memory.intake.clean import fingerprint
from memory.intake.types import Claim, Reason
from memory.models import Conflict, EndUser, Episode, Evidence, Memory
from memory.policy import policy_of
from memory.records import score


@transaction.atomic
def hold(
    *,
    user: EndUser,
    kind: str,
    claim: Claim,
    source: Source,
    reason: Reason,
    actor: Actor,
    now: datetime,
    memory: Memory | None = None,
    suggestion: str = "",
    suggestion_reason: Reason | None = None,
    against: Iterable[Episode] = (),
    metadata: dict[str, Any] | None = None,
) -> Conflict:
    """Opens a conflict between the claim and `memory` (or about the claim alone); the same pair is open only once.

    `against` are episodes that speak against the claim, such as the failed tool run behind a reported success.
    Raises Refused when both sides say the same, belong to different users, or nothing was said (no evidence).
    """
    if memory is not None and memory.user_id != user.pk:
        raise Refused(_("The two sides of a conflict are about different people."))
    if not source.quote.strip():
        raise Refused(_("A conflict needs evidence."))
    take_turn(user)
    print_ = fingerprint(claim.text)
    if memory is not None and memory.fingerprint == print_:
        raise Refused(_("Both sides of the conflict are the same."))
    open_pair = Conflict.objects.filter(user=user, memory=memory, fingerprint=print_, status=Conflict.Status.OPEN)
    if open_pair.update(seen=F("seen") + 1):
        conflict = open_pair.get()
    else:
        conflict = _open(
            user, kind, claim, print_, source, reason, now, memory, suggestion, suggestion_reason, metadata
        )
        log.record(
            workspace=user.workspace, actor=actor, action="conflict.open", now=now, object_type="conflict",
            object_id=conflict.pk, after={"kind": kind, "text": claim.text, "reason": reason.code},
        )  # fmt: skip
    source.attach(conflict=conflict, now=now)
    for episode in against:
        Evidence.objects.get_or_create(
            conflict=conflict, episode=episode,
            defaults={
                "workspace_id": user.workspace_id, "quote": episode.content[:500], "against": True, "created_at": now,
                "source_class": episode.source_class, "origin": origin_of(episode), "source": source_of(episode),
            },
        )  # fmt: skip
    return conflict


def _open(user, kind, claim, print_, source, reason, now, memory, suggestion, suggestion_reason, metadata) -> Conflict:
    policy = policy_of(user.workspace)
    episode = source.episode
    trust = score(user.workspace, [source.support]).value
    band = priority.band(
        kind=kind, candidate=trust, held=memory.credibility if memory else None,
        held_hits=memory.hits if memory else 0, held_confirmed=bool(memory and memory.confirmed_at),
    )  # fmt: skip
    return Conflict.objects.create(
        workspace_id=user.workspace_id, user=user, kind=kind, memory=memory, episode=episode, text=claim.text,
        fingerprint=print_, category=claim.category, subject=claim.subject[:200], attribute=claim.attribute[:80],
        value=claim.value, negated=claim.negated, past=claim.past, metadata=metadata or {},
        source_class=source.source_class, credibility=trust, event_time=episode.event_time,
        valid_from=claim.valid_from, valid_to=claim.valid_to, reason_code=reason.code, reason_params=reason.params,
        suggestion=suggestion, suggestion_code=suggestion_reason.code if suggestion_reason else "",
        suggestion_params=suggestion_reason.params if suggestion_reason else {},
        band=band, due_at=priority.due(opened=now, band=band, policy=policy), opened_at=now,
    )  # fmt: skip
