"""What goes out, field by field: the shapes of every answer, and of the schema that describes them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory import reasons
from memory.api.explaining import AddendOut, ExplainedOut, ScoresOut
from memory.api.fields import Moment, Object
from memory.models.conflict import Conflict
from memory.models.episode import Episode, Verdict
from memory.models.memory import Category, Change, Memory, MemoryStatus

PENDING = "PENDING"
# what an agent may ever be told of
TOLD_STATUSES = [(status.value, status.label) for status in (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED)]
EVENTS = [*Verdict.Outcome.values, PENDING]


class RecordedOut(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    user_id = serializers.CharField(source="user.external_id")
    run_id = serializers.CharField(source="session.run_id")
    judging = serializers.ChoiceField(choices=Episode.Judging.choices)


class RecordedListOut(serializers.Serializer):
    results = RecordedOut(many=True)


class LinkOut(serializers.Serializer):
    url = serializers.CharField()
    title = serializers.CharField(allow_blank=True)


class CutOut(serializers.Serializer):
    """Something that was taken out of a result."""

    path = serializers.CharField(allow_blank=True, help_text='Where, for instance content[0].text; "" for the whole.')
    kind = serializers.CharField(
        help_text="characters, items, depth, media, nul, surrogate, control, number, script, secret, malformed, server."
    )
    amount = serializers.IntegerField(help_text="In the kind's own unit; media in bytes.")


class ReferenceOut(serializers.Serializer):
    """What stands for an image, a sound or a blob: its bytes are not kept."""

    mimeType = serializers.CharField(allow_blank=True)
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    uri = serializers.CharField(required=False)


class ToolResultOut(serializers.Serializer):
    """What was found in a tool's result."""

    server = serializers.CharField(allow_blank=True)
    call_id = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    links = LinkOut(many=True)
    fields = Object()
    references = ReferenceOut(many=True)
    cuts = CutOut(many=True)
    masked = serializers.ListField(child=serializers.CharField(), help_text="Kinds of secrets that were hidden.")
    failure = serializers.CharField(
        allow_blank=True, help_text="Why it counts as failed: rpc_error, is_error, error_text, error_data."
    )


class RecordedResultOut(RecordedOut):
    status = serializers.ChoiceField(choices=Episode.Status.choices)
    tool_result = ToolResultOut()


class RecordedResultListOut(serializers.Serializer):
    results = RecordedResultOut(many=True)


class AddedOut(serializers.Serializer):
    """What became of one claim."""

    id = serializers.UUIDField(allow_null=True, help_text="The memory; null when there is none to read.")
    memory = serializers.CharField(help_text="The claim in the words it came in.")
    event = serializers.ChoiceField(choices=EVENTS)
    reason = serializers.CharField(help_text="In the language of Accept-Language.")
    reason_code = serializers.CharField()
    conflict_id = serializers.UUIDField(allow_null=True, help_text="What waits for a person, when QUEUED.")
    event_id = serializers.IntegerField(help_text="The recorded event it came from.")
    judge = serializers.CharField(help_text="rules, or the model and prompt that read it; empty while PENDING.")
    fallback = serializers.ChoiceField(
        choices=["", *Verdict.Fallback.values], help_text="Why rules judged in a model's place; empty otherwise."
    )


class AddedListOut(serializers.Serializer):
    results = AddedOut(many=True)


class AddedBatchItemOut(AddedListOut):
    index = serializers.IntegerField(help_text="Place in the request's list, from 0.")


class AddedBatchOut(serializers.Serializer):
    items = AddedBatchItemOut(many=True)


class StaleOut(serializers.Serializer):
    """It was made from a memory that has moved since, and nobody has looked at it yet."""

    reason = serializers.CharField(help_text="In the language of Accept-Language.")
    reason_code = serializers.CharField()
    since = Moment()


class MemoryOut(serializers.Serializer):
    """A memory as every answer shows it."""

    id = serializers.UUIDField()
    memory = serializers.CharField(source="text")
    user_id = serializers.CharField(source="user.external_id")
    run_id = serializers.CharField(source="session.run_id", allow_null=True, default=None)
    agent_id = serializers.CharField()
    category = serializers.ChoiceField(choices=Category.choices)
    metadata = Object()
    labels = serializers.ListField(
        child=serializers.CharField(), help_text="Screens that found something in it and let it pass, by id."
    )
    credibility = serializers.FloatField(min_value=0, max_value=1)
    version = serializers.IntegerField()
    event_time = Moment()
    created_at = Moment()
    updated_at = Moment()
    stale = serializers.SerializerMethodField()

    @extend_schema_field(StaleOut(allow_null=True))
    def get_stale(self, memory: Memory) -> dict[str, Any] | None:
        """Null when nothing it was made from has moved. A moved source is never named: it may have been turned away."""
        marks = sorted(memory.stale_marks.all(), key=lambda mark: mark.created_at)
        if not marks:
            return None
        mark = marks[0]
        reason = reasons.render(mark.reason_code)
        return StaleOut({"reason": reason, "reason_code": mark.reason_code, "since": mark.created_at}).data


class ListedOut(MemoryOut):
    status = serializers.ChoiceField(choices=TOLD_STATUSES, help_text="archived only with include_archived.")


class NeighbourOut(MemoryOut):
    """A memory said around a result in its session; no answer itself."""

    place = serializers.IntegerField(help_text="-1 is the one just before the result, 1 the next.")
    conflicts = serializers.ListField(child=serializers.UUIDField())
    contested = serializers.BooleanField()


class FoundOut(ListedOut):
    score = serializers.FloatField()
    scores = ScoresOut(help_text="With explain only.")
    credibility_addends = AddendOut(many=True, required=False, help_text="With explain only.")
    conflicts = serializers.ListField(
        child=serializers.UUIDField(), help_text="Open conflicts that contest it; empty when nobody does."
    )
    contested = serializers.BooleanField(
        help_text="A conflict is open, or memories of the same thing differ and none outvotes the others."
    )
    neighbours = NeighbourOut(
        many=True, required=False, help_text="With context_window only: what was said around it, in order."
    )


class WithheldOut(serializers.Serializer):
    """A memory that would have answered, but other memories of the same thing outvote it."""

    id = serializers.UUIDField()
    reason = serializers.CharField(help_text="In the language of Accept-Language.")
    reason_code = serializers.CharField()
    outvoted_by = serializers.ListField(child=serializers.UUIDField(), help_text="The memories of the other side.")
    score = serializers.FloatField(required=False, help_text="With explain only.")
    scores = ScoresOut(help_text="With explain only.")
    credibility_addends = AddendOut(many=True, required=False, help_text="With explain only.")


class SearchOut(serializers.Serializer):
    recall_id = serializers.UUIDField(allow_null=True)
    results = FoundOut(many=True)
    withheld = WithheldOut(many=True)
    degraded = serializers.ListField(child=serializers.CharField(), help_text="What recall had to do without.")
    took_ms = serializers.FloatField()
    explained = ExplainedOut(required=False, help_text="With explain only, and not of a user nobody has heard of.")


class VersionOut(serializers.Serializer):
    """One version; `before` and `after` hold only what it changed."""

    version = serializers.IntegerField(source="number")
    change = serializers.ChoiceField(choices=Change.Kind.choices, source="change.kind")
    memory = serializers.CharField(source="text")
    metadata = Object()
    category = serializers.ChoiceField(choices=Category.choices)
    actor = serializers.CharField(source="change.actor_label")
    actor_kind = serializers.ChoiceField(choices=Change.ActorKind.choices, source="change.actor_kind")
    reason = serializers.CharField(source="change.reason")
    at = Moment(source="created_at")
    before = Object()
    after = Object()


class ToldOut(serializers.Serializer):
    """One recall that gave a memory to an agent, in the words of then."""

    recall_id = serializers.UUIDField()
    run_id = serializers.CharField(source="recall.session.run_id", allow_null=True, default=None)
    agent_id = serializers.CharField(source="recall.agent_id")
    version = serializers.IntegerField()
    memory = serializers.CharField(source="wording", allow_null=True)
    at = Moment(source="recall.created_at")


class DeletedOut(serializers.Serializer):
    deleted = serializers.IntegerField()


class TurnOut(serializers.Serializer):
    episode_id = serializers.IntegerField()
    role = serializers.ChoiceField(choices=Episode.Role.choices)
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Episode.Kind.choices)
    status = serializers.ChoiceField(choices=Episode.Status.choices)
    content = serializers.CharField()
    event_time = serializers.DateTimeField()
    truncated = serializers.BooleanField(help_text="The whole text is in the user's episodes.")
    withheld = serializers.BooleanField(help_text="The text was held back or turned away, and is left out.")


class ContextOut(serializers.Serializer):
    user_id = serializers.CharField()
    run_id = serializers.CharField()
    task_state = Object()
    turns = TurnOut(many=True)


class EpisodeOut(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    run_id = serializers.CharField(source="session.run_id")
    agent_id = serializers.CharField()
    kind = serializers.ChoiceField(choices=Episode.Kind.choices)
    role = serializers.ChoiceField(choices=Episode.Role.choices)
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=Episode.Status.choices)
    content = serializers.CharField()
    withheld = serializers.BooleanField(help_text="The text was held back or turned away, and is left out.")
    metadata = Object()
    event_time = Moment()
    recorded_at = Moment()
    judging = serializers.ChoiceField(choices=Episode.Judging.choices)
    tool_result = serializers.SerializerMethodField()

    @extend_schema_field(ToolResultOut(allow_null=True))
    def get_tool_result(self, episode: Episode) -> dict[str, Any] | None:
        """What was found in a tool's result; null for every other event, and for one whose text is withheld."""
        found = None if episode.withheld else getattr(episode, "tool_result", None)
        return None if found is None else ToolResultOut(found).data


class ConflictOut(serializers.Serializer):
    """That something waits, and about which memory; never what it says."""

    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Conflict.Kind.choices)
    status = serializers.ChoiceField(choices=Conflict.Status.choices)
    memory_id = serializers.UUIDField(allow_null=True)
    opened_at = Moment()


class _Page(serializers.Serializer):
    total = serializers.IntegerField()
    limit = serializers.IntegerField()
    offset = serializers.IntegerField()


class MemoriesOut(_Page):
    items = ListedOut(many=True)


class ToldListOut(_Page):
    log_share = serializers.FloatField(
        help_text="The share of this workspace's searches that is logged; below 1 others may have been told it too."
    )
    items = ToldOut(many=True)


class EpisodesOut(_Page):
    items = EpisodeOut(many=True)


class ConflictsOut(_Page):
    items = ConflictOut(many=True)


class HistoryOut(serializers.Serializer):
    items = VersionOut(many=True)


class ProblemOut(serializers.Serializer):
    """application/problem+json (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    field = serializers.CharField(required=False, help_text="Path of the field, such as events[2].user_id.")
    hint = serializers.CharField(required=False)
