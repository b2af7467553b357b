"""What an agent hands in becomes episodes, and the audit says under which key and from where it came."""

from collections.abc import Sequence
from datetime import datetime

from rest_framework.request import Request

from memory.actor import from_key
from memory.audit import log
from memory.intake.record import NewEvent, record
from memory.models import Episode


def record_for(request: Request, events: Sequence[NewEvent], *, action: str, now: datetime) -> list[Episode]:
    """The episodes, in order, and one audit event for all of them: an episode knows its agent, not its key or address.
    Needs the caller's transaction."""
    workspace = request.auth.workspace
    episodes = record(workspace=workspace, events=events, now=now)
    # what becomes of them is the judge's doing, and told by rows of its own
    log.record(
        workspace=workspace, actor=from_key(request.auth, request), action=action, now=now, object_type="episode",
        object_id=episodes[0].pk if episodes else "", after={"episodes": [episode.pk for episode in episodes]},
    )  # fmt: skip
    return episodes
