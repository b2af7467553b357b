"""Putting many rows into a table: COPY on PostgreSQL, a bulk INSERT elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from django.db import connection, models
from psycopg import sql
from psycopg.types.json import Jsonb

T = TypeVar("T")
ROWS_AN_INSERT = 1000
# keys that one query names
KEYS_A_QUERY = 500


def parts(items: Sequence[T], size: int = KEYS_A_QUERY) -> Iterator[Sequence[T]]:
    """The items, `size` at a time."""
    return (items[start : start + size] for start in range(0, len(items), size))


def patient() -> None:
    """Lets this transaction's statements take as long as they need, which no request may: an import must."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'")


def compact() -> None:
    """Writes SQLite's log into its file and empties it, so that nothing deleted is left there to be read. PostgreSQL
    overwrites what was deleted when it vacuums."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def new_ids(model: type[models.Model], count: int) -> list[int]:
    """On PostgreSQL `count` primary keys that nobody else gets, ascending; elsewhere none, the INSERT answers them."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [model._meta.db_table, model._meta.pk.column, count],
        )
        return sorted(id for (id,) in cursor.fetchall())


def store(objects: Sequence[models.Model]) -> None:
    """Inserts unsaved objects of one model, in order; afterwards each has its primary key."""
    if not objects:
        return
    model, key = type(objects[0]), objects[0]._meta.pk
    if connection.vendor != "postgresql":
        model._default_manager.bulk_create(objects, batch_size=ROWS_AN_INSERT)
        return
    if key.get_internal_type() == "BigAutoField":
        for thing, id in zip(objects, new_ids(model, len(objects)), strict=True):
            thing.pk = id
    fields = model._meta.concrete_fields
    shapes = [(field.attname, isinstance(field, models.JSONField)) for field in fields]
    copy(model, [field.column for field in fields], (_values(thing, shapes) for thing in objects))


def _values(thing: models.Model, shapes: Sequence[tuple[str, bool]]) -> list[Any]:
    values = [(getattr(thing, name), is_json) for name, is_json in shapes]
    return [Jsonb(value) if is_json and value is not None else value for value, is_json in values]


def copy(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """PostgreSQL only. JSON values come as Jsonb."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor, cursor.copy(statement) as out:
        for row in rows:
            out.write_row(row)
