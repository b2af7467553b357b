"""Events of long ago into the archive, as if each had been posted when it happened; the worker judges them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import connection, transaction
from psycopg.types.json import Jsonb

from memory import store
from memory.bulk import rows as rows_module
from memory.bulk.people import sessions_of, users_of
from memory.bulk.rows import BadRow, BadRows
from memory.intake.record import NewEvent, keep_tool_results, source_class_of
from memory.models import EndUser, Episode, Session, Workspace
from memory.policy import policy_of
from memory.working import get_working
from memory.working.base import turn_of

_COLUMNS = (
    "workspace_id", "user_id", "session_id", "agent_id", "kind", "role", "name", "status", "source_class", "content",
    "metadata", "event_time", "recorded_at", "infer", "judging", "attempts", "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedEpisodes:
    count: int
    users: int
    bad: list[BadRow]  # what was left out


def import_episodes(
    workspace: Workspace, rows: Iterable[Any], now: datetime, *, skip_bad: bool = False
) -> ImportedEpisodes:
    """Stores rows of the shape of `POST /events`, in order, in one transaction. None is a blank line.

    Raises BadRows, with nothing written, when any row is bad; with `skip_bad` those are left out and answered. The
    worker's sweep hands the episodes out to be judged within a minute. Only sessions that are still fresh come into
    working memory.
    """
    good, bad = rows_module.check(rows, partial(rows_module.event, now=now))
    if bad and not skip_bad:
        raise BadRows(bad)
    events = [event for _, event in good]
    with transaction.atomic():
        store.patient()
        users = users_of(workspace, {event.user_id for event in events})
        sessions = _sessions(workspace, users, events, now)
        values = (
            (
                workspace.pk, user.pk, sessions[user.pk, event.run_id], event.agent_id, event.kind, event.role,
                event.name, event.status, source_class_of(event), event.content, event.metadata,
                event.event_time or now, now, event.infer, "pending", 0, "",
            )
            for event in events
            for user in (users[event.user_id],)
        )  # fmt: skip
        _insert(values)
        _keep_tool_results(workspace, events, now)
        _keep_at_hand(workspace, events, users, sessions, now)
    return ImportedEpisodes(len(events), len(users), bad)


def _sessions(
    workspace: Workspace, users: dict[str, EndUser], events: Sequence[NewEvent], now: datetime
) -> dict[tuple[int, str], int]:
    wanted: dict[tuple[int, str], dict[str, Any]] = {}
    states: dict[tuple[int, str], Any] = {}
    for event in events:
        place, at = (users[event.user_id].pk, event.run_id), event.event_time or now
        known = wanted.setdefault(place, {"started_at": at, "last_event_at": at, "agent_id": event.agent_id})
        if at > known["last_event_at"]:
            known["last_event_at"] = at
        elif at < known["started_at"]:
            known["started_at"] = at
        if event.task_state is not None:
            states[place] = event.task_state
    found = sessions_of(workspace, wanted)
    for place, state in states.items():
        Session.objects.filter(pk=found[place]).update(task_state=state)
    return found


def _insert(values: Iterable[tuple]) -> None:
    if connection.vendor == "postgresql":
        place, empty = _COLUMNS.index("metadata"), Jsonb({})
        store.copy(
            Episode,
            _COLUMNS,
            ((*row[:place], Jsonb(row[place]) if row[place] else empty, *row[place + 1 :]) for row in values),
        )
    else:
        store.store([Episode(**dict(zip(_COLUMNS, row, strict=True))) for row in values])


def _keep_tool_results(workspace: Workspace, events: Sequence[NewEvent], now: datetime) -> None:
    """What is kept beside tools' results. COPY answers no ids, but gives them in the order of the rows."""
    if not any(event.tool_result for event in events):
        return
    stored = Episode.objects.filter(workspace=workspace, recorded_at=now).order_by("-id").only("workspace", "user")
    episodes = list(stored[: len(events)])[::-1]
    keep_tool_results([(episode, event.tool_result) for episode, event in zip(episodes, events, strict=True)])


def _keep_at_hand(workspace: Workspace, events, users, sessions, now: datetime) -> None:
    """Working memory of the sessions in which something was said lately; an import of old events has none."""
    policy = policy_of(workspace)
    since = now - timedelta(hours=policy.working_ttl_hours)
    fresh = {
        sessions[users[event.user_id].pk, event.run_id] for event in events if (event.event_time or now) > since
    }  # fmt: skip
    for session in Session.objects.filter(pk__in=fresh).order_by("pk"):
        latest = Episode.objects.filter(session=session, recorded_at=now).order_by("-id")[: policy.working_turns]
        get_working().push(session, [turn_of(episode) for episode in reversed(latest)], policy=policy, now=now)
