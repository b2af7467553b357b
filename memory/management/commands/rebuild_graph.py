"""`manage.py rebuild_graph`: reads all memories anew and builds the graphs of all users, or of one."""

from django.core.management.base import BaseCommand, CommandError

from memory.graph import sync
from memory.models import EndUser


class Command(BaseCommand):
    help = (
        "Builds every user's graph of people, places, organisations, tools and projects anew from their active "
        "memories. Rulings of reviewers are kept. Agents and worker may run meanwhile; stopped, run it again."
    )

    def add_arguments(self, parser):
        parser.add_argument("--workspace", help="only the users of this workspace (its slug)")
        parser.add_argument("--user", help="only this user (its user_id); needs --workspace")

    def handle(self, *, workspace: str | None, user: str | None, **options):
        users = EndUser.objects.order_by("pk")
        if user and not workspace:
            raise CommandError("--user needs --workspace: user ids are unique in a workspace only.")
        if workspace:
            users = users.filter(workspace__slug=workspace)
        if user:
            users = users.filter(external_id=user)
        done = behind = 0
        for each in users.iterator(chunk_size=500):
            sync.forget(each)
            done, behind = done + 1, behind + (not sync.sync(each.pk))
        if (workspace or user) and not done:
            raise CommandError("There is no such user.")
        self.stdout.write(f"{done} graphs built")
        if behind:
            self.stdout.write(f"{behind} of them have changed meanwhile; a job or the next look at them goes on")
