"""Two schemas that must both hold, as one: what `allOf`, and keywords beside `$ref` or `anyOf`, mean."""

import json
from typing import Any

ANNOTATIONS = ("title", "description", "default", "examples", "deprecated", "$comment")
_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_MOST_BRANCHES = 64


def both(first: dict[str, Any], second: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """The schema of what satisfies both, None when nothing does; and the keywords whose second value had to go.

    Annotations are the first's. Inner schemas are joined by an `allOf` that is resolved when they are reached.
    """
    merged, lost = dict(first), []
    for key, value in second.items():
        if key not in merged:
            merged[key] = value
        elif not same(merged[key], value) and key not in ANNOTATIONS:
            joined = _joined(key, merged[key], value)
            if joined is None:
                return None, lost
            if joined is _LOST:
                lost.append(key)
            else:
                merged[key] = joined
    return merged, lost


def same(first: Any, second: Any) -> bool:
    """Equal as JSON: unlike Python's, true is not 1."""
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    return first == second


def distinct(values: list[Any]) -> list[Any]:
    """Each value once, in the order of their first places."""
    return list({_key(value): value for value in reversed(values)}.values())[::-1]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_LOST = object()


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _and(first: Any, second: Any) -> Any:
    """Both schemas, for later."""
    if same(first, second):
        return first
    known = first["allOf"] if isinstance(first, dict) and first.keys() == {"allOf"} else [first]
    return {"allOf": [*known, second]}


def _joined(key: str, first: Any, second: Any) -> Any:
    """One keyword's two values as one; None when they exclude each other, _LOST when one cannot say both."""
    if key == "type":
        return _common_types(as_list(first), as_list(second))
    if key == "enum" and isinstance(first, list) and isinstance(second, list):
        allowed = {_key(value) for value in second}
        return [value for value in first if _key(value) in allowed] or None
    if key == "required" and isinstance(first, list) and isinstance(second, list):
        return distinct(first + second)
    if key == "properties" and isinstance(first, dict) and isinstance(second, dict):
        return first | {name: _and(first[name], value) if name in first else value for name, value in second.items()}
    if key in ("items", "additionalProperties") and isinstance(first, dict | bool) and isinstance(second, dict | bool):
        return False if first is False or second is False else _and(first, second)
    if key in ("anyOf", "oneOf") and isinstance(first, list) and isinstance(second, list):
        pairs = [{"allOf": [one, other]} for one in first for other in second[: _MOST_BRANCHES + 1]]
        return pairs if len(pairs) <= _MOST_BRANCHES else _LOST
    if key in _LARGER | _SMALLER and _number(first) and _number(second):
        return max(first, second) if key in _LARGER else min(first, second)
    if key == "uniqueItems":
        return True
    return _LOST


def _common_types(first: list[Any], second: list[Any]) -> Any:
    common = [one for one in first if one in second or (one == "integer" and "number" in second)]
    common += [one for one in second if one == "integer" and "number" in first and "integer" not in first]
    return (common[0] if len(common) == 1 else common) or None


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
