"""Rules carry out: each claim enters, supports, waits or is turned away, and the episode gets its verdicts.

One transaction per episode. It begins by taking the user's turn at the revision whose index was read, so what was
compared against cannot have changed, and it ends by closing the episode, which only one worker can do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memory.actions import base, hold, remember
from memory.actions.source import Source
from memory.actor import SYSTEM
from memory.intake import neighbours, surroundings
from memory.intake.clean import fingerprint
from memory.intake.compare import compare
from memory.intake.screen import Finding
from memory.intake.types import Claim, Reason, Relation
from memory.intake.types import Verdict as Judgement
from memory.models import Conflict, Episode, Memory, Verdict
from memory.models.memory import MemoryStatus

Outcome = Verdict.Outcome
# what a caller says of a text in its metadata; it is no part of what is remembered
_FLAGS = ("external", "summary", "derived_from")


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one claim."""

    outcome: str
    reason: Reason
    memory: Memory | None = None
    conflict: Conflict | None = None


def admit(
    *,
    episode: Episode,
    source_class: str,
    verdict: Judgement,
    claims: Sequence[Claim],
    findings: Sequence[Finding],
    now: datetime,
) -> None:
    """Writes the outcome of every claim; `source_class` is that of what the episode was made from.

    Raises Stale, with nothing written, when the user's memories moved."""
    user = episode.user
    user.refresh_from_db(fields=["revision"])
    index = neighbours.Neighbours(user)
    with transaction.atomic():
        base.take_turn(user, expected=user.revision)
        # an episode that is judged again keeps its earlier verdicts
        first = episode.verdicts.count() if episode.judged_at else 0
        if not claims:
            _write(episode, verdict, first, None, Fate(Outcome.REJECTED, verdict.reason), now)
        for position, claim in enumerate(claims):
            mine = [finding for finding in findings if finding.claim_index == position]
            fate = _fate(Source(episode, claim.quote, source_class), claim, mine, index, now)
            _write(episode, verdict, first + position, claim, fate, now)
        close(episode, now)


def close(episode: Episode, now: datetime) -> None:
    """Marks the episode judged; raises Stale when another worker has done so."""
    waiting = Episode.objects.filter(pk=episode.pk, judging=Episode.Judging.PENDING)
    if waiting.update(judging=Episode.Judging.JUDGED, judged_at=now, error="") != 1:
        raise base.Stale("The episode was judged meanwhile.")


def _fate(source: Source, claim: Claim, findings: Sequence[Finding], index, now: datetime) -> Fate:
    episode = source.episode
    step = {"actor": SYSTEM, "now": now}
    for finding in findings:
        if finding.action == "block":
            return Fate(Outcome.REJECTED, finding.reason)
    held = next((finding for finding in findings if finding.action == "hold"), None)
    if held is None and (waiting := _open_without_memory(episode, claim)):
        source.attach(conflict=waiting, now=now)
        return Fate(Outcome.QUEUED, Reason("already_waiting"), conflict=waiting)
    if held:
        conflict = hold.hold(
            user=episode.user, kind=held.kind, claim=claim, source=source, reason=held.reason,
            against=Episode.objects.filter(pk__in=held.against, workspace_id=episode.workspace_id), **step,
        )  # fmt: skip
        return Fate(Outcome.QUEUED, held.reason, conflict=conflict)
    labels = [finding.screen_id for finding in findings]
    return _by_relation(episode, claim, source, index, labels, now)


def _by_relation(episode: Episode, claim: Claim, source: Source, index, labels: Sequence[str], now: datetime) -> Fate:
    step = {"actor": SYSTEM, "now": now}
    relations = compare(claim, episode.event_time, index.of(claim))
    strongest = relations[0] if relations else None
    known = Memory.objects.filter(
        user=episode.user, fingerprint=fingerprint(claim.text), status=MemoryStatus.ACTIVE
    ).first()
    if known or (strongest and strongest.kind.says_nothing_new):
        memory = known or index.memory(strongest.held_id)
        reason = strongest.reason if strongest and strongest.kind.says_nothing_new else Reason("same_words")
        return Fate(Outcome.DUPLICATE, reason, memory=remember.support(memory=memory, source=source, **step))
    if strongest and strongest.kind.needs_a_person:
        return _against(episode, claim, source, strongest, index.memory(strongest.held_id), labels, now)
    memory = remember.remember(
        user=episode.user, claim=claim, source=source, metadata=_metadata(episode), labels=labels,
        told=surroundings.told_before(episode), **step,
    )  # fmt: skip
    index.add(memory)
    return Fate(Outcome.ADD, strongest.reason if strongest else Reason("new_to_user"), memory=memory)


def _against(episode, claim, source, relation: Relation, held: Memory, labels, now: datetime) -> Fate:
    if relation.older:
        memory = remember.remember(
            user=episode.user, claim=claim, source=source, superseded_by=held, actor=SYSTEM, now=now,
            metadata=_metadata(episode), labels=labels, reason="older than what is held",
        )  # fmt: skip
        return Fate(Outcome.ADD, relation.reason, memory=memory)
    conflict = hold.hold(
        user=episode.user, kind=Conflict.Kind.CONTRADICTION, claim=claim, source=source, reason=relation.reason,
        memory=held, suggestion=relation.suggestion, suggestion_reason=relation.suggestion_reason, actor=SYSTEM,
        now=now, metadata=_metadata(episode),
    )  # fmt: skip
    return Fate(Outcome.QUEUED, relation.reason, memory=held, conflict=conflict)


def _open_without_memory(episode: Episode, claim: Claim) -> Conflict | None:
    """A claim that waits on its own must not slip in by being said again."""
    return Conflict.objects.filter(
        user=episode.user, memory=None, fingerprint=fingerprint(claim.text), status=Conflict.Status.OPEN
    ).first()


def _metadata(episode: Episode) -> dict:
    return {name: value for name, value in episode.metadata.items() if name not in _FLAGS}


def _write(episode, verdict: Judgement, position: int, claim: Claim | None, fate: Fate, now: datetime) -> None:
    by_rule = claim.rule if claim else ""
    Verdict.objects.create(
        workspace_id=episode.workspace_id, user=episode.user, episode=episode, position=position,
        outcome=fate.outcome, text=claim.text if claim else episode.content[:2000],
        category=(claim.category if claim else verdict.category) or "", judge="rules" if by_rule else verdict.judge,
        rule=by_rule or verdict.rule, fallback=verdict.fallback,
        key_answer=verdict.key[:200], query_answer=verdict.query, value_answer=verdict.value,
        reason_code=fate.reason.code, reason_params=fate.reason.params, memory=fate.memory, conflict=fate.conflict,
        created_at=now,
    )  # fmt: skip
