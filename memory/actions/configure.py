"""Change a workspace's settings: its screens, archiving, ranking, its log of recalls, how long its audit is kept."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django_q.tasks import async_task

from memory.actions.base import Stale
from memory.actor import Actor
from memory.audit import log
from memory.intake.screen import DEFAULT_ACTIONS
from memory.models import Workspace
from memory.policy import Policy, policy_of
from memory.recall.scoring import RankingSettings


def screens_of(workspace: Workspace) -> dict[str, str]:
    """What every screen does in the workspace, by its id: block, hold or label."""
    return DEFAULT_ACTIONS | policy_of(workspace).screens


ARCHIVING = ("archive_on", "archive_below", "archive_days")
RECALL_LOG = ("recall_log_share", "recall_days")
RECALL_LOG_ACTION, RANKING_ACTION = "workspace.recall_log", "workspace.ranking"
WEIGHTS_ACTION = "workspace.weights"


def archiving_of(workspace: Workspace) -> dict[str, bool | float | int]:
    """Whether the workspace archives by night, and its limits, by the policy's names."""
    return _of(workspace, ARCHIVING)


def recall_log_of(workspace: Workspace) -> dict[str, float | int]:
    """The share of searches that is logged and for how many days, by the policy's names."""
    return _of(workspace, RECALL_LOG)


def ranking_of(workspace: Workspace) -> dict[str, float]:
    """Every ranking setting of the workspace, by its name."""
    return asdict(policy_of(workspace).ranking_settings())


def set_archiving(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores when the workspace archives; false when nothing changes.

    `wanted` holds all of ARCHIVING, as the policy reads them. Raises Stale when they are not `shown` any more, and
    ValueError on a value the policy refuses.
    """
    return _set(ARCHIVING, "workspace.archiving", workspace, shown, wanted, actor, now)


def set_recall_log(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores what of the searches is logged, as `set_archiving` does; `wanted` holds all of RECALL_LOG."""
    return _set(RECALL_LOG, RECALL_LOG_ACTION, workspace, shown, wanted, actor, now)


def set_ranking(
    *, workspace: Workspace, shown: Mapping[str, float], wanted: Mapping[str, float], actor: Actor, now: datetime
) -> bool:
    """Stores the ranking settings, as `set_archiving` does; `shown` and `wanted` are those of `ranking_of`.

    The audit keeps all that differ from the defaults, before and after, so that earlier settings can be taken up again.
    """
    own = {"ranking": _own_ranking(wanted)}
    return _set(("ranking",), RANKING_ACTION, workspace, {"ranking": _own_ranking(shown)}, own, actor, now)


def weights_of(workspace: Workspace) -> dict[str, float]:
    """What each source class is worth before any decision on a source, from 0 to 1, by the class's name."""
    return {str(name): weight for name, weight in policy_of(workspace).source_weights.items()}


@transaction.atomic
def set_weights(
    *, workspace: Workspace, shown: Mapping[str, float], wanted: Mapping[str, float], actor: Actor, now: datetime
) -> bool:
    """Stores the weights of all source classes, as `set_archiving` does; memories are counted anew by a job."""
    changed = _set(
        ("source_weights",), WEIGHTS_ACTION, workspace, {"source_weights": dict(shown)},
        {"source_weights": dict(wanted)}, actor, now,
    )  # fmt: skip
    if changed:
        async_task("memory.tasks.rescore_all", workspace.pk, group="lineage")
    return changed


RETENTION = ("episode_days",)


def retention_of(workspace: Workspace) -> dict[str, int]:
    """For how many days events stay in the database, 0 for ever, by the policy's name."""
    return _of(workspace, RETENTION)


def set_retention(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores all of RETENTION, as `set_archiving` does its own."""
    return _set(RETENTION, "workspace.retention", workspace, shown, wanted, actor, now)


REVIEWING = ("second_person", "undo_minutes", "second_look_share")


def reviewing_of(workspace: Workspace) -> dict[str, str | int]:
    """When a decision waits for a second person, how long its decider may undo it, and how many are looked at twice, by
    the policy's names."""
    return _of(workspace, REVIEWING)


def set_reviewing(
    *, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any], actor: Actor, now: datetime
) -> bool:
    """Stores all of REVIEWING, as `set_archiving` does its own."""
    return _set(REVIEWING, "workspace.reviewing", workspace, shown, wanted, actor, now)


def _own_ranking(values: Mapping[str, float]) -> dict[str, float]:
    usual = asdict(RankingSettings())
    return {name: value for name, value in values.items() if usual.get(name) != value}


def _of(workspace: Workspace, names: Collection[str]) -> dict[str, Any]:
    return policy_of(workspace).model_dump(include=set(names))


@transaction.atomic
def _set(
    names: Collection[str], action: str, workspace: Workspace, shown: Mapping[str, Any], wanted: Mapping[str, Any],
    actor: Actor, now: datetime,
) -> bool:  # fmt: skip
    locked = Workspace.objects.select_for_update().get(pk=workspace.pk)
    before = _of(locked, names)
    after = Policy(**locked.settings | {name: wanted[name] for name in names}).model_dump(include=set(names))
    if before != dict(shown):
        raise Stale("The settings were changed meanwhile.")
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
def set_audit_days(*, workspace: Workspace, shown: int, wanted: int, actor: Actor, now: datetime) -> bool:
    """Stores for how many days the audit is kept, 0 for ever; false when nothing changes.

    Raises Stale when it is not `shown` any more, and ValueError on a number the policy refuses.
    """
    locked = Workspace.objects.select_for_update().get(pk=workspace.pk)
    before = policy_of(locked).audit_days
    if before != shown:
        raise Stale("The audit's settings were changed meanwhile.")
    settings = locked.settings | {"audit_days": wanted}
    Policy(**settings)
    if wanted == before:
        return False
    Workspace.objects.filter(pk=locked.pk).update(settings=settings)
    workspace.settings = settings
    log.record(
        workspace=workspace, actor=actor, action="workspace.audit", now=now, object_type="workspace",
        object_id=workspace.pk, before={"audit_days": before}, after={"audit_days": wanted},
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
