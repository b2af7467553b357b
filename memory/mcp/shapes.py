"""CallToolResult and its kinds of content as the specification has them, read leniently and written strictly.

Servers send nulls, snake_case names, bare strings, and content without a type. What comes out has every required field
and no null. Source: modelcontextprotocol.io, schema 2025-06-18. Binary data has become {mimeType, bytes, sha256} before
(memory/mcp/values.py).
"""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel


def _as_text(given: Any) -> str:
    if isinstance(given, str):
        return given
    return "" if given is None else json.dumps(given, ensure_ascii=False)


def _as_flag(given: Any) -> bool:
    return given.strip().lower() in ("true", "yes", "1") if isinstance(given, str) else bool(given)


def _as_size(given: Any) -> int:
    return int(given) if isinstance(given, int | float) and 0 <= given < 1e15 else 0


def _as_object(given: Any) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


def _as_share(given: Any) -> float:
    return min(1.0, max(0.0, float(given))) if isinstance(given, int | float) else 0.0


def _as_texts(given: Any) -> list[str]:
    return [_as_text(one) for one in given if one is not None] if isinstance(given, list) else []


String = Annotated[str, BeforeValidator(_as_text)]
Flag = Annotated[bool, BeforeValidator(_as_flag)]
Size = Annotated[int, BeforeValidator(_as_size)]
JsonObject = Annotated[dict[str, Any], BeforeValidator(_as_object)]
Share = Annotated[float, BeforeValidator(_as_share)]
Strings = Annotated[list[str], BeforeValidator(_as_texts)]


class Shape(BaseModel):
    """Unknown members are left out, null is absent, and snake_case is read as camelCase."""

    model_config = ConfigDict(extra="ignore", alias_generator=to_camel, populate_by_name=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, given: Any) -> Any:
        return {name: member for name, member in given.items() if member is not None} if isinstance(given, dict) else {}


class Annotations(Shape):
    audience: Strings = Field(default_factory=list)
    priority: Share = 0.0
    last_modified: String = ""


class Content(Shape):
    annotations: Annotations | None = None


class Text(Content):
    type: Literal["text"] = "text"
    text: String = ""


class Media(Content):
    """An image or a sound: what it was, never its bytes."""

    type: Literal["image", "audio"] = "image"
    mime_type: String = "application/octet-stream"
    bytes: Size = 0
    sha256: String = ""


class ResourceContents(Shape):
    """A text, or a reference to what was a blob."""

    uri: String = ""
    mime_type: String = ""
    text: String = ""
    bytes: Size = 0
    sha256: String = ""


class Resource(Content):
    type: Literal["resource"] = "resource"
    resource: ResourceContents = Field(default_factory=ResourceContents)


class ResourceLink(Content):
    type: Literal["resource_link"] = "resource_link"
    uri: String = ""
    name: String = ""
    title: String = ""
    description: String = ""
    mime_type: String = ""
    size: Size = 0


Block = Text | Media | Resource | ResourceLink
_KINDS: dict[str, type[Content]] = {
    "text": Text, "image": Media, "audio": Media, "resource": Resource, "resource_link": ResourceLink,
}  # fmt: skip


def block_of(given: Any) -> Block | None:
    """One piece of content, whatever it came as: a bare string is text, a missing type is read from the members, an
    unknown kind is kept as its JSON. None for nothing."""
    if given is None or given == {}:
        return None
    if not isinstance(given, dict):
        return Text(text=given)
    kind = str(given.get("type"))
    kind = kind if kind in _KINDS else _kind_by_members(given)
    if kind == "resource" and not isinstance(given.get("resource"), dict):
        given = {"resource": {name: member for name, member in given.items() if name != "type"}}
    try:
        return _KINDS[kind].model_validate(given | {"type": kind}) if kind else Text(text=given)
    except ValidationError:
        return Text(text=given)


def _kind_by_members(given: dict[str, Any]) -> str:
    if isinstance(given.get("resource"), dict):
        return "resource"
    if isinstance(given.get("text"), str):
        return "resource" if given.get("uri") else "text"
    mime = str(given.get("mimeType") or given.get("mime_type") or "")
    if "sha256" in given and mime.startswith(("image/", "audio/")):
        return "audio" if mime.startswith("audio/") else "image"
    if isinstance(given.get("uri"), str):
        return "resource" if "sha256" in given else "resource_link"
    return ""


class CallToolResult(Shape):
    content: list[Block] = Field(default_factory=list)
    # the specification says object; servers send lists too
    structured_content: Any = None
    is_error: Flag = False
    meta: JsonObject = Field(default_factory=dict, alias="_meta")

    def stored(self) -> dict[str, Any]:
        """The result as it is kept: JSON, every required field there, no null of its own."""
        return self.model_dump(by_alias=True, exclude_none=True) | (
            {} if self.structured_content is None else {"structuredContent": self.structured_content}
        )
