"""Remember while the caller waits: record, judge at once, and tell what became of every claim."""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from memory import reasons
from memory.api import idempotency, incoming
from memory.api.answers import PENDING, AddedOut
from memory.api.recording import record_for
from memory.intake import run
from memory.models import AgentKey, EndUser, Episode, Verdict

WAIT_SECONDS = 3.0


def add(request: Request, bodies: Sequence[dict[str, Any]], shape) -> tuple[dict[str, Any], int]:
    """Stores the bodies in one transaction, judges them, and answers `shape(items)` with its status."""
    groups = [incoming.of_messages(body) for body in bodies]
    with transaction.atomic():
        events = [event for group in groups for event in group]
        flat = record_for(request, events, action="memory.ask", now=timezone.now())
        episodes = _regroup(flat, [len(group) for group in groups])
        idempotency.keep(request, shape([[_waiting(episode) for episode in group] for group in episodes]))
    _judge(flat)
    items, judged = _outcomes(episodes, may_read=AgentKey.READ in request.auth.scopes)
    return shape(items), 200 if judged else 202


def _regroup(flat: Sequence[Episode], sizes: Sequence[int]) -> list[list[Episode]]:
    left = iter(flat)
    return [[next(left) for _number in range(size)] for size in sizes]


def _judge(episodes: Sequence[Episode]) -> None:
    """Judges user by user until WAIT_SECONDS are over; what is left then is a worker's."""
    ends = time.monotonic() + WAIT_SECONDS
    by_user: dict[EndUser, list[Episode]] = defaultdict(list)
    for episode in episodes:
        by_user[episode.user].append(episode)
    for user, mine in by_user.items():
        left = ends - time.monotonic()
        if left > 0:
            run.judge_now(user, episodes=mine, wait_seconds=left)


def _outcomes(groups: Sequence[Sequence[Episode]], *, may_read: bool) -> tuple[list[list[dict[str, Any]]], bool]:
    ids = [episode.pk for group in groups for episode in group]
    verdicts: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in Verdict.objects.filter(episode_id__in=ids).order_by("episode_id", "position"):
        verdicts[verdict.episode_id].append(verdict)
    items = [
        [
            shown
            for episode in group
            for shown in [_outcome(verdict, may_read) for verdict in verdicts[episode.pk]] or [_waiting(episode)]
        ]
        for group in groups
    ]
    return items, all(verdicts[id] for id in ids)


def _outcome(verdict: Verdict, may_read: bool) -> dict[str, Any]:
    """One result. Its reason quotes what is held only to a key that may read it, and what was rejected to none."""
    quoted = {name: value for name, value in verdict.reason_params.items() if name != "text"} if may_read else {}
    kept = verdict.outcome in (Verdict.Outcome.ADD, Verdict.Outcome.DUPLICATE)
    return AddedOut(
        {
            "id": verdict.memory_id if kept else None,
            "memory": verdict.text,
            "event": verdict.outcome,
            "reason": reasons.render(verdict.reason_code, quoted),
            "reason_code": verdict.reason_code,
            "conflict_id": verdict.conflict_id,
            "event_id": verdict.episode_id,
            "judge": verdict.judge,
            "fallback": verdict.fallback,
        }
    ).data


def _waiting(episode: Episode) -> dict[str, Any]:
    return AddedOut(
        {
            "id": None,
            "memory": episode.content,
            "event": PENDING,
            "reason": _("It is recorded, and will be judged."),
            "reason_code": "pending",
            "conflict_id": None,
            "event_id": episode.pk,
            "judge": "",
            "fallback": "",
        }
    ).data
