"""That somebody's data was erased: what is left of it, and how far it has come."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models.memory import Change
from memory.models.workspace import Workspace


class Erasure(models.Model):
    """All of one user, or one memory, is being erased or was. Once `finished_at` is set it holds no text of theirs.

    `name` is the user's id while it runs and empty afterwards; `name_digest` answers whether a known id was erased.
    """

    class Reason(models.TextChoices):
        """Codes and no free text: what is typed here would outlive what it speaks of."""

        REQUEST = "request", _("The person asked for it")
        LAW = "law", _("A court or an authority ordered it")
        ENDED = "ended", _("The contract ended")
        MISTAKE = "mistake", _("It should never have been recorded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    # keys of rows that are gone afterwards
    user_pk = models.BigIntegerField()
    memory_pk = models.UUIDField(null=True)
    name = models.CharField(max_length=200, blank=True)
    name_digest = models.CharField(max_length=64, blank=True)
    reason_code = models.CharField(max_length=10, choices=Reason.choices)
    actor_kind = models.CharField(max_length=8, choices=Change.ActorKind.choices)
    actor_id = models.CharField(max_length=200, blank=True)
    actor_label = models.CharField(max_length=200)
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    # rows that there were, by place (memory/erasure/places.py); None until counted
    counts = models.JSONField(null=True)
    # why the last try ended: the name of an exception; "" when it did not fail
    error = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user_pk"], condition=Q(finished_at=None, memory_pk=None), name="erasure_of_user_once"
            ),
            models.UniqueConstraint(
                fields=["memory_pk"], condition=Q(finished_at=None, memory_pk__isnull=False),
                name="erasure_of_memory_once",
            ),
            models.CheckConstraint(condition=Q(finished_at=None) | Q(name=""), name="erasure_finished_has_no_name"),
        ]  # fmt: skip
        indexes = [
            models.Index(fields=["workspace", "-asked_at", "-id"], name="erasure_recent"),
            models.Index(fields=["workspace", "name_digest"], condition=~Q(name_digest=""), name="erasure_of_name"),
            models.Index(fields=["asked_at"], condition=Q(finished_at=None), name="erasure_running"),
        ]

    def __str__(self) -> str:
        return f"erasure {self.pk}"
