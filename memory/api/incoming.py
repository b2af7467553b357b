"""Validated bodies become events for intake: the one place that knows how their fields map."""

from dataclasses import replace
from typing import Any

from memory.intake.record import NewEvent
from memory.mcp import reading
from memory.mcp.types import Tool
from memory.models import Episode


def of_event(body: dict[str, Any]) -> NewEvent:
    """One event as `POST /events` takes it."""
    tool = body.get("tool") or {}
    event = NewEvent(
        user_id=body["user_id"], run_id=body["run_id"], role=body["role"], content=body.get("content", ""),
        kind=body["kind"], name=body.get("name") or tool.get("name", ""), agent_id=body.get("agent_id") or "",
        status=body["status"], event_time=body.get("event_time"), metadata=body.get("metadata", {}),
        infer=body["infer"], task_state=body.get("task_state"),
    )  # fmt: skip
    if body.get("result") is None:
        return of_text(event, tool)
    return _of_reading(event, reading.read(body["result"], _tool(event.name, tool)))


def of_tool_result(body: dict[str, Any]) -> NewEvent:
    """The event of what `POST /tool-results` takes."""
    event = NewEvent(
        user_id=body["user_id"], run_id=body["run_id"], role=Episode.Role.TOOL, content="",
        kind=Episode.Kind.TOOL_RESULT, name=body["tool"]["name"], agent_id=body.get("agent_id") or "",
        event_time=body.get("event_time"), metadata=body.get("metadata", {}), task_state=body.get("task_state"),
    )  # fmt: skip
    return _of_reading(event, reading.read(body["result"], _tool(event.name, body["tool"])))


def of_messages(body: dict[str, Any]) -> list[NewEvent]:
    """One event a message; what stands beside the messages holds for each of them."""
    return [
        of_text(
            NewEvent(
                user_id=body["user_id"], run_id=body["run_id"], role=message["role"], content=message["content"],
                kind=Episode.Kind.TOOL_RESULT if message["role"] == Episode.Role.TOOL else Episode.Kind.MESSAGE,
                name=message.get("name") or "", agent_id=body.get("agent_id") or "",
                event_time=body.get("event_time"), metadata=_metadata(body), infer=body["infer"],
                task_state=body.get("task_state"),
            )
        )
        for message in body["messages"]
    ]  # fmt: skip


def _metadata(body: dict[str, Any]) -> dict[str, Any]:
    """The caller's, with what the text was made from; only `derived_from`, which is checked, can say that."""
    given = {name: value for name, value in body.get("metadata", {}).items() if name != "derived_from"}
    if sources := body.get("derived_from"):
        given["derived_from"] = [str(source) for source in sources]
    return given


def of_text(event: NewEvent, tool: dict[str, Any] | None = None) -> NewEvent:
    """The event itself, unless it is a tool's: a text that is a CallToolResult as JSON is read as one, and a text that
    is an error's message is a failure whatever status came with it."""
    if event.kind != Episode.Kind.TOOL_RESULT:
        return event
    found = reading.read_content(event.content, _tool(event.name, tool or {}))
    if found is not None:
        return _of_reading(event, found)
    return replace(event, status=Episode.Status.ERROR) if reading.is_failure(event.content) else event


def _tool(name: str, given: dict[str, Any]) -> Tool:
    return Tool(
        name=name, server=given.get("server") or "", call_id=given.get("call_id") or "",
        arguments=given.get("arguments") or {}, output_schema=given.get("output_schema") or {},
    )  # fmt: skip


def _of_reading(event: NewEvent, found: reading.Reading) -> NewEvent:
    """A caller who says that the call failed is believed; one who says that it went well is checked."""
    metadata = {"url": found.url} | event.metadata if found.url else event.metadata
    status = Episode.Status.ERROR if found.failure else event.status
    return replace(event, content=found.text, status=status, metadata=metadata, tool_result=found.kept)
