"""Other ways to bring the two arms together than the product's weighted mean, to compare it with.

Each takes cosines (n,), NaN where a memory has no vector, and shares of the question's words (n,), and gives scores
(n,), more is better.
"""

import numpy as np

RANK_CONSTANT = 60  # of Cormack, Clarke and Büttcher, SIGIR 2009


def reciprocal_ranks(dense: np.ndarray, lexical: np.ndarray) -> np.ndarray:
    """The sum of 1/(60 + rank) over the arms; an arm says nothing of what it did not find."""
    return _reciprocal(dense, ~np.isnan(dense)) + _reciprocal(lexical, lexical > 0)


def z_scores(dense: np.ndarray, lexical: np.ndarray) -> np.ndarray:
    """The sum of the arms' scores, each in standard deviations from its mean over the user's memories."""
    return _standard(dense) + _standard(lexical)


FUSIONS = {"ranks": reciprocal_ranks, "z-scores": z_scores}


def _reciprocal(scores: np.ndarray, found: np.ndarray) -> np.ndarray:
    gained = np.zeros(len(scores))
    rows = np.flatnonzero(found)
    best_first = rows[np.argsort(-scores[rows], kind="stable")]
    gained[best_first] = 1 / (RANK_CONSTANT + np.arange(1, len(rows) + 1))
    return gained


def _standard(scores: np.ndarray) -> np.ndarray:
    known = ~np.isnan(scores)
    spread = scores[known].std() if known.any() else 0.0
    if not spread:
        return np.zeros(len(scores))
    return np.where(known, (scores - scores[known].mean()) / spread, 0.0)
