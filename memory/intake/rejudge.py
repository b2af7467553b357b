"""What rules turned away while the model was away is judged again when it is back: only that could have been lost."""

from datetime import datetime

from django.db import transaction
from django_q.tasks import async_task

from memory import llm
from memory.actions.base import Stale
from memory.llm import client
from memory.models import Episode, Verdict

# Episodes handed back in one run: a long outage is worked off beside what comes in.
MOST = 200
# Each time the model goes away again an episode gets one verdict more, so this bounds them.
VERDICTS = 3


def hand_back(now: datetime, *, most: int = MOST) -> int:
    """Puts the oldest such episodes back in line once the model answers; answers how many."""
    if not llm.is_set_up():
        return 0
    lost = (
        Verdict.objects.filter(
            fallback=Verdict.Fallback.UNAVAILABLE, outcome=Verdict.Outcome.REJECTED, rejudged_at=None,
            reason_code__startswith="judge_", position__lt=VERDICTS,
        ).order_by("id")[:most]
    )  # fmt: skip
    if not lost or not client.get_model().answers():
        return 0
    users = [verdict.user_id for verdict in lost if _back_in_line(verdict, now)]
    for user_pk in dict.fromkeys(users):
        async_task("memory.tasks.judge_user", user_pk, group="intake")
    return len(users)


def _back_in_line(verdict: Verdict, now: datetime) -> bool:
    """The verdict stays, marked as replaced; false when another process has done this already."""
    try:
        with transaction.atomic():
            if Verdict.objects.filter(pk=verdict.pk, rejudged_at=None).update(rejudged_at=now) != 1:
                return False
            judged = Episode.objects.filter(pk=verdict.episode_id, judging=Episode.Judging.JUDGED)
            if judged.update(judging=Episode.Judging.PENDING, attempts=0, error="") != 1:
                raise Stale("The episode is in line already.")
    except Stale:
        return False
    return True
