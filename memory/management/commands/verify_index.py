"""`manage.py verify_index`: compares the index with the memories. Exit code 1 when they differ."""

from django.core.management.base import BaseCommand, CommandError

from memory.embedding import EmbedderUnavailable
from memory.index import follower, serving, verify
from memory.index.base import FollowerAway, FollowerEmpty

TIMEOUT = 30
EXAMPLES = 5


class Command(BaseCommand):
    help = "Counts, orphans both ways, and sampled vectors of the index, in the database and at VECTOR_DB_URL."

    def add_arguments(self, parser):
        parser.add_argument("--sample", type=int, default=100, help="how many vectors to compare (default: 100)")

    def handle(self, *, sample: int, **options):
        there = follower.patient_follower(TIMEOUT, serving.get_embedder())
        if there is None and follower.is_set_up():
            raise CommandError("The vector database cannot be compared: there is no embedder.")
        try:
            report = verify.verify(there, sample=max(sample, 0))
        except EmbedderUnavailable as error:
            raise CommandError(f"The embedder: {error}") from error
        except (FollowerAway, FollowerEmpty) as error:
            raise CommandError(f"The vector database: {error}") from error
        self.stdout.write(
            f"{report.active} active memories, {report.entries} entries, {report.sampled} vectors compared"
        )
        if report.held is not None:
            self.stdout.write(f"vector database: {report.held} points, {report.waiting} memories waiting to follow")
        for what, ids in report.differences.items():
            more = f" and {len(ids) - EXAMPLES} more" if len(ids) > EXAMPLES else ""
            self.stdout.write(f"DIFFERENT: {what}: {len(ids)} ({', '.join(map(str, ids[:EXAMPLES]))}{more})")
        if report.differences:
            raise CommandError("The index differs from the memories. Run: manage.py reindex", returncode=1)
        self.stdout.write("no difference")
