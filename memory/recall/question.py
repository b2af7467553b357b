"""What is asked of recall, in one object: the present, a past moment, a replay and the log all read the same."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from memory.models import EndUser, Recall, Session
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.recall.scoring import RankingSettings


class InFuture(ValueError):
    """The moment asked about has not come yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question about one user. Raises InFuture, and ValueError on a blank query.

    `threshold` raises the workspace's minimum relevance, 0 to 1. A hit of `session` earns the session bonus. `at` is a
    past moment to be answered for; "yesterday" in the query then counts from it. `include_archived` looks among what
    went cold too. `context_window` (0 to 5) asks for so many memories said before and after each hit. `settings` stand
    in for the workspace's. `asked_by` and `agent_id` are for the log.
    """

    user: EndUser
    query: str
    now: datetime
    asked_by: str = ""
    agent_id: str = ""
    top_k: int = 10
    threshold: float | None = None
    session: Session | None = None
    categories: Collection[str] = ()
    at: datetime | None = None
    include_archived: bool = False
    context_window: int = 0
    settings: RankingSettings | None = None

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise ValueError("The query is empty.")
        if self.at is not None and self.at > self.now:
            raise InFuture("This time is in the future.")

    @property
    def moment(self) -> datetime:
        """When it is answered for."""
        return self.at or self.now

    @property
    def statuses(self) -> tuple[str, ...]:
        return (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED) if self.include_archived else (MemoryStatus.ACTIVE,)

    @property
    def session_id(self) -> int | None:
        return self.session.pk if self.session else None

    def ranking(self) -> RankingSettings:
        """The settings to rank by: `threshold` raises the minimum relevance, and never lowers it."""
        settings = self.settings or policy_of(self.user.workspace).ranking_settings()
        if self.threshold is None:
            return settings
        return replace(settings, min_relevance=max(self.threshold, settings.min_relevance))

    @classmethod
    def of(cls, recall: Recall, *, now: datetime, settings: RankingSettings | None = None) -> Self:
        """A logged question once more, among what is remembered now; `recall.user.workspace` should be at hand."""
        kept = recall.params
        return cls(
            user=recall.user, query=recall.query, now=now, asked_by=recall.asked_by, agent_id=recall.agent_id,
            session=recall.session, top_k=kept.get("top_k", 10), threshold=kept.get("threshold"),
            categories=kept.get("categories", ()), include_archived=kept.get("include_archived", False),
            at=datetime.fromisoformat(kept["reference_time"]) if "reference_time" in kept else None, settings=settings,
        )  # fmt: skip

    def params(self) -> dict[str, Any]:
        """What the log keeps of it beside who asked and the words, in JSON's types; `of` reads it."""
        kept = {"top_k": self.top_k, "threshold": self.threshold, "categories": sorted(self.categories)}
        if self.at is not None:
            kept["reference_time"] = self.at.isoformat()
        if self.include_archived:
            kept["include_archived"] = True
        if self.context_window:
            kept["context_window"] = self.context_window
        return kept
