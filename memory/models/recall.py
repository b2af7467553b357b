"""What was asked, what was told, at which version, and what was withheld."""

import uuid

from django.db import models
from django.db.models import Q

from memory.models.memory import Memory
from memory.models.workspace import EndUser, Session, Workspace


class Recall(models.Model):
    """One logged search."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="recalls")
    session = models.ForeignKey(Session, null=True, on_delete=models.SET_NULL, related_name="recalls")
    agent_id = models.CharField(max_length=200, blank=True)
    asked_by = models.CharField(max_length=200)  # the agent key or the person, by name
    query = models.TextField()
    params = models.JSONField(default=dict, blank=True)
    degraded = models.JSONField(default=list, blank=True)
    candidates = models.PositiveIntegerField(default=0)
    took_ms = models.FloatField(default=0)
    created_at = models.DateTimeField()
    # false until a job has added these hits to the memories' heat
    folded = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["user", "-created_at"], name="recall_user_recent"),
            models.Index(fields=["session", "-created_at"], name="recall_session_recent"),
            # the night's job deletes a workspace's oldest
            models.Index(fields=["workspace", "-created_at"], name="recall_workspace_recent"),
            # how many in the last hour, for /metrics
            models.Index(fields=["created_at"], name="recall_recent"),
            models.Index(fields=["created_at"], condition=Q(folded=False), name="recall_unfolded"),
        ]

    def __str__(self) -> str:
        return self.query[:80]


class HitDay(models.Model):
    """A day (UTC) on which a memory was told: what of a recall outlives it, so that seasons are known years later."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="hit_days")
    day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "day"], name="hit_day_once")]
        indexes = [models.Index(fields=["day"], name="hit_day_age")]

    def __str__(self) -> str:
        return f"{self.memory_id} on {self.day}"


class ArchiveRun(models.Model):
    """How far the nightly archive run of a workspace has come, so that a killed one goes on where it stopped."""

    workspace = models.OneToOneField(Workspace, on_delete=models.CASCADE, primary_key=True, related_name="+")
    # the last memory seen, by user and id; none before the first batch and after the last
    user_id = models.BigIntegerField(null=True)
    memory_id = models.UUIDField(null=True)
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.workspace_id}: {self.user_id} {self.memory_id}"


class RecallHit(models.Model):
    """One memory that a recall returned or withheld, with the version it had then."""

    recall = models.ForeignKey(Recall, on_delete=models.CASCADE, related_name="hits")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="recall_hits")
    version = models.PositiveIntegerField()
    rank = models.PositiveSmallIntegerField()
    score = models.FloatField()
    scores = models.JSONField(default=dict)
    withheld = models.BooleanField(default=False)
    reason_code = models.CharField(max_length=60, blank=True)
    reason_params = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["rank"]
        constraints = [models.UniqueConstraint(fields=["recall", "memory"], name="hit_once_per_recall")]
        indexes = [
            models.Index(fields=["memory", "-recall"], name="hit_memory_recalls"),
            # few are withheld: which recalls withheld something is answered without reading all that was told
            models.Index(fields=["recall"], condition=Q(withheld=True), name="hit_withheld"),
        ]

    def __str__(self) -> str:
        return f"#{self.rank} {self.memory_id}"


class UnloggedDay(models.Model):
    """How many searches of one day (UTC) were answered although their log could not be written."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "day"], name="unlogged_day_once")]

    def __str__(self) -> str:
        return f"{self.workspace_id} {self.day}: {self.count}"
