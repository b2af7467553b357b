"""What each model provider takes as the definition of a tool: names, keywords, formats, nulls, open objects.

Sources: the providers' references and public reports of rejected requests (see `Provider`'s comments). A provider that
takes more than is written here loses nothing but detail; one that takes less answers 400 to the whole request.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

_ANNOTATIONS = frozenset({"title", "description", "default"})
_SHAPE = frozenset({"type", "properties", "required", "items", "enum", "anyOf"})
_BOUNDS = frozenset(
    {"minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems", "format"}
)  # fmt: skip
_MORE_BOUNDS = frozenset(
    {"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "minProperties", "maxProperties"}
)
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Null(StrEnum):
    """How a value that may be null is said."""

    TYPE = "type"  # a "null" among the types, or as a branch
    NULLABLE = "nullable"  # OpenAPI's keyword
    NEVER = "never"  # not at all


class Open(StrEnum):
    """What `additionalProperties` may be."""

    ANY = "any"  # a boolean or a schema
    CLOSED = "closed"  # must be there and false
    ABSENT = "absent"  # no such keyword


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider's rules. `name` is matched in full; lengths are in code points; 0 means no limit."""

    name: re.Pattern[str]
    keywords: frozenset[str]
    formats: frozenset[str] = _FORMATS
    name_length: int = 64
    name_least: int = 1
    description_length: int = 0
    property_name: re.Pattern[str] | None = None
    null: Null = Null.TYPE
    open: Open = Open.ANY
    one_type: bool = False  # a list of types becomes branches
    typed: bool = False  # a schema without a type is refused
    bare_any_of: bool = False  # nothing may stand beside anyOf
    string_enums: bool = False
    all_required: bool = False
    keeps_refs: bool = True  # for what refers to itself; everything else is put in place
    levels: int = 0


_JSON_SCHEMA = _ANNOTATIONS | _SHAPE | _BOUNDS | _MORE_BOUNDS | {"additionalProperties"}

PROVIDERS: dict[str, Provider] = {
    "openai": Provider(_PLAIN_NAME, _JSON_SCHEMA | {"oneOf"}, description_length=1024),
    # structured outputs: everything required, nothing open, ten levels, no defaults
    "strict": Provider(
        _PLAIN_NAME, (_JSON_SCHEMA - {"default", "uniqueItems", "minProperties", "maxProperties"}),
        description_length=1024, open=Open.CLOSED, typed=True, all_required=True, levels=10,
    ),
    "anthropic": Provider(
        re.compile(r"[A-Za-z0-9_-]{1,128}"), _JSON_SCHEMA | {"oneOf"}, _FORMATS | {"uri"}, name_length=128,
        property_name=re.compile(r"[A-Za-z0-9_.-]{1,64}"),
    ),
    # FunctionDeclaration.parameters, a subset of OpenAPI 3.0: one type, `nullable`, enums of strings only, and
    # "when using any_of, it must be the only field set"
    "gemini": Provider(
        re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"),
        _ANNOTATIONS | _SHAPE | _BOUNDS | {"minProperties", "maxProperties", "nullable"},
        frozenset({"date-time", "int32", "int64", "float", "double"}), null=Null.NULLABLE, open=Open.ABSENT,
        one_type=True, typed=True, bare_any_of=True, string_enums=True, keeps_refs=False,
    ),
    # a type inside the branches of anyOf, never beside it
    "kimi": Provider(
        re.compile(r"[A-Za-z_][A-Za-z0-9_-]{2,63}"), _ANNOTATIONS | _SHAPE | _BOUNDS | {"additionalProperties"},
        frozenset(), name_least=3, one_type=True, typed=True, keeps_refs=False,
    ),
    # a server of which nothing is known: what every implementation takes
    "plain": Provider(
        re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}"),
        _SHAPE | {"description", "minimum", "maximum", "additionalProperties"}, frozenset(),
        null=Null.NEVER, one_type=True, typed=True, string_enums=False, keeps_refs=False,
    ),
}  # fmt: skip
