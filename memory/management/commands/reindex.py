"""`manage.py reindex`: makes the index anew, after a change of the embedder or of the vector database."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memory import embedding
from memory.embedding import Embedder
from memory.index import follower, move, rebuild, serving
from memory.index.base import Follower, FollowerAway, PointsRejected
from memory.models import NextVector

TIMEOUT = 30  # seconds for an answer of the vector database


class Command(BaseCommand):
    help = (
        "Renews the terms and vectors of all active memories and, with VECTOR_DB_URL, fills a new collection and puts "
        "it in the old one's place. After a change of the embedder the old vectors answer until all new ones are made. "
        "Console, agents and worker may run meanwhile. Stopped, it goes on when run again."
    )

    def add_arguments(self, parser):
        parser.add_argument("--all", action="store_true", help="also what seems right, and forget a begun collection")

    def handle(self, *, all: bool, **options):
        embedder = embedding.patient_embedder()
        if embedder is None:
            reason = embedding.unavailable_reason()
            if settings.EMBED_API_BASE:
                raise CommandError(f"The embedder: {reason}\nNothing was changed.")
            self.stderr.write(f"Words only, no vectors: {reason}")
        if follower.is_set_up() and embedder is None:
            self._renew(None, all)
            raise CommandError("The vector database was left as it is: without an embedder there are no vectors.")
        there = follower.patient_follower(TIMEOUT, embedder)
        try:
            if move.is_due(embedder):
                self._move(embedder, there, all)
            else:
                self._fill(there, embedder, all, self._renew(embedder, all))
        except embedding.EmbedderUnavailable as error:
            raise CommandError(f"The embedder: {error}\nWhat is made is kept; run it again to go on.") from error
        except (FollowerAway, PointsRejected) as error:
            raise CommandError(
                f"The vector database: {error}\nWhat is made is kept in the database; run it again to go on."
            ) from error

    def _move(self, embedder: Embedder, there: Follower | None, all: bool) -> None:
        self.stdout.write(f"from {serving.served_model()} to {embedder.model_id}; the former answers meanwhile")
        made = move.move(embedder, there, anew=all, progress=self._progress)
        self.stdout.write(f"{made} vectors made, and all are in use")

    def _renew(self, embedder: Embedder | None, all: bool) -> int:
        changed = rebuild.refresh_entries(embedder, everything=all, progress=self._progress("database"))
        NextVector.objects.all().delete()
        self.stdout.write(f"database: {changed} entries renewed")
        return changed

    def _fill(self, there: Follower | None, embedder: Embedder | None, all: bool, changed: int) -> None:
        if there is None:
            return
        progress, anew = self._progress("vector database"), all or changed > 0
        rebuild.take_over(there, rebuild.fill(there, model_id=embedder.model_id, anew=anew, progress=progress))
        self.stdout.write(f"vector database: {there.count()} points, in use")

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
