"""`manage.py demo`: fills a workspace with five weeks of conversations, through the agents' API."""

import logging
import time

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count
from django.utils import timezone

from memory.demo import player, script
from memory.models import Conflict, EndUser, Episode, Memory, Verdict, Workspace
from memory.models.memory import MemoryStatus

LOOK_AT = """What to look at (sign in, workspace "{workspace}"):
  Review queue     {open} claims that wait for a person
  zhou-wenjing     青霉素: an allergy, and weeks later the opposite
  tom-hargreaves   a refund that failed and was reported as done; a mail that gives the agent orders
  jonas-weber      habits that changed; a web page that asks for API keys; a decided misreport
  priya-raman      her sister's allergy, summed up as her own
  chen-mo          a decided conflict with its history, and an old chat that arrived late"""


class Command(BaseCommand):
    help = "Plays the demo's conversations into a workspace and judges them. Needs no worker and no LLM."

    def add_arguments(self, parser):
        parser.add_argument("--workspace", default="default", help="slug of the workspace, made when it does not exist")
        parser.add_argument("--force", action="store_true", help="play into a workspace that has events already")

    def handle(self, *, workspace: str, force: bool, **options):
        place, _ = Workspace.objects.get_or_create(slug=workspace, defaults={"name": workspace})
        steps = script.load()
        people = {step.user_id for step in steps}
        if EndUser.objects.filter(workspace=place, external_id__in=people).exists():
            raise CommandError(
                f"Workspace {workspace!r} has people of the demo already, so nothing was played. "
                "Use --workspace NAME for a fresh one."
            )
        if not force and Episode.objects.filter(workspace=place).exists():
            raise CommandError(
                f"Workspace {workspace!r} has events already, so nothing was played. "
                "Use --workspace NAME for a fresh one, or --force to add the demo to it all the same."
            )
        self.stdout.write(f"Playing {len(steps)} steps of {len(people)} people into {workspace!r} …")
        started = time.monotonic()
        logging.disable(logging.INFO)  # a line for every request would bury the progress
        try:
            played = player.play(place, steps, now=timezone.now(), progress=self._progress)
        except player.DemoFailed as error:
            raise CommandError(str(error)) from error
        finally:
            logging.disable(logging.NOTSET)
        self._summary(place, played, time.monotonic() - started)

    def _progress(self, done: int, total: int) -> None:
        if done % 50 == 0 or done == total:
            self.stdout.write(f"  {done:>4} of {total}")
            self.stdout.flush()

    def _summary(self, place: Workspace, played: player.Played, seconds: float) -> None:
        counts = dict(Verdict.objects.filter(workspace=place).values_list("outcome").annotate(Count("id")))
        waiting = Conflict.objects.filter(workspace=place, status=Conflict.Status.OPEN)
        active = Memory.objects.filter(workspace=place, status=MemoryStatus.ACTIVE).count()
        kinds = waiting.values_list("kind").annotate(number=Count("id")).order_by("-number", "kind")
        open_kinds = ", ".join(f"{number} {kind}" for kind, number in kinds)
        rows = [
            ("people", EndUser.objects.filter(workspace=place).count(), ""),
            ("events", played.events, f"in {seconds:.0f} s"),
            ("kept", counts.get("ADD", 0), f"{active} active now"),
            ("known already", counts.get("DUPLICATE", 0), "evidence added, no second memory"),
            ("queued", counts.get("QUEUED", 0), f"still open: {open_kinds}"),
            ("not kept", counts.get("REJECTED", 0), "greetings, questions, what-ifs, echoes …"),
            ("searches", played.searches, ""),
            ("decided", played.decisions, "by the demo's reviewer"),
        ]  # fmt: skip
        for name, number, note in rows:
            self.stdout.write(f"  {name:<14}{number:>5}  {note}".rstrip())
        self.stdout.write(LOOK_AT.format(workspace=place.slug, open=waiting.count()))
