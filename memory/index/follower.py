"""The vector database of this process, where one is set up, behind a fuse."""

import os
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from django.conf import settings

from memory.embedding import Embedder
from memory.index import serving
from memory.index.base import Follower, FollowerAway, FollowerResting
from memory.index.breaker import Breaker, Resting

T = TypeVar("T")

ALIAS = "hindsight"  # begins the name of every collection
# An agent waits behind a search: past this the database answers alone.
TIMEOUT = 2  # seconds, to connect and for each answer


def is_set_up() -> bool:
    return bool(settings.VECTOR_DB_URL)


def get_follower() -> Follower | None:
    """The follower for the served embedder; None when there is no vector database, or nothing to make vectors."""
    embedder = serving.get_embedder() if is_set_up() else None
    if embedder is None:
        return None
    return _follower(os.getpid(), settings.VECTOR_DB_URL, settings.VECTOR_DB_API_KEY, embedder.model_id, embedder.size)


def patient_follower(timeout: int, embedder: Embedder | None) -> Follower | None:
    """One for the vectors of `embedder` that waits `timeout` seconds for each answer, for commands that nobody waits
    for; not behind the fuse."""
    if embedder is None or not is_set_up():
        return None
    return _make(settings.VECTOR_DB_URL, settings.VECTOR_DB_API_KEY, embedder.model_id, embedder.size, timeout=timeout)


def ask(question: Callable[[Follower], T]) -> T:
    """question(follower), unless the vector database failed a moment ago. Then FollowerResting is raised at once."""
    follower = get_follower()
    if follower is None:
        raise FollowerAway("No vector database is set up, or there is no embedder to go with it.")
    try:
        return _breaker.call(lambda: question(follower))
    except Resting as error:
        raise FollowerResting(str(error)) from error


def forget() -> None:
    """Forgets clients and failures, for when the settings or the server under them were replaced."""
    global _breaker
    _breaker = Breaker(FollowerAway)
    _follower.cache_clear()


@lru_cache(maxsize=4)
def _follower(process: int, url: str, api_key: str, model_id: str, size: int) -> Follower:
    # `process` is asked for so that a forked worker makes its own client instead of sharing sockets
    return _make(url, api_key, model_id, size, timeout=TIMEOUT)


def _make(url: str, api_key: str, model_id: str, size: int, *, timeout: int) -> Follower:
    # not at the top: the client takes half a second and 60 MB to import, for nothing where no vector database is set up
    from memory.index.qdrant import Qdrant

    return Qdrant(url, api_key=api_key, model_id=model_id, size=size, alias=ALIAS, timeout=timeout)


_breaker = Breaker(FollowerAway)
