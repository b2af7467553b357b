"""GitHub's server: a file as an embedded resource behind a status line, or issues, pulls and releases as JSON.

Source: github/github-mcp-server. What people wrote there is other people's text.
"""

import re
from typing import Any

from memory.mcp import blocks
from memory.mcp.page import links_once, read_page
from memory.mcp.shapes import CallToolResult, Resource
from memory.mcp.types import Extracted, Tool

_FILE = re.compile(r"^repo://(?P<owner>[^/]+)/(?P<repo>[^/]+)/(?:.*?/)?contents/(?P<path>.+)$")
_SHA = re.compile(r"\(SHA: (\w+)\)")
_PLAIN = ("number", "state", "tag_name", "merged", "draft", "created_at", "updated_at", "closed_at", "published_at",
          "sha", "full_name", "language", "conclusion", "status")  # fmt: skip


def fits(tool: Tool, result: CallToolResult) -> bool:
    if "github" in tool.server.lower():
        return True
    return any(isinstance(block, Resource) and _FILE.match(block.resource.uri) for block in result.content)


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    for block in result.content:
        if isinstance(block, Resource) and block.resource.uri:
            return _file(block, blocks.text_of(result))
    text = blocks.text_of(result)
    told = [result.structured_content] if result.structured_content is not None else blocks.json_of(text)
    if len(told) == 1 and isinstance(told[0], dict) and _is_post(told[0]):
        return _post(told[0])
    if told:
        return _list(tool, told[0] if len(told) == 1 else told)
    return Extracted(title=tool.name, text=text)


def _file(block: Resource, whole: str) -> Extracted:
    uri, page = block.resource.uri, read_page(block.resource.text)
    place, sha = _FILE.match(uri), _SHA.search(whole)
    fields: dict[str, Any] = {"uri": uri}
    if place:
        fields |= {"repository": f"{place['owner']}/{place['repo']}", "path": place["path"]}
    if sha:
        fields["sha"] = sha[1]
    if block.resource.sha256:
        fields |= {"mimeType": block.resource.mime_type, "bytes": block.resource.bytes}
    return Extracted(
        title=f"{fields['path']} ({fields['repository']})" if place else uri, text=_with_title(page), fields=fields,
        links=links_once([(uri, ""), *((link.url, link.title) for link in page.links)]), is_document=True,
        is_external=True, url=uri, hidden=page.hidden,
    )  # fmt: skip


def _with_title(page) -> str:
    """The file's title is its path, so its first heading stays in the text."""
    return "\n".join(part for part in (page.title, page.text) if part)


def _is_post(data: dict[str, Any]) -> bool:
    return isinstance(data.get("html_url"), str) and any(
        isinstance(data.get(n), str) for n in ("title", "body", "name")
    )


def _post(data: dict[str, Any]) -> Extracted:
    page = read_page(data["body"]) if isinstance(data.get("body"), str) else read_page("")
    fields = {name: data[name] for name in _PLAIN if isinstance(data.get(name), str | int | bool)}
    author = data.get("user") or data.get("author")
    if isinstance(author, dict) and isinstance(author.get("login"), str):
        fields["author"] = author["login"]
    title, url = str(data.get("title") or data.get("name") or ""), data["html_url"]
    return Extracted(
        title=title, text=_with_title(page), fields=fields,
        links=links_once([(url, title), *((link.url, link.title) for link in page.links)]), is_document=True,
        is_external=True, url=url, hidden=page.hidden,
    )  # fmt: skip


def _list(tool: Tool, data: Any) -> Extracted:
    items = data.get("items") if isinstance(data, dict) and isinstance(data.get("items"), list) else data
    posts = [item for item in items if isinstance(item, dict) and _is_post(item)] if isinstance(items, list) else []
    if not posts:
        return Extracted(title=tool.name, text=blocks.lines_of(data), fields=blocks.fields_of(data), is_data=True)
    lines = [
        " ".join(part for part in (f"#{post['number']}" if "number" in post else "", str(post.get("title") or
                 post.get("name") or ""), f"({post['state']})" if post.get("state") else "") if part)
        for post in posts
    ]  # fmt: skip
    return Extracted(
        title=tool.name, text="\n".join(lines), fields={"count": len(posts)}, is_data=True, is_external=True,
        links=links_once([(post["html_url"], line) for post, line in zip(posts, lines, strict=True)]),
    )  # fmt: skip
