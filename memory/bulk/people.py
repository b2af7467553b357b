"""The users and sessions that an import names, made where they are missing."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from memory.models import EndUser, Session, Workspace

T = TypeVar("T")
CHUNK = 500


def users_of(workspace: Workspace, ids: Collection[str]) -> dict[str, EndUser]:
    """By external id. New ones are made in the order of their ids, so that two imports do not lock crosswise."""
    found: dict[str, EndUser] = {}
    for part in _chunks(sorted(set(ids))):
        known = EndUser.objects.filter(workspace=workspace, external_id__in=part)
        found |= {user.external_id: user for user in known}
        if missing := [EndUser(workspace=workspace, external_id=id) for id in part if id not in found]:
            EndUser.objects.bulk_create(missing, ignore_conflicts=True)
            found |= {user.external_id: user for user in known.all()}
    return found


def sessions_of(workspace: Workspace, wanted: Mapping[tuple[int, str], dict[str, Any]]) -> dict[tuple[int, str], int]:
    """Primary keys by (user's key, run id). `wanted` holds started_at, last_event_at and agent_id of each.

    A session that is there already is moved on to last_event_at, never back.
    """
    found: dict[tuple[int, str], int] = {}
    for part in _chunks(sorted(wanted)):
        before = _known(part)
        new = [place for place in part if place not in before]
        Session.objects.bulk_create(
            [Session(workspace=workspace, user_id=place[0], run_id=place[1], **wanted[place]) for place in new],
            ignore_conflicts=True,
        )
        for place, (pk, last) in before.items():
            _move(pk, last, wanted[place]["last_event_at"])
        found |= {place: pk for place, (pk, _) in (before | (_known(new) if new else {})).items()}
    return found


def _known(places: Sequence[tuple[int, str]]) -> dict[tuple[int, str], tuple[int, datetime]]:
    by_run: dict[str, set[int]] = defaultdict(set)
    for user_id, run_id in places:
        by_run[run_id].add(user_id)
    rows = Session.objects.filter(
        user_id__in={user_id for user_id, _ in places}, run_id__in=by_run
    ).values_list("user_id", "run_id", "pk", "last_event_at")  # fmt: skip
    return {(user_id, run_id): (pk, last) for user_id, run_id, pk, last in rows if user_id in by_run[run_id]}


def _move(pk: int, last: datetime, at: datetime) -> None:
    if at > last:
        Session.objects.filter(pk=pk, last_event_at__lt=at).update(last_event_at=at)


def _chunks(items: list[T]) -> Iterator[list[T]]:
    return (items[start : start + CHUNK] for start in range(0, len(items), CHUNK))
