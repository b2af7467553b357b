"""Working memory: the last turns of a session, for as long as they are fresh."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol

from memory.models import Episode, Session
from memory.policy import Policy

# a turn is context for a prompt; the whole of a huge tool result stays in the episode
TURN_CHARACTERS = 4000


class WorkingAway(Exception):
    """Working memory did not answer, and what was asked of it may not wait until its entries expire."""


class WorkingMemory(Protocol):
    def push(self, session: Session, turns: Sequence[dict[str, Any]], *, policy: Policy, now: datetime) -> None:
        """Appends turns and forgets all but the policy's last N."""

    def context(self, session: Session, *, policy: Policy, now: datetime) -> list[dict[str, Any]]:
        """The last N unexpired turns, oldest first, each as `turn_of` makes it."""

    def forget(self, sessions: Iterable[Session]) -> None:
        """Deletes the sessions' turns now. Raises WorkingAway."""

    def is_away(self) -> bool:
        """Whether turns are read from the episodes for now; for health probes."""


def turn_of(episode: Episode) -> dict[str, Any]:
    """One turn: {episode_id, role, name, kind, status, content, event_time, truncated}."""
    return {
        "episode_id": episode.pk,
        "role": episode.role,
        "name": episode.name,
        "kind": episode.kind,
        "status": episode.status,
        "content": episode.content[:TURN_CHARACTERS],
        "event_time": episode.event_time.isoformat().replace("+00:00", "Z"),
        "truncated": len(episode.content) > TURN_CHARACTERS,
    }
