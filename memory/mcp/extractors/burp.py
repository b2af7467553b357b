"""Burp Suite's server: HTTP exchanges, printed as HttpRequestResponse{…} or as JSON objects one behind the other.

What matters is which request was answered how. A 404 is an answer, not a failure of the tool. Cookies and
authorisations are masked before. Source: PortSwigger/mcp-server, Tools.kt.
"""

import json
import re
from dataclasses import dataclass

from memory.mcp import blocks
from memory.mcp.page import links_once, read_page
from memory.mcp.shapes import CallToolResult
from memory.mcp.types import Extracted, Tool

_OPENING, _ANSWER, _NOTES = "HttpRequestResponse{httpRequest=", ", httpResponse=", ", messageAnnotations="
_REQUEST = re.compile(r"^(?P<method>[A-Z]{3,10}) (?P<path>\S+) HTTP/[\d.]+")
_RESPONSE = re.compile(r"^HTTP/[\d.]+ (?P<status>\d{3})(?: (?P<phrase>[^\r\n]{0,60}?))?(?:\.\.\.)?(?=[\r\n]|$)")
_HEADER = re.compile(r"^(?P<name>[\w-]+):[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE)
_CUT = "(truncated)"
_ITEMS, _BODY = 50, 1500


@dataclass(frozen=True, slots=True)
class Exchange:
    method: str
    path: str
    host: str
    status: str
    location: str
    body: str
    hidden: tuple[str, ...]

    @property
    def line(self) -> str:
        answer = self.status or "no response"
        return f"{self.method} {self.host}{self.path} → {answer}" + (f" to {self.location}" if self.location else "")


def fits(tool: Tool, result: CallToolResult) -> bool:
    return "burp" in tool.server.lower() or blocks.text_of(result)[:400].lstrip().startswith("HttpRequestResponse{")


def extract(tool: Tool, result: CallToolResult) -> Extracted:
    text = blocks.text_of(result)
    pairs = _printed(text) or _objects(text)
    exchanges = [exchange for request, response in pairs[:_ITEMS] if (exchange := _exchange(request, response))]
    cut = text.count(_CUT)
    if not exchanges:
        return Extracted(title=tool.name, text=text, is_external=True, cut_by_server=cut)
    lines = [exchange.line for exchange in exchanges]
    if len(exchanges) == 1 and exchanges[0].body:
        lines.append(exchanges[0].body)
    if len(pairs) > _ITEMS:
        lines.append(f"[… {len(pairs) - _ITEMS} exchanges more]")
    return Extracted(
        title=lines[0] if len(exchanges) == 1 else f"{len(pairs)} HTTP exchanges", text="\n".join(lines),
        links=links_once([(f"https://{one.host}{one.path}", one.line) for one in exchanges if one.host]),
        fields=_fields(exchanges), is_data=True, is_external=True, cut_by_server=cut,
        hidden=tuple(piece for one in exchanges for piece in one.hidden)[:_ITEMS],
    )  # fmt: skip


def _fields(exchanges: list[Exchange]) -> dict:
    if len(exchanges) > 1:
        return {
            "count": len(exchanges),
            "statuses": sorted({one.status.split(" ")[0] for one in exchanges if one.status}),
        }
    [one] = exchanges
    parts = {"method": one.method, "host": one.host, "path": one.path, "status": one.status, "location": one.location}
    return {name: value for name, value in parts.items() if value}


def _printed(text: str) -> list[tuple[str, str]]:
    """Requests and responses as Java's toString writes them; split, as a pattern would take long on broken text."""
    parts = (piece.partition(_ANSWER) for piece in text.split(_OPENING)[1:])
    return [(request, response.partition(_NOTES)[0]) for request, _, response in parts]


def _objects(text: str) -> list[tuple[str, str]]:
    """Requests and responses of the JSON objects in the text; one that was cut in its middle ends the list."""
    found, decoder, place = [], json.JSONDecoder(), 0
    while (place := text.find("{", place)) >= 0 and len(found) <= 1000:
        try:
            item, place = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError):
            break
        if isinstance(item, dict) and isinstance(item.get("request"), str):
            found.append((item["request"], item["response"] if isinstance(item.get("response"), str) else ""))
    return found


def _exchange(request: str, response: str) -> Exchange | None:
    request, response = _lines(request), _lines(response)
    asked, answered = _REQUEST.match(request), _RESPONSE.match(response)
    if asked is None:
        return None
    head, _, body = response.partition("\n\n")
    page = read_page(body.replace(_CUT, ""))
    seen = "\n".join(part for part in (page.title, page.text) if part)[:_BODY]
    return Exchange(
        method=asked["method"], path=asked["path"], host=_header(request, "host"),
        status=" ".join(part for part in (answered["status"], answered["phrase"]) if part) if answered else "",
        location=_header(head, "location"), body=seen, hidden=page.hidden,
    )  # fmt: skip


def _lines(message: str) -> str:
    """The message with one sign for its line ends, which Burp prints as two letters each."""
    return message.replace("\\r\\n", "\n").replace("\\n", "\n").replace("\r\n", "\n").strip()


def _header(message: str, name: str) -> str:
    return next((found["value"].strip() for found in _HEADER.finditer(message) if found["name"].lower() == name), "")
