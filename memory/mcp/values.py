"""JSON values made fit to keep: no NUL, no half surrogate, no binary, no secret, nothing endless.

A tool's result is not the agent's own writing, so nothing in it is refused: it is cleaned, and each cut is noted.
"""

import base64
import binascii
import hashlib
import math
import re
from typing import Any

from memory.intake.clean import cut_scripts
from memory.intake.masking import hides, mask_secrets
from memory.mcp.types import Cut

# of one text, and of all texts of a result together
TEXT_LIMIT, TOTAL_LIMIT = 200_000, 400_000
ITEMS, DEEPEST, NAME_LENGTH = 1000, 24, 200
# a secret that straddles the cut is seen whole before it
_BEYOND = 2000

_SURROGATE = re.compile("[\ud800-\udfff]")
_TERMINAL = re.compile("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?")
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)(?:;[\w=.-]+)*;base64,([A-Za-z0-9+/_=-]{64,})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_\r\n-]+={0,2}\s*")
_SHORTEST_BASE64 = 400
_TEXTUAL = re.compile(r"text|json|xml|javascript|yaml|csv|html", re.IGNORECASE)


class Cleaner:
    """Cleans the values of one result; `cuts` and `masked` (kinds of secrets) tell what was done."""

    def __init__(self, text_limit: int = TEXT_LIMIT, total_limit: int = TOTAL_LIMIT) -> None:
        self.cuts: list[Cut] = []
        self.masked: list[str] = []
        self._text_limit, self._left = text_limit, total_limit

    def value(self, given: Any, path: str = "", depth: int = 0) -> Any:
        if isinstance(given, str):
            return self.text(given, path)
        if isinstance(given, float) and not math.isfinite(given):
            return self._note(path, "number", 1, None)
        if given is None or isinstance(given, bool | int | float):
            return given
        if not isinstance(given, dict | list):
            return self.text(str(given), path)
        if depth >= DEEPEST:
            return self._note(path, "depth", 1, f"[… nested deeper than {DEEPEST} levels]")
        return self._list(given, path, depth) if isinstance(given, list) else self._object(given, path, depth)

    def text(self, raw: str, path: str) -> str:
        text = self._readable(raw, path)
        if len(text) >= _SHORTEST_BASE64 and _is_base64(text):
            reference = self.reference("", text, path)
            return f"[binary, {reference['bytes']} bytes, sha256 {reference['sha256']}]"
        text = _DATA_URI.sub(lambda found: self._inline(found[1], found[2], path), text)
        text, scripts = cut_scripts(text)
        if scripts:
            self._note(path, "script", scripts)
        limit = max(0, min(self._text_limit, self._left))
        masked, kinds = mask_secrets(text[: limit + _BEYOND])
        self._secrets(path, kinds)
        left = max(0, len(masked) - limit) + max(0, len(text) - limit - _BEYOND)
        self._left -= min(len(masked), limit)
        return self._note(path, "characters", left, _cut(masked, limit)) if left else masked

    def reference(self, mime: str, data: str, path: str) -> dict[str, Any]:
        """What stands for binary data: {mimeType, bytes, sha256}, of the decoded bytes where they can be decoded."""
        raw = _decoded(data)
        reference = {"mimeType": mime, "bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
        return self._note(path, "media", len(raw), reference)

    def _readable(self, raw: str, path: str) -> str:
        text = raw
        for kind, pattern, instead in (("surrogate", _SURROGATE, "\ufffd"), ("control", _TERMINAL, ""),
                                       ("control", _CONTROL, "")):  # fmt: skip
            if kind != "surrogate" or not text.isascii():
                text, times = pattern.subn(instead, text)
                if times:
                    self._note(path, kind, times)
        if "\x00" in text:
            self._note(path, "nul", text.count("\x00"))
            text = text.replace("\x00", "")
        return text

    def _list(self, given: list, path: str, depth: int) -> list:
        kept = [self.value(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(given[:ITEMS])]
        if len(given) > ITEMS:
            kept.append(self._note(path, "items", len(given) - ITEMS, f"[… {len(given) - ITEMS} items cut]"))
        return kept

    def _object(self, given: dict, path: str, depth: int) -> dict[str, Any]:
        binary = next((name for name in ("data", "blob") if _holds_binary(given, name)), None)
        label = given.get("name") or given.get("key") or ""  # {"name": "Cookie", "value": …}
        kept: dict[str, Any] = {}
        for name, member in list(given.items())[:ITEMS]:
            shown = mask_secrets(self._readable(str(name), path)[:NAME_LENGTH])[0]
            place = f"{path}.{shown}" if path else shown
            if name == binary:
                kept |= self.reference(self._readable(_mime_of(given), place), member, place)
            elif isinstance(member, str) and member and (kind := hides(label if name == "value" else shown)):
                self._secrets(place, [kind])
                kept[shown] = f"[{kind} hidden]"
            elif shown not in kept or member is not None:
                kept[shown] = self.value(member, place, depth + 1)
        if len(given) > ITEMS:
            kept["…"] = self._note(path, "items", len(given) - ITEMS, f"[… {len(given) - ITEMS} members cut]")
        return kept

    def _inline(self, mime: str, data: str, path: str) -> str:
        reference = self.reference(mime, data, path)
        return f"[{mime}, {reference['bytes']} bytes, sha256 {reference['sha256']}]"

    def _secrets(self, path: str, kinds: list[str]) -> None:
        if kinds:
            self._note(path, "secret", len(kinds))
            self.masked.extend(kind for kind in kinds if kind not in self.masked)

    def _note(self, path: str, kind: str, amount: int, instead: Any = None) -> Any:
        self.cuts.append(Cut(path[:200], kind, amount))
        return instead


def _cut(text: str, limit: int) -> str:
    """The start of a text, without a tag that the cut would leave open."""
    opened = text.rfind("<", max(0, limit - 2000), limit)
    return text[:opened] if opened > text.rfind(">", 0, limit) else text[:limit]


def _holds_binary(given: dict, name: str) -> bool:
    """`blob` is always binary; `data` is where the object says that it is an image, a sound or another medium."""
    if not isinstance(given.get(name), str):
        return False
    mime = _mime_of(given)
    return (
        name == "blob" or given.get("type") in ("image", "audio", "video") or bool(mime and not _TEXTUAL.search(mime))
    )


def _mime_of(given: dict) -> str:
    found = next((given[name] for name in ("mimeType", "mime_type", "media_type") if given.get(name)), "")
    return found[:100] if isinstance(found, str) else ""


def _is_base64(text: str) -> bool:
    """One long run of the alphabet, or lines of it, with both cases and digits in it."""
    start = text[:2000]
    if " " in start or len(start.split("\n", 1)[0]) < 60 or not _BASE64.fullmatch(text):
        return False
    return all(re.search(signs, start) for signs in ("[a-z]", "[A-Z]", "[0-9]"))


def _decoded(data: str) -> bytes:
    signs = re.sub(r"\s+", "", data).replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(signs + "=" * (-len(signs) % 4), validate=True)
    except (binascii.Error, ValueError):
        return data.encode("utf-8", "replace")
