"""What a caller sends as a tool's result becomes one clean CallToolResult, with a list of what was taken out.

Accepted: a CallToolResult, a JSON-RPC envelope around one or around an error, a list of content, a bare string, an
object that is only data, and null. Nothing is refused and nothing raises.
"""

from dataclasses import dataclass, field
from typing import Any

from memory.mcp.shapes import Block, CallToolResult, block_of
from memory.mcp.types import Cut
from memory.mcp.values import Cleaner

_ENVELOPE = frozenset({"jsonrpc", "id", "result", "error", "method"})
_RESULT = frozenset(
    {"content", "structuredContent", "structured_content", "isError", "is_error", "_meta", "meta"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sanitized:
    """`rpc_error` is the error of a JSON-RPC envelope, {} when there was none."""

    result: CallToolResult
    rpc_error: dict[str, Any] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()
    masked: tuple[str, ...] = ()


def sanitize(payload: Any) -> Sanitized:
    cleaner = Cleaner()
    clean = cleaner.value(payload)
    clean, rpc_error = _opened(clean)
    content, structured, flag, meta = _members(clean)
    blocks = [_block(piece, place, cleaner) for place, piece in enumerate(content)]
    result = CallToolResult(
        content=[block for block in blocks if block is not None],
        structured_content=structured, is_error=flag, meta=meta,
    )  # fmt: skip
    return Sanitized(result, rpc_error, tuple(cleaner.cuts), tuple(cleaner.masked))


def is_result(given: Any) -> bool:
    """True for an object that is a CallToolResult or a JSON-RPC answer, not merely some data of the tool's own."""
    if not isinstance(given, dict):
        return False
    if _is_envelope(given):
        return isinstance(given.get("error"), dict) or is_result(given.get("result"))
    content = given.get("content")
    listed = isinstance(content, list) and all(isinstance(piece, dict) and "type" in piece for piece in content)
    named = bool({"isError", "is_error", "structuredContent", "structured_content"} & set(given))
    return set(given) <= _RESULT and (named or (listed and bool(content)))


def _is_envelope(given: dict[str, Any]) -> bool:
    """With "jsonrpc", or without it when nothing else stands beside a result or an error that is one of JSON-RPC."""
    if not set(given) <= _ENVELOPE or not ({"result", "error"} & set(given)):
        return False
    error, result = given.get("error"), given.get("result")
    holds_result = isinstance(result, dict) and bool(set(result) & _RESULT)
    return "jsonrpc" in given or holds_result or (isinstance(error, dict) and "message" in error)


def _opened(clean: Any) -> tuple[Any, dict[str, Any]]:
    if not isinstance(clean, dict) or not _is_envelope(clean):
        return clean, {}
    error = clean.get("error")
    if error is None:
        return clean.get("result"), {}
    return None, error if isinstance(error, dict) else {"message": str(error)}


def _members(clean: Any) -> tuple[list, Any, Any, Any]:
    """Content, structured content, the error flag, and `_meta`, whatever they were called and wherever they stood."""
    if clean is None or clean == {}:
        return [], None, False, {}
    if isinstance(clean, list):
        return (clean, None, False, {}) if _are_blocks(clean) else ([], clean, False, {})
    if not isinstance(clean, dict):
        return [clean], None, False, {}
    if not set(clean) & _RESULT or (set(clean) - _RESULT and not _are_blocks(clean.get("content"))):
        return [], clean, False, {}
    content = clean.get("content")
    if not isinstance(content, list):
        content = [] if content is None else [content]
    structured = clean.get("structuredContent", clean.get("structured_content"))
    return (
        content, structured, clean.get("isError", clean.get("is_error")), clean.get("_meta", clean.get("meta"))
    )  # fmt: skip


def _are_blocks(given: Any) -> bool:
    return isinstance(given, list) and all(
        piece is None or isinstance(piece, str) or (isinstance(piece, dict) and isinstance(piece.get("type"), str))
        for piece in given
    )


def _block(piece: Any, place: int, cleaner: Cleaner) -> Block | None:
    block = block_of(piece)
    if block is None or (isinstance(piece, dict) and block.type != piece.get("type")):
        cleaner.cuts.append(Cut(f"content[{place}]", "malformed", 1))
    return block
