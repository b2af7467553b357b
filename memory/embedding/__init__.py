"""The embedder of this process, if there is one. Everything works without, by words alone."""

import threading

from memory.embedding.base import Embedder, EmbedderUnavailable
from memory.embedding.bundled import BundledEmbedder

__all__ = ["Embedder", "EmbedderUnavailable", "get_embedder", "unavailable_reason"]

_lock = threading.Lock()
_embedder: Embedder | None = None
_reason = ""


def get_embedder() -> Embedder | None:
    """The process-wide embedder, loaded at the first call; None when there is none, see `unavailable_reason`.

    A failure is remembered: a machine that cannot run the model is asked once, not at every search.
    """
    global _embedder, _reason
    if _embedder is None and not _reason:
        with _lock:
            if _embedder is None and not _reason:
                try:
                    _embedder = BundledEmbedder()
                except EmbedderUnavailable as error:
                    _reason = str(error)
    return _embedder


def unavailable_reason() -> str:
    """Why `get_embedder` answers None; empty when it does not, or was not asked yet."""
    return _reason
