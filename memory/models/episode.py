"""The archive for looking back: every event as it came, what the judge said of it, and the short-term window."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models.workspace import EndUser, Session, Workspace


class SourceClass(models.TextChoices):
    USER_INPUT = "user_input", _("User's own words")
    TOOL_RETURN = "tool_return", _("First-party tool")
    LLM_REASONING = "llm_reasoning", _("Agent's reasoning")
    LLM_SUMMARY = "llm_summary", _("Agent's summary")
    EXTERNAL_CONTENT = "external_content", _("External content")
    UNKNOWN = "unknown", _("Unknown source")


class Episode(models.Model):
    """One recorded event. What came in never changes; only the judging columns move on."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("Message")
        TOOL_CALL = "tool_call", _("Tool call")
        TOOL_RESULT = "tool_result", _("Tool result")
        OUTCOME = "outcome", _("Outcome")

    class Role(models.TextChoices):
        USER = "user", _("User")
        ASSISTANT = "assistant", _("Agent")
        TOOL = "tool", _("Tool")
        SYSTEM = "system", _("System")

    class Status(models.TextChoices):
        OK = "ok", _("OK")
        ERROR = "error", _("Error")

    class Judging(models.TextChoices):
        PENDING = "pending", _("Waiting to be judged")
        JUDGED = "judged", _("Judged")
        PARKED = "parked", _("Parked after failures")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="episodes")
    # its index is episode_session_latest
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="episodes", db_index=False)
    agent_id = models.CharField(max_length=200, blank=True)
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.MESSAGE)
    role = models.CharField(max_length=10, choices=Role.choices)
    name = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=6, choices=Status.choices, default=Status.OK)
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    content = models.TextField()
    metadata = models.JSONField(default=dict, blank=True)
    event_time = models.DateTimeField()
    recorded_at = models.DateTimeField()
    # false: stored as given, without judging and distilling (the API's `infer`)
    infer = models.BooleanField(default=True)

    judging = models.CharField(max_length=8, choices=Judging.choices, default=Judging.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(judging__in=["pending", "judged", "parked"]), name="episode_judging_valid"
            ),
            models.CheckConstraint(condition=Q(status__in=["ok", "error"]), name="episode_status_valid"),
            models.CheckConstraint(
                condition=Q(kind__in=["message", "tool_call", "tool_result", "outcome"]), name="episode_kind_valid"
            ),
        ]
        indexes = [
            models.Index(fields=["session", "event_time", "id"], name="episode_session_order"),
            # with recorded_at the table is not read at all; without, PostgreSQL walks the primary key for a session
            # that it holds to be large
            models.Index(fields=["session", "id", "recorded_at"], name="episode_session_latest"),
            models.Index(fields=["user", "kind", "status", "event_time"], name="episode_user_kind_status"),
            models.Index(fields=["user", "-event_time"], name="episode_user_recent"),
            models.Index(fields=["workspace", "-recorded_at"], name="episode_workspace_recent"),
            # Judged rows are nearly all rows; the worker and the dashboard look only for the others.
            models.Index(fields=["user", "id"], condition=Q(judging="pending"), name="episode_pending"),
            models.Index(fields=["workspace", "recorded_at"], condition=Q(judging="pending"), name="episode_waiting"),
            models.Index(fields=["workspace", "-recorded_at"], condition=Q(judging="parked"), name="episode_parked"),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.content[:60]}"


class Verdict(models.Model):
    """What the judge said of one claim of an episode (or of the whole episode: position 0) and what became of it."""

    class Outcome(models.TextChoices):
        ADD = "ADD", _("Remembered")
        DUPLICATE = "DUPLICATE", _("Already known")
        QUEUED = "QUEUED", _("Waiting for a person")
        REJECTED = "REJECTED", _("Not kept")

    class Fallback(models.TextChoices):
        """Why rules judged where a language model is configured."""

        UNAVAILABLE = "llm_unavailable", _("The model was away")
        UNREADABLE = "llm_unreadable", _("The model's answer could not be read")
        BUDGET = "llm_budget", _("The day's tokens were used up")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="verdicts")
    position = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    text = models.TextField()
    category = models.CharField(max_length=20, blank=True)
    judge = models.CharField(max_length=60, default="rules")
    fallback = models.CharField(max_length=20, choices=Fallback.choices, blank=True)
    # a later verdict on the same episode, by a model that had been away, stands in this one's place
    rejudged_at = models.DateTimeField(null=True, blank=True)
    rule = models.CharField(max_length=60, blank=True)
    key_answer = models.CharField(max_length=200, blank=True)
    query_answer = models.TextField(blank=True)
    value_answer = models.TextField(blank=True)
    reason_code = models.CharField(max_length=60)
    reason_params = models.JSONField(default=dict, blank=True)
    memory = models.ForeignKey("memory.Memory", null=True, on_delete=models.SET_NULL, related_name="verdicts")
    conflict = models.ForeignKey("memory.Conflict", null=True, on_delete=models.SET_NULL, related_name="verdicts")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Judging an episode twice cannot leave two answers: this is what makes the job idempotent.
            models.UniqueConstraint(fields=["episode", "position"], name="verdict_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=["ADD", "DUPLICATE", "QUEUED", "REJECTED"]), name="verdict_outcome_valid"
            ),
        ]
        indexes = [
            models.Index(fields=["workspace", "outcome", "-created_at"], name="verdict_outcome_recent"),
            models.Index(fields=["workspace", "-created_at"], name="verdict_recent"),
            # What could have been lost while the model was away; few rows, and none once it has judged them.
            models.Index(
                fields=["id"],
                name="verdict_to_rejudge",
                condition=Q(fallback="llm_unavailable", outcome="REJECTED", rejudged_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} {self.text[:60]}"


class WorkingTurn(models.Model):
    """The embedded working memory: the last turns of a session, each with the moment it expires."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="+")
    turn = models.JSONField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        indexes = [models.Index(fields=["session", "-id"], name="working_session_recent")]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.turn.get('role', '')}"


class IdempotencyKey(models.Model):
    """An answer already given to a write, so that the same request repeated gets it again."""

    agent_key = models.ForeignKey("memory.AgentKey", on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_digest = models.CharField(max_length=64)
    # null: stored, and the request ended before its last word was known
    status_code = models.PositiveSmallIntegerField(null=True)
    response = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agent_key", "key"], name="idempotency_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_age")]

    def __str__(self) -> str:
        return self.key
