"""Decisions and notes are never changed: the database refuses it, on SQLite and PostgreSQL.

Let through is what a foreign key does by itself when a person, a change or a bulk run goes (ON DELETE SET NULL), and
what happens while review_erasing has a row in the same transaction (review/redaction.py). SQLite loses the triggers of a
table that a later migration rebuilds: such a migration ends with `RunPython(install, remove)` of this one.
"""

from django.db import migrations

# what may become NULL, and what may not change at all
TABLES = {
    "review_decision": (
        ("decider_id", "change_id", "bulk_id", "proposer_id"),
        ("id", "conflict_id", "choice", "reason_code", "note", "decided_at", "conflict_version", "held_text",
         "incoming_text", "edited_text", "undoes_id", "apart"),
    ),
    "review_note": (("author_id",), ("id", "conflict_id", "text", "written_at")),
}  # fmt: skip


def install(apps, schema_editor):
    vendor = schema_editor.connection.vendor
    for table, (loose, fixed) in TABLES.items():
        same = "IS" if vendor == "sqlite" else "IS NOT DISTINCT FROM"
        passes = [f"NEW.{name} {same} OLD.{name}" for name in fixed]
        passes += [f"(NEW.{name} IS NULL OR NEW.{name} {same} OLD.{name})" for name in loose]
        condition = " AND ".join(passes)
        for statement in (_sqlite if vendor == "sqlite" else _postgresql)(table, condition):
            schema_editor.execute(statement)


def _sqlite(table, condition):
    closed = "NOT EXISTS (SELECT 1 FROM review_erasing)"
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    yield f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} WHEN {closed} AND NOT ({condition}) {refuse}"
    yield f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} WHEN {closed} {refuse}"


def _postgresql(table, condition):
    yield f"""
    CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT 1 FROM review_erasing) THEN
            RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
        END IF;
        IF TG_OP = 'UPDATE' AND {condition} THEN RETURN NEW; END IF;
        RAISE EXCEPTION '{table} is append-only' USING ERRCODE = 'restrict_violation';
    END $$
    """
    yield (
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {table}_append_only()"
    )


def remove(apps, schema_editor):
    for table in TABLES:
        if schema_editor.connection.vendor == "sqlite":
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_update")
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_delete")
        else:
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}")
            schema_editor.execute(f"DROP FUNCTION IF EXISTS {table}_append_only()")


class Migration(migrations.Migration):
    dependencies = [("review", "0004_decisions_in_full")]
    operations = [migrations.RunPython(install, remove)]
