"""Compute the mean vector the bundled embedder takes off: `python -m benchmarks.mean_vector`.

Deterministic: the same texts and model give the same file. After a change of the texts, raise the number in
BundledEmbedder.model_id and memory.embedding.api.CENTRED, because old and new vectors must not be compared.
"""

import numpy as np

from memory.embedding.base import mean_texts
from memory.embedding.bundled import MEAN_FILE, BundledEmbedder


def main() -> None:
    embedder = BundledEmbedder()
    mean = np.mean([embedder.raw(text) for text in mean_texts()], axis=0, dtype=np.float64)
    np.savetxt(MEAN_FILE, mean, fmt="%.6f")
    print(f"{MEAN_FILE}: mean of {len(mean_texts())} texts, length {np.linalg.norm(mean):.4f}")


if __name__ == "__main__":
    main()
