"""The plain keywords of a schema: kept if valid and known to the provider, else told in words, or dropped."""

import json
import re
from collections.abc import Callable
from typing import Any

from memory.mcp.schema_flat import Place, Work

_SHAPED = frozenset(
    {"type", "enum", "anyOf", "oneOf", "properties", "required", "additionalProperties", "items", "prefixItems",
     "title", "description", "default", "nullable", "$defs", "definitions"}
)  # fmt: skip
# what narrows the values: a model that is not told would send what the tool refuses
_RULES = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
     "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "format", "not", "if", "then", "else",
     "patternProperties", "propertyNames", "contains", "minContains", "maxContains", "dependentRequired",
     "dependentSchemas", "dependencies"}
)  # fmt: skip
_LONGEST_RULE = 300


def annotations(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any]:
    """Title, description and default of a schema, as far as they are valid and the provider has them."""
    made = {}
    for key in ("title", "description"):
        if key not in node:
            continue
        if not isinstance(node[key], str):
            work.note("keyword_invalid", place, key)
        elif key in work.provider.keywords:
            made[key] = node[key]
        else:
            work.note("keyword_dropped", place, key)
    if "default" in node:
        if "default" in work.provider.keywords:
            made["default"] = node["default"]
        else:
            work.note("keyword_told", place, "default")
            tell(made, f"Default: {_as_json(node['default'])}")
    return made


def apply_rest(work: Work, node: dict[str, Any], made: dict[str, Any], types: list[str], place: Place) -> None:
    """Puts every keyword that `made` has not yet into it, into its description, or drops it."""
    node = _newer(node)
    for key, value in node.items():
        if key in _SHAPED:
            continue
        if key not in _RULES:
            work.note("keyword_dropped", place, key)
        elif key in _VALID and not _VALID[key](value):
            work.note("keyword_invalid", place, key)
        elif key in _ABOUT and not set(_ABOUT[key]) & set(types):
            work.note("keyword_other_type", place, key)
        elif key == "format" and value not in work.provider.formats:
            work.note("format", place, value)
            tell(made, f"Format: {value}")
        elif key not in work.provider.keywords:
            work.note("keyword_told", place, key)
            tell(made, f"{key}: {_as_json(value)}")
        else:
            made[key] = value


def tell(made: dict[str, Any], text: str) -> None:
    """Adds a sentence to a schema's description, once."""
    text = text.rstrip(".") + "."
    before = made.get("description", "")
    if text not in before:
        made["description"] = f"{before}{'. ' if before[-1:].isalnum() else ' '}{text}".strip()


def _as_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_RULE else text[: _LONGEST_RULE - 1] + "…"


def _newer(node: dict[str, Any]) -> dict[str, Any]:
    """Draft 4's `exclusiveMinimum: true` as the number it means."""
    node = dict(node)
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(exclusive), bool) and node.pop(exclusive) and _number(node.get(bound)):
            node[exclusive] = node.pop(bound)
    return node


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _regex(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > 1000:
        return False
    try:
        re.compile(re.sub(r"\\[pP]\{\w+\}", ".", value))
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_VALID: dict[str, Callable[[Any], bool]] = {
    "minimum": _number, "maximum": _number, "exclusiveMinimum": _number, "exclusiveMaximum": _number,
    "multipleOf": lambda value: _number(value) and value > 0, "minLength": _count, "maxLength": _count,
    "minItems": _count, "maxItems": _count, "minProperties": _count, "maxProperties": _count, "uniqueItems": _flag,
    "format": _text, "pattern": _regex,
}  # fmt: skip
_NUMBERS = ("number", "integer")
_ABOUT = {
    "minimum": _NUMBERS, "maximum": _NUMBERS, "exclusiveMinimum": _NUMBERS, "exclusiveMaximum": _NUMBERS,
    "multipleOf": _NUMBERS, "minLength": ("string",), "maxLength": ("string",), "pattern": ("string",),
    "format": ("string", "number", "integer"), "minItems": ("array",), "maxItems": ("array",),
    "uniqueItems": ("array",), "contains": ("array",), "minProperties": ("object",), "maxProperties": ("object",),
    "patternProperties": ("object",), "propertyNames": ("object",), "dependentRequired": ("object",),
}  # fmt: skip
