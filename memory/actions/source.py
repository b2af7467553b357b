"""Where a claim comes from, as the actions take it: one episode, seen as evidence."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.models import Conflict, Episode, Evidence, Memory


def origin_of(episode: Episode) -> str:
    """Where the episode independently comes from: a document, one tool run, or else its session."""
    url = episode.metadata.get("url") or episode.metadata.get("document_id")
    if url:
        return "doc:" + hashlib.sha256(str(url).encode()).hexdigest()
    if episode.kind == Episode.Kind.TOOL_RESULT:
        return f"tool:{episode.pk}"
    return f"session:{episode.session_id}"


@dataclass(frozen=True, slots=True)
class Source:
    """The episode, the words of it that count, and its class: that of what it was made from, when that is weaker."""

    episode: Episode
    quote: str
    source_class: str

    @property
    def origin(self) -> str:
        return origin_of(self.episode)

    def attach(self, *, now: datetime, memory: Memory | None = None, conflict: Conflict | None = None) -> bool:
        """Adds the episode as evidence of one memory or conflict; false when it was evidence already."""
        target: dict[str, Any] = {"memory": memory} if memory else {"conflict": conflict}
        _, created = Evidence.objects.get_or_create(
            episode=self.episode,
            **target,
            defaults={
                "workspace_id": self.episode.workspace_id, "quote": self.quote, "origin": self.origin,
                "source_class": self.source_class, "created_at": now,
            },
        )  # fmt: skip
        return created
