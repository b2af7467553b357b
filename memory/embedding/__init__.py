"""The embedders of this process, if there are any. Everything works without, by words alone.

`get_embedder` is the one the settings name. Which one's vectors answer searches is memory/index/serving.py's to say.
"""

import threading
from collections.abc import Iterator, Sequence

import numpy as np
from django.conf import settings

from memory.embedding.api import ApiEmbedder
from memory.embedding.base import Embedder, EmbedderUnavailable, TextRefused
from memory.embedding.bundled import BundledEmbedder

__all__ = [
    "Embedder", "EmbedderUnavailable", "TextRefused", "embed_each", "get_embedder", "known", "patient_embedder",
    "unavailable_reason",
]  # fmt: skip

# Texts refused one after another in one go, after which it is the server that is at fault.
MOST_REFUSED = 5

_lock = threading.Lock()
_embedder: Embedder | None = None
_reason = ""
_servers: dict[tuple, ApiEmbedder] = {}


def get_embedder() -> Embedder | None:
    """The process-wide embedder that the settings name; None while there is none, see `unavailable_reason`.

    A server that never answered yet is asked for a first vector, unless it failed a moment ago.
    """
    if not settings.EMBED_API_BASE:
        return _bundled()
    server = _configured()
    try:
        return server if server.size else None
    except EmbedderUnavailable:
        return None


def unavailable_reason() -> str:
    """Why there are no vectors of `get_embedder` now; empty when there are, or it was not asked yet."""
    return _configured().trouble if settings.EMBED_API_BASE else _reason


def known(model_id: str) -> Embedder | None:
    """The embedder that made the vectors stored under `model_id`, if this process has it; no server is asked.

    Besides the one that the settings name these are the previous one's server and the bundled model.
    """
    for server in _known_servers():
        if server.made(model_id):
            return server
    return _bundled() if model_id == BundledEmbedder.model_id else None


def patient_embedder() -> Embedder | None:
    """That of `get_embedder` for a command: it waits for a busy server, and asks it for its size anew."""
    embedder = get_embedder()
    return embedder.patiently() if isinstance(embedder, ApiEmbedder) else embedder


def embed_each(embedder: Embedder, texts: Sequence[str]) -> list[np.ndarray | None]:
    """A vector a text; None for one that the embedder refuses. Raises EmbedderUnavailable."""
    refused = 0

    def embed(part: Sequence[str]) -> list[np.ndarray | None]:
        nonlocal refused
        try:
            return list(embedder.embed(part))
        except TextRefused:
            if len(part) > 1:
                middle = len(part) // 2
                return embed(part[:middle]) + embed(part[middle:])
            refused += 1
            if refused == MOST_REFUSED:
                raise
            return [None]

    return embed(texts)


def forget() -> None:
    """Drops what was learnt of servers."""
    _servers.clear()


def _bundled() -> Embedder | None:
    """Loaded at the first call. A failure is remembered: a machine that cannot run the model is asked once."""
    global _embedder, _reason
    if _embedder is None and not _reason:
        with _lock:
            if _embedder is None and not _reason:
                try:
                    _embedder = BundledEmbedder()
                except EmbedderUnavailable as error:
                    _reason = str(error)
    return _embedder


def _configured() -> ApiEmbedder:
    return _server(
        settings.EMBED_API_BASE, settings.EMBED_MODEL, settings.EMBED_API_KEY, settings.EMBED_QUERY_PREFIX,
        settings.EMBED_TEXT_PREFIX,
    )  # fmt: skip


def _known_servers() -> Iterator[ApiEmbedder]:
    if settings.EMBED_API_BASE:
        yield _configured()
    if settings.EMBED_PREVIOUS["base"]:
        yield _server(*settings.EMBED_PREVIOUS.values())


def _server(base: str, model: str, key: str, query_prefix: str, text_prefix: str) -> ApiEmbedder:
    named = (base, model, key, query_prefix, text_prefix, settings.EMBED_TIMEOUT)
    with _lock:
        if named not in _servers:
            _servers[named] = ApiEmbedder(
                base, model, key, query_prefix=query_prefix, text_prefix=text_prefix, seconds=settings.EMBED_TIMEOUT
            )
        return _servers[named]
