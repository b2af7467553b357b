"""The values that travel through this package. Pure; every text in them is clean and its secrets are masked."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """The call that a result answers. `output_schema` is the tool's own JSON schema, {} when it has none."""

    name: str = ""
    server: str = ""
    call_id: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    output_schema: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cut:
    """What was taken out of a result. `kind`: characters, items, depth, media, nul, surrogate, control, number, script,
    secret, malformed, or server (the server had cut it). `amount` counts in the kind's own unit; media in bytes."""

    path: str
    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A result taken apart.

    `text` is the main content: what is judged, and the only thing that is ever embedded. `is_data`: rows or records, no
    prose. `is_document`: the words of a page or a file, not of the tool. `is_external`: other people's text. `failed`:
    the tool's own grammar says so. `url`: the page or file it comes from, its independent origin. `hidden`: what a
    reader of the original would not have seen. `cut_by_server`: characters the server says it left out, 1 when it
    does not say how many."""

    title: str = ""
    text: str = ""
    links: tuple[Link, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    is_data: bool = False
    is_document: bool = False
    is_external: bool = False
    failed: bool = False
    url: str = ""
    hidden: tuple[str, ...] = ()
    cut_by_server: int = 0
