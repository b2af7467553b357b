"""Bodies as strict JSON: what could mean two things, or could not be stored and given back, is refused."""

import json
import math
import re
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser

from memory.api.errors import hinted

DEEPEST = 32
DEEPEST_RESULT = 200
_SURROGATE = re.compile("[\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    """UTF-8 JSON, one object. 400 with the place of the fault on anything else."""

    media_type = "application/json"
    # Where, beside its own members, a body may hold what a tool wrote: names of members that are cleaned, not refused.
    tolerated: frozenset[str] = frozenset()

    def parse(self, stream, media_type=None, parser_context=None) -> dict[str, Any]:
        try:
            text = stream.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise hinted(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
        body = _loads(text)
        if not isinstance(body, dict):
            raise hinted("The body must be a JSON object.", 'Send {"user_id": …}, not a list or a plain value.')
        _check(body, self.tolerated)
        return body


class ToolResultJSONParser(StrictJSONParser):
    """As strict with what the caller says, but a tool's own output may hold NUL, half surrogates and deep nesting."""

    tolerated = frozenset({"result", "arguments"})


def _loads(text: str) -> Any:
    try:
        return json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole, object_pairs_hook=_once
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise hinted(f"The body is not JSON: {error.msg} at {where}.") from error
    except RecursionError as error:
        raise _too_deep() from error


def _no_constant(name: str) -> None:
    raise hinted(f"{name} is not JSON.", "Send a number, or leave the field out.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise hinted(f"The number {digits[:40]} is too large.")
    return number


def _whole(digits: str) -> int:
    if len(digits) > 100:
        raise hinted(f"The number {digits[:40]}… has too many digits.")
    return int(digits)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValidationError({_shown(twice): "This field is there twice."})
    return members


def _check(body: dict[str, Any], tolerated: frozenset[str]) -> None:
    """Refuses NUL and lone surrogates in any string or name, and nesting that nobody needs."""
    waiting: list[tuple[str, Any, int]] = [("", body, 1)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, str):
            _check_text(path, value)
        elif isinstance(value, dict | list):
            if depth > DEEPEST:
                raise _too_deep()
            if isinstance(value, dict):
                for name, member in value.items():
                    _check_text(path or "body", name)
                    if name in tolerated and _is_of_a_tool(path):
                        _check_depth(member)
                        continue
                    waiting.append((f"{path}.{name}" if path else name, member, depth + 1))
            else:
                waiting.extend((f"{path}[{place}]", member, depth + 1) for place, member in enumerate(value))


def _is_of_a_tool(path: str) -> bool:
    """In the body itself, in its `tool`, or in one of its events: nowhere in a caller's own metadata."""
    return bool(re.fullmatch(r"(?:events\[\d+\])?\.?(?:tool)?", path))


def _check_depth(value: Any) -> None:
    """A result may be nested deeper than a body, but not so deep that walking it would fail."""
    waiting = [(value, 1)]
    while waiting:
        inner, depth = waiting.pop()
        if depth > DEEPEST_RESULT:
            raise _too_deep()
        if isinstance(inner, dict | list):
            members = inner.values() if isinstance(inner, dict) else inner
            waiting.extend((member, depth + 1) for member in members if isinstance(member, dict | list))


def _check_text(path: str, text: str) -> None:
    if "\x00" in text:
        raise ValidationError({_shown(path): f"A NUL character at position {text.index(chr(0))} cannot be stored."})
    if not text.isascii() and (found := _SURROGATE.search(text)):
        raise ValidationError({_shown(path): f"Half of a surrogate pair at position {found.start()} is not text."})


def _shown(path: str) -> str:
    """The path as an error may carry it, whatever the sender put into the names."""
    return _SURROGATE.sub("\ufffd", path.replace("\x00", "\ufffd"))[:200]


def _too_deep() -> ValidationError:
    return hinted(f"The body is nested deeper than {DEEPEST} levels.")
