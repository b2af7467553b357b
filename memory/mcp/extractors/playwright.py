"""Playwright MCP: sections under "### …", among them the page's state and its accessibility tree.

The tree is a moment of a session: its refs mean nothing a second later. Kept are the page's address, its title, and
what a reader would read of it, cut short. Source: microsoft/playwright-mcp, response.ts.
"""

import json
import re

from memory.mcp import blocks
from memory.mcp.failures import says_failure
from memory.mcp.page import links_once
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Tool

# What is worth reading of a page that was only passed through; the sanitised result is in the archive.
LONGEST = 3000
_LINES = 120

_SECTION = re.compile(r"^### (.+)$", re.MULTILINE)
_URL = re.compile(r"^- Page URL: (\S+)", re.MULTILINE)
_TITLE = re.compile(r"^- Page Title: (.+)$", re.MULTILINE)
_NODE = re.compile(
    r"^\s*- (?P<role>/?[\w-]+)(?P<name> \"(?:[^\"\\]|\\.)*\")?(?P<marks>(?: \[[^\]\n]*\])*)(?::(?: (?P<said>.*))?)?$"
)
_BARE = re.compile(r"^\s*- (?:'(?P<quoted>.+)'|(?P<plain>.+))$")
_REF = re.compile(r" ?\[(?:ref=\w+|cursor=\w+|active|level=\d+)\]")
# Controls: they say what could be clicked, not what is so.
_CONTROLS = frozenset(
    {"button", "textbox", "combobox", "checkbox", "radio", "option", "menuitem", "tab", "searchbox", "slider", "switch",
     "spinbutton", "img", "link", "navigation", "banner", "contentinfo", "iframe", "menu", "menubar", "toolbar"}
)  # fmt: skip
_NOISE = ("ran playwright code", "open tabs", "new console messages", "recent console messages", "events", "downloads")


def fits(tool: Tool, result: CallToolResult) -> bool:
    if "playwright" in tool.server.lower() or "playwright" in tool.name.lower():
        return True
    text = blocks.text_of(result)[:20_000]
    named = tool.name.rsplit("__", 1)[-1].startswith("browser_")
    return bool(_URL.search(text)) or (named and bool(_SECTION.search(text)))


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    whole = blocks.text_of(result)
    parts = _sections(whole)
    failed = "error" in parts or says_failure(parts.get("result", ""))
    if failed:
        message = parts.get("error") or parts.get("result", "")
        return Extracted(title=tool.name, text=message, failed=True, is_external=True)
    url, title = _URL.search(whole), _TITLE.search(whole)
    said, links = _read(parts)
    answer = parts.get("result", "")
    lines = [line for line in (answer, *said) if line]
    text, left = _short(lines)
    address = url[1] if url else ""
    return Extracted(
        title=title[1].strip() if title else "", text=f"{text}\n[… {left} lines more]" if left else text,
        links=links_once([(address, title[1] if title else "")] * bool(address) + links),
        fields={"url": address} if address else {}, is_document=True, is_external=True, url=address,
    )  # fmt: skip


def _sections(text: str) -> dict[str, str]:
    """The sections by their name in lower case; "" for what stands before the first."""
    marks = list(_SECTION.finditer(text))
    found = {"": text[: marks[0].start()] if marks else text}
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        found[mark[1].strip().lower()] = text[mark.end() : end].strip()
    return found


def _read(parts: dict[str, str]) -> tuple[list[str], list[tuple[str, str]]]:
    lines: list[str] = []
    links: list[tuple[str, str]] = []
    for name, part in parts.items():
        if name in ("result", "error") or name in _NOISE:
            continue
        latest = ""
        for line in part.splitlines():
            if line.startswith(("```", "- Page ")):
                continue
            role, name_of, said = _node(line)
            if role == "/url":
                if said.startswith("http"):
                    links.append((said, latest))
            elif role:
                latest = name_of or said
                # a control's name is skipped, a text inside it stands on a line of its own
                words = "" if role in _CONTROLS else ": ".join(part for part in (name_of, said) if part)
                if words and (not lines or lines[-1] != words):
                    lines.append(words)
    return lines, links


def _node(line: str) -> tuple[str, str, str]:
    """Role, name and text of one line of the tree; all "" for a line that is none."""
    match = _NODE.match(line)
    if match is None:
        bare = _BARE.match(line)
        inner = _NODE.match("- " + bare["quoted"].replace("''", "'")) if bare and bare["quoted"] else None
        if inner is None:
            text = _REF.sub("", line).strip()
            return ("text", "", text) if text and not text.startswith("- ") else ("", "", "")
        match = inner
    return match["role"], _unquoted(match["name"] or ""), _unquoted(match["said"] or "")


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(text)).strip()
        except json.JSONDecodeError:
            return text[1:-1]
    return text


def _short(lines: list[str]) -> tuple[str, int]:
    """The first lines, at most LONGEST characters of them, and how many are left."""
    kept, length = [], 0
    for line in lines[:_LINES]:
        length += len(line) + 1
        if length > LONGEST:
            kept.append(line[: max(0, LONGEST - length + len(line))])
            break
        kept.append(line)
    return "\n".join(line for line in kept if line), len(lines) - len(kept)
