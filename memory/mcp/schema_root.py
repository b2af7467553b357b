"""The schema of a tool's arguments: one object, whatever it came as."""

import json
from typing import Any

from memory.mcp.schema_flat import Place, Work, flat, types_of
from memory.mcp.schema_keywords import annotations, apply_rest
from memory.mcp.schema_merge import ANNOTATIONS, both, distinct, same
from memory.mcp.schema_nodes import members, shape
from memory.mcp.schema_tree import Unusable

_MOST_ALTERNATIVES = 64
_OBJECT_KEYS = ("properties", "required", "additionalProperties", "patternProperties", "minProperties")


def shape_root(work: Work, raw: Any, place: Place) -> dict[str, Any]:
    """The object of the arguments. Raises Unusable when the schema is about something else, or about nothing."""
    if raw is None:
        work.note("schema_missing", place)
        raw = {"type": "object", "properties": {}}
    node, place = flat(work, raw, place, in_place=True)
    if node is None:
        raise Unusable("argument_impossible", place.pointer)
    node = _one_object(work, node, place)
    made = annotations(work, node, place) | {"type": "object"}
    if "enum" in node:
        work.note("keyword_dropped", place, "enum")
    rules: dict[str, Any] = {}
    made |= members(work, node, rules, place, root=True)
    apply_rest(work, node, rules, ["object"], place)
    # at the root a rule is told in the tool's description, where every model sees it
    if text := rules.pop("description", ""):
        work.told.append(text)
    made |= rules
    return _with_kept(work, made, place)


def _one_object(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any]:
    """The root without a choice: what every alternative demands is required, the rest is told."""
    if "anyOf" not in node and "oneOf" not in node:
        return _object_only(work, node, place)
    work.note("root_union", place)
    found = [one for one in _alternatives(work, node, place) if _is_object(work, one, place)]
    if not found:
        raise Unusable("root_not_object", place.pointer)
    if len(found) == 1:
        return _object_only(work, found[0], place)
    given = [_properties(one) for one in found]
    names = distinct([name for one in given for name in one])
    properties = {name: _either(work, [one[name] for one in given if name in one], place) for name in names}
    needed = [_needed(one) for one in found]
    common = [name for name in needed[0] if all(name in one for one in needed)]
    merged = {key: node[key] for key in ANNOTATIONS if key in node}
    merged |= {"type": "object", "properties": properties, "required": common}
    extras = [one.get("additionalProperties") for one in found]
    if extras[0] is not None and all(same(one, extras[0]) for one in extras):
        merged["additionalProperties"] = extras[0]
    kept = set(merged) | {"anyOf", "oneOf", *_OBJECT_KEYS[:3]}
    merged |= {key: value for key, value in node.items() if key not in kept}
    if sets := distinct([_said(work, one, common, place) for one in found]):
        _tell_sets(work, sets)
    return merged


def _alternatives(work: Work, node: dict[str, Any], place: Place) -> list[dict[str, Any]]:
    """Every alternative of a root, each with what stands beside the choice; nested choices opened."""
    key = next((one for one in ("anyOf", "oneOf") if one in node), None)
    if key is None:
        return [node]
    rest = {name: value for name, value in node.items() if name != key}
    if not isinstance(node[key], list) or not node[key]:
        work.note("keyword_invalid", place.at(key))
        return _alternatives(work, rest, place)
    found: list[dict[str, Any]] = []
    for number, raw in enumerate(node[key]):
        where = place.at(key, number)
        branch, _ = flat(work, raw, where, in_place=True)
        joined, lost = both(rest, branch) if branch is not None else (None, [])
        for keyword in lost:
            work.note("all_of_lost", where, keyword)
        if joined is None:
            work.note("branch_impossible", where)
            continue
        found.extend(_alternatives(work, joined, where))
        if len(found) > _MOST_ALTERNATIVES:
            raise Unusable("too_large", where.pointer)
    return found


def _object_only(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any]:
    if not _is_object(work, node, place):
        raise Unusable("root_not_object", place.pointer, str(node.get("type", ""))[:80])
    if node.get("type") != "object":
        work.note("root_type", place)
    return node | {"type": "object"}


def _is_object(work: Work, node: dict[str, Any], place: Place) -> bool:
    types = types_of(work, {key: value for key, value in node.items() if key != "enum"}, place)
    return "object" in types or (not types and "enum" not in node)


def _properties(node: dict[str, Any]) -> dict[str, Any]:
    given = node.get("properties")
    return given if isinstance(given, dict) else {}


def _needed(node: dict[str, Any]) -> list[str]:
    """The required names of an alternative, however they are marked."""
    given = node.get("required")
    names = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    inside = [name for name, raw in _properties(node).items() if isinstance(raw, dict) and raw.get("required") is True]
    return distinct(names + inside)


def _either(work: Work, variants: list[Any], place: Place) -> Any:
    """One property that several alternatives describe."""
    variants = distinct(variants)
    if len(variants) == 1:
        return variants[0]
    opened = [flat(work, one, place)[0] if isinstance(one, dict) else one for one in variants]
    if all(isinstance(one, dict) and isinstance(one.get("enum"), list) for one in opened):
        bare = [{key: value for key, value in one.items() if key not in ("enum", *ANNOTATIONS)} for one in opened]
        if all(same(one, bare[0]) for one in bare):
            return opened[0] | {"enum": distinct([value for one in opened for value in one["enum"]])}
    without = [
        {k: v for k, v in one.items() if k not in ANNOTATIONS} if isinstance(one, dict) else one for one in opened
    ]
    return variants[0] if len(distinct(without)) == 1 else {"anyOf": variants}


def _said(work: Work, node: dict[str, Any], common: list[str], place: Place) -> str:
    """What one alternative asks for beyond the others: `kind = "file", path`."""
    words = []
    for name, raw in _properties(node).items():
        opened = flat(work, raw, place)[0] if isinstance(raw, dict) else None
        values = (opened or {}).get("enum")
        if isinstance(values, list) and len(values) == 1:
            words.append(f"{name} = {json.dumps(values[0], ensure_ascii=False)}")
        elif name in _needed(node) and name not in common:
            words.append(name)
    words += [name for name in _needed(node) if name not in common and name not in _properties(node)]
    return ", ".join(words)


def _tell_sets(work: Work, sets: list[str]) -> None:
    if len(sets) == 1:
        return
    asked = [one for one in sets if one]
    text = "; or ".join(asked) + ("; or none of these" if len(asked) < len(sets) else "")
    work.told.append(f"Arguments go together in one of these sets: {text}."[:1000])


def _with_kept(work: Work, made: dict[str, Any], place: Place) -> dict[str, Any]:
    """The root with `$defs` for every reference that stayed. The list grows while the definitions are shaped."""
    definitions: dict[str, Any] = {}
    for ref in work.kept:
        name = work.refs.name(ref)
        where = place.at("$defs", name)
        _, target = work.refs.target(ref, where.pointer)
        node, inner = flat(work, target, where, in_place=True)
        shaped = shape(work, node, inner) if node is not None else None
        if shaped is None:
            raise Unusable("argument_impossible", where.pointer)
        definitions[name] = shaped
    return made | ({"$defs": definitions} if definitions else {})
