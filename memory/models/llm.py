"""What the language model was used for: tokens by workspace and day, and the places for calls at one time."""

from django.db import models

from memory.models.workspace import Workspace


class LlmUsage(models.Model):
    """One day (UTC) of one workspace. `tokens` counts against the day's budget and holds what is set aside for calls
    under way; the two kinds of tokens are what the server, or else our estimate, says was used."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    tokens = models.PositiveBigIntegerField(default=0)
    prompt_tokens = models.PositiveBigIntegerField(default=0)
    answer_tokens = models.PositiveBigIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    # events, by how they were judged where a model was to be asked
    judged = models.PositiveIntegerField(default=0)
    from_cache = models.PositiveIntegerField(default=0)
    unavailable = models.PositiveIntegerField(default=0)
    unreadable = models.PositiveIntegerField(default=0)
    over_budget = models.PositiveIntegerField(default=0)
    # claims thrown away because their event does not hold their quote
    invented = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "day"], name="llm_usage_once")]

    def __str__(self) -> str:
        return f"{self.workspace_id} {self.day}: {self.tokens}"


class LlmPlace(models.Model):
    """One of the LLM_CONCURRENCY places for a call; whoever holds it does so until `until` at most."""

    number = models.PositiveSmallIntegerField(primary_key=True)
    until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.number} until {self.until}"
