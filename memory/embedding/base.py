"""What every embedder promises, and what all of them do alike."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np


class EmbedderUnavailable(Exception):
    """No vectors can be made here now; the message says why in words an operator understands."""


class TextRefused(EmbedderUnavailable):
    """The embedder works, and will not take one of these texts, however short it is cut."""


class Embedder(Protocol):
    model_id: str  # stored beside every vector; vectors of two models are never compared
    size: int
    trouble: str  # why it makes no vectors just now, in words for an operator; empty while it works

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One unit vector a text, in order: (n, size) float32. Raises EmbedderUnavailable."""
        ...

    def embed_query(self, text: str) -> np.ndarray:
        """The unit vector (size,) float32 by which to look for texts. Raises EmbedderUnavailable."""
        ...


class VectorCache:
    """The vectors of the last `limit` texts. Shared between threads; what is taken out must not be written to."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._lock = threading.Lock()
        self._held: OrderedDict[bytes, np.ndarray] = OrderedDict()

    def get(self, text: str) -> np.ndarray | None:
        key = _digest(text)
        with self._lock:
            vector = self._held.get(key)
            if vector is not None:
                self._held.move_to_end(key)
            return vector

    def put(self, text: str, vector: np.ndarray) -> None:
        with self._lock:
            self._held[_digest(text)] = vector
            while len(self._held) > self.limit:
                self._held.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def __len__(self) -> int:
        return len(self._held)


def speakable(text: str, longest: int) -> str:
    """The text's beginning as any engine can read it: NUL cuts C strings, and a lone surrogate does not encode."""
    return text[:longest].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def mean_texts() -> list[str]:
    """Texts of all kinds. Raw vectors of most models all point nearly the same way, which is what these have in common:
    without it a cosine near 0 means unrelated, whatever the model."""
    lines = Path(__file__).with_name("mean_texts.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
