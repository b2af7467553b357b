"""Validated bodies become events for intake: the one place that knows how their fields map."""

from typing import Any

from memory.intake.record import NewEvent
from memory.models import Episode


def of_event(body: dict[str, Any]) -> NewEvent:
    """One event as `POST /events` takes it."""
    return NewEvent(
        user_id=body["user_id"], run_id=body["run_id"], role=body["role"], content=body["content"], kind=body["kind"],
        name=body.get("name") or "", agent_id=body.get("agent_id") or "", status=body["status"],
        event_time=body.get("event_time"), metadata=body.get("metadata", {}), infer=body["infer"],
        task_state=body.get("task_state"),
    )  # fmt: skip


def of_messages(body: dict[str, Any]) -> list[NewEvent]:
    """One event a message; what stands beside the messages holds for each of them."""
    return [
        NewEvent(
            user_id=body["user_id"], run_id=body["run_id"], role=message["role"], content=message["content"],
            kind=Episode.Kind.TOOL_RESULT if message["role"] == Episode.Role.TOOL else Episode.Kind.MESSAGE,
            name=message.get("name") or "", agent_id=body.get("agent_id") or "", event_time=body.get("event_time"),
            metadata=body.get("metadata", {}), infer=body["infer"], task_state=body.get("task_state"),
        )
        for message in body["messages"]
    ]  # fmt: skip
