"""Who did what, when, why, from where. Append-only."""

from django.db import models

from memory.models.memory import Change
from memory.models.workspace import Workspace


class AuditEvent(models.Model):
    """One action that changed something, or was refused."""

    # null for what happens outside any workspace, e.g. a sign-in
    workspace = models.ForeignKey(Workspace, null=True, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    actor_kind = models.CharField(max_length=8, choices=Change.ActorKind.choices)
    actor_id = models.CharField(max_length=200, blank=True)
    actor_label = models.CharField(max_length=200)
    action = models.CharField(max_length=60)  # "memory.revise", "conflict.settle", "key.revoke"
    denied = models.BooleanField(default=False)
    object_type = models.CharField(max_length=40, blank=True)
    object_id = models.CharField(max_length=64, blank=True)
    reason = models.TextField(blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    address = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-at"], name="audit_recent"),
            models.Index(fields=["object_type", "object_id"], name="audit_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_label}"
