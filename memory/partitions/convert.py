"""From one table of episodes to one a month: all in one transaction, so a failure leaves everything as it was.

A unique key of a partitioned table must contain `recorded_at`, so no foreign key can ask for an id alone. Each one
that points at episodes becomes two triggers that do what it did: a row that names an episode locks it and fails if
there is none, and an episode that is still named cannot be deleted. Both answer at the end of the transaction, as
Django's foreign keys do, and with the same error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.db import connection, transaction
from psycopg import sql

from memory.partitions import months
from memory.partitions.months import REST, TABLE, ask
from memory.store import patient

BEFORE = f"{TABLE}_before"


class CannotConvert(Exception):
    """Says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key of another table on the episodes' id."""

    table: str
    column: str
    constraint: str


@dataclass(frozen=True, slots=True)
class Plan:
    schema: str
    rows: int
    bytes: int
    months: list[date]  # those that hold something, this one, and those ahead
    references: list[Reference]
    keys: list[tuple[str, str]]  # the table's own foreign keys: name and definition
    indexes: list[str]  # their statements
    owner: str
    granted: bool  # to roles besides the owner, which the new table does not know


def plan(*, ahead: int, today: date) -> Plan:
    """Reads what the conversion will do. Raises CannotConvert."""
    [(schema, owner, granted, size, kind)] = ask(
        "SELECT n.nspname, pg_get_userbyid(c.relowner), c.relacl IS NOT NULL, pg_total_relation_size(c.oid), c.relkind "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = %s::regclass",
        [TABLE],
    )
    if kind == "p":
        raise CannotConvert("The episodes are in partitions already.")
    if ask("SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal", [TABLE]):
        raise CannotConvert("Somebody has put triggers on the episodes, and they would be lost.")
    references = ask(
        "SELECT c.relname, a.attname, k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid "
        "JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1] "
        "WHERE k.contype = 'f' AND k.confrelid = %s::regclass ORDER BY 1, 2",
        [TABLE],
    )
    keys = ask(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' AND conrelid = %s::regclass",
        [TABLE],
    )
    indexes = ask(
        "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = %s::regclass AND NOT indisprimary", [TABLE]
    )
    used = ask(f"SELECT date_trunc('month', recorded_at AT TIME ZONE 'UTC')::date, count(*) FROM {TABLE} GROUP BY 1")
    return Plan(
        schema, sum(rows for _, rows in used), size,
        sorted({month for month, _ in used} | set(months.months_from(today, ahead))),
        [Reference(*row) for row in references], keys, [statement for (statement,) in indexes], owner, granted,
    )  # fmt: skip


def convert(*, ahead: int, today: date, say: Callable[[str], None] = lambda step: None) -> Plan:
    """Nobody reads or writes episodes until it ends; whoever waits longer than a lock may take is refused.

    Raises CannotConvert, or what the database says; either way nothing has changed.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        patient()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(_put("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
        found = plan(ahead=ahead, today=today)
        say(f"moving {found.rows} episodes into {len(found.months)} months")
        _move(cursor, found)
        _replace(cursor, found)
        say("indexes")
        _index(cursor, found)
        for statement in _guards(found):
            cursor.execute(statement)
        say("statistics")
        cursor.execute(_put("ANALYZE {table}"))
    return found


def _move(cursor, found: Plan) -> None:
    cursor.execute(_put("ALTER TABLE {table} RENAME TO {before}"))
    cursor.execute(
        _put(
            "CREATE TABLE {table} (LIKE {before} INCLUDING ALL EXCLUDING IDENTITY EXCLUDING INDEXES) "
            "PARTITION BY RANGE (recorded_at)"
        )
    )
    cursor.execute(_put("ALTER TABLE {table} OWNER TO {owner}", owner=sql.Identifier(found.owner)))
    cursor.execute(_put("CREATE TABLE {rest} PARTITION OF {table} DEFAULT"))
    for month in found.months:
        since, until = map(sql.Literal, months.bounds(month))
        name = sql.Identifier(months.name_of(month))
        create = "CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM ({since}) TO ({until})"
        cursor.execute(_put(create, name=name, since=since, until=until))
    cursor.execute(_put("INSERT INTO {table} SELECT * FROM {before}"))


def _replace(cursor, found: Plan) -> None:
    """The old table goes, and its sequence of ids goes on."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [BEFORE])
    sequence = cursor.fetchone()[0]
    cursor.execute(f"SELECT last_value, is_called FROM {sequence}")  # quoted by PostgreSQL
    last, called = cursor.fetchone()
    for one in found.references:
        drop = "ALTER TABLE {child} DROP CONSTRAINT {name}"
        cursor.execute(_put(drop, child=sql.Identifier(one.table), name=sql.Identifier(one.constraint)))
    cursor.execute(_put("DROP TABLE {before}"))
    cursor.execute(f"CREATE SEQUENCE {sequence}")
    cursor.execute("SELECT setval(%s, %s, %s)", [sequence, last, called])
    cursor.execute(_put("ALTER TABLE {table} ALTER id SET DEFAULT nextval({sequence})", sequence=sql.Literal(sequence)))
    cursor.execute(f"ALTER SEQUENCE {sequence} OWNED BY {TABLE}.id")


def _index(cursor, found: Plan) -> None:
    cursor.execute(_put("ALTER TABLE {table} ADD PRIMARY KEY (id, recorded_at)"))
    for statement in found.indexes:
        cursor.execute(statement)
    for name, definition in found.keys:
        add = _put("ALTER TABLE {table} ADD CONSTRAINT {name} ", name=sql.Identifier(name))
        cursor.execute(add + sql.SQL(definition))


def _guards(found: Plan) -> list[sql.Composed]:
    statements = []
    for one in found.references:
        guard = sql.Identifier(found.schema, f"{one.table}_{one.column}_guard")
        child = sql.Identifier(found.schema, one.table)
        names = {"guard": guard, "child": child, "column": sql.Identifier(one.column)}
        names |= {"trigger": sql.Identifier(f"{one.column}_names_an_episode")}
        names |= {"episodes": sql.Identifier(found.schema, TABLE), "said": sql.Literal(f"{one.table}.{one.column}")}
        statements += [_put(_NAMES_AN_EPISODE, **names), _put(_ON_CHILD, **names)]
    named = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT {said} FROM {child} WHERE {column} = OLD.id").format(
            said=sql.Literal(f"{one.table}.{one.column}"),
            child=sql.Identifier(found.schema, one.table),
            column=sql.Identifier(one.column),
        )
        for one in found.references
    )
    guard = sql.Identifier(found.schema, f"{TABLE}_guard")
    names = {"guard": guard, "named": named, "episodes": sql.Identifier(found.schema, TABLE)}
    return [*statements, _put(_IS_NOT_NAMED, **names), _put(_ON_EPISODES, **names)]


# names carry their schema: a dump that is being restored fires triggers with an empty search path;
# a row that is gone again by the end of the transaction names nothing
_NAMES_AN_EPISODE = """
CREATE OR REPLACE FUNCTION {guard}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.{column} IS NULL OR (TG_OP = 'UPDATE' AND NEW.{column} IS NOT DISTINCT FROM OLD.{column}) THEN
        RETURN NULL;
    END IF;
    PERFORM FROM {episodes} WHERE id = NEW.{column} FOR KEY SHARE;
    IF NOT FOUND AND EXISTS (SELECT FROM {child} WHERE {column} = NEW.{column}) THEN
        RAISE foreign_key_violation USING MESSAGE = format('%s names episode %s, which is not there', {said},
                                                           NEW.{column});
    END IF;
    RETURN NULL;
END $$"""
_ON_CHILD = """
CREATE CONSTRAINT TRIGGER {trigger} AFTER INSERT OR UPDATE OF {column} ON {child}
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {guard}()"""
# an episode whose recorded_at changes is deleted from one partition and inserted into another
_IS_NOT_NAMED = """
CREATE OR REPLACE FUNCTION {guard}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    place text;
BEGIN
    SELECT named.place INTO place FROM ({named}) AS named (place) LIMIT 1;
    IF FOUND AND NOT EXISTS (SELECT FROM {episodes} WHERE id = OLD.id) THEN
        RAISE foreign_key_violation USING MESSAGE = format('episode %s is still named by %s', OLD.id, place);
    END IF;
    RETURN NULL;
END $$"""
_ON_EPISODES = """
CREATE CONSTRAINT TRIGGER is_not_named AFTER DELETE ON {episodes}
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {guard}()"""


def _put(statement: str, **names: sql.Composable) -> sql.Composed:
    known = {name: sql.Identifier(table) for name, table in (("table", TABLE), ("rest", REST), ("before", BEFORE))}
    return sql.SQL(statement).format(**known, **names)
