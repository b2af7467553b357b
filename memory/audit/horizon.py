"""Up to which id the audit is final: no transaction that still runs can add an event at or below it.

On PostgreSQL ids are handed out before their rows are committed, so a lower id may appear after a higher one. Every
writer takes a lock on the table before it draws an id and keeps it until it ends. So when all who held that lock at a
moment have ended, every id drawn before that moment is either visible or lost. The sequence is read first, the holders
after it. Nobody waits: what is not final yet is asked again the next time. SQLite has one writer at a time.
"""

from django.db import connection, transaction
from django.db.models import Max

from memory.models import AuditEvent, AuditMark

_DRAWN = "SELECT last_value, is_called FROM {}"
_HOLDERS = """
    SELECT DISTINCT virtualtransaction FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'memory_auditevent'::regclass AND granted AND pid <> pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""


@transaction.atomic
def find_final() -> int:
    """Moves the mark on as far as is known now; answers the id. Read the events in a later statement than this."""
    mark = locked()
    if connection.vendor != "postgresql":
        mark.final = AuditEvent.objects.aggregate(last=Max("id"))["last"] or 0
    else:
        drawn = _last_drawn()
        holders = _holders()
        if not holders:
            mark.final = drawn
        elif not set(mark.waiting_for) & holders:
            mark.final, mark.upto, mark.waiting_for = max(mark.final, mark.upto), drawn, sorted(holders)
    mark.save()
    return mark.final


def locked() -> AuditMark:
    """The mark, kept by this transaction until it ends: so one process seals at a time."""
    AuditMark.objects.get_or_create(pk=1)
    return AuditMark.objects.select_for_update().get(pk=1)


def _last_drawn() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence('memory_auditevent', 'id')")
        [sequence] = cursor.fetchone()
        cursor.execute(_DRAWN.format(sequence))
        last, called = cursor.fetchone()
    return last if called else last - 1


def _holders() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_HOLDERS)
        return {transaction for (transaction,) in cursor.fetchall()}
