"""`manage.py forget_user`: erases all that is held of one user, for good, and says what went."""

import time

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actions import forget
from memory.actions.base import Stale
from memory.actor import SYSTEM
from memory.models import EndUser, Erasure, Workspace

PART = 60.0  # seconds of work between two looks at how far it is


class Command(BaseCommand):
    help = "Erases all that is held of a user, for good: rows, vectors, working memory, words in the audit."

    def add_arguments(self, parser):
        parser.add_argument("user_id", help="the id agents use")
        parser.add_argument("--workspace", default="default", help="slug of the workspace (default: default)")
        parser.add_argument("--reason", choices=Erasure.Reason.values, default=Erasure.Reason.REQUEST)
        parser.add_argument("--yes", action="store_true", help="do not ask for the id once more")
        parser.add_argument("--was-erased", action="store_true", help="only say whether this id was erased before")

    def handle(self, *, user_id: str, workspace: str, reason: str, yes: bool, was_erased: bool, **options):
        place = Workspace.objects.filter(slug=workspace).first()
        if place is None:
            raise CommandError(f"There is no workspace {workspace!r}.")
        if was_erased:
            return self._tell(place, user_id)
        user = EndUser.objects.select_related("workspace").filter(workspace=place, external_id=user_id).first()
        if user is None:
            raise CommandError(f"Nothing is held of {user_id!r} in {workspace!r}.")
        if not yes and input(f"This erases all of {user_id!r} and cannot be undone. Type the id: ") != user_id:
            raise CommandError("This is not the id. Nothing was erased.")
        try:
            erasure = forget.forget_user(user=user, actor=SYSTEM, reason_code=reason, now=timezone.now())
        except Stale as stale:
            raise CommandError(str(stale)) from stale
        while not forget.carry_out(erasure, now=timezone.now(), until=time.monotonic() + PART):
            erasure.refresh_from_db()
            self.stderr.write("still erasing …")
        erasure.refresh_from_db()
        for model, rows in (erasure.counts or {}).items():
            self.stdout.write(f"{model}\t{rows}")
        self.stdout.write(f"Erased, as erasure {erasure.pk}.")

    def _tell(self, place: Workspace, user_id: str) -> None:
        found = Erasure.objects.filter(workspace=place, name_digest=forget.digest_of(place, user_id))
        for erasure in found.order_by("asked_at"):
            self.stdout.write(f"{erasure.asked_at.isoformat()}\t{erasure.pk}\t{erasure.reason_code}")
        if not found:
            self.stdout.write("This id was never erased here.")
