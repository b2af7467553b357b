"""What comes in, field by field. Bodies refuse what they do not know; nothing here reads or writes the database."""

from typing import Any

from rest_framework import serializers

from memory.actions.base import TEXT_LIMIT
from memory.actions.lineage import MOST_SOURCES
from memory.api.errors import hinted
from memory.api.fields import (
    CONTENT_LENGTH,
    EventTime,
    Fields,
    Flag,
    Id,
    Moment,
    Object,
    PastMoment,
    QueryFlag,
    Share,
    Text,
    ToolOutput,
    Whole,
    Word,
)  # fmt: skip
from memory.graph.around import HOPS
from memory.graph.read import MOST
from memory.models.conflict import Conflict
from memory.models.episode import Episode
from memory.models.memory import Category

QUERY_LENGTH = 10_000
_TEXT_NAMES = ("memory", "text", "content")


class ToolIn(Fields):
    """The call that a result answers."""

    name = Text(max_length=200, help_text="The tool's name.")
    server = Text(required=False, allow_blank=True, allow_null=True, max_length=200, help_text="The MCP server's name.")
    call_id = Text(required=False, allow_blank=True, allow_null=True, max_length=200)
    arguments = Object(required=False, allow_null=True, max_length=CONTENT_LENGTH)
    output_schema = Object(required=False, allow_null=True, max_length=CONTENT_LENGTH, help_text="The tool's own.")


class EventIn(Fields):
    """One event of one conversation."""

    user_id = Id()
    run_id = Id(help_text="Your name for the conversation or run.")
    agent_id = Id(required=False, allow_null=True)
    role = Word(choices=Episode.Role.choices)
    content = Text(
        required=False,
        allow_blank=True,
        help_text="Kept exactly as sent. Blank only for a tool that gave nothing back.",
    )
    kind = Word(
        choices=Episode.Kind.choices, required=False, help_text="Default: tool_result for role tool, else message."
    )
    name = Text(required=False, allow_blank=True, allow_null=True, max_length=200, help_text="Speaker or tool.")
    status = Word(choices=Episode.Status.choices, default=Episode.Status.OK)
    event_time = EventTime(required=False, help_text="When it happened; default now.")
    metadata = Object(required=False)
    infer = Flag(default=True, help_text="false keeps the text as one claim; it is screened and compared all the same.")
    task_state = Object(required=False, help_text="Replaces the run's task state.")
    result = ToolOutput(
        required=False,
        allow_null=True,
        help_text="Instead of content, from a tool: a CallToolResult, as POST /tool-results takes it.",
    )
    tool = ToolIn(required=False, allow_null=True, help_text="The call that a tool's result answers.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.setdefault("kind", _kind_of(attrs["role"]))
        _check_result(attrs)
        if attrs["kind"] == Episode.Kind.MESSAGE and not attrs["content"].strip():
            raise serializers.ValidationError({"content": "A message must not be blank."})
        return attrs


class ToolResultIn(Fields):
    """What one call of a tool gave back."""

    user_id = Id()
    run_id = Id(help_text="Your name for the conversation or run.")
    agent_id = Id(required=False, allow_null=True)
    tool = ToolIn()
    result = ToolOutput(
        allow_null=True,
        help_text="A CallToolResult, a JSON-RPC answer with a result or an error, a list of content, or a text.",
    )
    event_time = EventTime(required=False, help_text="When it happened; default now.")
    metadata = Object(required=False)
    task_state = Object(required=False, help_text="Replaces the run's task state.")


class EventsIn(Fields):
    """Many events, in order, all or none."""

    events = EventIn(many=True, allow_empty=False)


class MessageIn(Fields):
    role = Word(choices=Episode.Role.choices)
    content = Text()
    name = Text(required=False, allow_blank=True, allow_null=True, max_length=200)


class ConversationIn(Fields):
    """Messages of one conversation, as chat completions have them."""

    messages = MessageIn(many=True, allow_empty=False)
    user_id = Id()
    run_id = Id()
    agent_id = Id(required=False, allow_null=True)
    event_time = EventTime(required=False)
    metadata = Object(required=False)
    infer = Flag(default=True)
    task_state = Object(required=False)


class MemoryIn(Fields):
    """Something to remember: a text (`memory`, also `text` or `content`), or `messages`."""

    user_id = Id()
    run_id = Id(default="direct", help_text='Default "direct".')
    agent_id = Id(required=False, allow_null=True)
    memory = Text(required=False, max_length=TEXT_LIMIT)
    text = Text(required=False, max_length=TEXT_LIMIT, help_text="The same as `memory`.")
    content = Text(required=False, max_length=TEXT_LIMIT, help_text="The same as `memory`.")
    role = Word(
        choices=Episode.Role.choices, required=False,
        help_text="Whose words the text is; default user. An agent's own words weigh less.",
    )  # fmt: skip
    messages = MessageIn(many=True, required=False, allow_empty=False)
    event_time = EventTime(required=False)
    metadata = Object(required=False)
    infer = Flag(default=True, help_text="false keeps the text as one claim; it is screened and compared all the same.")
    derived_from = serializers.ListField(
        child=serializers.UUIDField(), required=False, allow_empty=False, max_length=MOST_SOURCES,
        help_text="Ids of this user's memories that the text was made from, as a summary is. It is then the agent's "
        "own text (role assistant), worth no more than the weakest of them, and marked stale when one of them moves.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        text = _one_text(attrs)
        if (text is None) == ("messages" not in attrs):
            raise serializers.ValidationError(
                {"memory": hinted("Send either a text or messages.", f"The text may be named {_names()}.").detail}
            )
        if "derived_from" in attrs:
            _check_derived(attrs, text)
        if text is not None:
            attrs["messages"] = [{"role": attrs.pop("role", Episode.Role.USER), "content": text}]
        elif "role" in attrs:
            raise serializers.ValidationError({"role": "With messages every message has its own role."})
        return attrs


class MemoriesIn(Fields):
    memories = MemoryIn(many=True, allow_empty=False)


class MemoryChange(Fields):
    """What an agent may change of a memory. `version` refuses the change if the memory is another by now."""

    memory = Text(required=False, max_length=TEXT_LIMIT)
    text = Text(required=False, max_length=TEXT_LIMIT, help_text="The same as `memory`.")
    content = Text(required=False, max_length=TEXT_LIMIT, help_text="The same as `memory`.")
    metadata = Object(required=False)
    version = Whole(required=False, min_value=1, max_value=2**31 - 1)
    reason = Text(required=False, allow_blank=True, max_length=500, help_text="Kept with the version.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        text = _one_text(attrs)
        fields = ({} if text is None else {"text": text}) | {k: attrs[k] for k in ("metadata",) if k in attrs}
        if not fields:
            raise hinted("There is nothing to change.", "Send memory, metadata, or both.")
        return {"fields": fields, "version": attrs.get("version"), "reason": attrs.get("reason", "")}


class FiltersIn(Fields):
    category = serializers.JSONField(required=False, help_text="One category, or a list of them.")

    def validate_category(self, value: Any) -> list[str]:
        given = value if isinstance(value, list) else [value]
        if not given or any(not isinstance(one, str) or one not in Category.values for one in given):
            raise hinted("This value is not known.", f"Use one or more of: {', '.join(Category.values)}.")
        return given


class SearchIn(Fields):
    user_id = Id()
    query = Text(max_length=QUERY_LENGTH)
    top_k = Whole(default=10, min_value=1, max_value=50)
    threshold = Share(required=False, allow_null=True, help_text="Least relevance; it can only raise the workspace's.")
    run_id = Id(required=False, help_text="Memories of this run earn a bonus.")
    agent_id = Id(required=False, allow_null=True)
    filters = FiltersIn(required=False)
    explain = Flag(default=False, help_text="true adds the parts of each score.")
    reference_time = PastMoment(required=False, help_text="Answers with what was known at this time; default now.")
    include_archived = Flag(default=False, help_text="true searches what went cold too, marked status archived.")
    context_window = Whole(
        default=0, min_value=0, max_value=5,
        help_text="So many memories said before and after each result in its session come with it, beyond top_k.",
    )  # fmt: skip


class UserQuery(Fields):
    user_id = Id()


class PageQuery(Fields):
    limit = serializers.IntegerField(default=50, min_value=1, max_value=100)
    offset = serializers.IntegerField(default=0, min_value=0, max_value=1_000_000)


class MemoriesQuery(PageQuery):
    user_id = Id()
    category = Word(choices=Category.choices, required=False)
    since = Moment(required=False, help_text="Said at or after this time.")
    until = Moment(required=False, help_text="Said before this time.")
    include_archived = QueryFlag(default=False, help_text="true lists what went cold too, marked status archived.")
    reference_time = PastMoment(required=False, help_text="The memories as they were at this time; default now.")


class DifferenceQuery(Fields):
    since = PastMoment(help_text="The earlier moment.")
    until = PastMoment(required=False, help_text="The later moment; default now.")
    limit = serializers.IntegerField(default=100, min_value=1, max_value=500, help_text="Of each kind at most.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "until" in attrs and attrs["until"] < attrs["since"]:
            raise serializers.ValidationError({"until": hinted("This is before since.", "Swap the two.").detail})
        return attrs


class EpisodesQuery(PageQuery):
    run_id = Id(required=False)
    kind = Word(choices=Episode.Kind.choices, required=False)
    status = Word(choices=Episode.Status.choices, required=False)
    since = Moment(required=False, help_text="Happened at or after this time.")
    until = Moment(required=False, help_text="Happened before this time.")


class GraphQuery(Fields):
    entity = Id(required=False, help_text="Id, name or alias of one entity: answers what lies around it.")
    hops = serializers.IntegerField(
        required=False, min_value=1, max_value=HOPS, help_text="How many relations away from the entity; default 1."
    )
    limit = serializers.IntegerField(default=100, min_value=1, max_value=MOST, help_text="Nodes at most.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "hops" in attrs and "entity" not in attrs:
            raise serializers.ValidationError({"hops": hinted("Hops count from an entity.", "Name one.").detail})
        return attrs


class ConflictsQuery(PageQuery):
    user_id = Id()
    status = Word(choices=Conflict.Status.choices, required=False)


def _kind_of(role: str) -> str:
    return Episode.Kind.TOOL_RESULT if role == Episode.Role.TOOL else Episode.Kind.MESSAGE


def _check_result(attrs: dict[str, Any]) -> None:
    """A text or a tool's result, not both; a result and its call only from a tool."""
    given = [name for name in ("result", "tool") if attrs.get(name) is not None]
    if given and attrs["kind"] != Episode.Kind.TOOL_RESULT:
        raise serializers.ValidationError(
            {given[0]: hinted("Only a tool's result has this.", "Send it with role tool.").detail}
        )
    if "content" not in attrs and attrs.get("result") is None:
        raise serializers.ValidationError({"content": "This field is required."}, code="required")
    if "content" in attrs and attrs.get("result") is not None:
        raise serializers.ValidationError({"result": hinted("Send either content or result.").detail})


def _check_derived(attrs: dict[str, Any], text: str | None) -> None:
    """What was made from memories is an agent's text; the metadata may not say it a second time."""
    if text is None:
        raise serializers.ValidationError({"derived_from": hinted("Only a text has this.", "Send memory.").detail})
    if attrs.setdefault("role", Episode.Role.ASSISTANT) != Episode.Role.ASSISTANT:
        raise serializers.ValidationError(
            {"role": hinted("What was made from memories is the agent's own text.", "Leave role out.").detail}
        )


def _names() -> str:
    return ", ".join(_TEXT_NAMES)


def _one_text(attrs: dict[str, Any]) -> str | None:
    given = [name for name in _TEXT_NAMES if name in attrs]
    if len(given) > 1:
        raise serializers.ValidationError({given[1]: f"The text is there twice: {' and '.join(given)}."})
    return attrs[given[0]] if given else None
