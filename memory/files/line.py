"""An event as one line of JSON, with its tool result and its verdicts, and back: every column, to the microsecond."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from memory.models import Episode, ToolResult, Verdict

Row = dict[str, Any]
TABLES = {"tool_results": ToolResult, "verdicts": Verdict}


def lines(episodes: list[Episode]) -> list[bytes]:
    """One line an event, in the order given; two queries."""
    found = {episode.pk: {"episode": _row(episode)} | {name: [] for name in TABLES} for episode in episodes}
    for name, table in TABLES.items():
        for row in table.objects.filter(episode__in=list(found)).order_by("pk"):
            found[row.episode_id][name].append(_row(row))
    return [json.dumps(each, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n" for each in found.values()]


def user_of(line: bytes) -> int:
    return json.loads(line)["episode"]["user_id"]


def rows_of(line: bytes) -> tuple[Episode, list[models.Model]]:
    """The event of a line, and what belongs to it, unsaved. Raises ValueError on a line of another shape."""
    try:
        given = json.loads(line)
        beside = [_made(table, row) for name, table in TABLES.items() for row in given[name]]
        return _made(Episode, given["episode"]), beside
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("not a line of an episode file") from error


def _row(row: models.Model) -> Row:
    return {field.attname: _plain(getattr(row, field.attname)) for field in row._meta.concrete_fields}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def _made(table: type[models.Model], row: Row) -> models.Model:
    """A column that is newer than the file has its default."""
    fields = {field.attname: field for field in table._meta.concrete_fields}
    values = {name: _read(fields[name], value) for name, value in row.items() if name in fields}
    return table(**values)


def _read(field: models.Field, value: Any) -> Any:
    # a JSON column holds any JSON, a text among it
    return value if isinstance(field, models.JSONField) else field.to_python(value)
