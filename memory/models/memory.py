"""What is remembered: claims, every state they ever had, what they rest on, and their place in the index."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models.episode import Episode, SourceClass
from memory.models.workspace import EndUser, Session, Workspace


class Category(models.TextChoices):
    PREFERENCE = "preference", _("Preference")
    PROFILE = "profile", _("Profile")
    TASK_STATE = "task_state", _("Task state")
    KNOWLEDGE = "knowledge", _("Knowledge")
    TOOL_EXPERIENCE = "tool_experience", _("Tool experience")


class MemoryStatus(models.TextChoices):
    ACTIVE = "active", _("Active")
    SUPERSEDED = "superseded", _("Superseded")
    REJECTED = "rejected", _("Rejected")
    ARCHIVED = "archived", _("Archived")
    RETRACTED = "retracted", _("Retracted")


class Change(models.Model):
    """One operation that made versions; can be undone as a whole."""

    class Kind(models.TextChoices):
        REMEMBER = "remember", _("Remembered")
        REVISE = "revise", _("Edited")
        SETTLE = "settle", _("Conflict decided")
        UNDO = "undo", _("Decision undone")
        RESTORE = "restore", _("Version restored")
        RETRACT = "retract", _("Retracted")
        SUPPORT = "support", _("Supported by another origin")
        PIN = "pin", _("Pinned or unpinned")
        IMPORT = "import", _("Imported")
        CONFIRM = "confirm", _("Confirmed as still true")
        ROLLBACK = "rollback", _("Rolled back")
        ARCHIVE = "archive", _("Archived")

    class ActorKind(models.TextChoices):
        AGENT = "agent", _("Agent")
        PERSON = "person", _("Person")
        SYSTEM = "system", _("System")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    actor_kind = models.CharField(max_length=8, choices=ActorKind.choices)
    actor_id = models.CharField(max_length=200, blank=True)
    actor_label = models.CharField(max_length=200)
    session = models.ForeignKey(Session, null=True, on_delete=models.SET_NULL, related_name="+")
    # whose words it rests on: the agent that recorded them, and the source ("tool:crm", "site:example.org")
    agent_id = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=220, blank=True)
    # one act of a person may be a change of each of many users
    operation = models.UUIDField(null=True)
    reason = models.TextField(blank=True)
    # What undoing needs beyond the versions, e.g. conflicts pointed at a new memory.
    details = models.JSONField(default=dict, blank=True)
    undoes = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="undone_by")
    request_id = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        # each filter of the feed, in the feed's order; (-id breaks ties, so a page never repeats a row)
        indexes = [
            models.Index(fields=["workspace", "-created_at", "-id"], name="change_feed"),
            models.Index(fields=["workspace", "kind", "-created_at", "-id"], name="change_by_kind"),
            models.Index(fields=["workspace", "actor_kind", "actor_id", "-created_at", "-id"], name="change_by_actor"),
            models.Index(fields=["user", "-created_at", "-id"], name="change_by_user"),
            models.Index(
                fields=["session", "-created_at", "-id"], condition=Q(session__isnull=False), name="change_by_session"
            ),
            models.Index(
                fields=["workspace", "agent_id", "-created_at", "-id"], condition=~Q(agent_id=""),
                name="change_by_agent",
            ),
            models.Index(
                fields=["workspace", "source", "-created_at", "-id"], condition=~Q(source=""), name="change_by_source"
            ),
            models.Index(fields=["operation"], condition=Q(operation__isnull=False), name="change_by_operation"),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} by {self.actor_label}"


class Memory(models.Model):
    """One distilled claim that can be recalled, as it stands now. Only memory/actions writes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="memories")
    category = models.CharField(max_length=20, choices=Category.choices)
    text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    subject = models.CharField(max_length=200, blank=True)
    attribute = models.CharField(max_length=80, blank=True)
    value = models.TextField(blank=True)
    negated = models.BooleanField(default=False)
    past = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    # ids of the screens that found something in it where the workspace lets it pass with a note
    labels = models.JSONField(default=list, blank=True)
    status = models.CharField(max_length=10, choices=MemoryStatus.choices, default=MemoryStatus.ACTIVE)
    superseded_by = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="supersedes")
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    credibility = models.FloatField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    pinned = models.BooleanField(default=False)
    # when it was said; valid_from/valid_to: when it holds, as far as that was said
    event_time = models.DateTimeField()
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    session = models.ForeignKey(Session, null=True, on_delete=models.SET_NULL, related_name="+")
    agent_id = models.CharField(max_length=200, blank=True)
    heat = models.FloatField(default=0)
    heat_at = models.DateTimeField(null=True, blank=True)
    hits = models.PositiveIntegerField(default=0)
    last_hit_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "memories"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "fingerprint"], condition=Q(status="active"), name="memory_active_content_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["active", "superseded", "rejected", "archived", "retracted"]),
                name="memory_status_valid",
            ),
            models.CheckConstraint(
                condition=Q(category__in=["preference", "profile", "task_state", "knowledge", "tool_experience"]),
                name="memory_category_valid",
            ),
            models.CheckConstraint(condition=Q(credibility__gte=0, credibility__lte=1), name="memory_credibility_0_1"),
            models.CheckConstraint(condition=~Q(text=""), name="memory_text_not_blank"),
        ]
        indexes = [
            models.Index(fields=["user", "-created_at"], condition=Q(status="active"), name="memory_active_recent"),
            models.Index(
                fields=["user", "subject", "attribute"], condition=Q(status="active"), name="memory_active_slot"
            ),
            models.Index(fields=["workspace", "status", "-updated_at"], name="memory_workspace_recent"),
            # a claim that returns is looked for among what was archived
            models.Index(fields=["user", "fingerprint"], condition=Q(status="archived"), name="memory_archived"),
            # the night's archive run walks it
            models.Index(
                fields=["workspace", "user", "id"], condition=Q(status="active", pinned=False), name="memory_cooling"
            ),
            # what is doubtful and yet often told
            models.Index(
                fields=["workspace", "-heat", "id"],
                condition=Q(status="active", credibility__lt=0.5),
                name="memory_risky",
            ),
            # a few bytes a row, so that /metrics can count all memories without reading them
            models.Index(fields=["status"], name="memory_status"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class MemoryVersion(models.Model):
    """One state of a memory, never changed afterwards."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    change = models.ForeignKey(Change, on_delete=models.PROTECT, related_name="versions")
    text = models.TextField()
    category = models.CharField(max_length=20, choices=Category.choices)
    subject = models.CharField(max_length=200, blank=True)
    attribute = models.CharField(max_length=80, blank=True)
    value = models.TextField(blank=True)
    negated = models.BooleanField(default=False)
    past = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=MemoryStatus.choices)
    superseded_by = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="+")
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    credibility = models.FloatField()
    confirmed_at = models.DateTimeField(null=True)
    pinned = models.BooleanField(default=False)
    event_time = models.DateTimeField()
    valid_from = models.DateTimeField(null=True)
    valid_to = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["memory", "number"], name="version_number_once")]

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.number}"


class Evidence(models.Model):
    """A place in the archive that a memory or a waiting claim rests on. Support counts origins, never rows."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    memory = models.ForeignKey(Memory, null=True, on_delete=models.CASCADE, related_name="evidence")
    conflict = models.ForeignKey("memory.Conflict", null=True, on_delete=models.CASCADE, related_name="evidence")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="evidence")
    quote = models.TextField()
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    # where it independently comes from, e.g. "session:12", "tool:345", "doc:<sha256>"
    origin = models.CharField(max_length=100)
    # whose record a decision on it goes to, e.g. "tool:crm", "site:example.org"
    source = models.CharField(max_length=220, blank=True)
    # an agent has reworded the memory since: it counts no more than the agent's own words
    reworded = models.BooleanField(default=False)
    # a rollback has taken back what it added: it counts for nothing
    withdrawn = models.BooleanField(default=False)
    # the tool result or message that speaks against the claim, shown beside it
    against = models.BooleanField(default=False)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(memory__isnull=False, conflict__isnull=True)
                | Q(memory__isnull=True, conflict__isnull=False),
                name="evidence_of_one_thing",
            ),
            models.UniqueConstraint(
                fields=["memory", "episode"], condition=Q(memory__isnull=False), name="evidence_once_per_memory"
            ),
            models.UniqueConstraint(
                fields=["conflict", "episode"], condition=Q(conflict__isnull=False), name="evidence_once_per_conflict"
            ),
        ]
        indexes = [
            models.Index(fields=["origin", "-id"], name="evidence_by_origin"),
            # whose credibility is counted anew when decisions on a source have moved its record
            models.Index(
                fields=["workspace", "source", "memory"],
                condition=Q(memory__isnull=False),
                name="evidence_memory_source",
            ),
            # what was decided on a source; few rows, and none of an import
            models.Index(
                fields=["workspace", "source"], condition=Q(conflict__isnull=False), name="evidence_decided_source"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin}: {self.quote[:60]}"


class IndexEntry(models.Model):
    """The embedded index: one active memory's terms and vector. Can be lost and rebuilt from memories."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="index_entry")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    # index_entry_changed serves it too
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField()
    # the user's revision at which it last changed
    revision = models.PositiveBigIntegerField(default=0, db_default=0)
    terms = models.TextField(blank=True)  # space-separated, as memory/index/text.py made them
    model_id = models.CharField(max_length=120, blank=True)
    vector = models.BinaryField(null=True)  # float32 little-endian, null while no embedder is available

    class Meta:
        indexes = [
            # whether vectors of another embedder are left is asked by every health probe
            models.Index(fields=["model_id"], name="index_entry_model"),
            # nearly always empty, and asked each minute
            models.Index(fields=["user"], condition=Q(vector__isnull=True), name="index_entry_no_vector"),
            # what changed since a process read it
            models.Index(fields=["user", "workspace", "revision"], name="index_entry_changed"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}"


class IndexGone(models.Model):
    """That a memory's entry left the index, and at which revision of its user; stays when the memory comes back."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+", db_index=False)
    revision = models.PositiveBigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["user", "workspace", "revision"], name="index_gone_since")]

    def __str__(self) -> str:
        return f"{self.memory_id} at {self.revision}"
