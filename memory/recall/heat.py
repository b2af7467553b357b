"""How warm a memory is: hits that fade with time. Recalls are counted later, by a job, never while an agent waits."""

from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F

from memory.models import HitDay, Memory, Recall, RecallHit
from memory.policy import policy_of
from memory.recall.log import NEIGHBOUR

BATCH = 500


def cooled(heat: float, *, since: datetime | None, now: datetime, half_life_days: float) -> float:
    """`heat` after the time since it was measured: halved every `half_life_days`."""
    if since is None:
        return 0.0
    days = max((now - since).total_seconds(), 0) / 86400
    return heat * 0.5 ** (days / half_life_days)


def fold(now: datetime) -> int:
    """Adds the hits of recalls not yet counted to their memories; answers how many recalls that were.

    A recall is counted once: the conditional UPDATE claims it in the transaction that counts it.
    """
    folded = 0
    waiting = Recall.objects.filter(folded=False).select_related("workspace").order_by("created_at")[:BATCH]
    for recall in waiting:
        with transaction.atomic():
            if Recall.objects.filter(pk=recall.pk, folded=False).update(folded=True) != 1:
                continue
            half_life = policy_of(recall.workspace).heat_half_life_days
            told = RecallHit.objects.filter(recall=recall, withheld=False)
            hits = told.exclude(reason_code=NEIGHBOUR).select_related("memory")
            day = recall.created_at.astimezone(UTC).date()
            HitDay.objects.bulk_create(
                [HitDay(memory_id=hit.memory_id, day=day) for hit in hits], ignore_conflicts=True
            )
            for hit in hits:
                _warm(hit.memory, at=recall.created_at, half_life_days=half_life)
        folded += 1
    return folded


def _warm(memory: Memory, *, at: datetime, half_life_days: float) -> None:
    # Recalls may be counted out of order; heat is kept as of the latest moment so that it never runs backwards.
    moment = max(at, memory.heat_at or at)
    heat = cooled(memory.heat, since=memory.heat_at, now=moment, half_life_days=half_life_days)
    gain = cooled(1.0, since=at, now=moment, half_life_days=half_life_days)
    Memory.objects.filter(pk=memory.pk, workspace_id=memory.workspace_id, user_id=memory.user_id).update(
        heat=heat + gain, heat_at=moment, hits=F("hits") + 1, last_hit_at=moment
    )
