"""`manage.py export_user`: all that is held of one user, as a zip of JSON lines with a manifest."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actor import SYSTEM
from memory.audit import log
from memory.erasure import export
from memory.models import EndUser, Workspace


class Command(BaseCommand):
    help = "Writes all that is held of a user into a zip: JSON lines by table, and a manifest with SHA-256s."

    def add_arguments(self, parser):
        parser.add_argument("user_id", help="the id agents use")
        parser.add_argument("file", type=Path, help="where to write; must not exist")
        parser.add_argument("--workspace", default="default", help="slug of the workspace (default: default)")

    def handle(self, *, user_id: str, file: Path, workspace: str, **options):
        place = Workspace.objects.filter(slug=workspace).first()
        if place is None:
            raise CommandError(f"There is no workspace {workspace!r}.")
        user = EndUser.objects.select_related("workspace").filter(workspace=place, external_id=user_id).first()
        if user is None:
            raise CommandError(f"Nothing is held of {user_id!r} in {workspace!r}.")
        now = timezone.now()
        try:
            with file.open("xb") as out:
                manifest = export.write(user, out, now=now)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}.") from error
        rows = sum(each["rows"] for each in manifest["files"])
        log.record(
            workspace=place, actor=SYSTEM, action="user.export", now=now, object_type="end_user", object_id=user.pk,
            after={"rows": rows},
        )  # fmt: skip
        self.stdout.write(f"{rows} rows in {len(manifest['files'])} files: {file}")
