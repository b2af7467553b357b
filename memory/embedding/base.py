"""What every embedder promises."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np


class EmbedderUnavailable(Exception):
    """No vectors can be made here; the message says why in words an operator understands."""


class Embedder(Protocol):
    model_id: str  # stored beside every vector; vectors of two models are never compared
    size: int

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One unit vector a text, in order: (n, size) float32. Raises EmbedderUnavailable."""
        ...
