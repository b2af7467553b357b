"""`manage.py episode_files`: the files of old events, checked and brought back."""

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.actor import SYSTEM
from memory.files import checking, moving, shelf
from memory.models import EpisodeFile


class Command(BaseCommand):
    help = "Lists the files of old events. Exit code 1 when --check finds one that is missing or altered."

    def add_arguments(self, parser):
        parser.add_argument("--check", action="store_true", help="compare every file with its digest")
        parser.add_argument("--bring-back", type=int, metavar="ID", help="put one file's events back and remove it")

    def handle(self, *, check: bool, bring_back: int | None, **options):
        if bring_back is not None:
            self._bring_back(bring_back)
            return
        now, faults = timezone.now(), 0
        for file in EpisodeFile.objects.select_related("workspace").order_by("workspace", "month", "part"):
            fault = checking.check(file, now=now) if check else file.fault
            faults += bool(fault)
            self.stdout.write(
                f"{file.pk:>6}  {file.workspace.slug:<20} {file.month:%Y-%m}.{file.part:<4}{file.episodes:>9,} events"
                f"{file.bytes:>14,} bytes  {fault or 'well'}  {shelf.folder() / file.name}"
            )
        if faults and check:
            raise CommandError(f"{faults} files are not as they were written.", returncode=1)

    def _bring_back(self, pk: int) -> None:
        file = EpisodeFile.objects.select_related("workspace").filter(pk=pk).first()
        if file is None:
            raise CommandError(f"There is no file {pk}.")
        try:
            back = moving.bring_back(file, actor=SYSTEM, now=timezone.now())
        except (shelf.Faulty, ValueError) as error:
            raise CommandError(f"Nothing was done. {error}") from error
        self.stdout.write(f"{back} events are back. With the same setting they move again at night.")
