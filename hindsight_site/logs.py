"""What a log line may not hold: the ids of remembered people, which agents put into addresses, and what was asked."""

import re
from typing import Any

# an API's path names a user or a run, of any characters; behind a question mark there may be either, or a search
_NAMED = re.compile(r"(/api/v1/(?:users|sessions)/)[^?\"'\n]+?(?=/(?:episodes|graph|difference|context)\b|$|[?\"'\n])")
_ASKED = re.compile(r"(?<=[\w/])\?[^\s\"']*")
_WHERE = ("event", "request", "path")


def without_names(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """A structlog processor: addresses without ids and without what follows the question mark."""
    for key in _WHERE:
        value = event.get(key)
        if isinstance(value, str) and "/" in value:
            event[key] = _ASKED.sub("?…", _NAMED.sub(r"\1…", value))
    return event
