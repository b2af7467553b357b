"""`manage.py import_memories FILE.jsonl`: memories of another system, one JSON object a line."""

import sys

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory import statistics
from memory.actor import SYSTEM
from memory.bulk import BadRow, BadRows, import_memories, read_lines
from memory.models import Workspace


class Command(BaseCommand):
    help = (
        "Remembers the lines of FILE (- for standard input), all or none: user_id and memory, and where known "
        "category, subject, attribute, value, source_class, event_time, valid_from, valid_to, agent_id, metadata. "
        "They are not judged; what is remembered already, waits for a reviewer or was rejected by one is left out."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--workspace", default="default", help="slug of the workspace (default: default)")
        parser.add_argument("--dry-run", action="store_true", help="check every line and write nothing")
        parser.add_argument("--skip-bad", action="store_true", help="leave out lines with faults instead of stopping")

    def handle(self, *, file: str, workspace: str, dry_run: bool, skip_bad: bool, **options):
        place = Workspace.objects.filter(slug=workspace).first()
        if place is None:
            raise CommandError(f"There is no workspace {workspace!r}.")
        try:
            with sys.stdin.buffer if file == "-" else open(file, "rb") as lines:
                done = import_memories(
                    place, read_lines(lines), SYSTEM, timezone.now(), label=f"imported from {file}", skip_bad=skip_bad,
                    dry_run=dry_run,
                )  # fmt: skip
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except BadRows as error:
            raise CommandError(f"Nothing was imported.\n{error}") from error
        if not dry_run:
            statistics.refresh()
        self._name("bad", done.bad)
        self._name("left out", done.skipped)
        verb = "would be imported" if dry_run else "imported"
        tail = "" if dry_run or not done.count else f" as {done.run_id}; the worker makes their vectors"
        self.stdout.write(f"{done.count} memories of {done.users} users {verb}{tail}.")

    def _name(self, what: str, rows: list[BadRow]) -> None:
        for row in rows:
            self.stderr.write(f"{what}: {row}")
