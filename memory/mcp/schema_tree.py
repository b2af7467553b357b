"""A schema as it came: is it safe to walk, where does a reference point, does it point at itself.

Nothing here follows references by recursion: a hostile tool costs its budget, never the stack.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

DEEPEST = 40
LARGEST = 20_000  # values in one tool definition
TEXT_LARGEST = 200_000  # characters in one tool definition
SURROGATE = re.compile("[\ud800-\udfff]")
_INDEX = re.compile("0|[1-9][0-9]{0,5}")
_LITERAL = frozenset({"enum", "const", "default", "examples", "example"})
_SPOKEN = frozenset({"title", "description", "$comment"})


class Unusable(Exception):
    """This tool cannot be offered to this provider: a reason's code, a JSON pointer, and what was found there."""

    def __init__(self, reason: str, pointer: str, detail: str = ""):
        super().__init__(reason)
        self.reason, self.pointer, self.detail = reason, pointer, detail


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands in a parsed body for what is no JSON value: `reason` is a code of `schema_reasons`."""

    reason: str


def join(pointer: str, *names: str | int) -> str:
    """The JSON pointer (RFC 6901) of a member."""
    return pointer + "".join(f"/{str(name).replace('~', '~0').replace('/', '~1')}" for name in names)


def shown(text: str) -> str:
    """A text as an answer may carry it, whatever its sender put into it."""
    return SURROGATE.sub("\ufffd", text.replace("\x00", "\ufffd"))[:200]


def check(tool: Any) -> list[str]:
    """Walks a definition without recursion; answers the pointers of the titles and descriptions to clean.

    Raises Unusable on what no provider could take: not JSON, too deep, too large, broken characters in a name or value.
    """
    waiting, values, letters, unclean = [("", tool, 1, False)], 0, 0, []
    while waiting:
        pointer, value, depth, spoken = waiting.pop()
        values += 1
        letters += len(value) if isinstance(value, str) else 0
        if values > LARGEST or letters > TEXT_LARGEST:
            raise Unusable("too_large", pointer[:200])
        if isinstance(value, str):
            if _broken(value):
                if not spoken:
                    raise Unusable("text_unreadable", shown(pointer))
                unclean.append(pointer)
        elif isinstance(value, dict | list):
            if depth > DEEPEST:
                raise Unusable("too_deep", shown(pointer))
            for name, member in value.items() if isinstance(value, dict) else enumerate(value):
                if not isinstance(name, str | int) or (isinstance(name, str) and _broken(name)):
                    raise Unusable("text_unreadable", shown(pointer), shown(str(name)))
                waiting.append((join(pointer, name), member, depth + 1, name in _SPOKEN))
        elif isinstance(value, Unreadable):
            raise Unusable(value.reason, shown(pointer))
        elif not (
            value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))
        ):
            raise Unusable("not_json", shown(pointer), type(value).__name__)
    return unclean


def clean(text: str) -> str:
    """Without NUL, and with U+FFFD for half a surrogate pair: what every JSON reader takes."""
    return SURROGATE.sub("\ufffd", text.replace("\x00", ""))


def _broken(text: str) -> bool:
    return "\x00" in text or (not text.isascii() and SURROGATE.search(text) is not None)


class Refs:
    """The references inside one root schema."""

    def __init__(self, root: dict[str, Any]):
        self.root = root
        self._recursive: dict[str, bool] = {}
        self._names: dict[str, str] = {}

    def target(self, ref: Any, at: str) -> tuple[str, Any]:
        """The place a `$ref` names, always spelt the same, and the schema there. Raises Unusable when there is none."""
        own = self.root.get("$id") or self.root.get("id")
        if isinstance(ref, str) and isinstance(own, str) and own and ref.startswith(own):
            ref = ref[len(own) :] or "#"
        if not isinstance(ref, str) or not ref.startswith("#"):
            raise Unusable("ref_external", at, shown(str(ref)))
        found: Any = self.root
        parts = _parts(ref)
        for part in parts:
            if isinstance(found, dict) and part in found:
                found = found[part]
            elif isinstance(found, list) and _INDEX.fullmatch(part) and int(part) < len(found):
                found = found[int(part)]
            else:
                raise Unusable("ref_missing", at, shown(ref))
        return join("#", *parts), found

    def recursive(self, ref: str, at: str) -> bool:
        """Does the schema at `ref` lead back to itself, or stand between two that do?"""
        if ref not in self._recursive:
            leads: dict[str, set[str]] = {}
            waiting = [ref]
            while waiting:
                if (one := waiting.pop()) not in leads:
                    leads[one] = {self.target(inner, at)[0] for inner in refs_in(self.target(one, at)[1])}
                    waiting.extend(leads[one])
            names = list(leads)
            circling = _circling(leads)
            self._recursive |= {one: one in circling for one in names}
        return self._recursive[ref]

    def name(self, ref: str) -> str:
        """The key under `$defs` for the schema at `ref`, always the same for the same `ref`."""
        if ref not in self._names:
            parts = _parts(ref)
            base = re.sub(r"[^A-Za-z0-9_-]", "_", parts[-1])[:50] if parts else "root"
            name, number = base, 2
            while name in self._names.values():
                name, number = f"{base}_{number}", number + 1
            self._names[ref] = name
        return self._names[ref]


def refs_in(schema: Any) -> Iterator[str]:
    """Every `$ref` below a schema, not those inside literal values."""
    waiting = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str):
                yield value["$ref"]
            waiting.extend(member for name, member in value.items() if name not in _LITERAL)
        elif isinstance(value, list):
            waiting.extend(value)


def _circling(leads: dict[str, set[str]]) -> set[str]:
    """What is left of a graph without its ends and, turned round, without its beginnings."""
    for _ in range(2):
        back: dict[str, set[str]] = {one: set() for one in leads}
        for one, others in leads.items():
            for other in others:
                back[other].add(one)
        ends = [one for one, others in leads.items() if not others]
        while ends:
            end = ends.pop()
            for one in back.pop(end):
                leads[one].discard(end)
                if not leads[one]:
                    ends.append(one)
        leads = {one: others & back.keys() for one, others in back.items()}
    return set(leads)


def _parts(ref: str) -> list[str]:
    return [unquote(part).replace("~1", "/").replace("~0", "~") for part in ref.lstrip("#").split("/")[1:]]
