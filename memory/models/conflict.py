"""Claims that may not enter until a person decides, and what was learnt from the ones turned away."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models.episode import Episode, SourceClass
from memory.models.memory import Category, Memory
from memory.models.workspace import EndUser, Workspace


class Conflict(models.Model):
    """A candidate held back, the memory it contradicts (where there is one), and the rules' advice."""

    class Kind(models.TextChoices):
        CONTRADICTION = "contradiction", _("Contradiction")
        MISREPORT = "misreport", _("Misreport")
        INJECTION = "injection", _("Injection")
        REPEAT = "repeat", _("Rejected before")
        IDENTITY = "identity", _("Whose is it?")
        FLOOD = "flood", _("Flood")

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        DECIDED = "decided", _("Decided")

    class Choice(models.TextChoices):
        KEEP = "keep", _("Keep current")
        ACCEPT = "accept", _("Accept incoming")
        KEEP_BOTH = "keep_both", _("Keep both")
        EDIT = "edit", _("Edit and accept")
        REJECT_BOTH = "reject_both", _("Reject both")
        # of a doubt whether two names are one (memory/actions/identity.py)
        SAME = "same", _("The same")
        DIFFERENT = "different", _("Different")

    class Band(models.IntegerChoices):
        HIGH = 1, _("High")
        MEDIUM = 2, _("Medium")
        LOW = 3, _("Low")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="conflicts")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="conflicts")
    kind = models.CharField(max_length=14, choices=Kind.choices)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=1)

    memory = models.ForeignKey(Memory, null=True, on_delete=models.SET_NULL, related_name="conflicts")
    # when the candidate is remembered already: every memory of its slot but `memory`, as recall found them
    rivals = models.ManyToManyField(Memory, related_name="rival_conflicts", blank=True)

    # the candidate
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="conflicts")
    text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    category = models.CharField(max_length=20, choices=Category.choices)
    subject = models.CharField(max_length=200, blank=True)
    attribute = models.CharField(max_length=80, blank=True)
    value = models.TextField(blank=True)
    negated = models.BooleanField(default=False)
    past = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict, blank=True)
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    credibility = models.FloatField()
    event_time = models.DateTimeField()
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    seen = models.PositiveIntegerField(default=1)

    reason_code = models.CharField(max_length=60)
    reason_params = models.JSONField(default=dict, blank=True)
    suggestion = models.CharField(max_length=12, choices=Choice.choices, blank=True)
    suggestion_code = models.CharField(max_length=60, blank=True)
    suggestion_params = models.JSONField(default=dict, blank=True)

    band = models.PositiveSmallIntegerField(choices=Band.choices, default=Band.MEDIUM)
    due_at = models.DateTimeField()
    opened_at = models.DateTimeField()

    # the last decision; the full log is review.Decision
    choice = models.CharField(max_length=12, choices=Choice.choices, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    change = models.ForeignKey("memory.Change", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "memory", "fingerprint"],
                condition=Q(status="open", memory__isnull=False),
                name="conflict_open_pair_once",
            ),
            models.UniqueConstraint(
                fields=["user", "fingerprint"],
                condition=Q(status="open", memory__isnull=True),
                name="conflict_open_claim_once",
            ),
            models.CheckConstraint(condition=Q(status__in=["open", "decided"]), name="conflict_status_valid"),
            models.CheckConstraint(
                condition=Q(kind__in=["contradiction", "misreport", "injection", "repeat", "identity", "flood"]),
                name="conflict_kind_valid",
            ),
            models.CheckConstraint(
                condition=Q(status="open", choice="")
                | (Q(status="decided") & ~Q(choice="") & Q(decided_at__isnull=False)),
                name="conflict_decided_has_choice",
            ),
        ]
        indexes = [
            # `status`: else SQLite looks into the table to see that a row is open
            # what the queue is counted by, in groups as they come; and its order: neither reads the table
            models.Index(
                fields=["workspace", "kind", "band", "due_at", "opened_at", "category", "id", "status"],
                condition=Q(status="open"),
                name="conflict_counts",
            ),
            models.Index(
                fields=["workspace", "due_at", "band", "opened_at", "id", "kind", "category", "status"],
                condition=Q(status="open"),
                name="conflict_queue",
            ),
            # the floods of which the queue shows one each
            models.Index(
                fields=["workspace", "user", "due_at", "band", "opened_at", "id", "status", "kind"],
                condition=Q(status="open", kind="flood"),
                name="conflict_floods",
            ),
            models.Index(
                fields=["workspace", "-opened_at", "id"], condition=Q(status="open"), name="conflict_open_recent"
            ),
            models.Index(fields=["workspace", "status", "-decided_at"], name="conflict_decided_recent"),
            models.Index(fields=["memory"], condition=Q(status="open"), name="conflict_contested_memory"),
            models.Index(fields=["user", "status", "-opened_at"], name="conflict_user"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.text[:60]}"


class Lesson(models.Model):
    """A rejected claim, kept to recognise its return. Expires, can be undone."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="lessons")
    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="lessons")
    text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    reason = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "fingerprint"], name="lesson_lookup")]

    def __str__(self) -> str:
        return self.text[:80]
