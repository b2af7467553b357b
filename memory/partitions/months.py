"""The partitions of the episodes: one a month of `recorded_at` (UTC), and a rest for what has no month yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection, transaction
from psycopg import sql

from memory.models import Episode, Verdict

TABLE = Episode._meta.db_table
REST = f"{TABLE}_rest"
AHEAD = 3


@dataclass(frozen=True, slots=True)
class Partition:
    name: str
    rows: int | None  # as of the last ANALYZE; None before the first
    bytes: int  # with indexes


def is_partitioned() -> bool:
    if connection.vendor != "postgresql":
        return False
    [(kind,)] = ask("SELECT relkind FROM pg_class WHERE oid = %s::regclass", [TABLE])
    return kind == "p"


def partitions() -> list[Partition]:
    """Oldest month first, the rest last."""
    rows = ask(
        "SELECT c.relname, c.reltuples::bigint, pg_total_relation_size(c.oid) FROM pg_inherits i "
        "JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = %s::regclass ORDER BY c.relname",
        [TABLE],
    )
    return [Partition(name, None if rows < 0 else rows, size) for name, rows, size in rows]


def detached() -> list[str]:
    """The tables of months that were taken out and kept: of episodes, and of the verdicts on them."""
    if connection.vendor != "postgresql":
        return []
    shape = rf"^({TABLE}|{Verdict._meta.db_table})_\d{{4}}_\d{{2}}$"
    rows = ask(
        "SELECT c.relname FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relkind = 'r' "
        "AND i.inhrelid IS NULL AND pg_table_is_visible(c.oid) AND c.relname ~ %s ORDER BY c.relname",
        [shape],
    )
    return [name for (name,) in rows]


def make_ahead(ahead: int, today: date) -> list[str]:
    """Makes what is missing of this month's partition and those of the next `ahead`; answers the new names.

    What came in meanwhile and lies in the rest moves into its month. Only that waits, for a moment.
    """
    made = []
    for month in missing(ahead, today):
        with transaction.atomic(), connection.cursor() as cursor:
            # two hosts may do this at once; reading and writing go on beside this lock
            cursor.execute(_put("LOCK TABLE ONLY {table} IN SHARE UPDATE EXCLUSIVE MODE"))
            if month in missing(ahead, today):
                _make(cursor, month)
                made.append(name_of(month))
    if made:
        with connection.cursor() as cursor:
            # nothing else counts the table as a whole, and the planner chooses by it
            cursor.execute(_put("ANALYZE {table}"))
    return made


def missing(ahead: int, today: date) -> list[date]:
    there = {partition.name for partition in partitions()}
    return [month for month in months_from(today, ahead) if name_of(month) not in there]


def _make(cursor, month: date) -> None:
    since, until = bounds(month)
    names = {"new": sql.Identifier(name_of(month)), "since": sql.Literal(since), "until": sql.Literal(until)}
    for statement in (
        # attaching a table locks far less than CREATE TABLE … PARTITION OF
        "CREATE TABLE {new} (LIKE {table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)",
        "WITH moved AS (DELETE FROM {rest} WHERE recorded_at >= {since} AND recorded_at < {until} RETURNING *) "
        "INSERT INTO {new} SELECT * FROM moved",
        "ALTER TABLE {table} ATTACH PARTITION {new} FOR VALUES FROM ({since}) TO ({until})",
    ):
        cursor.execute(_put(statement, **names))


def months_from(today: date, ahead: int) -> list[date]:
    """The first days of this month and of the `ahead` next."""
    count = today.year * 12 + today.month - 1
    return [date(number // 12, number % 12 + 1, 1) for number in range(count, count + ahead + 1)]


def bounds(month: date) -> tuple[str, str]:
    first, after = months_from(month, 1)
    return f"{first} 00:00:00+00", f"{after} 00:00:00+00"


def name_of(month: date) -> str:
    return f"{TABLE}_{month:%Y_%m}"


def month_of(name: str) -> date | None:
    """None for the rest."""
    year_month = name.removeprefix(f"{TABLE}_")
    return None if name == REST else date.fromisoformat(f"{year_month.replace('_', '-')}-01")


def ask(statement: str, params: Iterable[Any] = ()) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, list(params))
        return cursor.fetchall()


def _put(statement: str, **names: sql.Composable) -> sql.Composed:
    return sql.SQL(statement).format(table=sql.Identifier(TABLE), rest=sql.Identifier(REST), **names)
