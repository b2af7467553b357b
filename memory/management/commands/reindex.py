"""`manage.py reindex`: makes the index anew, after a change of the embedder or of the vector database."""

import time
from collections.abc import Callable

from django.core.management.base import BaseCommand, CommandError

from memory import embedding
from memory.index import follower, rebuild
from memory.index.base import FollowerAway, PointsRejected

TIMEOUT = 30  # seconds for an answer of the vector database


class Command(BaseCommand):
    help = (
        "Renews the terms and vectors of all active memories and, with VECTOR_DB_URL, fills a new collection and puts "
        "it in the old one's place. Console, agents and worker may run meanwhile. Stopped, it goes on when run again."
    )

    def add_arguments(self, parser):
        parser.add_argument("--all", action="store_true", help="also what seems right, and forget a begun collection")

    def handle(self, *, all: bool, **options):
        if embedding.get_embedder() is None:
            self.stderr.write(f"Words only, no vectors: {embedding.unavailable_reason()}")
        changed = rebuild.refresh_entries(everything=all, progress=self._progress("database"))
        self.stdout.write(f"database: {changed} entries renewed")
        if not follower.is_set_up():
            return
        there = follower.patient_follower(TIMEOUT)
        if there is None:
            raise CommandError("The vector database was left as it is: without an embedder there are no vectors.")
        try:
            rebuild.fill(there, anew=all or changed > 0, progress=self._progress("vector database"))
            self.stdout.write(f"vector database: {there.count()} points, in use")
        except (FollowerAway, PointsRejected) as error:
            raise CommandError(f"The vector database: {error}\nThe database is done; run it again to go on.") from error

    def _progress(self, what: str) -> Callable[[int, int], None]:
        """One line that moves on a terminal, a line every ten seconds elsewhere."""
        terminal = self.stdout.isatty()
        last = time.monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal last
            line = f"{what}: {done} of {total} ({100 * done // max(total, 1)} %)"
            if terminal:
                self.stdout.write(f"\r{line}", ending="\n" if done >= total else "")
                self.stdout.flush()
            elif time.monotonic() - last > 10:
                last = time.monotonic()
                self.stdout.write(line)

        return progress
