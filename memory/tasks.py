"""Every function that django-q calls: ids in, safe to run twice."""

import logging
import socket
import time
import traceback
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django_q.tasks import async_task

from memory import statistics
from memory.actions import dispute, forget, lineage
from memory.actions import rescore as actions_rescore
from memory.actor import Actor
from memory.audit import check, heads, remove, seal
from memory.files import checking, moving, shelf
from memory.graph import sync as graph
from memory.index import heal, sync
from memory.intake import rejudge, run
from memory.models import Change, EndUser, Episode, EpisodeFile, Erasure, HitDay, IdempotencyKey, WorkerBeat, Workspace
from memory.partitions import months
from memory.recall import heat, nightly
from memory.recall import log as recall_log
from memory.recall.keeping import REMEMBERED_DAYS
from memory.upkeep import days, trust
from memory.upkeep.jobs import kept
from memory.working.embedded import drop_expired

IDEMPOTENCY_DAYS = 2
SWEEP = 500
RESCORE_WINDOW = timedelta(hours=48)
EMBED_SECONDS = 50

log = logging.getLogger(__name__)


def judge_user(user_pk: int) -> int:
    """Judges what waits of one user; answers how many episodes were judged.

    A run ends well within a job's time limit, for a model may take its time; what waits then is the next run's.
    """
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    judged = run.drain(user_pk, until=until)
    if time.monotonic() >= until and run.is_waiting(user_pk):
        async_task("memory.tasks.judge_user", user_pk, group="intake")
    else:
        sync_graph(user_pk)
    return judged


def sync_graph(user_pk: int) -> bool:
    """Brings a user's graph up to date; a run that ends before that is followed by another. Answers whether it is."""
    if not EndUser.objects.filter(pk=user_pk).exists():
        return False
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    fresh = graph.sync(user_pk, until=until)
    if not fresh and time.monotonic() >= until:
        async_task("memory.tasks.sync_graph", user_pk, group="graph")
    return fresh


@kept
def sweep(*, older_than: timedelta = timedelta(seconds=20)) -> int:
    """Hands out again what a killed worker left behind; answers how many users have something waiting."""
    now = timezone.now()
    free = Q(user__intake_until=None) | Q(user__intake_until__lt=now)
    waiting = (
        Episode.objects.filter(free, judging=Episode.Judging.PENDING, recorded_at__lte=now - older_than)
        .values_list("user_id", flat=True)
        .distinct()[:SWEEP]
    )
    for user_pk in waiting:
        async_task("memory.tasks.judge_user", user_pk, group="intake")
    return len(waiting)


def take_over() -> int:
    """A worker starts: frees what an earlier one held and hands it out at once.

    Taking a lease from a live worker costs it nothing but its place: an episode is closed by one worker only.
    """
    EndUser.objects.exclude(intake_until=None).update(intake_until=None)
    return sweep(older_than=timedelta(0))


@kept
def sync_index() -> None:
    """Brings the vector database up to date; a run that ends before the outbox does is followed by another."""
    if sync.drain(timezone.now()):
        async_task("memory.tasks.sync_index", group="index")


@kept
def embed_missing(until: float | None = None) -> int:
    """Gives vectors to index entries that have none; answers how many.

    A run ends well within a job's time limit and is followed by others up to `until` (time.time(), by default within
    the minute); then it is the schedule's turn again, so that runs cannot multiply.
    """
    until = until or time.time() + EMBED_SECONDS
    done, left = heal.embed_missing(until=time.monotonic() + settings.Q_TIMEOUT / 3)
    if left and time.time() < until:
        async_task("memory.tasks.embed_missing", until, group="index")
    return done


def open_dispute(user_pk: int, subject: str, attribute: str) -> bool:
    """Asks a person which of a user's memories of one thing is true; false when that is asked or settled already."""
    user = EndUser.objects.select_related("workspace").get(pk=user_pk)
    return dispute.open_dispute(user=user, subject=subject, attribute=attribute, now=timezone.now()) is not None


def mark_dependants(step: list[list], change_pk: int) -> int:
    """Goes on marking what rests on memories that moved, where one transaction did not reach them all; answers how
    many were met. `step`: (memory met, its root, the root's version before, the reason)."""
    change = Change.objects.filter(pk=change_pk).first()
    if change is None:
        return 0
    hurt = {UUID(root): (version, code) for _met, root, version, code in step}
    frontier = {(UUID(met), UUID(root)) for met, root, _version, _code in step}
    return lineage.mark(hurt, change=change, now=timezone.now(), frontier=frontier)


@kept
def rescore() -> int:
    """Hands out the sources whose record has moved since the day before, or the whole workspace when its weights were
    changed; answers how many. The days overlap, for counting twice changes nothing."""
    since, handed = timezone.now() - RESCORE_WINDOW, 0
    for workspace in Workspace.objects.all():
        if actions_rescore.reweighed(workspace, since=since):
            async_task("memory.tasks.rescore_all", workspace.pk, group="lineage")
            handed += 1
            continue
        for source in actions_rescore.moved_sources(workspace, since=since):
            async_task("memory.tasks.rescore_source", workspace.pk, source, group="lineage")
            handed += 1
    return handed


def rescore_source(workspace_pk: int, source: str, after: str = "") -> None:
    """Counts the credibility of a source's memories anew; a run that ends before they do is followed by another."""
    workspace = Workspace.objects.get(pk=workspace_pk)
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    while after := actions_rescore.rescore(workspace=workspace, source=source, after=after, now=timezone.now()):
        if time.monotonic() >= until:
            async_task("memory.tasks.rescore_source", workspace_pk, source, after, group="lineage")
            return


def rescore_all(workspace_pk: int, after: str = "") -> None:
    """Counts the credibility of all memories anew, after the weights of sources were changed."""
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    while after := actions_rescore.rescore_all(workspace_pk=workspace_pk, after=after, now=timezone.now()):
        if time.monotonic() >= until:
            async_task("memory.tasks.rescore_all", workspace_pk, after, group="lineage")
            return


def erase(erasure_pk: str) -> bool:
    """Goes on with an erasure; answers whether it is done. What cannot be reached now is tried again each minute."""
    erasure = Erasure.objects.select_related("workspace").filter(pk=erasure_pk, finished_at=None).first()
    if erasure is None:
        return True
    try:
        done = forget.carry_out(erasure, now=timezone.now(), until=time.monotonic() + settings.Q_TIMEOUT / 3)
    except Exception as error:
        # the job's own report would be the whole traceback, and what an error says may quote rows
        place = traceback.extract_tb(error.__traceback__)[-1]
        log.error("erasure %s: %s at %s:%s", erasure_pk, type(error).__name__, place.filename, place.lineno)
        Erasure.objects.filter(pk=erasure_pk).update(error=type(error).__name__[:120])
        return False
    if not done:
        async_task("memory.tasks.erase", erasure_pk, group="erasure")
    return done


@kept
def erase_waiting() -> int:
    """Hands out again the erasures that were cut off or could not reach a place; answers how many."""
    waiting = Erasure.objects.filter(finished_at=None, asked_at__lt=timezone.now() - timedelta(seconds=45))
    keys = [str(pk) for pk in waiting.order_by("asked_at").values_list("pk", flat=True)[:SWEEP]]
    for key in keys:
        async_task("memory.tasks.erase", key, group="erasure")
    return len(keys)


@kept
def judge_again() -> int:
    """Hands back what rules turned away while the language model was away; answers how many episodes."""
    return rejudge.hand_back(timezone.now())


@kept
def fold_heat() -> int:
    return heat.fold(timezone.now())


@kept
def archive_cold() -> int:
    """Archives what went cold in every workspace that wants it; a run that ends before all is seen is followed by
    another. Recalls not counted yet come first: nobody's memory goes the night it was asked for."""
    until, gone, finished = time.monotonic() + settings.Q_TIMEOUT / 3, 0, True
    while heat.fold(timezone.now()):
        if time.monotonic() >= until:
            async_task("memory.tasks.archive_cold", group="archive")
            return 0
    for workspace in Workspace.objects.order_by("pk"):
        taken, all_seen = nightly.run(workspace, now=timezone.now(), until=until)
        gone, finished = gone + taken, finished and all_seen
    # it goes on where this one stopped
    if not finished:
        async_task("memory.tasks.archive_cold", group="archive")
    return gone


@kept
def drop_recalls() -> int:
    """Deletes recalls that are older than their workspace keeps them; a run that ends before all are gone is followed
    by another."""
    until, gone = time.monotonic() + settings.Q_TIMEOUT / 3, 0
    for workspace in Workspace.objects.order_by("pk"):
        while dropped := recall_log.drop_old(workspace, now=timezone.now()):
            gone += dropped
            if time.monotonic() >= until:
                async_task("memory.tasks.drop_recalls", group="recall")
                return gone
    return gone


@kept
def seal_audit() -> int:
    """Chains what the audit has heard since; answers how many events. What there is no time for waits its turn."""
    return seal.seal(now=timezone.now(), until=time.monotonic() + settings.Q_TIMEOUT / 3)


@kept
def retire_audit() -> int:
    """Removes events that are older than their workspace keeps them; answers how many."""
    gone = remove.retire(now=timezone.now(), until=time.monotonic() + settings.Q_TIMEOUT / 3)
    if gone:
        # A run that took nothing would only be repeated.
        async_task("memory.tasks.retire_audit", group="audit")
    return gone


@kept
def verify_audit() -> None:
    """Hands out a verification of every workspace's chain."""
    for chain in heads.chains():
        async_task("memory.tasks.verify_chain", chain, group="audit")


def verify_chain(chain: int | None, after: int = 0, found: dict | None = None) -> None:
    """Verifies a chain; a run that ends before it does is followed by another, and the last keeps what all found."""
    until = time.monotonic() + settings.Q_TIMEOUT / 3
    check.go_on(chain, after=after, found=found or {}, now=timezone.now(), until=until)


@kept
def beat() -> None:
    """Says that this host's worker is alive; the console and /health/ready read it."""
    WorkerBeat.objects.update_or_create(name=socket.gethostname()[:120], defaults={"at": timezone.now()})


@kept
def tidy() -> None:
    """Removes what has expired, working memory and stored answers to repeated requests, and counts for the planner."""
    now = timezone.now()
    drop_expired(now)
    IdempotencyKey.objects.filter(created_at__lt=now - timedelta(days=IDEMPOTENCY_DAYS)).delete()
    HitDay.objects.filter(day__lt=(now - timedelta(days=REMEMBERED_DAYS)).date()).delete()
    statistics.refresh()


@kept
def count_days() -> int:
    """Counts what came in by day and how old and warm what is remembered is; answers how many days."""
    counted = 0
    for workspace in Workspace.objects.order_by("pk"):
        counted += days.count(workspace, now=timezone.now())
        trust.count_sources(workspace, now=timezone.now())
    return counted


@kept
def file_episodes() -> int:
    """Hands out the workspaces that keep old events in files, and checks files that were not for a week; answers how
    many were checked."""
    for workspace in Workspace.objects.order_by("pk"):
        if moving.old(workspace, now=timezone.now()).exists():
            async_task("memory.tasks.file_episodes_of", workspace.pk, group="files")
    return checking.check_due(now=timezone.now(), until=time.monotonic() + settings.Q_TIMEOUT / 3)


def bring_back_episodes(file_pk: int, person: str, name: str) -> int:
    """Puts the events of a file back that a person asked for; answers how many. One that is not as it was written stays
    where it is, with its fault."""
    file = EpisodeFile.objects.select_related("workspace").filter(pk=file_pk).first()
    if file is None or checking.check(file, now=timezone.now()):
        return 0
    return moving.bring_back(file, actor=Actor("person", person, name), now=timezone.now())


def file_episodes_of(workspace_pk: int) -> int:
    """Moves a workspace's old events into files; a run that ends before they do is followed by another."""
    workspace = Workspace.objects.get(pk=workspace_pk)
    until, moved = time.monotonic() + settings.Q_TIMEOUT / 3, 0
    shelf.sweep(workspace_pk)
    while file := moving.file_next(workspace, now=timezone.now()):
        moved += file.episodes
        if time.monotonic() >= until:
            async_task("memory.tasks.file_episodes_of", workspace_pk, group="files")
            break
    return moved


@kept
def make_partitions() -> list[str]:
    """Makes the episodes' partitions of the next months, where they have any; answers the new ones."""
    return months.make_ahead(months.AHEAD, timezone.now().date()) if months.is_partitioned() else []
