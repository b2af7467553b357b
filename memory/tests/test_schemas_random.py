"""memory/mcp/schemas: what must hold for any schema at all, tried on seeded random ones."""

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from memory.mcp.providers import PROVIDERS
from memory.mcp.schema_merge import same
from memory.mcp.schemas import Normalised, normalise

NAMES = ("city", "limit", "tags", "因素", "a/b", "when")
LITERALS = (None, True, 0, 1, 2.5, "x", "是", [], [1], {}, {"k": None})
KINDS = ("string", "number", "integer", "boolean", "object", "array", "null")
ODD = (None, True, False, {}, [], "text", 7, {"type": "object"}, [{"type": "string"}], ["city"])
KEYWORDS = (
    "properties", "required", "items", "anyOf", "oneOf", "allOf", "additionalProperties", "enum", "const", "not", "if",
    "minimum", "exclusiveMaximum", "minLength", "pattern", "format", "prefixItems", "patternProperties", "title",
    "description", "default", "nullable", "$schema", "x-order", "uniqueItems", "dependentRequired", "$ref",
)  # fmt: skip
REFS = ("#", "#/$defs/leaf", "#/$defs/tree", "#/$defs/loop", "#/definitions/pair", "#/$defs/gone", "#/properties/city")


def random_schema(rng: random.Random, depth: int) -> Any:
    """Mostly sensible, at times absurd; small, so that many can be tried."""
    if rng.random() < 0.04:
        return rng.choice(ODD)
    schema: dict[str, Any] = {}
    if rng.random() < 0.8:
        schema["type"] = rng.choice(KINDS) if rng.random() < 0.8 else rng.sample(KINDS, rng.randint(1, 3))
    for keyword in rng.sample(KEYWORDS, rng.randint(0, 4)):
        schema[keyword] = rng.choice(ODD) if rng.random() < 0.05 else value_of(rng, keyword, depth)
    return schema


def value_of(rng: random.Random, keyword: str, depth: int) -> Any:
    inner = (lambda: random_schema(rng, depth - 1)) if depth else lambda: {"type": rng.choice(KINDS)}
    if keyword in ("properties", "patternProperties"):
        return {name: inner() for name in rng.sample(NAMES, rng.randint(0, 3))}
    if keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
        return [inner() for _ in range(rng.randint(0, 3))]
    if keyword in ("items", "not", "if", "additionalProperties"):
        return rng.choice(({}, True, False)) if rng.random() < 0.3 else inner()
    plain = {
        "required": rng.sample(NAMES, rng.randint(0, 3)), "enum": rng.sample(LITERALS, rng.randint(0, 4)),
        "const": rng.choice(LITERALS), "minimum": rng.choice((0, -1.5, "0")), "exclusiveMaximum": rng.choice((9, True)),
        "minLength": rng.choice((0, 3, -1)), "pattern": rng.choice(("^a+$", "(", "[")),
        "format": rng.choice(("date-time", "uri", "int32", 5)), "default": rng.choice(LITERALS),
        "nullable": rng.choice((True, False)), "uniqueItems": rng.choice((True, 1)), "$ref": rng.choice(REFS),
        "dependentRequired": {"city": ["limit"]}, "title": "T", "description": "What it is.",
    }  # fmt: skip
    return plain.get(keyword, "x")


def random_root(rng: random.Random) -> Any:
    root = random_schema(rng, 3)
    if isinstance(root, dict):
        if rng.random() < 0.7:
            root["type"] = "object"
            root.setdefault("properties", value_of(rng, "properties", 3))
        root["$defs"] = {
            "leaf": {"type": "string", "enum": ["u", None]}, "loop": {"$ref": "#/$defs/loop"},
            "tree": {"type": "object", "properties": {"up": {"$ref": "#/$defs/tree"}, "own": random_schema(rng, 1)}},
        }  # fmt: skip
        root["definitions"] = {"pair": {"type": "array", "items": [{"$ref": "#/$defs/leaf"}, {}]}}
    return root


def schemas_in(schema: Any) -> list[dict[str, Any]]:
    """Every schema of a normalised one."""
    found, waiting = [], [schema]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, dict):
            continue
        found.append(one)
        for key in ("properties", "$defs"):
            waiting.extend(one.get(key, {}).values())
        for key in ("anyOf", "oneOf"):
            waiting.extend(one.get(key, ()))
        waiting.extend((one.get("items"), one.get("additionalProperties")))
    return found


def check_rules(provider: str, done: Normalised) -> None:
    rules = PROVIDERS[provider]
    assert done.schema["type"] == "object" and not done.schema.keys() & {"anyOf", "oneOf", "allOf", "$ref", "enum"}
    assert rules.name.fullmatch(done.name)
    for one in schemas_in(done.schema):
        unknown = one.keys() - rules.keywords - {"$defs", "$ref"}
        assert not unknown, unknown
        assert None not in one.values() and None not in one.get("enum", ())
        assert one.get("additionalProperties") != {} or one.get("additionalProperties") is False
        kinds = one.get("type") if isinstance(one.get("type"), list) else [one.get("type")]
        assert "array" not in kinds or "items" in one
        if "object" in kinds:
            assert set(one.get("required", ())) <= one["properties"].keys()
        if rules.typed:
            assert "type" in one or "anyOf" in one or "$ref" in one
        if rules.one_type:
            assert not isinstance(one.get("type"), list)
        if rules.bare_any_of and "anyOf" in one:
            assert one.keys() == {"anyOf"}
        if rules.all_required and one.get("type") == "object":
            assert one["additionalProperties"] is False and set(one["required"]) == one["properties"].keys()


@pytest.mark.parametrize("provider", PROVIDERS)
def test_any_schema_becomes_one_the_provider_takes_or_is_refused_and_twice_changes_nothing(provider):
    rng = random.Random(f"schemas {provider}")
    usable = 0
    for _ in range(400):
        tool = {"name": "t_1", "description": "Does it.", "inputSchema": random_root(rng)}
        before = deepcopy(tool)
        [done] = normalise([tool], provider=provider)
        assert same(tool, before), "the given definition was changed"
        if done.refusal is not None:
            assert done.schema is None and not done.changes
            continue
        usable += 1
        try:
            Draft202012Validator.check_schema(done.schema)
            check_rules(provider, done)
            again = {"name": done.name, "description": done.description, "inputSchema": done.schema}
            [twice] = normalise([again], provider=provider)
            assert not twice.changes and twice.refusal is None
            assert (twice.name, twice.description, twice.schema) == (done.name, done.description, done.schema)
        except Exception:
            print(json.dumps(before, ensure_ascii=False), json.dumps(done.schema, ensure_ascii=False), sep="\n")
            raise
    assert usable > 60
