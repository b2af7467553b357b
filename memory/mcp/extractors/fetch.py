"""Fetch and its kin: the page under "Contents of <url>:", as Markdown or raw HTML.

Source: modelcontextprotocol/servers, src/fetch. A page that is read in pieces ends with an <error> that is none.
"""

import re

from memory.mcp import blocks
from memory.mcp.page import links_once, read_page
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Link, Tool

_CONTENTS = re.compile(
    r"^(?:Content type (?P<kind>\S+) cannot be simplified[^\n]*\n)?Contents of (?P<url>\S+):[ \t]*(?:\n|\Z)"
)
_MORE = re.compile(r"\s*<error>Content truncated\.[^<]*?(?P<start>\d*)[^<\d]*</error>\s*\Z")
_ERROR = re.compile(r"\s*<error>(?P<said>[^<]*)</error>\s*\Z")
_NAME = re.compile(
    r"(?:^|[_\-.])(?:fetch|scrape|crawl|read_url|get_page|web_?(?:page|fetch))(?:$|[_\-.])", re.IGNORECASE
)


def fits(tool: Tool, result: CallToolResult) -> bool:
    if tool.server.lower() in ("fetch", "mcp-server-fetch") or _CONTENTS.match(blocks.text_of(result)[:4000]):
        return True
    return bool(_NAME.search(tool.name)) and result.structured_content is None and bool(_asked(tool))


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    raw = blocks.text_of(result)
    opening = _CONTENTS.match(raw)
    url = opening["url"] if opening else _asked(tool)
    body = raw[opening.end() :] if opening else raw
    if (error := _ERROR.fullmatch(body)) and not _MORE.fullmatch(body):
        return Extracted(title=url, text=error["said"].strip(), fields=_fields(url), failed=True, is_external=True)
    body, more = _MORE.subn("", body)
    page = read_page(body)
    links = links_once([(url, page.title), *((link.url, link.title) for link in page.links)]) if url else page.links
    return Extracted(
        title=page.title or url, text=page.text, links=links or (Link(url),) * bool(url), fields=_fields(url),
        is_document=True, is_external=True, url=url, hidden=page.hidden, cut_by_server=more,
    )  # fmt: skip


def _asked(tool: Tool) -> str:
    asked = tool.arguments.get("url") or tool.arguments.get("uri")
    return asked if isinstance(asked, str) and asked.startswith("http") else ""


def _fields(url: str) -> dict[str, str]:
    return {"url": url} if url else {}
