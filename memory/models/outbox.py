"""What the vector database has yet to hear of. Empty when there is none, or when it has heard everything."""

from django.db import models

from memory.models.memory import Memory
from memory.models.workspace import EndUser, Workspace


class OutboxEntry(models.Model):
    """One memory whose newest version is not known to be in the vector database.

    Written in the memory's own transaction, removed once that version was taken over there. One row a memory:
    only the newest version matters.
    """

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField()
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["next_try_at", "created_at"], name="outbox_due")]

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}"
