"""Where a claim comes from, as the actions take it: one episode, seen as evidence."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from memory.credibility import Support
from memory.models import Conflict, Episode, Evidence, Memory

SOURCE_LENGTH = 220


def origin_of(episode: Episode) -> str:
    """Where the episode independently comes from: a document, one tool run, or else its session."""
    url = episode.metadata.get("url") or episode.metadata.get("document_id")
    if url:
        return "doc:" + hashlib.sha256(str(url).encode()).hexdigest()
    if episode.kind == Episode.Kind.TOOL_RESULT:
        return f"tool:{episode.pk}"
    return f"session:{episode.session_id}"


def source_of(episode: Episode) -> str:
    """Whose record a decision on the episode's words goes to: a site, a tool, an agent or a person."""
    if site := _site(episode.metadata.get("url")):
        return f"site:{site}"[:SOURCE_LENGTH]
    if episode.kind == Episode.Kind.TOOL_RESULT:
        return f"tool:{episode.name}"
    if episode.role == Episode.Role.ASSISTANT:
        return f"agent:{episode.agent_id}"
    if episode.role == Episode.Role.USER:
        return f"user:{episode.user.external_id}"
    return f"other:{episode.name or episode.role}"


def _site(url: Any) -> str:
    try:
        return (urlsplit(url).hostname or "") if isinstance(url, str) else ""
    except ValueError:  # such as http://[
        return ""


@dataclass(frozen=True, slots=True)
class Source:
    """The episode, the words of it that count, and its class: that of what it was made from, when that is weaker."""

    episode: Episode
    quote: str
    source_class: str

    @property
    def origin(self) -> str:
        return origin_of(self.episode)

    @property
    def support(self) -> Support:
        return Support(self.origin, self.source_class, source_of(self.episode))

    def attach(self, *, now: datetime, memory: Memory | None = None, conflict: Conflict | None = None) -> bool:
        """Adds the episode as evidence of one memory or conflict; false when it was evidence already.

        What an undone change had added, and this one adds anew, counts again.
        """
        target: dict[str, Any] = {"memory": memory} if memory else {"conflict": conflict}
        row, created = Evidence.objects.get_or_create(
            episode=self.episode,
            **target,
            defaults={
                "workspace_id": self.episode.workspace_id, "quote": self.quote, "created_at": now,
                **self.support._asdict(),
            },
        )  # fmt: skip
        if row.withdrawn:
            Evidence.objects.filter(pk=row.pk).update(withdrawn=False, created_at=now)
        return created or row.withdrawn
