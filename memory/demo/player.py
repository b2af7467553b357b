"""Plays the stories: events and searches over HTTP with real agent keys, judged in order, some conflicts decided."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from memory.actions import settle
from memory.actor import SYSTEM, Actor
from memory.api import keys
from memory.demo import clock
from memory.demo.script import Step, event_of
from memory.intake import run
from memory.models import AgentKey, Conflict, EndUser, Membership, Workspace
from memory.recall import heat

REVIEWER = "demo-reviewer"


@dataclass(slots=True)
class Played:
    events: int = 0
    searches: int = 0
    decisions: int = 0


class DemoFailed(Exception):
    """A step of a story was refused; the message names the step and the answer."""


def play(workspace: Workspace, steps: list[Step], *, now: datetime, progress: Callable[[int, int], None]) -> Played:
    """Replays the steps as if the last of them had happened just before `now`. Raises DemoFailed.

    Each person's words are judged before the next step, so that a search finds what was said before it.
    """
    began = now - steps[0].ago - timedelta(hours=1)
    with clock.at(began):
        agents = {agent: _key(workspace, agent) for agent in sorted({step.agent for step in steps})}
        reviewer = _reviewer(workspace)
    played = Played()
    day = began
    try:
        for number, step in enumerate(steps, start=1):
            moment = now - step.ago
            with clock.at(moment):
                if moment - day > timedelta(days=1):
                    day = moment
                    heat.fold(moment)
                _step(workspace, step, moment, agents[step.agent][1], reviewer, played)
            progress(number, len(steps))
        heat.fold(now)
    finally:
        for key, _ in agents.values():
            keys.revoke(key=key, actor=SYSTEM, now=timezone.now())
    return played


def _step(workspace: Workspace, step: Step, moment: datetime, secret: str, reviewer, played: Played) -> None:
    if step.kind == "search":
        body = {"user_id": step.user_id, "run_id": step.run_id, "agent_id": step.agent, "query": step.line["search"]}
        _post("/api/v1/memories/search", body, secret)
        played.searches += 1
    elif step.kind == "decide":
        _decide(workspace, step, moment, reviewer)
        played.decisions += 1
    else:
        said = now_or_then(step, moment)
        _post("/api/v1/events", event_of(step, said.isoformat()), secret)
        run.drain(EndUser.objects.get(workspace=workspace, external_id=step.user_id).pk)
        played.events += 1


def now_or_then(step: Step, moment: datetime) -> datetime:
    """When the step was said: as it arrived, or `said_days_ago` for what arrives late."""
    late = step.line.get("said_days_ago")
    return moment if late is None else moment + step.ago - timedelta(days=late)


def _post(path: str, body: dict, secret: str) -> None:
    host = (settings.ALLOWED_HOSTS or ["localhost"])[0].lstrip(".*") or "localhost"
    response = Client(SERVER_NAME=host).post(
        path, json.dumps(body), content_type="application/json", headers={"Authorization": f"Bearer {secret}"}
    )
    if response.status_code >= 300:
        raise DemoFailed(f"{path} answered {response.status_code} to {body}: {response.content.decode()[:500]}")


def _decide(workspace: Workspace, step: Step, moment: datetime, reviewer) -> None:
    claim = step.line["claim"]
    waiting = Conflict.objects.filter(workspace=workspace, user__external_id=step.user_id, text__contains=claim)
    conflict = waiting.filter(status=Conflict.Status.OPEN).order_by("opened_at").first()
    if conflict is None:
        raise DemoFailed(f"{step.user_id}: no open conflict contains {claim!r}")
    actor = Actor(kind="person", id=str(reviewer.pk), label=reviewer.get_full_name())
    settle.settle(
        conflict=conflict, choice=step.line["decide"], person=reviewer, actor=actor, now=moment,
        expected_version=conflict.version, text=step.line.get("text", ""), reason=step.line["reason"],
    )  # fmt: skip


def _key(workspace: Workspace, agent: str) -> tuple[AgentKey, str]:
    return keys.issue(
        workspace=workspace, name=agent, scopes=[AgentKey.READ, AgentKey.WRITE], actor=SYSTEM, now=timezone.now()
    )


def _reviewer(workspace: Workspace):
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
