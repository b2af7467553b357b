"""One schema without the keywords that point elsewhere: `$ref` and `allOf` resolved, `const` an `enum`, nulls gone."""

from dataclasses import dataclass, field
from typing import Any

from memory.mcp.providers import Provider
from memory.mcp.schema_merge import ANNOTATIONS, both, distinct
from memory.mcp.schema_tree import Refs, Unusable, join

CHANGES = 200  # told of one tool
POINTER = 500
LEVELS = 40
_SYNONYMS = {
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "bool": "boolean", "dict": "object", "map": "object", "list": "array", "none": "null",
}  # fmt: skip
TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_SHOWS_TYPE = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing done to a tool: a code of `schema_reasons`, where (RFC 6901), and what it was about."""

    reason: str
    pointer: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a schema stands: its pointer, its level, and the references whose targets it stands inside."""

    pointer: str
    level: int = 1
    inside: frozenset[str] = frozenset({"#"})

    def at(self, *names: str | int) -> "Place":
        return Place(join(self.pointer, *names), self.level + 1, self.inside)

    def within(self, refs: frozenset[str]) -> "Place":
        return Place(self.pointer, self.level, self.inside | refs)


@dataclass(slots=True)
class Work:
    """What one tool's normalisation knows and has done so far."""

    provider: Provider
    refs: Refs
    budget: int
    changes: dict[Change, None] = field(default_factory=dict)  # in order, each once
    told: list[str] = field(default_factory=list)  # for the tool's own description
    kept: list[str] = field(default_factory=list)  # references that stay, in the order they were met
    spent: int = 0

    def note(self, reason: str, place: Place | str, detail: str = "") -> None:
        pointer = place if isinstance(place, str) else place.pointer
        if len(self.changes) < CHANGES:
            self.changes.setdefault(Change(reason, pointer[:POINTER], detail[:200]))

    def spend(self, place: Place, schema: Any) -> None:
        """Counts a schema against the budget, a large one more than once."""
        members = schema.values() if isinstance(schema, dict) else ()
        self.spent += 1 + sum(len(one) for one in members if isinstance(one, list | dict)) // 20
        self.spent += sum(len(one) for one in members if isinstance(one, str)) // 500
        if self.spent > self.budget:
            raise Unusable("too_large", place.pointer[:200])
        if place.level > LEVELS:
            raise Unusable("too_deep", place.pointer[:200])


def flat(work: Work, raw: Any, place: Place, *, in_place: bool = False) -> tuple[dict[str, Any] | None, Place]:
    """The schema with neither `$ref` nor `allOf`, and where its inside stands; None when nothing satisfies it.

    What refers to itself stays `{"$ref": …}` for a provider that takes that, unless `in_place`.
    """
    work.spend(place, raw)
    node = _own(work, raw, place)
    if node is None:
        return None, place
    parts = []
    if "$ref" in node:
        ref = node.pop("$ref")
        target, place = _referred(work, ref, place, keep=not in_place and not _constrains(node))
        if "$ref" in target:
            return target, place
        parts.append(target)
    branches = node.pop("allOf", None)
    if branches is not None:
        if not isinstance(branches, list):
            work.note("keyword_invalid", place, "allOf")
            branches = []
        work.note("all_of", place)
        if len(branches) == 1 and not _constrains(node):
            only, inside = flat(work, branches[0], place.at("allOf", 0), in_place=in_place)
            if only is not None and "$ref" in only:
                return only, place
            place = place.within(inside.inside)
            parts.append(only)
        else:
            for number, branch in enumerate(branches):
                part, inside = flat(work, branch, place.at("allOf", number), in_place=True)
                place = place.within(inside.inside)
                parts.append(part)
    return _all(work, [node, *parts], place), place


def is_nothing(schema: Any) -> bool:
    """Does it say outright that no value is valid: false, or `not` anything?"""
    return schema is False or (isinstance(schema, dict) and "not" in schema and schema["not"] in ({}, True))


def types_of(work: Work, node: dict[str, Any], place: Place) -> list[str]:
    """The types a flat schema allows, "null" among them; empty for any. Raises Unusable on a type that is none."""
    given = node.get("type")
    if given is None or given == []:
        return _shown_types(node)
    found = []
    for one in given if isinstance(given, list) else [given]:
        name = one.lower() if isinstance(one, str) else ""
        if name == "any":
            return []
        name = _SYNONYMS.get(name, name)
        if name not in TYPES:
            raise Unusable("type_unknown", join(place.pointer, "type"), str(one)[:80])
        if name != one:
            work.note("type_name", place, str(one)[:80])
        found.append(name)
    if "number" in found and "integer" in found:
        found.remove("integer")
    return distinct(found)


def type_of_value(value: Any) -> str:
    """The JSON type of a literal; "integer" for a whole number."""
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def _own(work: Work, raw: Any, place: Place) -> dict[str, Any] | None:
    """The schema's own keywords, those that are null gone, `const` as `enum`, `nullable` among the types."""
    if raw is True:
        return {}
    if is_nothing(raw):
        return None
    if not isinstance(raw, dict):
        raise Unusable("not_a_schema", place.pointer, str(raw)[:80])
    node = {}
    for key, value in raw.items():
        if value is None and key != "const":
            work.note("null_keyword", place, key)
        else:
            node[key] = value
    if "const" in node:
        work.note("const", place)
        given, value = node.get("enum"), node.pop("const")
        node["enum"] = [value]
        if isinstance(given, list) and given and value not in given:
            return None
    if node.get("enum") == [] or not isinstance(node.get("enum", []), list):
        work.note("enum_empty", place)
        del node["enum"]
    return _or_null(work, node, place) if node.pop("nullable", False) is True else node


def _or_null(work: Work, node: dict[str, Any], place: Place) -> dict[str, Any]:
    """What OpenAPI's `nullable: true` means beside the other keywords."""
    if any(key in node for key in ("$ref", "allOf", "anyOf", "oneOf")):
        said = {key: node[key] for key in ANNOTATIONS if key in node}
        rest = {key: value for key, value in node.items() if key not in said}
        return said | {"anyOf": [rest, {"type": "null"}]}
    if types := types_of(work, node, place):
        node["type"] = distinct([*types, "null"])
        if "enum" in node:
            node["enum"] = distinct([*node["enum"], None])
    return node


def _constrains(node: dict[str, Any]) -> bool:
    return any(key not in ANNOTATIONS and not key.startswith(("$", "x-")) and key != "definitions" for key in node)


def _referred(work: Work, ref: Any, place: Place, *, keep: bool) -> tuple[dict[str, Any], Place]:
    """The schema a reference names, its own references followed; or the reference, when it is to stay."""
    seen: set[str] = set()
    while True:
        pointer, target = work.refs.target(ref, place.pointer)
        if pointer in seen:
            raise Unusable("ref_cycle", place.pointer, pointer[:80])
        seen.add(pointer)
        if len(seen) > LEVELS:
            raise Unusable("too_deep", place.pointer[:200])
        recursive = work.refs.recursive(pointer, place.pointer)
        if recursive and keep and work.provider.keeps_refs:
            name = work.refs.name(pointer)
            if pointer not in work.kept:
                work.kept.append(pointer)
            if pointer != f"#/$defs/{name}":
                work.note("ref_kept", place, pointer)
            return {"$ref": f"#/$defs/{name}"}, place
        if recursive and pointer in place.inside and not work.provider.keeps_refs:
            work.note("ref_cut", place, pointer)
            return _cut(target, pointer), place
        work.note("ref", place, pointer)
        place = place.within(frozenset({pointer}))
        if not (isinstance(target, dict) and target.keys() == {"$ref"}):
            merged, inside = flat(work, target, place.at("$ref"), in_place=True)
            return (merged if merged is not None else {"not": {}}), place.within(inside.inside)
        ref = target["$ref"]


def _cut(target: Any, pointer: str) -> dict[str, Any]:
    """An object that may hold anything, where the same shape would begin again."""
    kind = target.get("type") if isinstance(target, dict) else None
    name = pointer.rsplit("/", 1)[-1].lstrip("#")
    return {
        "type": kind if isinstance(kind, str) and kind != "null" else "object",
        "description": f"The same shape again: {name}." if name else "The same shape again.",
    }


def _all(work: Work, parts: list[dict[str, Any] | None], place: Place) -> dict[str, Any] | None:
    merged: dict[str, Any] | None = {}
    for part in parts:
        if part is None or is_nothing(part) or merged is None:
            return None
        merged, lost = both(merged, part)
        for keyword in lost:
            work.note("all_of_lost", place, keyword)
    return merged


def _shown_types(node: dict[str, Any]) -> list[str]:
    """What a schema without a type is about, from its values or its keywords."""
    if isinstance(node.get("enum"), list):
        return distinct([type_of_value(value) for value in node["enum"]])
    return next(([name] for name, keys in _SHOWS_TYPE.items() if any(key in node for key in keys)), [])
