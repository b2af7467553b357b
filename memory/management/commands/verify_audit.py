"""`manage.py verify_audit`: is every event of the audit as it was sealed?"""

import sys
import time

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.audit import check, guard, heads
from memory.models import Workspace


class Command(BaseCommand):
    help = (
        "Reads every workspace's chain and its events and names the first that was edited, deleted or put in "
        "afterwards. Exits with 0 when all is as it was sealed, 1 when something is not, 2 when it cannot tell."
    )

    def add_arguments(self, parser):
        parser.add_argument("--workspace", help="slug of one workspace (default: all, and what is outside of them)")
        parser.add_argument("--heads", metavar="FILE", help="heads kept elsewhere (export_audit_heads; - for stdin)")

    def handle(self, *, workspace: str | None, **options):
        kept = self._kept(options["heads"])
        began, rows, broken = time.monotonic(), 0, 0
        names = dict(Workspace.objects.values_list("pk", "slug"))
        for chain in self._chains(workspace):
            report = check.check(chain, heads=kept.pop(chain, None), now=timezone.now())
            rows, broken = rows + report.rows, broken + report.broken
            self._say(names.get(chain, "outside of workspaces"), report)
        if not workspace and kept:
            broken += len(kept)
            self.stdout.write(self.style.ERROR(f"BROKEN: heads name chains that are gone: {sorted(map(str, kept))}"))
        for trigger in guard.missing():
            broken += 1
            self.stdout.write(
                self.style.ERROR(f"BROKEN: the trigger {trigger} is missing; `manage.py prepare` makes it")
            )
        self.stdout.write(f"{rows:,} sealed events compared in {time.monotonic() - began:.1f} s")
        if broken:
            sys.exit(1)

    def _say(self, name: str, report) -> None:
        more = f", {report.waiting:,} not sealed yet" if report.waiting else ""
        more += f", {report.erased:,} with erased text" if report.erased else ""
        more += f", {report.removed:,} removed by retention" if report.removed else ""
        counts = f"{report.rows:,} events in {report.seals:,} seals{more}"
        if report.broken:
            others = f", the first of {report.broken:,} faults" if report.broken > 1 else ""
            self.stdout.write(self.style.ERROR(f"BROKEN {name}: {report.first}{others} ({counts})"))
        elif report.seals or report.waiting:
            self.stdout.write(f"ok {name}: {counts}")

    def _chains(self, workspace: str | None) -> list[int | None]:
        if not workspace:
            return heads.chains()
        found = Workspace.objects.filter(slug=workspace).first()
        if found is None:
            raise CommandError(f"There is no workspace {workspace!r}.", returncode=2)
        return [found.pk]

    def _kept(self, file: str | None) -> dict:
        if not file:
            return {}
        try:
            with sys.stdin if file == "-" else open(file, encoding="utf-8") as lines:
                return heads.read(lines)
        except (OSError, UnicodeDecodeError, heads.BadHeads) as error:
            raise CommandError(f"{file}: {error}", returncode=2) from error
