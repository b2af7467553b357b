"""`manage.py partition_episodes`: the episodes' table by month of recorded_at, on PostgreSQL."""

from datetime import date, datetime

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from memory.partitions import months, retire
from memory.partitions.convert import CannotConvert, Plan, convert, plan


class Command(BaseCommand):
    help = (
        "Makes the episodes' table one partition a month of recorded_at, in one transaction during which nobody else "
        "reads or writes episodes. A table that is partitioned already gets partitions ahead, as the worker makes "
        "them each day."
    )

    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true", help="say what would be done and do nothing")
        parser.add_argument(
            "--ahead", type=int, default=months.AHEAD, help=f"months to make ahead (default: {months.AHEAD})"
        )
        parser.add_argument("--list", action="store_true", help="list the partitions with rows and bytes")
        parser.add_argument(
            "--drop-before",
            metavar="YYYY-MM",
            help="take months before this one out, on which nothing rests; they are kept as tables of their own",
        )
        parser.add_argument("--drop", action="store_true", help="with --drop-before: drop them instead of keeping them")
        parser.add_argument("--yes", action="store_true", help="with --drop-before: do it, not only say what would go")

    def handle(self, *, dry_run: bool, ahead: int, list: bool, drop_before: str | None, drop: bool, yes: bool, **_):
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has partitions (POSTGRES_URL); SQLite keeps episodes in one table.")
        if not 0 <= ahead <= 120:
            raise CommandError("--ahead takes 0 to 120 months.")
        today = timezone.now().date()
        there = months.is_partitioned()
        if (list or drop_before) and not there:
            raise CommandError("The episodes are in one table. To partition it: manage.py partition_episodes --dry-run")
        try:
            if list:
                self._list()
            elif drop_before:
                self._retire(_month(drop_before, today), drop=drop, really=yes and not dry_run)
            elif there:
                self._make_ahead(ahead, today, dry_run)
            else:
                self._convert(ahead, today, dry_run)
        except (CannotConvert, retire.StillNeeded, DatabaseError) as error:
            raise CommandError(f"Nothing was done. {error}") from error

    def _list(self) -> None:
        for partition in months.partitions():
            rows = "?" if partition.rows is None else f"{partition.rows:,}"
            self.stdout.write(f"{partition.name:<28}{rows:>14} rows{partition.bytes:>18,} bytes")
        self.stdout.write("rows as of the last ANALYZE; bytes with indexes")

    def _make_ahead(self, ahead: int, today: date, dry_run: bool) -> None:
        missing = months.missing(ahead, today)
        if not dry_run:
            months.make_ahead(ahead, today)
        names = ", ".join(map(months.name_of, missing))
        self.stdout.write(f"{'would be made' if dry_run else 'made'}: {names or 'nothing, all are there'}")

    def _convert(self, ahead: int, today: date, dry_run: bool) -> None:
        if dry_run:
            self._tell(plan(ahead=ahead, today=today))
            return
        done = convert(ahead=ahead, today=today, say=self.stdout.write)
        self.stdout.write(f"{done.rows} episodes are in {len(done.months)} months. The worker makes more each day.")

    def _tell(self, found: Plan) -> None:
        first, last = found.months[0], found.months[-1]
        lines = [
            f"{found.rows:,} episodes ({found.bytes:,} bytes with indexes) would be copied into {len(found.months)} "
            f"partitions, {first:%Y-%m} to {last:%Y-%m}, and one for the rest.",
            "The primary key becomes (id, recorded_at); ids go on from the same sequence.",
            f"{len(found.indexes)} indexes and {len(found.keys)} foreign keys of the table are made again.",
            "Foreign keys that become triggers: " + ", ".join(f"{one.table}.{one.column}" for one in found.references),
            "Nobody reads or writes episodes meanwhile, and as much disk again is needed. Stop web and workers first.",
        ]
        if found.granted:
            lines.append("Privileges granted on the table to other roles are lost: grant them again.")
        self.stdout.write("\n".join(lines))

    def _retire(self, before: date, *, drop: bool, really: bool) -> None:
        found = retire.leaving(before)
        for one in found:
            self.stdout.write(f"{one.month:%Y-%m}: {one.episodes:,} episodes with {one.verdicts:,} verdicts")
            for reason in one.needed:
                self.stdout.write(f"  must stay: {reason}")
        going = [one.month for one in found if not one.needed]
        if not going:
            raise CommandError("No month can go.")
        names = ", ".join(f"{month:%Y-%m}" for month in going)
        if not really:
            raise CommandError(f"Nothing was done. With --yes {'dropped for good' if drop else 'taken out'}: {names}")
        for month in going:
            kept = retire.retire(month, drop=drop, now=timezone.now())
            self.stdout.write(f"{month:%Y-%m}: {'kept as ' + ' and '.join(kept) if kept else 'dropped'}")
        if not drop:
            self.stdout.write("The console no longer knows these tables: nothing erases a user's words from them.")


def _month(given: str, today: date) -> date:
    """The first of the month before which episodes may go: at the latest this one."""
    try:
        month = datetime.strptime(given, "%Y-%m").date()
    except ValueError:
        raise CommandError(f"{given!r} is no month; write 2026-01.") from None
    if month > today:
        raise CommandError("--drop-before takes this month or an earlier one.")
    return month
