"""The way in: an event becomes an episode, a working-memory turn and a job, in one transaction.

Nothing is judged here, so the caller waits for one short transaction and no more.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django_q.tasks import async_task

from memory.models import EndUser, Episode, Session, ToolResult, Workspace
from memory.models.episode import SourceClass
from memory.policy import policy_of
from memory.working import get_working
from memory.working.base import turn_of

# Tools that bring in other people's text. First-party tools return the team's own data; these do not.
_EXTERNAL_TOOL = re.compile(
    r"(^|[_\-./: ])(fetch|browse|browser|web|http|url|crawl|scrape|google|bing|mail|email|inbox|imap|gmail|read_file|"
    r"filesystem|pdf|rss|slack|github|gitlab)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NewEvent:
    """One event as a caller sends it. `event_time` is aware; None means now. `infer` False keeps the text as one
    claim; it is screened and compared all the same."""

    user_id: str
    run_id: str
    role: str
    content: str
    kind: str = Episode.Kind.MESSAGE
    name: str = ""
    agent_id: str = ""
    status: str = Episode.Status.OK
    event_time: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    infer: bool = True
    task_state: dict[str, Any] | None = None
    # what memory/mcp/reading.py keeps of a tool's result, None for every other event
    tool_result: dict[str, Any] | None = None


def source_class_of(event: NewEvent) -> str:
    """The server's own answer to where a text comes from. A caller can only lower it (`external`, `summary`)."""
    if event.metadata.get("external") or event.metadata.get("url"):
        return SourceClass.EXTERNAL_CONTENT
    if event.kind == Episode.Kind.TOOL_RESULT or event.role == Episode.Role.TOOL:
        told = event.tool_result or {}
        outside = told.get("is_external") or _EXTERNAL_TOOL.search(f"{told.get('server', '')} {event.name}")
        return SourceClass.EXTERNAL_CONTENT if outside else SourceClass.TOOL_RETURN
    if event.role == Episode.Role.ASSISTANT:
        return SourceClass.LLM_SUMMARY if event.metadata.get("summary") else SourceClass.LLM_REASONING
    if event.role == Episode.Role.USER:
        return SourceClass.USER_INPUT
    return SourceClass.UNKNOWN


@transaction.atomic
def record(*, workspace: Workspace, events: Sequence[NewEvent], now: datetime) -> list[Episode]:
    """Stores the events in order and hands each user's to a worker; answers the episodes."""
    policy = policy_of(workspace)
    users = _users(workspace, events)
    sessions: dict[tuple[str, str], Session] = {}
    episodes = []
    for event in events:
        at = event.event_time or now
        place = (event.user_id, event.run_id)
        if place not in sessions:
            sessions[place] = _session(workspace, users[event.user_id], event, at)
        session = sessions[place]
        _move_session(session, at, event.task_state)
        episodes.append(
            Episode(
                workspace=workspace,
                user=users[event.user_id],
                session=session,
                agent_id=event.agent_id,
                kind=event.kind,
                role=event.role,
                name=event.name,
                status=event.status,
                content=event.content,
                source_class=source_class_of(event),
                metadata=event.metadata,
                event_time=at,
                recorded_at=now,
                infer=event.infer,
            )  # fmt: skip
        )
    episodes = Episode.objects.bulk_create(episodes)
    keep_tool_results([(episode, event.tool_result) for episode, event in zip(episodes, events, strict=True)])
    by_session = defaultdict(list)
    for episode in episodes:
        by_session[episode.session_id].append(episode)
    for group in by_session.values():
        get_working().push(group[0].session, [turn_of(episode) for episode in group], policy=policy, now=now)
    for user in users.values():
        # The job is a row of this same transaction: it exists exactly when its episodes do.
        async_task("memory.tasks.judge_user", user.pk, group="intake")
    return episodes


def keep_tool_results(pairs: Sequence[tuple[Episode, dict[str, Any] | None]]) -> None:
    """Stores what is kept of tools' results beside their episodes; needs the transaction of those."""
    kept = [
        ToolResult(workspace_id=episode.workspace_id, user_id=episode.user_id, episode_id=episode.pk, **told)
        for episode, told in pairs
        if told is not None
    ]
    if kept:
        ToolResult.objects.bulk_create(kept)


def _users(workspace: Workspace, events: Sequence[NewEvent]) -> dict[str, EndUser]:
    return {
        user_id: EndUser.objects.get_or_create(workspace=workspace, external_id=user_id)[0]
        for user_id in dict.fromkeys(event.user_id for event in events)
    }


def _session(workspace: Workspace, user: EndUser, event: NewEvent, at: datetime) -> Session:
    defaults = {"workspace": workspace, "agent_id": event.agent_id, "started_at": at, "last_event_at": at}
    return Session.objects.get_or_create(user=user, run_id=event.run_id, defaults=defaults)[0]


def _move_session(session: Session, at: datetime, task_state: dict[str, Any] | None) -> None:
    if at > session.last_event_at:
        Session.objects.filter(pk=session.pk, last_event_at__lt=at).update(last_event_at=at)
        session.last_event_at = at
    if task_state is not None:
        Session.objects.filter(pk=session.pk).update(task_state=task_state)
        session.task_state = task_state
