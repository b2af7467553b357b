"""The triggers that make the audit append-only, and the one gate in them.

UPDATE and DELETE of events and seals are refused by the database, whoever asks, and on PostgreSQL TRUNCATE too. A
transaction that has written an event about what it is going to do may open the gate for itself (`opened`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

from memory.models import AuditEvent

TABLES = ("memory_auditevent", "memory_auditseal")
_VERBS = ("update", "delete", "insert")  # of SQLite, which has a trigger for each
_REFUSED = "The audit is append-only"

# The gate is the number of one transaction: it closes with it, even where a connection is handed on.
_POSTGRES = f"""
CREATE OR REPLACE FUNCTION memory_audit_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('hindsight.audit_gate', true) = pg_current_xact_id()::text THEN
        IF TG_OP = 'UPDATE' THEN RETURN NEW; END IF;
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '{_REFUSED}: % of % was refused.', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""
_POSTGRES_TABLE = """
CREATE OR REPLACE TRIGGER {table}_guard BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION memory_audit_guard();
CREATE OR REPLACE TRIGGER {table}_truncate BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION memory_audit_guard();
"""
# A table and no setting, because a trigger of SQLite sees only its own file. It has a row only inside a transaction
# that opened it: there is one writer at a time, and it takes the row away before it commits.
_SQLITE = "CREATE TABLE IF NOT EXISTS memory_auditgate (event integer NOT NULL)"
_SQLITE_TRIGGER = """
CREATE TRIGGER IF NOT EXISTS {table}_{verb} BEFORE {verb} ON {table}
WHEN NOT EXISTS (SELECT 1 FROM memory_auditgate){more}
BEGIN SELECT RAISE(ABORT, '{refused}: {verb} of {table} was refused.'); END
"""
# INSERT OR REPLACE takes a row away without a DELETE.
_SQLITE_REPLACES = " AND EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id)"


def install(connection: Any) -> None:
    """Makes the triggers where they are missing. A later migration that makes a table anew, as SQLite's do, calls it
    again at its end."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRES)
            for table in TABLES:
                cursor.execute(_POSTGRES_TABLE.format(table=table))
            return
        cursor.execute(_SQLITE)
        for table in TABLES:
            for verb in _VERBS:
                more = _SQLITE_REPLACES.format(table=table) if verb == "insert" else ""
                cursor.execute(_SQLITE_TRIGGER.format(table=table, verb=verb, more=more, refused=_REFUSED))


def remove(connection: Any) -> None:
    """Takes the triggers away, for a migration that goes back."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS memory_audit_guard() CASCADE")
            return
        for table in TABLES:
            for verb in _VERBS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_{verb}")
        cursor.execute("DROP TABLE IF EXISTS memory_auditgate")


def missing() -> list[str]:
    """The names of triggers that should be there and are not, or are switched off."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            wanted = [f"{table}_{kind}" for table in TABLES for kind in ("guard", "truncate")]
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')")
        else:
            wanted = [f"{table}_{verb}" for table in TABLES for verb in _VERBS]
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        there = {name for (name,) in cursor.fetchall()}
    return [name for name in wanted if name not in there]


@contextmanager
def opened(act: AuditEvent) -> Iterator[None]:
    """Lets this transaction change events and seals inside the block, because `act`, already written in it, tells."""
    if act.pk is None or not connection.in_atomic_block:
        raise RuntimeError("The gate opens only in a transaction that has said in the audit what it is going to do.")
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('hindsight.audit_gate', pg_current_xact_id()::text, true)")
            yield
            cursor.execute("SELECT set_config('hindsight.audit_gate', '', true)")
        else:
            cursor.execute("INSERT INTO memory_auditgate VALUES (%s)", [act.pk])
            yield
            cursor.execute("DELETE FROM memory_auditgate")
