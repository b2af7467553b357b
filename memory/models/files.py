"""Events of long ago that are kept in files beside the database."""

from django.db import models

from memory.models.workspace import Workspace


class EpisodeFile(models.Model):
    """One file of a month of recorded_at (UTC), gzip of JSON lines (memory/files/line.py). `sha256` is of its bytes."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    month = models.DateField()  # its first day
    part = models.PositiveIntegerField()
    # below the folder of memory/files/shelf.py; another name each time it is written anew
    name = models.CharField(max_length=120, unique=True)
    episodes = models.PositiveIntegerField()
    bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    written_at = models.DateTimeField()
    checked_at = models.DateTimeField(null=True)
    # what the last check found: missing, altered; "" where it was well
    fault = models.CharField(max_length=10, blank=True)

    class Meta:
        ordering = ["-month", "part"]
        constraints = [models.UniqueConstraint(fields=["workspace", "month", "part"], name="episode_file_once")]
        indexes = [models.Index(fields=["checked_at"], name="episode_file_unchecked")]

    def __str__(self) -> str:
        return self.name


class EpisodeFileUser(models.Model):
    """How many events of one user a file holds. `user_pk` is no foreign key: the row must outlive the user's, so that
    an erasure that was cut off still finds the file."""

    file = models.ForeignKey(EpisodeFile, on_delete=models.CASCADE, related_name="users")
    user_pk = models.BigIntegerField()
    episodes = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "user_pk"], name="episode_file_user_once")]
        indexes = [models.Index(fields=["user_pk"], name="episode_file_by_user")]

    def __str__(self) -> str:
        return f"{self.user_pk} in {self.file_id}"
