"""Change what a workspace's screens do with what they find, when it archives, and how its people review."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from memory.actions.base import Stale
from memory.actor import Actor
from memory.audit import log
from memory.intake.screen import DEFAULT_ACTIONS
from memory.models import Workspace
from memory.policy import Policy, policy_of


def screens_of(workspace: Workspace) -> dict[str, str]:
    """What every screen does in the workspace, by its id: block, hold or label."""
    return DEFAULT_ACTIONS | policy_of(workspace).screens


ARCHIVING = ("archive_on", "archive_below", "archive_days")


def archiving_of(workspace: Workspace) -> dict[str, bool | float | int]:
    """Whether the workspace archives by night, and its limits, by the policy's names."""
    return policy_of(workspace).model_dump(include=set(ARCHIVING))


@transaction.atomic
def set_archiving(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores when the workspace archives; false when nothing changes.

    `wanted` holds all of ARCHIVING, as the policy reads them. Raises Stale when they are not `shown` any more, and
    ValueError on a value the policy refuses.
    """
    return _store(workspace, ARCHIVING, "workspace.archiving", shown, wanted, actor, now)


REVIEWING = ("second_person", "undo_minutes")


def reviewing_of(workspace: Workspace) -> dict[str, str | int]:
    """When a decision waits for a second person, and how long its decider may undo one, by the policy's names."""
    return policy_of(workspace).model_dump(include=set(REVIEWING))


@transaction.atomic
def set_reviewing(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores all of REVIEWING, as `set_archiving` does its own."""
    return _store(workspace, REVIEWING, "workspace.reviewing", shown, wanted, actor, now)


def _store(workspace, names: Sequence[str], action: str, shown, wanted, actor: Actor, now: datetime) -> bool:
    locked = Workspace.objects.select_for_update().get(pk=workspace.pk)
    before = policy_of(locked).model_dump(include=set(names))
    after = Policy(**locked.settings | {name: wanted[name] for name in names}).model_dump(include=set(names))
    if before != dict(shown):
        raise Stale("These settings were changed meanwhile.")
    changed = [name for name in names if after[name] != before[name]]
    if not changed:
        return False
    settings = locked.settings | after
    Workspace.objects.filter(pk=locked.pk).update(settings=settings)
    workspace.settings = settings
    log.record(
        workspace=workspace, actor=actor, action=action, now=now, object_type="workspace", object_id=workspace.pk,
        before={name: before[name] for name in changed}, after={name: after[name] for name in changed},
    )  # fmt: skip
    return True


@transaction.atomic
def set_screens(
    *, workspace: Workspace, shown: Mapping[str, str], wanted: Mapping[str, str], actor: Actor, now: datetime
) -> bool:
    """Stores the actions of all screens; false when nothing changes.

    Raises Stale when they are not `shown` any more: somebody else changed them since the page was read. Raises
    ValueError on an unknown screen or action.
    """
    locked = Workspace.objects.select_for_update().get(pk=workspace.pk)
    before = screens_of(locked)
    if before != dict(shown):
        raise Stale("The screens were changed meanwhile.")
    own = {id: action for id, action in wanted.items() if DEFAULT_ACTIONS.get(id) != action}
    settings = locked.settings | {"screens": own}
    Policy(**settings)
    after = before | dict(wanted)
    changed = [id for id in after if after[id] != before[id]]
    if not changed:
        return False
    Workspace.objects.filter(pk=locked.pk).update(settings=settings)
    workspace.settings = settings
    log.record(
        workspace=workspace, actor=actor, action="workspace.screens", now=now, object_type="workspace",
        object_id=workspace.pk, before={id: before[id] for id in changed}, after={id: after[id] for id in changed},
    )  # fmt: skip
    return True
