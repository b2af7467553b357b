"""The body of `POST /tool-schemas/normalise`: a fault inside one tool stays a fault of that tool."""

import json
import math
import re
from typing import Any

from rest_framework.parsers import BaseParser

from memory.api.errors import hinted
from memory.mcp.schema_tree import Unreadable

_DEEPEST = 60  # below the parser's own limit, above what a usable tool has
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_TOO_DEEP = "-Infinity"  # no JSON, so no honest value is taken for it


class ToolsJSONParser(BaseParser):
    """UTF-8 JSON, one object. What is no JSON value, or too deep to read, becomes an `Unreadable` in its place."""

    media_type = "application/json"

    def parse(self, stream, media_type=None, parser_context=None) -> dict[str, Any]:
        try:
            text = stream.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise hinted(f"The body is not UTF-8: byte {error.start} cannot be read.") from error
        try:
            body = json.loads(
                _pruned(text), parse_constant=_constant, parse_float=_finite, parse_int=_whole, object_pairs_hook=_once
            )
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise hinted(f"The body is not JSON: {error.msg} at {where}.") from error
        if not isinstance(body, dict):
            raise hinted("The body must be a JSON object.", 'Send {"provider": …, "tools": [ … ]}.')
        return body


def _pruned(text: str) -> str:
    """The text with a mark in place of whatever is nested deeper than can be read."""
    kept, level, start, deep_from = [], 0, 0, 0
    for token in _TOKEN.finditer(text):
        sign = token.group()
        if sign in "[{":
            level += 1
            if level == _DEEPEST + 1:
                deep_from = token.start()
        elif sign in "]}":
            if level == _DEEPEST + 1:
                kept += [text[start:deep_from], _TOO_DEEP]
                start = token.end()
            level -= 1
    if level > _DEEPEST:
        raise hinted("The body is not JSON: it ends inside an object or a list.")
    return "".join([*kept, text[start:]])


def _constant(name: str) -> Unreadable:
    return Unreadable("too_deep" if name == _TOO_DEEP else "not_json")


def _finite(digits: str) -> float | Unreadable:
    number = float(digits)
    return number if math.isfinite(number) else Unreadable("not_json")


def _whole(digits: str) -> int | Unreadable:
    return int(digits) if len(digits) <= 100 else Unreadable("not_json")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Unreadable:
    members = dict(pairs)
    return members if len(members) == len(pairs) else Unreadable("twice")
