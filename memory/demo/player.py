"""Plays the stories: events and searches over HTTP with real agent keys, judged in order, some conflicts
decided on the reviewer's page."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory.actions import defer
from memory.actor import SYSTEM, Actor
from memory.api import keys
from memory.demo import clock
from memory.demo.script import Step, event_of
from memory.intake import run
from memory.models import AgentKey, Conflict, EndUser, Membership, Workspace
from memory.recall import heat

REVIEWER = "demo-reviewer"
OVERDUE = 3


@dataclass(slots=True)
class Played:
    events: int = 0
    searches: int = 0
    decisions: int = 0


class DemoFailed(Exception):
    """A step of a story was refused; the message names the step and the answer."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What a play needs besides its steps: a client, a key for each agent, the person who decides."""

    workspace: Workspace
    host: str
    client: Client
    agents: dict[str, tuple[AgentKey, str]]
    reviewer: AbstractBaseUser


def play(workspace: Workspace, steps: list[Step], *, now: datetime, progress: Callable[[int, int], None]) -> Played:
    """Replays the steps as if the last of them had happened just before `now`. Raises DemoFailed.

    Each person's words are judged before the next step, so that a search finds what was said before it.
    """
    began = now - steps[0].ago - timedelta(hours=1)
    with clock.at(began):
        stage = _set(workspace, sorted({step.agent for step in steps}))
    played = Played()
    day = began
    try:
        for number, step in enumerate(steps, start=1):
            moment = now - step.ago
            with clock.at(moment):
                if moment - day > timedelta(days=1):
                    day = moment
                    heat.fold(moment)
                _act(stage, step, moment, played)
            progress(number, len(steps))
        heat.fold(now)
        _plan(stage, now)
    finally:
        for key, _ in stage.agents.values():
            keys.revoke(key=key, actor=SYSTEM, now=now)
    return played


def _set(workspace: Workspace, agents: list[str]) -> Stage:
    scopes = [AgentKey.READ, AgentKey.WRITE]
    issued = {
        agent: keys.issue(workspace=workspace, name=agent, scopes=scopes, actor=SYSTEM, now=timezone.now())
        for agent in agents
    }
    host = (settings.ALLOWED_HOSTS or ["localhost"])[0].lstrip(".*") or "localhost"
    return Stage(workspace, host, Client(SERVER_NAME=host), issued, _reviewer(workspace))


def _act(stage: Stage, step: Step, moment: datetime, played: Played) -> None:
    if step.kind == "search":
        asked = {"user_id": step.user_id, "run_id": step.run_id, "agent_id": step.agent, "query": step.line["search"]}
        _post(stage, step, "/api/v1/memories/search", asked)
        played.searches += 1
    elif step.kind == "decide":
        _decide(stage, step)
        played.decisions += 1
    else:
        _post(stage, step, "/api/v1/events", event_of(step, said_at(step, moment).isoformat()))
        run.drain(EndUser.objects.get(workspace=stage.workspace, external_id=step.user_id).pk, ask_model=False)
        played.events += 1


def said_at(step: Step, moment: datetime) -> datetime:
    """When the step was said: as it arrived, or `said_days_ago` for what arrives late."""
    late = step.line.get("said_days_ago")
    return moment if late is None else moment + step.ago - timedelta(days=late)


def _post(stage: Stage, step: Step, path: str, body: dict) -> None:
    _, secret = stage.agents[step.agent]
    response = stage.client.post(
        path, json.dumps(body), content_type="application/json", headers={"Authorization": f"Bearer {secret}"}
    )
    if response.status_code >= 300:
        raise DemoFailed(f"{path} answered {response.status_code} to {body}: {response.content.decode()[:500]}")


def _plan(stage: Stage, now: datetime) -> None:
    """The reviewer has put off all but the longest waiting: a team's queue is not overdue from end to end."""
    reviewer = Actor(kind="person", id=str(stage.reviewer.pk), label=stage.reviewer.get_full_name() or REVIEWER)
    waiting = Conflict.objects.filter(workspace=stage.workspace, status=Conflict.Status.OPEN).order_by("opened_at")
    for place, conflict in enumerate(waiting[OVERDUE:]):
        until = now + timedelta(hours=2 + 5 * place)
        defer.defer(conflict=conflict, until=until, actor=reviewer, now=now, reason="planned for the week")


def _decide(stage: Stage, step: Step) -> None:
    """Decides as the reviewer, with the form of the conflict's page."""
    claim = step.line["claim"]
    waiting = Conflict.objects.filter(
        workspace=stage.workspace, user__external_id=step.user_id, status=Conflict.Status.OPEN, text__contains=claim
    )
    conflict = waiting.order_by("opened_at").first()
    if conflict is None:
        raise DemoFailed(f"{step.user_id}: no open conflict contains {claim!r}")
    desk = Client(SERVER_NAME=stage.host)
    desk.force_login(stage.reviewer)
    desk.post(reverse("choose_workspace"), {"workspace": stage.workspace.pk})
    answer = desk.post(
        reverse("decide", args=[conflict.pk]),
        {
            "choice": step.line["decide"],
            "reason_code": step.line["reason"],
            "note": step.line.get("note", ""),
            "text": step.line.get("text", ""),
            "version": conflict.version,
        },
    )
    desk.logout()
    if answer.status_code != 302:
        raise DemoFailed(f"{step.user_id}: deciding {claim!r} was answered with {answer.status_code}")


def _reviewer(workspace: Workspace) -> AbstractBaseUser:
    """The person behind the demo's decisions: a member like any other, who cannot sign in."""
    reviewer, created = get_user_model().objects.get_or_create(
        username=REVIEWER, defaults={"first_name": "Demo", "last_name": "Reviewer"}
    )
    if created:
        reviewer.set_unusable_password()
        reviewer.save(update_fields=["password"])
    Membership.objects.get_or_create(
        workspace=workspace, person=reviewer, defaults={"role": Group.objects.get(name="Reviewer")}
    )
    return reviewer
