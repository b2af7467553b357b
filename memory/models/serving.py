"""Which embedder's vectors answer searches, and the vectors of the one that is to follow it."""

from django.db import models
from django.db.models import Q

from memory.models.memory import Memory
from memory.models.workspace import EndUser, Workspace


class ServedEmbedder(models.Model):
    """The one row that says by whose vectors memories are found. None until `manage.py reindex` first moved: then it
    is whoever made the vectors that are stored."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    model_id = models.CharField(max_length=120)
    size = models.PositiveIntegerField()
    since = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="served_embedder_once")]

    def __str__(self) -> str:
        return self.model_id


class NextVector(models.Model):
    """A memory's vector by the embedder that `manage.py reindex` moves to; read once all have theirs. Then they are
    moved into the index entries, and this table is empty again."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    model_id = models.CharField(max_length=120)
    vector = models.BinaryField()  # float32 little-endian

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}"
