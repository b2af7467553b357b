"""The one way in for tools' results: cleaned, taken apart, told whether they failed, ready to be recorded.

`POST /tool-results`, events, conversations and imports all call `read`.
"""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from memory.mcp import blocks
from memory.mcp.extract import extract
from memory.mcp.failures import failure_of, says_failure
from memory.mcp.sanitize import Sanitized, is_result, sanitize
from memory.mcp.types import Cut, Extracted, Tool
from memory.mcp.values import Cleaner

# What is judged and shown of one result. The clean result is kept beside it, up to KEPT characters as JSON.
MAIN_TEXT, KEPT = 20_000, 200_000
_TITLE, _LINKS, _CUTS = 300, 50, 50
_MARKS = ('"content"', '"isError"', '"is_error"', '"structuredContent"', '"structured_content"', '"jsonrpc"', '"error"')
# of a call's arguments: enough to know what was asked
_ARGUMENT, _ARGUMENTS = 2000, 20_000


@dataclass(frozen=True, slots=True)
class Reading:
    """`failure` says why the call counts as failed, "" when it did not. `kept` is what the episode keeps beside its
    text: the call, title, links, fields, references, cuts, and the clean result."""

    text: str
    failure: str
    url: str
    kept: dict[str, Any]

    @property
    def status(self) -> str:
        return "error" if self.failure else "ok"


def read(payload: Any, tool: Tool) -> Reading:
    """`payload` is whatever the caller sent as the result; see `sanitize`. Never raises."""
    tool, told = _clean_tool(tool)
    clean = sanitize(payload)
    found = _rpc(clean) if clean.rpc_error else extract(tool, clean.result)
    failure = failure_of(clean, found)
    text, cuts = _main_text(found, clean)
    result = _kept(clean, cuts)
    kept = {
        "server": tool.server, "call_id": tool.call_id, "arguments": tool.arguments,
        "title": " ".join((found.title or tool.name).split())[:_TITLE],
        "links": [asdict(link) for link in found.links[:_LINKS]], "fields": found.fields,
        "references": blocks.references_of(clean.result), "failure": failure, "is_data": found.is_data,
        "is_external": found.is_external, "hidden": list(found.hidden),
        "masked": list(dict.fromkeys((*told, *clean.masked))),
        "cuts": [asdict(cut) for cut in _summed(cuts)[:_CUTS]],
        "result": result,
    }  # fmt: skip
    return Reading(text, failure, found.url, kept)


def read_content(content: str, tool: Tool) -> Reading | None:
    """A result that came as an event's text: None unless the text is the JSON of a CallToolResult or an envelope."""
    if not content.lstrip().startswith("{") or not any(mark in content for mark in _MARKS):
        return None
    try:
        payload = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return read(payload, tool) if is_result(payload) else None


def is_failure(content: str) -> bool:
    """Whether a tool's plain text is the message of an error, whatever status it was sent with."""
    return says_failure(content)


def _clean_tool(tool: Tool) -> tuple[Tool, list[str]]:
    """The call without secrets: arguments carry passwords and tokens as often as results do."""
    cleaner = Cleaner(_ARGUMENT, _ARGUMENTS)
    arguments = cleaner.value(tool.arguments)
    return replace(tool, arguments=arguments), cleaner.masked


def _rpc(clean: Sanitized) -> Extracted:
    error = clean.rpc_error
    code, message = error.get("code"), str(error.get("message") or "")
    text = f"{message} (code {code})".strip() if code is not None else message or "The server answered with an error."
    return Extracted(text=text, fields=blocks.fields_of(error))


def _main_text(found: Extracted, clean: Sanitized) -> tuple[str, list[Cut]]:
    """The main content with a note of what is missing in it, and every cut so far."""
    text, cuts = found.text.strip(), list(clean.cuts)
    if found.cut_by_server:
        cuts.append(Cut("", "server", found.cut_by_server))
    if len(text) > MAIN_TEXT:
        cuts.append(Cut("text", "characters", len(text) - MAIN_TEXT))
    left = sum(cut.amount for cut in cuts if cut.kind == "characters")
    return f"{text[:MAIN_TEXT]}\n[… {left} characters cut]".lstrip() if left else text, cuts


def _summed(cuts: list[Cut]) -> list[Cut]:
    """One a place and kind: a page of a thousand scripts has one line."""
    totals: dict[tuple[str, str], int] = {}
    for cut in cuts:
        totals[cut.path, cut.kind] = totals.get((cut.path, cut.kind), 0) + cut.amount
    return [Cut(path, kind, amount) for (path, kind), amount in totals.items()]


def _kept(clean: Sanitized, cuts: list[Cut]) -> dict[str, Any]:
    """The clean result or error. One that is too large is cut once more, and left out where that does not help."""
    kept = {"error": clean.rpc_error} if clean.rpc_error else clean.result.stored()
    if (length := _length(kept)) <= KEPT:
        return kept
    smaller = Cleaner(MAIN_TEXT, KEPT // 2)
    kept = smaller.value(kept)
    cuts.extend(replace(cut, path=f"result.{cut.path}") for cut in smaller.cuts)
    if _length(kept) <= KEPT:
        return kept
    cuts.append(Cut("result", "characters", length))
    return {"content": [], "isError": clean.result.is_error, "_meta": {}}


def _length(kept: dict[str, Any]) -> int:
    return len(json.dumps(kept, ensure_ascii=False))
