"""How the installation keeps itself: the jobs of the clock, and what was counted of each day. Numbers and names of
functions; nothing of this is a person's."""

from django.db import models

from memory.models.workspace import Workspace


class JobRun(models.Model):
    """The last run of one job of the clock. `error` is the name of an exception, "" after a run that ended well."""

    name = models.CharField(max_length=120, primary_key=True)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=120, blank=True)

    def __str__(self) -> str:
        return f"{self.name} at {self.started_at:%Y-%m-%d %H:%M}"


class SourceFigure(models.Model):
    """One source (Evidence.source) of a workspace as it was last counted: how many active memories rest on it, their
    mean credibility, and how often reviewers took what it said and turned it away."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=220)
    memories = models.PositiveIntegerField()
    mean = models.FloatField()
    accepted = models.PositiveIntegerField()
    rejected = models.PositiveIntegerField()
    counted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "source"], name="source_figure_once")]
        indexes = [
            models.Index(fields=["workspace", "-memories", "source"], name="source_figure_large"),
            models.Index(fields=["workspace", "-rejected", "source"], name="source_figure_rejected"),
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.memories}"


class DayFigure(models.Model):
    """One figure (memory/upkeep/days.py) of one workspace and day of UTC, as it was last counted."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    figure = models.CharField(max_length=20)
    count = models.PositiveBigIntegerField()
    counted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "day", "figure"], name="day_figure_once")]

    def __str__(self) -> str:
        return f"{self.day} {self.figure}: {self.count}"
