"""Answers already had to the very same text, kept for an hour in Django's cache and told to its own workspace only.

Agents send a transcript again and again; each time it would cost the same tokens.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from django.core.cache import cache

from memory.index.breaker import Breaker
from memory.llm.answers import Judged, Said
from memory.llm.prompts import Asked
from memory.models import Workspace

# Long enough for a transcript sent again; it holds words of people, so no longer.
SECONDS = 3600
_breaker = Breaker(Exception, first=5.0, longest=5.0)

log = logging.getLogger(__name__)


def get(workspace: Workspace, judge: str, event: Asked) -> Judged | None:
    """What this judge (model and prompt) said of this text; None when that is not known, or the cache is away."""
    kept = _quietly(lambda: cache.get(_name(workspace, judge, event)))
    try:
        return Judged(**kept | {"claims": tuple(Said(**said) for said in kept["claims"])}) if kept else None
    except (TypeError, KeyError):  # another version's
        return None


def keep(workspace: Workspace, judge: str, event: Asked, judged: Judged) -> None:
    _quietly(lambda: cache.set(_name(workspace, judge, event), asdict(judged), timeout=SECONDS))


def forget(workspace: Workspace, judges: Iterable[str], events: Iterable[Asked]) -> None:
    """Takes away what these judges said of these texts, to whoever. Raises when the cache is away."""
    events = list(events)
    cache.delete_many([_name(workspace, judge, event) for judge in judges for event in events])


def _name(workspace: Workspace, judge: str, event: Asked) -> str:
    parts = (str(workspace.pk), judge, event.role, event.name, " ".join(event.text.split()))
    return "llm:" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def _quietly(call: Callable[[], Any]) -> Any:
    """The cache only saves money: without it the model is asked again."""
    try:
        return _breaker.call(call)
    except Exception as error:
        log.debug("the cache of answers is away: %s", error)
        return None
