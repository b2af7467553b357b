"""`manage.py agent_key`: makes a key for an agent. The secret is shown once; only its hash is stored."""

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actor import SYSTEM
from memory.api import keys
from memory.models import AgentKey, Workspace

SCOPES = (AgentKey.READ, AgentKey.WRITE)


class Command(BaseCommand):
    help = "Makes an agent's key and prints its secret, alone, on standard output: KEY=$(manage.py agent_key --name a)"

    def add_arguments(self, parser):
        parser.add_argument("--workspace", default="default", help="slug of the workspace (default: default)")
        parser.add_argument("--name", required=True, help="what pages and the audit call this agent")
        parser.add_argument("--scope", action="append", choices=SCOPES, help="repeat for several (default: both)")
        parser.add_argument("--user", action="append", default=[], help="only this user_id; repeat for several")
        parser.add_argument("--days", type=int, help="days until it expires (default: never)")

    def handle(
        self, *, workspace: str, name: str, scope: list[str] | None, user: list[str], days: int | None, **options
    ):
        place = Workspace.objects.filter(slug=workspace).first()
        if place is None:
            raise CommandError(f"There is no workspace {workspace!r}.")
        if days is not None and days < 1:
            raise CommandError("--days: use 1 or more.")
        now = timezone.now()
        try:
            key, secret = keys.issue(
                workspace=place, name=name, scopes=scope or list(SCOPES), actor=SYSTEM, now=now, only_users=user,
                expires_at=now + timedelta(days=days) if days else None,
            )  # fmt: skip
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stderr.write(f"Key {key.prefix}… of {name!r} in {place.slug!r}. It is not shown again.")
        self.stdout.write(secret)
