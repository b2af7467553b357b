"""memory/mcp/schemas: what providers reject is gone, and what the tool means is still there."""

import time

import pytest

from memory.mcp.providers import PROVIDERS
from memory.mcp.schemas import Normalised, normalise


def one(schema, provider="openai", **fields) -> Normalised:
    [done] = normalise([{"name": "book_room", "inputSchema": schema} | fields], provider=provider)
    return done


def with_argument(schema, **root):
    return {"type": "object", "properties": {"room": schema}} | root


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_every_alternative_demands_stays_required_and_the_rest_is_told(provider):
    by_id = {"type": "object", "properties": {"by": {"const": "id"}, "id": {"type": "integer"}}}
    by_name = {"type": "object", "properties": {"by": {"const": "name"}, "name": {"type": "string"}}}
    choice = [by_id | {"required": ["by", "id"]}, by_name | {"required": ["by", "name"]}]
    done = one({"oneOf": choice}, provider, description="Books a room.")
    assert done.schema["properties"].keys() == {"by", "id", "name"} and "by" in done.schema["required"]
    assert done.schema["properties"]["by"]["enum"] == ["id", "name"]
    assert done.description.startswith("Books a room.")
    assert 'by = "id", id; or by = "name", name' in done.description


def test_a_demand_beside_properties_is_told():
    rooms = {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "required": ["c"]}
    done = one(rooms | {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]})
    assert done.schema["required"] == ["c"] and "a; or b" in done.description


def test_references_are_put_in_place_and_a_schema_inside_itself_stays_one_or_is_cut():
    tree = {"type": "object", "properties": {"text": {"$ref": "#/$defs/text"}, "parts": {"$ref": "#/$defs/parts"}}}
    parts = {"type": "array", "items": {"$ref": "#/$defs/tree"}}
    schema = with_argument({"$ref": "#/$defs/tree"}) | {
        "$defs": {"tree": tree, "parts": parts, "text": {"type": "string"}}
    }
    kept = one(schema).schema
    assert kept["$defs"]["tree"]["properties"]["text"] == {"type": "string"}
    cut = one(schema, "gemini")
    assert "$ref" not in str(cut.schema) and "ref_cut" in {change.reason for change in cut.changes}


def test_null_is_said_as_the_provider_says_it():
    schema = with_argument({"anyOf": [{"type": "string"}, {"type": "null"}]}, required=["room"])
    rooms = {name: one(schema, name).schema["properties"]["room"] for name in PROVIDERS}
    assert rooms["openai"] == rooms["strict"] == {"type": ["string", "null"]}
    assert rooms["gemini"] == {"type": "string", "nullable": True}
    assert rooms["kimi"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert rooms["plain"] == {"type": "string"}


def test_what_a_provider_has_no_keyword_for_is_told_in_words():
    room = one(with_argument({"type": "string", "format": "uri", "description": "Where 房间"}), "gemini").schema
    assert room["properties"]["room"] == {"type": "string", "description": "Where 房间. Format: uri."}


def test_strict_leaves_out_an_optional_free_form_argument_and_refuses_a_required_one():
    free = {"type": "object", "additionalProperties": {"type": "string"}}
    assert one(with_argument(free), "strict").schema["properties"] == {}
    assert one(with_argument(free, required=["room"]), "strict").refusal.reason == "free_form_object"


def test_a_required_argument_whose_name_the_provider_refuses_is_never_dropped():
    named = {"type": "object", "properties": {"城市": {"type": "string"}}}
    assert one(named, "anthropic").schema["properties"] == {}
    assert one(named | {"required": ["城市"]}, "anthropic").refusal.reason == "property_name"
    assert one(named | {"required": ["城市"]}).schema["required"] == ["城市"]


def test_names_are_legal_and_all_different():
    given = ["room.book", "room_book", "room/book", "订房", "r" * 90, "room_book"]
    done = normalise([{"name": name} for name in given], provider="openai")
    names = [tool.name for tool in done[:5]]
    assert (
        len(set(names)) == 5 and names[1] == "room_book" and all(PROVIDERS["openai"].name.fullmatch(n) for n in names)
    )
    assert done[5].refusal.reason == "name_twice"


def test_broken_characters_in_a_description_are_cleaned():
    done = one(with_argument({"type": "string", "description": "cut \ud83d"}), description="a\x00b")
    assert (done.description, done.schema["properties"]["room"]["description"]) == ("ab", "cut \ufffd")
    assert {change.reason for change in done.changes} == {"text_cleaned"}


def _doubling(levels: int) -> dict:
    pair = lambda ref: {"type": "object", "properties": {"a": {"$ref": ref}, "b": {"$ref": ref}}}  # noqa: E731
    defs = {f"l{n}": pair(f"#/$defs/l{n + 1}") for n in range(levels)} | {f"l{levels}": {"type": "string"}}
    return with_argument({"$ref": "#/$defs/l0"}) | {"$defs": defs}


def _itself() -> dict:
    schema: dict = {"type": "object", "properties": {}}
    schema["properties"]["again"] = schema
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        _doubling(25), _itself(), {"type": "object", "required": [f"a{n}" for n in range(9000)]},
        with_argument({"$ref": "#/$defs/d0"})
        | {"$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(3000)} | {"d3000": {}}},
    ],
)  # fmt: skip
def test_a_hostile_schema_is_refused_in_time(schema):
    start = time.perf_counter()
    assert one(schema).refusal.reason in ("too_large", "too_deep")
    assert time.perf_counter() - start < 3


def test_one_who_takes_much_leaves_enough_for_the_others():
    tools = [{"name": f"h{n}", "inputSchema": _doubling(25)} for n in range(20)]
    *_, last = normalise([*tools, {"name": "ok", "inputSchema": with_argument({"type": "string"})}], provider="openai")
    assert last.refusal is None


def test_an_unknown_provider_and_too_many_tools_are_errors():
    with pytest.raises(ValueError, match="Providers are openai"):
        normalise([], provider="nobody")
    with pytest.raises(ValueError, match="256 are allowed"):
        normalise([{}] * 257, provider="openai")
