"""A model's answer, which may be anything, becomes judgements of events, or an error that can be told to the model."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import json_repair

WHOSE = ("user", "agent", "other", "world")
CATEGORIES = ("preference", "profile", "task_state", "knowledge", "tool_experience")
# More claims than this in one event are a model that runs in circles.
MOST = 12
_LONGEST = 2000
_ANSWER = 40_000
_TRIES = 500
_BRACKET = re.compile(r"[{\[]")

_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
_CLAIM = {
    "subject": _TEXT, "attribute": _TEXT, "value": _TEXT, "category": {"type": "string", "enum": list(CATEGORIES)},
    "said_by": _TEXT, "about_whom": _TEXT, "when_true": _TEXT, "hypothetical": _FLAG, "negated": _FLAG, "past": _FLAG,
    "quote": _TEXT,
}  # fmt: skip


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


# Strict servers want every property required and none besides.
SCHEMA = _object(
    {
        "events": {
            "type": "array",
            "items": _object(
                {
                    "event": {"type": "integer"}, "worth": _FLAG, "whose": {"type": "string", "enum": list(WHOSE)},
                    "looked_up_when": _TEXT, "adds": _TEXT, "claims": {"type": "array", "items": _object(_CLAIM)},
                }
            ),
        }
    }
)  # fmt: skip


class Unreadable(ValueError):
    """The answer cannot be read; the message says why, in words that the model itself may use to do better."""


@dataclass(frozen=True, slots=True)
class Said:
    """One claim as the model put it. Every text may be empty but `quote`; `when_true` are words of the event."""

    quote: str
    subject: str = ""
    attribute: str = ""
    value: str = ""
    category: str = ""
    said_by: str = ""
    about_whom: str = ""
    when_true: str = ""
    hypothetical: bool = False
    negated: bool = False
    past: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """The model's answer to the three questions about one event, and its claims. `unusable` counts claims without
    what a claim must have."""

    worth: bool
    whose: str = ""
    looked_up_when: str = ""
    adds: str = ""
    claims: tuple[Said, ...] = ()
    unusable: int = 0


def read(text: str, numbers: Collection[int], *, cut: bool = False) -> dict[int, Judged]:
    """The judgement of each of these events that the answer holds: events it leaves out, answers in two ways or that
    were not asked about are left out. Of an answer that was `cut`, what is whole. Raises Unreadable when none is left.
    """
    text = _without_thoughts(text[:_ANSWER])
    found, unsure = _by_event(_strictly(text), numbers)
    if len(found) + len(unsure) < len(numbers) and not cut and text.rstrip("` \n").endswith(("}", "]")):
        # Not for what has broken off: a repair would close the last words where they happen to end.
        mended, _ = _by_event(_mended(text), numbers)
        found = {number: judged for number, judged in mended.items() if number not in unsure} | found
    if not found:
        raise Unreadable(_what_is_wrong(text, cut, unsure))
    return found


def _by_event(values: Iterable[Any], numbers: Collection[int]) -> tuple[dict[int, Judged], set[int]]:
    """The judgements by event, and the events that were answered in two ways."""
    found: dict[int, Judged] = {}
    unsure: set[int] = set()
    for item in (item for value in values for item in _unwrapped(value)):
        number = _number(item)
        if number is None and len(numbers) == 1:
            [number] = numbers
        judged = _judged(item)
        if number in numbers and judged and found.setdefault(number, judged) != judged:
            unsure.add(number)
    return {number: judged for number, judged in found.items() if number not in unsure}, unsure


def _what_is_wrong(text: str, cut: bool, unsure: Collection[int]) -> str:
    if cut:
        return "The answer was too long and broke off. Use fewer and shorter claims."
    if unsure:
        return "Each event must be answered once."
    if "{" not in text:
        return "The answer holds no JSON object."
    return 'The answer must be one JSON object {"events": [{"event": 1, "worth": true, "claims": [...]}]}.'


def _without_thoughts(text: str) -> str:
    """A model may think aloud first, and may leave out the mark where that began."""
    text = re.sub(r"<(think|thinking|reasoning)>.*?</\1>", "", text, flags=re.DOTALL)
    return re.split(r"</(?:think|thinking|reasoning)>", text)[-1]


def _strictly(text: str) -> Iterator[Any]:
    """Every JSON value in a text, wherever it stands; of one that is broken or has no end, the whole values inside."""
    decoder = json.JSONDecoder(strict=False)
    text = _whole_backslashes(text)
    place = 0
    for _try in range(_TRIES):
        match = _BRACKET.search(text, place)
        if not match:
            return
        try:
            value, place = decoder.raw_decode(text, match.start())
            yield value
        except (ValueError, RecursionError):
            place = match.end()


def _mended(text: str) -> Iterator[Any]:
    """The text read with single quotes, commas too many or too few, and comments allowed."""
    if match := _BRACKET.search(text):
        with suppress(ValueError, RecursionError):
            yield json_repair.loads(text[match.start() :], skip_json_loads=True)


def _whole_backslashes(text: str) -> str:
    r"""Doubles backslashes that begin no escape of JSON: "C:\Users" is meant as it stands."""
    return re.sub(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|)', lambda match: match[0] if match[1] else "\\\\", text)


def _unwrapped(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for part in value[:200]:
            if depth < 3:
                yield from _unwrapped(part, depth + 1)
    elif isinstance(value, dict):
        if "worth" in value or "claims" in value:
            yield value
        elif depth < 3:
            for part in list(value.values())[:200]:
                if isinstance(part, (list, dict)):
                    yield from _unwrapped(part, depth + 1)


def _number(item: dict[str, Any]) -> int | None:
    given = item.get("event")
    if isinstance(given, str) and (match := re.fullmatch(r"\D{0,10}(\d{1,6})", given.strip())):
        given = int(match[1])
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _judged(item: dict[str, Any]) -> Judged | None:
    given = item.get("claims") or []
    if isinstance(given, dict):
        given = [given]
    if not isinstance(given, list):
        return None
    worth = _flag(item.get("worth"), default=None)
    claims = [claim for part in given[:MOST] if (claim := _said(part))]
    if worth is None:
        if "claims" not in item or given and not claims:
            return None
        worth = bool(claims)
    whose = _text(item.get("whose")).lower()
    return Judged(
        worth=worth, whose=whose if whose in WHOSE else "", looked_up_when=_text(item.get("looked_up_when")),
        adds=_text(item.get("adds")), claims=tuple(claims) if worth else (), unusable=len(given) - len(claims),
    )  # fmt: skip


def _said(part: Any) -> Said | None:
    if not isinstance(part, dict) or not (quote := _text(part.get("quote"))):
        return None
    texts = ("subject", "attribute", "value", "category", "said_by", "about_whom", "when_true")
    flags = ("hypothetical", "negated", "past")
    return Said(
        quote,
        **{name: _text(part.get(name)) for name in texts},
        **{name: bool(_flag(part.get(name), default=False)) for name in flags},
    )


def _text(given: Any) -> str:
    if isinstance(given, bool) or given is None:
        return ""
    if isinstance(given, (int, float)):
        return str(given)
    return given.strip()[:_LONGEST] if isinstance(given, str) else ""


def _flag(given: Any, *, default: bool | None) -> bool | None:
    if isinstance(given, bool):
        return given
    if isinstance(given, int):
        return bool(given)
    word = given.strip().lower() if isinstance(given, str) else ""
    if word in ("true", "yes", "是", "1"):
        return True
    return False if word in ("false", "no", "否", "0") else default
