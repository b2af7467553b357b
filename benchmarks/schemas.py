"""`python -m benchmarks.schemas --data DIR [--check]`: replays what providers rejected (mcp/provider_rejections.jsonl).

Each schema row goes through every provider's rules, once between two sound tools. It is right when the fault is gone or
that tool alone is refused, the result is valid JSON Schema and comes back unchanged, and the two sound tools are
untouched. Rows about payloads are not a schema's matter; they are counted as not replayed. --check exits with 1 when
a schema row is wrong.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from memory.mcp.providers import PROVIDERS
from memory.mcp.schemas import Normalised, normalise

SOUND = {"type": "object", "properties": {"q": {"type": "string"}}}


def _nodes(schema: Any) -> list[dict[str, Any]]:
    """Every object inside a schema, schemas among them."""
    if isinstance(schema, list):
        return [node for one in schema for node in _nodes(one)]
    return [schema, *(node for one in schema.values() for node in _nodes(one))] if isinstance(schema, dict) else []


def _no_enum_on_null(schema: Any) -> bool:
    return not any(node.get("type") == "null" and "enum" in node for node in _nodes(schema))


# what must be true of the result, by the row's id; None: this tool must be refused
GONE: dict[str, Callable[[dict[str, Any]], bool] | None] = {
    "rej-01": lambda schema: schema.get("properties") == {},
    "rej-02": lambda schema: schema.get("additionalProperties", False) is False,
    "rej-03": lambda schema: "items" in json.dumps(schema["properties"]["ids"]),
    "rej-04": None,
    "rej-05": _no_enum_on_null,
    "rej-06": lambda schema: not any(node.get("type") == "array" and "enum" in node for node in _nodes(schema)),
    "rej-07": lambda schema: schema["type"] == "object" and not schema.keys() & {"anyOf", "oneOf", "allOf", "$ref"},
    "rej-08": lambda schema: "$schema" not in schema and not any("not" in node for node in _nodes(schema)),
    "rej-09": lambda schema: schema["type"] == "object" and schema["properties"] == {},
}


def right(row: dict[str, Any], provider: str) -> bool:
    """Is the row's schema made acceptable to the provider, or its tool refused alone?"""
    middle = {"name": "tool_b", "inputSchema": row["example"]}
    tools = [{"name": "tool_a", "inputSchema": SOUND}, middle, {"name": "tool_c", "inputSchema": SOUND}]
    first, done, last = normalise(tools, provider=provider)
    if first.refusal or last.refusal or first.schema != last.schema:
        return False
    wanted = GONE.get(row["id"])
    if wanted is None or done.schema is None:
        return wanted is None and done.refusal is not None
    return wanted(done.schema) and _sound(done, provider)


def _sound(done: Normalised, provider: str) -> bool:
    try:
        Draft202012Validator.check_schema(done.schema)
    except SchemaError:
        return False
    [again] = normalise([{"name": done.name, "inputSchema": done.schema}], provider=provider)
    return not again.changes and again.schema == done.schema


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder that holds mcp/")
    options.add_argument("--check", action="store_true", help="exit with 1 when a schema row is wrong")
    given = options.parse_args()
    lines = (given.data / "mcp" / "provider_rejections.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    counts: Counter[str] = Counter()
    for row in (row for row in rows if row["kind"] == "schema"):
        wrong = [provider for provider in PROVIDERS if not right(row, provider)]
        counts["wrong" if wrong else "right"] += 1
        print(f"{row['id']}  {'WRONG for ' + ', '.join(wrong) if wrong else 'right'}  {row['what']}")
    print(f"schema   right {counts['right']}  wrong {counts['wrong']}  ({len(PROVIDERS)} providers each)")
    print(f"payload  not replayed {sum(row['kind'] != 'schema' for row in rows)}")
    return int(given.check and counts["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
