"""Tool definitions in the form a provider takes, each tool for itself: one that cannot be helped spoils no other.

Model providers answer 400 to the whole request when one tool's schema is not to their taste, and MCP servers send all
of JSON Schema. `normalise` keeps the meaning: nothing required vanishes, what a provider cannot be told in keywords is
told in words, and every change is named with its place.
"""

import hashlib
import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from memory.mcp.providers import PROVIDERS, Provider
from memory.mcp.schema_flat import POINTER, Change, Place, Work
from memory.mcp.schema_merge import same
from memory.mcp.schema_root import shape_root
from memory.mcp.schema_tree import Refs, Unusable, check, clean, shown

TOOLS = 256
# Work is counted in subschemas, with every reference put in place. An ordinary tool has fewer than LEAST, so none is
# refused because another took much; what is over that is bounded for one tool and for all together.
MOST, LEAST, TOGETHER = 3_000, 300, 40_000
_GROWTH, _GROWTH_FREE = 4, 20_000  # characters: how large a schema may become through its references
_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Normalised:
    """What became of one tool.

    index: its place in the list. original_name: as it came, made readable. name, description, schema: what to send;
    name is empty and schema None when refused. changes: what was done, in order. refusal: why this tool is left out.
    Pointers (RFC 6901) start at the tool's definition and follow references in place.
    """

    index: int
    original_name: str
    name: str = ""
    description: str = ""
    schema: dict[str, Any] | None = None
    changes: tuple[Change, ...] = ()
    refusal: Change | None = None


def normalise(tools: Sequence[Any], *, provider: str) -> list[Normalised]:
    """One answer per tool, in their order. `tools` are MCP definitions: {"name", "description", "inputSchema"}.

    Pure: what it is given stays as it is. Its own result, given again, comes back unchanged.
    Raises ValueError on an unknown provider or more than TOOLS tools.
    """
    if provider not in PROVIDERS:
        raise ValueError(f"Providers are {', '.join(PROVIDERS)}, not {provider}.")
    if len(tools) > TOOLS:
        raise ValueError(f"{len(tools)} tools; {TOOLS} are allowed.")
    rules = PROVIDERS[provider]
    # legal names are theirs before any other is made legal
    taken = {name for tool in tools if (name := _name_of(tool)) and rules.name.fullmatch(name)}
    seen: set[str] = set()
    found, left = [], TOGETHER
    for index, tool in enumerate(tools):
        work = Work(rules, Refs({}), max(LEAST, min(MOST, left)))
        found.append(_one(index, tool, work, taken, seen))
        left -= work.spent
    return found


def _one(index: int, tool: Any, work: Work, taken: set[str], seen: set[str]) -> Normalised:
    shown_name = shown(_name_of(tool) or "")
    try:
        given = _readable(tool, work)
        original = _checked_name(given, seen)
        schema = _stable(given.get("inputSchema"), work)
        name = _legal_name(work, original, work.provider, taken)
        description = _description(work, given, work.provider)
    except Unusable as error:
        refusal = Change(error.reason, error.pointer[:POINTER], error.detail)
        return Normalised(index, shown_name, refusal=refusal)
    seen.add(original)
    return Normalised(index, shown_name, name, description, schema, tuple(work.changes))


def _name_of(tool: Any) -> str | None:
    name = tool.get("name") if isinstance(tool, dict) else None
    return name if isinstance(name, str) else None


def _readable(tool: Any, work: Work) -> dict[str, Any]:
    """A copy without broken characters in what is only read. Raises Unusable on what nobody could send."""
    unclean = check(tool)
    if not isinstance(tool, dict):
        raise Unusable("not_a_tool", "")
    copy = deepcopy(tool)
    if unclean:
        _clean_spoken(copy)
    for pointer in unclean:
        work.note("text_cleaned", shown(pointer))
    return copy


def _clean_spoken(value: Any) -> None:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        for key, member in one.items() if isinstance(one, dict) else enumerate(one):
            if isinstance(member, dict | list):
                waiting.append(member)
            elif isinstance(member, str) and key in ("title", "description", "$comment"):
                one[key] = clean(member)


def _checked_name(tool: dict[str, Any], seen: set[str]) -> str:
    name = tool.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Unusable("name_missing", "/name")
    if name in seen:
        raise Unusable("name_twice", "/name", shown(name))
    return name


def _stable(raw: Any, work: Work) -> dict[str, Any]:
    """The schema after which normalising changes nothing."""
    most = _GROWTH_FREE + _GROWTH * len(json.dumps(raw))
    before = raw
    for _ in range(_ROUNDS):
        trial = Work(work.provider, Refs(before if isinstance(before, dict) else {}), work.budget)
        try:
            made = shape_root(trial, before, Place("/inputSchema"))
        finally:
            work.spent += trial.spent
        if len(json.dumps(made)) > most:
            raise Unusable("too_large", "/inputSchema")
        work.told += [text for text in trial.told if text not in work.told]
        if same(made, before):
            _check_levels(made, work.provider)
            return made
        for change in trial.changes:
            work.note(change.reason, change.pointer, change.detail)
        before = made
    raise Unusable("not_settled", "/inputSchema")


def _check_levels(schema: dict[str, Any], rules: Provider) -> None:
    """Raises Unusable when objects and arrays stand deeper in each other than the provider takes."""
    waiting: list[tuple[Any, int]] = [(schema, 0)]
    while rules.levels and waiting:
        value, level = waiting.pop()
        if isinstance(value, list):
            waiting.extend((one, level) for one in value)
        elif isinstance(value, dict):
            level += value.get("type") in ("object", "array")
            if level > rules.levels:
                raise Unusable("levels", "/inputSchema", str(rules.levels))
            waiting.extend((member, level) for key, member in value.items() if key not in ("enum", "default"))


def _legal_name(work: Work, name: str, rules: Provider, taken: set[str]) -> str:
    """The name as the provider takes it, unlike every other. The caller finds its tool again by `index`."""
    if rules.name.fullmatch(name):
        return name
    legal = "".join(sign if rules.name.fullmatch(f"abc{sign}") else "_" for sign in name)
    legal = legal.ljust(rules.name_least, "_")
    if not rules.name.fullmatch(legal[: rules.name_length]):
        legal = f"t_{legal}"
    if not any(sign.isalnum() for sign in legal) or len(legal) > rules.name_length:
        # cut or empty of letters, it would be like others: part of a digest keeps it apart, the same every time
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        legal = f"{legal[: rules.name_length - 9]}_{digest}"
    base, number = legal, 2
    while legal in taken:
        end = f"_{number}"
        legal, number = base[: rules.name_length - len(end)] + end, number + 1
    taken.add(legal)
    work.note("name", "/name", legal)
    return legal


def _description(work: Work, tool: dict[str, Any], rules: Provider) -> str:
    """The description with what the schema could not say; the original is cut where the provider sets a limit."""
    given = tool.get("description")
    if given is not None and not isinstance(given, str):
        work.note("keyword_invalid", "/description")
        given = None
    text = given or ""
    told = " ".join(one for one in work.told if one not in text)
    if told:
        work.note("rule_told", "/description")
    room = rules.description_length - len(told) - 1 if told else rules.description_length
    if rules.description_length and len(text) > room:
        work.note("description_cut", "/description", str(rules.description_length))
        text = text[: max(room - 1, 0)].rstrip() + "…" if room > 0 else ""
        told = told[: rules.description_length]
    return f"{text}\n{told}".strip() if told else text
