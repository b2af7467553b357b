"""One schema in the form one provider takes, and everything inside it."""

import json
from typing import Any

from memory.mcp.providers import Null, Open
from memory.mcp.schema_flat import TYPES, Place, Work, flat, type_of_value, types_of
from memory.mcp.schema_keywords import annotations, apply_rest, tell
from memory.mcp.schema_merge import ANNOTATIONS, both, distinct, same
from memory.mcp.schema_tree import Unusable

_ANYTHING = ("string", "number", "boolean")


def shape(work: Work, raw: Any, place: Place) -> dict[str, Any] | None:
    """The schema as the provider takes it, null included where it may be; None when no value at all is valid."""
    node, place = flat(work, raw, place)
    if node is None or "$ref" in node:
        return node
    for key in ("anyOf", "oneOf"):
        if key in node:
            return _union(work, node, key, place)
    return _typed(work, node, place)


def may_be_null(schema: dict[str, Any]) -> bool:
    """Does a schema that `shape` made allow null?"""
    kinds = schema.get("type")
    if kinds == "null" or (isinstance(kinds, list) and "null" in kinds) or schema.get("nullable") is True:
        return True
    return any(may_be_null(branch) for branch in schema.get("anyOf", schema.get("oneOf", ())))


def nullable(work: Work, schema: dict[str, Any]) -> dict[str, Any]:
    """The same, or null, in the provider's way."""
    if work.provider.null is Null.NEVER or may_be_null(schema):
        return schema
    if work.provider.null is Null.NULLABLE:
        if "anyOf" in schema:
            return schema | {"anyOf": [branch | {"nullable": True} for branch in schema["anyOf"]]}
        return schema | {"nullable": True}
    outside = {key: schema[key] for key in ANNOTATIONS if key in schema}
    inside = {key: value for key, value in schema.items() if key not in outside}
    if not inside:
        return schema
    if key := next((key for key in ("anyOf", "oneOf") if key in inside), None):
        return outside | {key: [*inside[key], {"type": "null"}]}
    kinds = inside.get("type")
    if work.provider.one_type or "enum" in inside or kinds in ("object", "array") or kinds is None:
        return outside | {"anyOf": [inside, {"type": "null"}]}
    return schema | {"type": [*(kinds if isinstance(kinds, list) else [kinds]), "null"]}


def _union(work: Work, node: dict[str, Any], key: str, place: Place) -> dict[str, Any] | None:
    """`anyOf` or `oneOf`: branches that say nothing or null fall away, one alone takes the parent's place, and what
    stood beside them moves into each."""
    rest = {name: value for name, value in node.items() if name != key}
    said = {name: rest[name] for name in ANNOTATIONS if name in rest}
    limits = {name: value for name, value in rest.items() if name not in said}
    branches, null = _branches(work, node[key], limits, place.at(key))
    if branches is None:
        return _typed(work, rest, place)
    if null and types_of(work, limits, place) not in ([], ["null"]) and "null" not in types_of(work, limits, place):
        null = False
    if not branches:
        return _only_null(work, said, place) if null else None
    if null and work.provider.null is Null.NEVER:
        work.note("null_dropped", place)
    if len(branches) == 1:
        only = branches[0][0]
        made = shape(work, (only | said) if "$ref" not in only else only, branches[0][1].within(place.inside))
        return nullable(work, made) if null and made is not None else made
    made = [one for branch, where in branches if (one := shape(work, branch, where)) is not None]
    if key == "oneOf" and "oneOf" not in work.provider.keywords:
        work.note("one_of", place)
        key = "anyOf"
    return _joined(work, said, made, key, null, place)


def _branches(
    work: Work, given: Any, limits: dict[str, Any], place: Place
) -> tuple[list[tuple[dict[str, Any], Place]] | None, bool]:
    """The branches that allow something, each with what its parent says; and whether one of them is null."""
    if not isinstance(given, list) or not given:
        work.note("keyword_invalid", place)
        return None, False
    found, null = [], False
    for number, raw in enumerate(given):
        where = place.at(number)
        branch, inside = flat(work, raw, where, in_place=bool(limits))
        if branch is None:
            work.note("branch_impossible", where)
            continue
        if "$ref" not in branch and types_of(work, branch, where) == ["null"]:
            if branch.get("enum", [None]) != [None]:
                work.note("null_enum", where)
            null = True
            continue
        if limits and "$ref" not in branch:
            branch, lost = both(branch, limits)
            for keyword in lost:
                work.note("all_of_lost", where, keyword)
        if branch is None:
            work.note("branch_impossible", where)
        else:
            found.append((branch, inside))
    return found, null


def _joined(
    work: Work, said: dict[str, Any], made: list[dict[str, Any]], key: str, null: bool, place: Place
) -> dict[str, Any] | None:
    """Shaped branches as one schema, in the provider's way of saying a choice."""
    flatter: list[dict[str, Any]] = []
    for one in made:
        flatter.extend(one[key] if one.keys() == {key} else [one])
    null = null or any(one == {"type": "null"} for one in flatter)
    flatter = distinct([one for one in flatter if one != {"type": "null"}])
    if not flatter:
        return _only_null(work, said, place) if null else None
    said = annotations(work, said, place)
    if any(not (one.keys() - set(ANNOTATIONS)) for one in flatter):
        return said  # a branch that takes anything makes the choice no choice
    if len(flatter) == 1:
        only = flatter[0]
        joined = only if "$ref" in only else said | only
    elif work.provider.bare_any_of:
        text = said.get("description")
        joined = {key: [one if "description" in one or not text else one | {"description": text} for one in flatter]}
        if said:
            work.note("beside_any_of", place)
    else:
        joined = said | {key: flatter}
    return nullable(work, joined) if null else joined


def _only_null(work: Work, said: dict[str, Any], place: Place) -> dict[str, Any] | None:
    """A value that can only be null."""
    if work.provider.null is Null.TYPE:
        return annotations(work, said, place) | {"type": "null"}
    work.note("null_only", place)
    if work.provider.null is Null.NEVER:
        return None
    return annotations(work, said, place) | {"type": "string", "nullable": True}


def _typed(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any] | None:
    """A schema without a choice in it."""
    given, types = node.get("type"), types_of(work, node, place)
    node, types = _values(work, node, types, place)
    null, types = "null" in types, [one for one in types if one != "null"]
    if not types:
        return _only_null(work, node, place) if null else _anything(work, node, place)
    if given is None:
        work.note("type_missing", place, types[0])
    if len(types) > 1 and (work.provider.one_type or {"array", "object"} & set(types) or "enum" in node):
        work.note("type_list", place, ", ".join(types))
        said = {key: node[key] for key in ANNOTATIONS if key in node}
        limits = {key: value for key, value in node.items() if key not in said}
        each = [_typed(work, _of_type(limits, one), place) for one in types]
        return _joined(work, said, [one for one in each if one is not None], "anyOf", null, place)
    made = annotations(work, node, place) | {"type": types[0] if len(types) == 1 else types}
    if "enum" in node:
        _put_enum(work, made, node["enum"], place)
    if "object" in types:
        made |= members(work, node, made, place)
    if "array" in types:
        made |= _array(work, node, made, place)
    apply_rest(work, node, made, types, place)
    if null and work.provider.null is Null.NEVER:
        work.note("null_dropped", place)
    return nullable(work, made) if null else made


def _of_type(node: dict[str, Any], kind: str) -> dict[str, Any]:
    """The part of a schema that is about one of its types."""
    part = node | {"type": kind}
    if "enum" in node:
        part["enum"] = [value for value in node["enum"] if fits(value, [kind])]
    return part


def fits(value: Any, types: list[str]) -> bool:
    kind = type_of_value(value)
    return kind in types or (kind == "integer" and "number" in types) or (
        "integer" in types and isinstance(value, float) and value.is_integer()
    )  # fmt: skip


def _values(work: Work, node: dict[str, Any], types: list[str], place: Place) -> tuple[dict[str, Any], list[str]]:
    """The node with an enum that fits its types, or without one; and the types, "null" among them where null is
    valid."""
    if "enum" not in node:
        return node, types
    values = distinct(node["enum"])
    if types == ["array"] and not any(isinstance(value, list) for value in values):
        work.note("enum_on_array", place)
        items = node.get("items", {})
        if isinstance(items, dict) and "enum" not in items:
            items = items | {"enum": values}
        return {key: value for key, value in node.items() if key != "enum"} | {"items": items}, types
    if types == ["null"]:
        work.note("null_enum", place)
        return {key: value for key, value in node.items() if key != "enum"}, types
    fitting = [value for value in values if fits(value, types)]
    if len(fitting) < len(values):
        work.note("enum_type", place)
    if not [value for value in fitting if value is not None]:
        fitting, types = values, distinct([type_of_value(value) for value in values])
    if None not in fitting:
        types = [one for one in types if one != "null"]
    used = [one for one in types if one == "null" or any(fits(value, [one]) for value in fitting)]
    if "number" in used and "integer" in used:
        used.remove("integer")
    return node | {"enum": [value for value in fitting if value is not None], "type": used}, used


def _put_enum(work: Work, made: dict[str, Any], values: list[Any], place: Place) -> None:
    if work.provider.string_enums and made["type"] != "string":
        work.note("enum_told", place)
        tell(made, f"One of: {', '.join(json.dumps(value, ensure_ascii=False) for value in values)}"[:500])
    else:
        made["enum"] = values


def _anything(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any]:
    made = annotations(work, node, place)
    apply_rest(work, node, made, list(TYPES), place)
    if not work.provider.typed:
        return made
    work.note("any_type", place)
    said = {key: made[key] for key in ANNOTATIONS if key in made}
    return _joined(work, said, [{"type": kind} for kind in _ANYTHING], "anyOf", False, place) or {}


def members(
    work: Work, node: dict[str, Any], made: dict[str, Any], place: Place, *, root: bool = False
) -> dict[str, Any]:
    """`properties`, `required` and `additionalProperties` of an object. `made` is told what cannot be said."""
    given = node.get("properties", {})
    if not isinstance(given, dict):
        work.note("keyword_invalid", place.at("properties"))
        given = {}
    if "properties" not in node:
        work.note("properties_missing", place)
    given = dict(given)
    required = _required(work, node, given, place)
    needed = set(required)
    properties: dict[str, Any] = {}
    for name, raw in given.items():
        where = place.at("properties", name)
        child = _member(work, name, raw, name in needed, where)
        if child is None:
            continue
        if work.provider.all_required and name not in needed:
            if not may_be_null(child):
                work.note("optional_as_null", where)
            child = nullable(work, child)
        properties[name] = child
    if work.provider.all_required:
        required = list(properties)
    objects = {"properties": properties} | ({"required": required} if required else {})
    if work.provider.all_required:
        objects["required"] = required
    return objects | _extras(work, node, made, bool(properties), place, root=root)


def _member(work: Work, name: str, raw: Any, required: bool, place: Place) -> dict[str, Any] | None:
    """One property, shaped; None when it can be left out. Raises Unusable when a required one cannot be said."""
    allowed = work.provider.property_name
    if allowed is not None and not allowed.fullmatch(name):
        if required:
            raise Unusable("property_name", place.pointer, name[:80])
        work.note("property_name_dropped", place, name)
        return None
    if raw is None:
        work.note("null_keyword", place)
    try:
        child = shape(work, {} if raw is None else raw, place)
    except Unusable as error:
        if required or error.reason != "free_form_object":
            raise
        work.note("free_form_dropped", place, name)
        return None
    if child is None:
        if required:
            raise Unusable("argument_impossible", place.pointer, name[:80])
        work.note("property_impossible", place, name)
    return child


def _required(work: Work, node: dict[str, Any], given: dict[str, Any], place: Place) -> list[str]:
    """The required names; those that are declared nowhere are declared, so that no argument vanishes."""
    stated = node.get("required", [])
    names = distinct([one for one in stated if isinstance(one, str)]) if isinstance(stated, list) else []
    if not isinstance(stated, list) or len(names) < len(stated):
        work.note("keyword_invalid", place.at("required"))
    known = set(names)
    for name, raw in given.items():
        if isinstance(raw, dict) and raw.get("required") is True and name not in known:
            work.note("required_inside", place.at("properties", name))
            names.append(name)
    for name in names:
        if name not in given:
            work.note("required_undeclared", place, name)
            given[name] = {}
    return names


def _extras(
    work: Work, node: dict[str, Any], made: dict[str, Any], declared: bool, place: Place, *, root: bool
) -> dict[str, Any]:
    """`additionalProperties` in the provider's way."""
    value = node.get("additionalProperties")
    where = place.at("additionalProperties")
    if value is not None and not isinstance(value, bool | dict):
        work.note("keyword_invalid", where)
        value = None
    if work.provider.open is Open.CLOSED:
        if not declared and value is not False and (not root or (isinstance(value, dict) and value)):
            raise Unusable("free_form_object", place.pointer)
        if value is not False:
            work.note("object_closed", place)
        return {"additionalProperties": False}
    if work.provider.open is Open.ABSENT:
        if value is not None:
            work.note("additional_properties_dropped", place)
        if isinstance(value, dict) and value:
            tell(made, f"Further keys may be given; each value: {json.dumps(value, ensure_ascii=False)}"[:300])
        elif (value is True or value == {}) and not declared and not root:
            tell(made, "Any keys may be given.")
        return {}
    if value is None or isinstance(value, bool):
        return {} if value is None else {"additionalProperties": value}
    shaped = shape(work, value, where) if value else {}
    if shaped is None:
        return {"additionalProperties": False}
    if same(value, {}) or not shaped:
        work.note("additional_properties_empty", place)
        return {"additionalProperties": not (declared or root)}
    return {"additionalProperties": shaped}


def _array(work: Work, node: dict[str, Any], made: dict[str, Any], place: Place) -> dict[str, Any]:
    """`items`, always there."""
    items = node.get("items")
    positions = items if isinstance(items, list) else node.get("prefixItems")
    if isinstance(positions, list) and positions:
        work.note("tuple", place)
        tell(made, f"{len(positions)} items, in this order.")
        items = {"anyOf": distinct(positions)}
    elif items is None or isinstance(items, list):
        work.note("items_missing", place)
        items = {}
    shaped = shape(work, items, place.at("items"))
    if shaped is None:
        work.note("items_missing", place)
        tell(made, "Always empty.")
        shaped = shape(work, {}, place.at("items")) or {}
    return {"items": shaped}
