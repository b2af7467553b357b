"""Who did what, when, why, from where: appended only, and sealed in a chain per workspace."""

from django.db import models
from django.db.models import Q

from memory.models.memory import Change
from memory.models.workspace import Workspace


class AuditEvent(models.Model):
    """One action that changed something, or was refused. A trigger refuses every change of a row."""

    # null for what happens outside any workspace, e.g. a sign-in. A workspace with an audit is never deleted.
    workspace = models.ForeignKey(Workspace, null=True, on_delete=models.PROTECT, related_name="+")
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
    # the event that says who erased this one's text, and what its digest is since; not part of the digest
    erased_by = models.BigIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["workspace", "-at"], name="audit_recent"),
            models.Index(fields=["workspace", "id"], name="audit_chain"),
            models.Index(fields=["workspace", "action", "-at"], name="audit_action"),
            models.Index(fields=["workspace", "actor_kind", "actor_id", "-at"], name="audit_actor"),
            models.Index(fields=["workspace", "-at"], condition=Q(denied=True), name="audit_denied"),
            # an order by time is read from an index for one workspace, but not for none
            models.Index(fields=["-at"], condition=Q(workspace=None), name="audit_outside"),
            models.Index(fields=["request_id"], condition=~Q(request_id=""), name="audit_request"),
            models.Index(fields=["object_type", "object_id"], name="audit_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_label}"


class AuditSeal(models.Model):
    """One link of a workspace's chain: the digests of a batch of its events, and the hash of the link before.

    A seal covers every event of the workspace after the `upto` of the one before, up to its own `upto`.
    """

    workspace = models.ForeignKey(Workspace, null=True, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()  # 1, 2, 3 … in each workspace
    form = models.PositiveSmallIntegerField()  # which canonical form its rows and itself are hashed in
    first_id = models.BigIntegerField()
    last_id = models.BigIntegerField()
    upto = models.BigIntegerField()
    count = models.PositiveIntegerField()
    total = models.PositiveBigIntegerField()  # of this and all earlier seals
    digests = models.BinaryField()  # per event: its id in 8 bytes, the SHA-256 of its row in 32
    previous = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    sealed_at = models.DateTimeField()
    # the event that says why its rows are gone; not part of the hash
    removed_by = models.BigIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["upto"], name="seal_upto")]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "number"], name="seal_number"),
            models.UniqueConstraint(fields=["number"], condition=Q(workspace=None), name="seal_number_outside"),
        ]

    def __str__(self) -> str:
        return f"seal {self.number}"


class AuditMark(models.Model):
    """One row: the id up to which no event can appear any more, and the one up to which none can once the transactions
    in `waiting_for` have ended."""

    final = models.BigIntegerField(default=0)
    upto = models.BigIntegerField(default=0)
    waiting_for = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"final up to {self.final}"


class AuditCheck(models.Model):
    """What the last verification of a workspace's chain found."""

    workspace = models.ForeignKey(Workspace, null=True, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    rows = models.PositiveBigIntegerField()
    seals = models.PositiveIntegerField()
    broken = models.PositiveBigIntegerField()
    # the first fault: a key of memory.audit.verify.FAULTS, and the event or the number of the seal
    first_code = models.CharField(max_length=20, blank=True)
    first_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace"], name="check_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rows} rows, {self.broken} broken"
