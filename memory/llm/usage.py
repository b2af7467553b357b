"""What the model has been used for, by workspace and day, and how much of the day's budget is left."""

from datetime import UTC, date
from typing import Any

from django.db.models import F, Sum
from django.utils import timezone

from memory.models import LlmUsage, Workspace

COUNTS = (
    "calls", "prompt_tokens", "answer_tokens", "judged", "from_cache", "unavailable", "unreadable", "over_budget",
    "invented",
)  # fmt: skip


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def totals() -> dict[str, int]:
    """Every count since the beginning, over all workspaces; none of them ever falls. Keys are COUNTS."""
    sums = LlmUsage.objects.aggregate(**{name: Sum(name) for name in COUNTS})
    return {name: sums[name] or 0 for name in COUNTS}


def of_day(workspace: Workspace, day: date) -> LlmUsage:
    """The workspace's counts of one day (UTC), all 0 when the model was not used."""
    return LlmUsage.objects.filter(workspace=workspace, day=day).first() or LlmUsage(workspace=workspace, day=day)


def set_aside(workspace: Workspace, *, day: date, tokens: int, budget: int) -> bool:
    """Takes tokens from the day's budget before they are used; false when that many are not left."""
    place, _ = LlmUsage.objects.get_or_create(workspace=workspace, day=day)
    return LlmUsage.objects.filter(pk=place.pk, tokens__lte=budget - tokens).update(tokens=F("tokens") + tokens) == 1


def settle(workspace: Workspace, *, day: date, aside: int, calls: int, prompt_tokens: int, answer_tokens: int) -> None:
    """Puts what was used in the place of what was set aside."""
    used = {"calls": calls, "prompt_tokens": prompt_tokens, "answer_tokens": answer_tokens}
    _add(workspace, day, tokens=prompt_tokens + answer_tokens - aside, **used)


def count(workspace: Workspace, **counts: int) -> None:
    """Adds to today's counts, named as in COUNTS."""
    if any(counts.values()):
        day = today()
        LlmUsage.objects.get_or_create(workspace=workspace, day=day)
        _add(workspace, day, **counts)


def _add(workspace: Workspace, day: date, **counts: int) -> None:
    steps: dict[str, Any] = {name: F(name) + step for name, step in counts.items()}
    LlmUsage.objects.filter(workspace=workspace, day=day).update(**steps)
