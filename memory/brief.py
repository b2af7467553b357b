"""A write that must not keep its caller waiting: it gives up on a lock that is not free soon."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

WAIT_SECONDS = 2.0


@contextmanager
def brief_write(seconds: float | None = None) -> Iterator[None]:
    """One transaction that waits for locks, and on PostgreSQL lasts a statement, `seconds` (WAIT_SECONDS) at most.

    Raises django.db.Error when it was too long, or could not be written at all; then nothing was.
    """
    wait = int((WAIT_SECONDS if seconds is None else seconds) * 1000)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # set before the transaction begins: that is where SQLite waits
            usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
            cursor.execute(f"PRAGMA busy_timeout = {wait}")
            try:
                with transaction.atomic():
                    yield
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {usual}")
            return
        with transaction.atomic():
            limits = "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)"
            cursor.execute(limits, [str(wait), str(wait)])
            yield
