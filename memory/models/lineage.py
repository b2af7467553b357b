"""What memories were made from, and which of them rest on something that has moved since."""

from django.db import models

from memory.models.memory import Change, Memory
from memory.models.workspace import EndUser, Workspace


class Derivation(models.Model):
    """A memory was made from another one of the same user, as that one stood at `source_version`."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="derived_from")
    source = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="derivations")
    source_version = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["memory", "source"], name="derivation_once"),
            models.CheckConstraint(condition=~models.Q(memory=models.F("source")), name="derivation_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.memory_id} from {self.source_id} v{self.source_version}"


class StaleMark(models.Model):
    """A memory rests, directly or through others, on a source that has moved; a person has yet to look at it.

    A mark is no state of the memory, so it has no version. It goes when a person confirms, rewords or retracts the
    memory, or when the source is again as it was at `source_version`.
    """

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="stale_marks")
    source = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")
    source_version = models.PositiveIntegerField()
    change = models.ForeignKey(Change, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    reason_code = models.CharField(max_length=60)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["memory", "source"], name="stale_once_per_source")]
        indexes = [models.Index(fields=["workspace", "-created_at", "-id"], name="stale_recent")]

    def __str__(self) -> str:
        return f"{self.memory_id}: {self.reason_code}"
