"""`manage.py setup_schedules`: run before a worker starts."""

from django.core.management.base import BaseCommand

from memory import schedules, tasks
from memory.index import state


class Command(BaseCommand):
    help = "Writes the schedules of this version, and hands out work that an earlier worker left behind."

    def handle(self, **options):
        installed = schedules.install()
        tasks.beat()
        waiting = tasks.take_over()
        for problem in filter(None, (state.stored_vectors(), state.vector_db())):
            self.stderr.write(f"index: {problem}")
        self.stdout.write(f"{installed} schedules, {waiting} users with something waiting")
