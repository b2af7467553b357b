"""The worker's side of intake: one user's waiting episodes, in order, each through every step to its verdict."""

import logging
import math
import time
from contextlib import suppress
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone
from django_q.tasks import async_task

from memory import llm
from memory.actions.base import Stale
from memory.embedding import EmbedderUnavailable
from memory.index import serving
from memory.intake import admit, surroundings
from memory.intake.judges import Judges
from memory.intake.screen import screen
from memory.llm.judge import LONGEST
from memory.models import EndUser, Episode, Workspace
from memory.policy import policy_of
from memory.store import parts

# Longer than judging one episode can take. A worker that is killed leaves its lease to run out.
LEASE = timedelta(seconds=30 + (LONGEST * settings.LLM_TIMEOUT if llm.is_set_up() else 0))
# A job that kills its worker never reports a failure, so attempts are counted before the work, by us.
ATTEMPTS = 3
# Another writer moved the user's memories between reading and writing: read again, this often.
RETRIES = 8

log = logging.getLogger(__name__)


def drain(user_pk: int, *, until: float = math.inf, ask_model: bool = True) -> int:
    """Judges what waits of one user, oldest first, while no other process does; answers how many were judged.

    When another process holds the user's lease it answers 0 at once: that process looks again for new episodes
    after it has let go, so nothing recorded meanwhile is forgotten. No episode is begun after `until`, a moment of
    time.monotonic(). Without `ask_model` rules judge even where a language model is configured.
    """
    judged = 0
    tried: set[int] = set()
    judges = Judges(ask_model=ask_model)
    while time.monotonic() < until and _waiting(user_pk, tried).exists() and (lease := _take_lease(user_pk)):
        try:
            while (
                lease
                and time.monotonic() < until
                and (episode := _waiting(user_pk, tried).select_related("user__workspace", "session").first())
            ):
                tried.add(episode.pk)
                judged += _attempt(episode, judges)
                lease = _renew_lease(user_pk, lease)
        finally:
            # Only our own lease: when it ran out, another worker may hold the user by now.
            EndUser.objects.filter(pk=user_pk, intake_until=lease).update(intake_until=None)
    return judged


def judge_now(user: EndUser, *, episodes: list[Episode], wait_seconds: float = 3.0) -> bool:
    """Judges while the caller waits; false when these episodes could not be judged in time and a job will do it.

    Where a model is to be asked only workers ask it, and the caller waits for what they do: a question given up at
    the end of its patience would be paid for and asked again.
    """
    deadline = time.monotonic() + wait_seconds
    ids = [episode.pk for episode in episodes]
    while True:
        if not llm.is_set_up():
            drain(user.pk, until=deadline)
        if not Episode.objects.filter(pk__in=ids, judging=Episode.Judging.PENDING).exists():
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)


def is_waiting(user_pk: int) -> bool:
    return _waiting(user_pk, set()).exists()


def retry_parked(episode: Episode) -> bool:
    """Puts a parked episode back in line; false when it is not parked any more."""
    parked = Episode.objects.filter(pk=episode.pk, judging=Episode.Judging.PARKED)
    if parked.update(judging=Episode.Judging.PENDING, attempts=0, error="") != 1:
        return False
    async_task("memory.tasks.judge_user", episode.user_id, group="intake")
    return True


def retry_all_parked(workspace: Workspace, *, most: int = 5000) -> int:
    """Puts up to `most` parked episodes of the workspace back in line, the oldest first; answers how many."""
    parked = Episode.objects.filter(workspace=workspace, judging=Episode.Judging.PARKED)
    keys = dict(parked.order_by("recorded_at").values_list("pk", "user_id")[:most])
    back = 0
    for some in parts(list(keys)):
        back += parked.filter(pk__in=some).update(judging=Episode.Judging.PENDING, attempts=0, error="")
    for user_pk in dict.fromkeys(keys.values()):
        async_task("memory.tasks.judge_user", user_pk, group="intake")
    return back


def _waiting(user_pk: int, tried: set[int]):
    return Episode.objects.filter(user_id=user_pk, judging=Episode.Judging.PENDING).exclude(pk__in=tried).order_by("id")


def _take_lease(user_pk: int) -> datetime | None:
    now = timezone.now()
    free = EndUser.objects.filter(Q(intake_until=None) | Q(intake_until__lt=now), pk=user_pk)
    return now + LEASE if free.update(intake_until=now + LEASE) == 1 else None


def _renew_lease(user_pk: int, lease: datetime) -> datetime | None:
    until = timezone.now() + LEASE
    return until if EndUser.objects.filter(pk=user_pk, intake_until=lease).update(intake_until=until) == 1 else None


def _attempt(episode: Episode, judges: Judges) -> bool:
    """One try at one episode: true when it is judged. A failure is kept on the episode, the third one parks it."""
    waiting = Episode.objects.filter(pk=episode.pk, judging=Episode.Judging.PENDING)
    if episode.attempts >= ATTEMPTS:
        # It took its worker down three times, or the last failure could not be written.
        waiting.update(judging=Episode.Judging.PARKED, error=episode.error or "The worker died while judging this.")
        return False
    if waiting.filter(attempts=episode.attempts).update(attempts=F("attempts") + 1) != 1:
        return False
    try:
        _judge(episode, judges, timezone.now())
        return True
    except Exception as error:
        log.exception("judging failed", extra={"episode": episode.pk, "attempt": episode.attempts + 1})
        state = Episode.Judging.PARKED if episode.attempts + 1 >= ATTEMPTS else Episode.Judging.PENDING
        waiting.update(judging=state, error=f"{type(error).__name__}: {error}"[:2000])
        return False


def _judge(episode: Episode, judges: Judges, now: datetime) -> None:
    event = surroundings.event_of(episode)
    around = surroundings.gather(episode, now)
    if episode.infer:
        verdict, claims = judges.judge(episode, event, around)
    else:
        verdict, claims = surroundings.as_given(event)
    findings = screen(event, claims, around, policy_of(episode.user.workspace).screens)
    if claims and (embedder := serving.get_embedder()):
        # Made here so that it is at hand when the transaction needs it: no model runs while rows are locked.
        with suppress(EmbedderUnavailable):
            embedder.embed([claim.text for claim in claims])
    for _ in range(RETRIES):
        try:
            admit.admit(
                episode=episode, source_class=event.source_class, verdict=verdict, claims=claims,
                findings=findings, now=now,
            )  # fmt: skip
            return
        except Stale:
            continue
    raise Stale(f"Other writers were faster {RETRIES} times.")
