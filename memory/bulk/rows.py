"""Rows of an import: what may be in them is what the API takes, and a fault is named with its line."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from rest_framework.exceptions import ValidationError
from rest_framework.serializers import ListField, UUIDField

from memory.actions.base import TEXT_LIMIT
from memory.actions.lineage import MOST_SOURCES
from memory.api import incoming
from memory.api.fields import CONTENT_LENGTH, EARLIEST, ID_LENGTH, EventTime, Fields, Id, Moment, Object, Text, Word
from memory.api.serializers import EventIn
from memory.intake.record import NewEvent
from memory.models import Episode
from memory.models.episode import SourceClass
from memory.models.memory import Category

T = TypeVar("T")
SHOWN = 20
_EVENT_FIELDS = frozenset(EventIn().fields)
_UNUSUAL = frozenset({"task_state", "result", "tool"})
_KINDS, _ROLES, _STATUSES = (frozenset(x.values) for x in (Episode.Kind, Episode.Role, Episode.Status))


@dataclass(frozen=True, slots=True)
class BadRow:
    """One fault: the line it is in (from 1), the field ("" for the whole row), and what is wrong."""

    line: int
    field: str
    problem: str

    def __str__(self) -> str:
        return f"line {self.line}: {f'{self.field}: ' if self.field else ''}{self.problem}"


class BadRows(Exception):
    """Nothing was written, because of these rows. The message names the first of them."""

    def __init__(self, rows: list[BadRow]) -> None:
        more = f"\n… and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
        super().__init__("\n".join(str(row) for row in rows[:SHOWN]) + more)
        self.rows = rows


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is not a row."""

    problem: str


def read_lines(file: Iterable[bytes]) -> Iterator[Any]:
    """Rows of a JSON-lines file, one a line, for import_episodes and import_memories: None for a blank line."""
    for place, line in enumerate(file):
        try:
            text = line.decode("utf-8-sig" if place == 0 else "utf-8").strip()
            yield json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant) if text else None
        except UnicodeDecodeError as error:
            yield Unreadable(f"Not UTF-8: byte {error.start} cannot be read.")
        except json.JSONDecodeError as error:
            yield Unreadable(f"Not JSON: {error.msg} at column {error.colno}.")
        except (ValueError, RecursionError) as error:
            yield Unreadable(f"Not JSON that can be stored: {error}")


def check(rows: Iterable[Any], read: Callable[[Any], T]) -> tuple[list[tuple[int, T]], list[BadRow]]:
    """Reads every row; answers the good ones with their line, and every fault of the others."""
    good: list[tuple[int, T]] = []
    bad: list[BadRow] = []
    for line, row in enumerate(rows, start=1):
        if row is None:
            continue
        try:
            good.append((line, read(row)))
        except ValidationError as error:
            bad.extend(BadRow(line, field, problem) for field, problem in _faults(error.detail, ""))
    return good, bad


def event(row: Any, now: datetime) -> NewEvent:
    """One event as `POST /events` takes it. Raises ValidationError."""
    return _plain_event(row, now) or incoming.of_event(_valid(EventIn, row))


class MemoryRow(Fields):
    """One memory of an import. `source_class` is the operator's word on where the texts come from."""

    user_id = Id()
    memory = Text(required=False, max_length=TEXT_LIMIT)
    text = Text(required=False, max_length=TEXT_LIMIT, help_text="The same as `memory`.")
    category = Word(choices=Category.choices, default=Category.KNOWLEDGE)
    subject = Text(required=False, allow_blank=True, max_length=200, default="")
    attribute = Text(required=False, allow_blank=True, max_length=80, default="")
    value = Text(required=False, allow_blank=True, max_length=TEXT_LIMIT, default="")
    source_class = Word(choices=SourceClass.choices, default=SourceClass.UNKNOWN)
    agent_id = Id(required=False, allow_null=True)
    event_time = EventTime(required=False)
    valid_from = Moment(required=False)
    valid_to = Moment(required=False)
    metadata = Object(required=False)
    derived_from = ListField(child=UUIDField(), required=False, allow_empty=False, max_length=MOST_SOURCES)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [attrs.pop(name) for name in ("memory", "text") if name in attrs]
        if len(given) != 1:
            raise ValidationError({"memory": "The text is there twice." if given else "This field is required."})
        if "valid_from" in attrs and "valid_to" in attrs and attrs["valid_to"] < attrs["valid_from"]:
            raise ValidationError({"valid_to": "This is before valid_from."})
        return attrs | {"text": given[0]}


def memory(row: Any) -> dict[str, Any]:
    """One memory's fields, its text as `text`. Raises ValidationError."""
    return _valid(MemoryRow, row)


def _plain_event(row: Any, now: datetime) -> NewEvent | None:
    """The event of a row in which nothing is unusual, else None and the API's own checks decide.

    They take 0.2 ms a row, which is longer than PostgreSQL takes to store it.
    """
    if type(row) is not dict or not _EVENT_FIELDS.issuperset(row):
        return None
    user_id, run_id, role, content = row.get("user_id"), row.get("run_id"), row.get("role"), row.get("content")
    agent_id, name = row.get("agent_id"), row.get("name")
    kind, status = row.get("kind", "message"), row.get("status", "ok")
    plain = (
        _plain_id(user_id)
        and _plain_id(run_id)
        and (agent_id is None or _plain_id(agent_id))
        and (name is None or _plain_id(name))
        and type(role) is type(kind) is type(status) is str
        and role in _ROLES
        and (role != Episode.Role.TOOL or "kind" in row)
        and kind in _KINDS
        and status in _STATUSES
        and type(content) is str
        and 0 < len(content) <= CONTENT_LENGTH
        and not content.isspace()
        and _can_be_stored(content)
        and type(infer := row.get("infer", True)) is bool
        and _plain_object(metadata := row.get("metadata", {}))
        and _UNUSUAL.isdisjoint(row)
    )
    if not plain:
        return None
    moment = _plain_moment(row["event_time"], now) if "event_time" in row else now
    return moment and incoming.of_text(
        NewEvent(
            user_id=user_id, run_id=run_id, role=role, content=content, kind=kind, name=name or "",
            agent_id=agent_id or "", status=status, metadata=metadata, event_time=moment, infer=infer,
        )
    )  # fmt: skip


def _plain_id(value: Any) -> bool:
    fits = type(value) is str and 0 < len(value) <= ID_LENGTH and value != "*"
    return fits and value.isascii() and value.isprintable() and " " not in value


def _plain_object(value: Any) -> bool:
    """A few short entries, so that there is nothing to count."""
    return type(value) is dict and len(value) <= 10 and all(map(_plain_entry, value, value.values()))


def _plain_entry(name: Any, value: Any) -> bool:
    short = type(value) is str and len(value) <= 500 and value.isprintable()
    return (
        type(name) is str
        and len(name) <= 100
        and name.isprintable()
        and (short or value is None or type(value) is bool or (type(value) is int and abs(value) < 2**53))
    )


def _can_be_stored(text: str) -> bool:
    """PostgreSQL keeps no NUL; half of a surrogate pair is in no encoding."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain_moment(value: Any, now: datetime) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if type(value) is str else None
    except ValueError:
        return None
    return moment if moment and moment.tzinfo and EARLIEST <= moment <= now else None


def _valid(shape: type[Fields], row: Any) -> dict[str, Any]:
    if isinstance(row, Unreadable):
        raise ValidationError(row.problem)
    members = row.items() if isinstance(row, Mapping) else ()
    # what a tool wrote is cleaned, not refused
    unstorable = [name for name, value in members if name != "result" and not _deep([name, value])]
    for name in unstorable:
        shown = str(name).encode("utf-8", "replace").decode().replace("\0", "?")
        raise ValidationError({shown: "A NUL or half of a surrogate pair cannot be stored."})
    return _made(shape).run_validation(row)


# making one takes longer than checking a row with it, and it keeps nothing of a row
@cache
def _made(shape: type[Fields]) -> Fields:
    return shape()


def _deep(value: Any) -> bool:
    """Whether every string in a JSON value can be stored."""
    if isinstance(value, str):
        return _can_be_stored(value)
    if isinstance(value, Mapping):
        return all(_deep(name) and _deep(member) for name, member in value.items())
    return all(map(_deep, value)) if isinstance(value, list) else True


def _faults(detail: Any, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _faults(inner, "" if name == "non_field_errors" else f"{field}.{name}".strip("."))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, field)
    else:
        yield field, str(detail)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a field is there twice")
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
