"""What the content of a result says, before any tool's own grammar: its text, its links, its references."""

import json
from collections.abc import Iterator
from typing import Any

from memory.mcp.shapes import Block, CallToolResult, Media, Resource, ResourceLink, Text
from memory.mcp.types import Link

_ROWS, _WIDTH = 50, 300


def text_of(result: CallToolResult) -> str:
    """The texts in order, each medium as a short note in its place; a text that only repeats the structured content
    is left out."""
    pieces = [_shown(block) for block in result.content if not _repeats(block, result.structured_content)]
    return "\n".join(piece for piece in pieces if piece.strip())


def links_of(result: CallToolResult) -> tuple[Link, ...]:
    found = []
    for block in result.content:
        if isinstance(block, ResourceLink) and block.uri:
            found.append(Link(block.uri, block.title or block.name))
        elif isinstance(block, Resource) and block.resource.uri:
            found.append(Link(block.resource.uri))
    return tuple(dict.fromkeys(found))


def references_of(result: CallToolResult) -> list[dict[str, Any]]:
    """What was binary: {mimeType, bytes, sha256} and the uri where there is one, each once."""
    found: dict[str, dict[str, Any]] = {}
    for block in result.content:
        what = block.resource if isinstance(block, Resource) else block
        if isinstance(what, Text | ResourceLink) or not what.sha256:
            continue
        uri = {"uri": what.uri} if isinstance(block, Resource) and what.uri else {}
        found[what.sha256] = {"mimeType": what.mime_type, "bytes": what.bytes, "sha256": what.sha256} | uri
    for inner in _objects(result.structured_content):
        if isinstance(inner.get("sha256"), str) and {"mimeType", "bytes"} <= set(inner):
            found.setdefault(
                inner["sha256"], {name: inner[name] for name in ("mimeType", "bytes", "sha256")}
            )  # fmt: skip
    return list(found.values())


def json_of(text: str) -> list[Any]:
    """The objects and lists that a text consists of, one behind the other; none when anything else stands in it."""
    found, decoder, text = [], json.JSONDecoder(), text.strip()
    while text:
        if text[0] not in "[{":
            return []
        try:
            value, end = decoder.raw_decode(text)
        except (json.JSONDecodeError, RecursionError):
            return []
        found.append(value)
        text = text[end:].lstrip(" \t\r\n,")
    return found


def lines_of(data: Any) -> str:
    """Records as a person reads them: one line a row, `name: value` with nulls left out, at most fifty rows."""
    if isinstance(data, dict):
        return "\n".join(f"{name}: {line}" for name, member in data.items() if (line := _line(member)))
    if not isinstance(data, list):
        return _line(data)
    rows = [line for item in data[:_ROWS] if (line := _line(item))]
    left = len(data) - _ROWS
    return "\n".join((*rows, f"[… {left} rows more]") if left > 0 else rows)


def fields_of(data: Any, most: int = 40) -> dict[str, Any]:
    """The plain values of an object, of the objects in it by dotted name, and how many its lists hold."""
    if isinstance(data, list):
        data = {"items": data}
    found: dict[str, Any] = {}
    waiting = [("", data)] if isinstance(data, dict) else []
    while waiting and len(found) < most:
        path, inner = waiting.pop(0)
        for name, member in inner.items():
            place = f"{path}.{name}" if path else str(name)
            if isinstance(member, dict):
                waiting.append((place, member))
            elif isinstance(member, list):
                found[f"{place}.count"] = len(member)
            elif member is not None and member != "" and len(found) < most:
                found[place] = member[:_WIDTH] if isinstance(member, str) else member
    return found


def _shown(block: Block) -> str:
    if isinstance(block, Text):
        return block.text
    if isinstance(block, Media):
        # not in square brackets: with those raw data begins
        return f"({block.mime_type}, {block.bytes} bytes)"
    if isinstance(block, ResourceLink):
        return ": ".join(part for part in (block.title or block.name or block.uri, block.description) if part)
    inside = block.resource
    return inside.text or (f"({inside.mime_type or 'binary'}, {inside.bytes} bytes)" if inside.sha256 else "")


def _repeats(block: Block, structured: Any) -> bool:
    """Servers send structured content a second time as text, for clients that know no other."""
    if structured is None or not isinstance(block, Text):
        return False
    return json_of(block.text) == [structured]


def _line(value: Any, depth: int = 0) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, dict):
        pairs = (f"{name}: {line}" for name, member in value.items() if (line := _line(member, depth + 1)))
        line = ", ".join(pairs)
        return f"({line})" if depth and line else line
    if isinstance(value, list):
        return "; ".join(line for item in value[:_ROWS] if (line := _line(item, depth + 1)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(str(value).split())[:_WIDTH]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            yield inner
            waiting.extend(inner.values())
        elif isinstance(inner, list):
            waiting.extend(inner)
