"""Events into files, and back."""

import uuid
from collections import Counter
from datetime import UTC, date, datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from memory.actor import SYSTEM, Actor
from memory.audit import log
from memory.files import shelf
from memory.files.line import lines, rows_of
from memory.models import (
    Conflict,
    EndUser,
    Episode,
    EpisodeFile,
    EpisodeFileUser,
    Evidence,
    Memory,
    Session,
    ToolResult,
    Verdict,
    Workspace,
)
from memory.policy import policy_of
from memory.store import patient

MOST = 5000  # events of one file


def old(workspace: Workspace, *, now: datetime) -> QuerySet[Episode]:
    """The events that may go: judged, of months that are over for as many days as the workspace keeps events, and
    nothing rests on them. Oldest first."""
    days = policy_of(workspace).episode_days
    if not days:
        return Episode.objects.none()
    kept_from = (now - timedelta(days=days)).astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    found = Episode.objects.filter(
        workspace=workspace, recorded_at__lt=kept_from, judging=Episode.Judging.JUDGED
    )  # fmt: skip
    for table in (Evidence, Conflict):
        found = found.exclude(Exists(table.objects.filter(episode=OuterRef("pk"))))
    return found.order_by("recorded_at", "pk")


def file_next(workspace: Workspace, *, now: datetime) -> EpisodeFile | None:
    """Moves the oldest month's next MOST events into a file; None when there is nothing to move, or when something came
    to rest on one of them meanwhile, which the next run sees."""
    try:
        return _file_next(workspace, now)
    except IntegrityError:
        return None


@transaction.atomic
def _file_next(workspace: Workspace, now: datetime) -> EpisodeFile | None:
    patient()
    shelf.take_turn(workspace.pk)
    first = old(workspace, now=now).first()
    if first is None:
        return None
    month = first.recorded_at.astimezone(UTC).date().replace(day=1)
    of_month = old(workspace, now=now).filter(recorded_at__lt=_next(month))
    wanted = dict(of_month.values_list("pk", "user")[:MOST])
    # whoever makes something rest on an event has the turn of its user (actions.base.take_turn)
    list(EndUser.objects.select_for_update().filter(pk__in=set(wanted.values())).order_by("pk").values_list("pk"))
    episodes = list(of_month.filter(pk__in=wanted))
    if not episodes:
        return None
    parts = EpisodeFile.objects.filter(workspace=workspace, month=month).order_by("-part")
    part = (parts.values_list("part", flat=True).first() or 0) + 1
    name = new_name(workspace.pk, month, part)
    written = shelf.write(name, lines(episodes))
    file = EpisodeFile.objects.create(
        workspace=workspace, month=month, part=part, name=name, episodes=len(episodes), bytes=written.bytes,
        sha256=written.sha256, written_at=now, checked_at=now,
    )  # fmt: skip
    index(file, Counter(episode.user_id for episode in episodes))
    ids = [episode.pk for episode in episodes]
    # not by Django's own delete, which would take along what has come to rest on them
    for table in (ToolResult, Verdict):
        table.objects.filter(episode__in=ids)._raw_delete(using="default")
    Episode.objects.filter(pk__in=ids)._raw_delete(using="default")
    _record(file, "episodes.file", SYSTEM, now)
    return file


def index(file: EpisodeFile, users: Counter) -> None:
    EpisodeFileUser.objects.bulk_create(
        EpisodeFileUser(file=file, user_pk=pk, episodes=n) for pk, n in sorted(users.items())
    )


def new_name(workspace_pk: int, month: date, part: int) -> str:
    return f"{workspace_pk}/{month:%Y-%m}.{part}.{uuid.uuid4().hex[:8]}.jsonl.gz"


@transaction.atomic
def bring_back(file: EpisodeFile, *, actor: Actor, now: datetime) -> int:
    """Puts a file's events back as they were, under their own ids, and removes the file; answers how many.

    What was of a user or a session that is gone stays away. Raises shelf.Faulty, with nothing done; 0 when somebody has
    brought it back already.
    """
    patient()
    shelf.take_turn(file.workspace_id)
    file = EpisodeFile.objects.filter(pk=file.pk).first()
    if file is None:
        return 0
    made = [rows_of(line) for line in shelf.read(file)]
    users = set(EndUser.objects.filter(workspace=file.workspace_id).values_list("pk", flat=True))
    sessions = {episode.session_id for episode, _beside in made}
    sessions = set(Session.objects.filter(pk__in=sessions).values_list("pk", flat=True))
    back = [(each, beside) for each, beside in made if each.user_id in users and each.session_id in sessions]
    Episode.objects.bulk_create([episode for episode, _beside in back], batch_size=500)
    rest = [row for _episode, beside in back for row in beside]
    ToolResult.objects.bulk_create([row for row in rest if isinstance(row, ToolResult)], batch_size=500)
    Verdict.objects.bulk_create(_whole([row for row in rest if isinstance(row, Verdict)]), batch_size=500)
    _record(file, "episodes.bring_back", actor, now)
    name = file.name
    file.delete()
    transaction.on_commit(lambda: shelf.remove(name))
    return len(back)


def _whole(verdicts: list[Verdict]) -> list[Verdict]:
    """A memory or conflict that is gone since is named no more."""
    for field, table in (("memory_id", Memory), ("conflict_id", Conflict)):
        named = {getattr(row, field) for row in verdicts} - {None}
        there = set(table.objects.filter(pk__in=named).values_list("pk", flat=True))
        for row in verdicts:
            if getattr(row, field) not in there:
                setattr(row, field, None)
    return verdicts


def _next(month: date) -> datetime:
    year, number = divmod(month.year * 12 + month.month, 12)
    return datetime(year, number + 1, 1, tzinfo=UTC)


def _record(file: EpisodeFile, action: str, actor: Actor, now: datetime) -> None:
    log.record(
        workspace=file.workspace, actor=actor, action=action, now=now, object_type="month",
        object_id=f"{file.month:%Y-%m}", after={"file": file.name, "episodes": file.episodes, "sha256": file.sha256},
    )  # fmt: skip
