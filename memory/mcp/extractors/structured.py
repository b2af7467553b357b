"""Any other tool: by its output schema, by the names that APIs give a title, a text, an address, or as plain text."""

import re
from typing import Any

from memory.mcp import blocks
from memory.mcp.page import links_once, read_page
from memory.mcp.shapes import CallToolResult, Resource
from memory.mcp.types import Extracted, Tool

_TITLES = ("title", "name", "subject", "headline", "标题", "名称")
_TEXTS = ("text", "content", "body", "markdown", "message", "answer", "summary", "description", "output",
          "正文", "内容", "摘要", "描述")  # fmt: skip
_WEB = re.compile(r"https?://\S+\Z")
_OPENING = re.compile(r"\A\s*(\S.{0,78}?)\s*[:：]\s*\n")


def fits(tool: Tool, result: CallToolResult) -> bool:
    return True


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    text, data = blocks.text_of(result), _data(result)
    if data is None and (told := blocks.json_of(text)):
        data, text = told[0] if len(told) == 1 else told, ""
    return _plain(tool, result, text) if data is None else _of_data(tool, result, data, text)


def _data(result: CallToolResult) -> Any:
    """The structured content, out of the {"result": …} that some SDKs put around it. Content that stands there a second
    time is none."""
    data = result.structured_content
    if isinstance(data, dict) and list(data) == ["result"]:
        data = data["result"]
    if data in (None, {}, []) or (
        isinstance(data, dict) and list(data) == ["content"] and _is_content(data["content"])
    ):
        return None
    return data


def _is_content(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(piece, dict) and "type" in piece for piece in value)


def _plain(tool: Tool, result: CallToolResult, text: str) -> Extracted:
    page, opening = read_page(text), _OPENING.match(text)
    title = page.title or (opening[1] if opening else "")
    from_outside = any(
        isinstance(block, Resource) and _WEB.match(block.resource.uri) for block in result.content
    )  # fmt: skip
    links = [(link.url, link.title) for link in (*blocks.links_of(result), *page.links)]
    return Extracted(
        title=title or tool.name, text=page.text, links=links_once(links), is_external=from_outside, hidden=page.hidden
    )


def _of_data(tool: Tool, result: CallToolResult, data: Any, text: str) -> Extracted:
    if isinstance(data, str):
        return _plain(tool, result, data)
    schema = tool.output_schema.get("properties")
    schema = schema if isinstance(schema, dict) else {}
    members = data if isinstance(data, dict) else {}
    title_at = next((name for name in _TITLES if isinstance(members.get(name), str) and members[name].strip()), "")
    prose_at = next((name for name in _TEXTS if _is_prose(members.get(name))), "")
    page = read_page(members[prose_at]) if prose_at else read_page("")
    said = page.text if prose_at else blocks.lines_of(data)
    links = [(link.url, link.title) for link in (*blocks.links_of(result), *page.links)]
    left = {name: member for name, member in members.items() if name not in (title_at, prose_at)} if members else data
    return Extracted(
        title=(members[title_at] if title_at else page.title) or tool.name,
        text="\n".join(part for part in (text.strip(), said) if part),
        links=links_once([*_addresses(data), *links]), fields=_labelled(blocks.fields_of(left), schema),
        is_data=not prose_at and not text.strip(), hidden=page.hidden,
    )  # fmt: skip


def _is_prose(value: Any) -> bool:
    """Words, not a code or a name: with a space or Chinese in it."""
    return isinstance(value, str) and len(value) > 3 and bool(re.search(r"\w\s+\w|[\u4e00-\u9fff]{4,}", value))


def _addresses(data: Any) -> list[tuple[str, str]]:
    """Every address in the data, with the title of the object it stands in."""
    found: list[tuple[str, str]] = []
    waiting = [data]
    while waiting and len(found) < 200:
        inner = waiting.pop(0)
        if isinstance(inner, dict):
            title = next((inner[name] for name in _TITLES if isinstance(inner.get(name), str)), "")
            found.extend((value, title) for value in inner.values() if isinstance(value, str) and _WEB.match(value))
            waiting.extend(value for value in inner.values() if isinstance(value, dict | list))
        elif isinstance(inner, list):
            waiting.extend(item for item in inner if isinstance(item, dict | list))
    return found


def _labelled(fields: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The fields under the titles that the tool's output schema gives them."""
    labels = {
        name: part["title"] for name, part in schema.items()
        if isinstance(part, dict) and isinstance(part.get("title"), str) and part["title"].strip()
    }  # fmt: skip
    return {labels.get(name, name): value for name, value in fields.items()}
