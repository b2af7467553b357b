"""Months that leave: taken out of the episodes' table and kept beside it, or dropped, where nothing rests on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from psycopg import sql

from memory.actor import SYSTEM
from memory.audit import log
from memory.models import Conflict, Episode, Evidence, Memory, Verdict
from memory.partitions import months
from memory.partitions.months import TABLE, ask
from memory.store import patient

NAMED = 5


class StillNeeded(Exception):
    """Says what rests on the episodes of a month."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """A month before the given one, and what would be lost with it. It may go when `needed` is empty."""

    month: date
    episodes: int
    verdicts: int
    needed: list[str]


def leaving(before: date) -> list[Leaving]:
    """Every month's partition before `before`, oldest first."""
    found = (months.month_of(partition.name) for partition in months.partitions())
    return [_look(month) for month in found if month and month < before]


def retire(month: date, *, drop: bool, now: datetime) -> list[str]:
    """Takes one month and the verdicts on it out of the product; answers the tables that are kept (none with `drop`).

    Raises StillNeeded, with nothing done. What would come to rest on the month meanwhile waits, and is refused.
    """
    name, verdicts = months.name_of(month), f"{Verdict._meta.db_table}_{month:%Y_%m}"
    with transaction.atomic(), connection.cursor() as cursor:
        patient()
        cursor.execute(_put("LOCK TABLE {month} IN EXCLUSIVE MODE", month=name))
        found = _look(month)
        if found.needed:
            raise StillNeeded(f"{name}: {'; '.join(found.needed)}")
        judged = "{verdict} WHERE episode_id IN (SELECT id FROM {month})"
        if not drop:
            cursor.execute(_put("CREATE TABLE {kept} AS SELECT * FROM " + judged, kept=verdicts, month=name))
        cursor.execute(_put("DELETE FROM " + judged, month=name))
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(_put("ALTER TABLE {table} DETACH PARTITION {month}", month=name))
        if drop:
            cursor.execute(_put("DROP TABLE {month}", month=name))
        else:
            _let_go(cursor, name)
        log.record(
            workspace=None, actor=SYSTEM, action="episodes.drop" if drop else "episodes.detach", now=now,
            object_type="month", object_id=f"{month:%Y-%m}",
            before={"episodes": found.episodes, "verdicts": found.verdicts},
        )  # fmt: skip
    return [] if drop else [name, verdicts]


def _let_go(cursor, name: str) -> None:
    """A table that Django does not know may not keep a user or a session from being erased."""
    for (key,) in ask("SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = %s::regclass", [name]):
        cursor.execute(_put("ALTER TABLE {month} DROP CONSTRAINT {key}", month=name, key=key))


def _look(month: date) -> Leaving:
    inside = _inside(month)
    return Leaving(
        month,
        Episode.objects.filter(**inside).count(),
        Verdict.objects.filter(**_inside(month, "episode__")).count(),
        list(_needed(month)),
    )


def _needed(month: date) -> Iterator[str]:
    """Sentences, each about one reason why the month must stay."""
    waiting = Episode.objects.filter(**_inside(month)).exclude(judging=Episode.Judging.JUDGED).count()
    if waiting:
        yield f"{waiting} episodes wait to be judged or are parked"
    evidence = Evidence.objects.filter(**_inside(month, "episode__"))
    yield from _named("memories rest on it", Memory.objects.filter(pk__in=evidence.values("memory")))
    at = Q(**_inside(month, "episode__")) | Q(pk__in=evidence.values("conflict"))
    for status in (Conflict.Status.OPEN, Conflict.Status.DECIDED):
        yield from _named(f"{status} conflicts are about it", Conflict.objects.filter(at, status=status))
    for relation in Episode._meta.related_objects:
        if relation.related_model not in (Verdict, Evidence, Conflict):
            what = f"rows of {relation.related_model._meta.db_table} name it"
            yield from _named(what, relation.related_model.objects.filter(**_inside(month, f"{relation.field.name}__")))


def _named(what: str, rows) -> Iterator[str]:
    if count := rows.count():
        first = ", ".join(map(str, rows.order_by("pk").values_list("pk", flat=True)[:NAMED]))
        yield f"{count} {what} ({first}{', …' if count > NAMED else ''})"


def _inside(month: date, prefix: str = "") -> dict[str, Any]:
    since, until = map(datetime.fromisoformat, months.bounds(month))
    return {f"{prefix}recorded_at__gte": since, f"{prefix}recorded_at__lt": until}


def _put(statement: str, **names: str) -> sql.Composed:
    known = {"table": TABLE, "verdict": Verdict._meta.db_table}
    return sql.SQL(statement).format(**{key: sql.Identifier(name) for key, name in (known | names).items()})
