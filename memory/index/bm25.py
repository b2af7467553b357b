"""Lexical scores inside one user's documents: BM25 over term lists, in flat numpy arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

# Memories are a sentence or two: that a word is there says nearly all, how often and in how long a text little.
# Measured against the textbook 1.5 and .75: the same on clean claims, up to .03 better on turns of a conversation.
K1 = 0.5
B = 0.25


@dataclass(frozen=True, eq=False)
class BM25:
    """An immutable index of documents 0..size-1. A posting says: document d holds term t so many times.

    A query is one pass over all postings, about 3 ms for 20,000 documents of 30 terms, so nothing needs inverting.
    """

    size: int
    vocabulary: dict[str, int]  # term → its number; numbers follow the order of the dict
    documents: np.ndarray  # (postings,) int32, ascending
    term_ids: np.ndarray  # (postings,) int32
    frequencies: np.ndarray  # (postings,) int32: how often the document holds the term
    weights: np.ndarray  # (postings,) float32: what the posting is worth before the term's rarity
    holders: np.ndarray  # (vocabulary,) int64: how many documents hold the term
    total: int  # documents there are; more than `size` when only those that hold a query's terms were taken

    @classmethod
    def build(cls, term_lists: Sequence[Iterable[str]], *, total: int = 0) -> "BM25":
        """Index documents given as term lists with repeats; document i is row i of every answer.

        `total` counts the documents they were chosen from, so that a term's rarity stays what it is among all.
        """
        vocabulary: dict[str, int] = {}
        return cls._of(vocabulary, *_postings(term_lists, vocabulary), size=len(term_lists), total=total)

    def changed(self, take: np.ndarray, term_lists: Sequence[Iterable[str]]) -> "BM25":
        """The index of other documents: `take` (n,) says for each which of the old ones it is, or, from `size` on,
        which of `term_lists`. The old order must be kept. Same scores as of a fresh index."""
        vocabulary = dict(self.vocabulary)  # searches go on in the old one
        places = np.full(self.size + len(term_lists), -1, dtype=np.int32)
        places[take] = np.arange(len(take), dtype=np.int32)
        new, new_terms, new_frequencies = _postings(term_lists, vocabulary)
        new = places[new + self.size]
        order = np.argsort(new, kind="stable")
        kept = places[self.documents]
        held = kept >= 0
        if not held.all():
            kept = kept[held]
        at = np.searchsorted(kept, new[order])

        def joined(old: np.ndarray, added: np.ndarray) -> np.ndarray:
            return np.insert(old if len(old) == len(kept) else old[held], at, added[order])

        return self._of(
            vocabulary,
            joined(kept, new),
            joined(self.term_ids, new_terms),
            joined(self.frequencies, new_frequencies),
            size=len(take),
        )

    @classmethod
    def _of(cls, vocabulary: dict[str, int], documents, term_ids, frequencies, *, size: int, total: int = 0) -> "BM25":
        lengths = np.bincount(documents, weights=frequencies, minlength=size)
        mean_length = lengths.mean() if lengths.any() else 1.0
        handicap = K1 * (1 - B + B * lengths / mean_length)
        weights = frequencies * (K1 + 1) / (frequencies + handicap[documents])
        holders = np.bincount(term_ids, minlength=len(vocabulary))
        return cls(
            size, vocabulary, documents, term_ids, frequencies, weights.astype(np.float32), holders, max(total, size)
        )  # fmt: skip

    def scores(self, query_terms: Iterable[str]) -> np.ndarray:
        """BM25 of every document for the query's distinct terms: (size,) float32, 0 where nothing matches."""
        worth = np.zeros(len(self.vocabulary), dtype=np.float32)
        for term in set(query_terms):
            if (number := self.vocabulary.get(term)) is not None:
                worth[number] = self.rarity(term)
        if not worth.any():
            return np.zeros(self.size, dtype=np.float32)
        gained = worth[self.term_ids] * self.weights
        return np.bincount(self.documents, weights=gained, minlength=self.size).astype(np.float32)

    def shares(self, query_terms: Iterable[str]) -> np.ndarray:
        """How much of the query each document holds, terms weighed by rarity: (size,) float32 in 0..1.

        It is BM25 over that of an average document holding every term once. A term nobody holds counts as rarest, so
        a query about something else has a small share everywhere. Comparable between queries, as BM25 is not.
        """
        terms = set(query_terms)
        whole = sum(self.rarity(term) for term in terms)
        return np.minimum(self.scores(terms) / max(whole, 1e-9), 1.0)

    def rarity(self, term: str) -> float:
        """Inverse document frequency, above 0 for every term, also of one that no document holds."""
        number = self.vocabulary.get(term)
        held = 0 if number is None else int(self.holders[number])
        return log1p((self.total - held + 0.5) / (held + 0.5))

    def common_terms(self, share: float) -> frozenset[str]:
        """The terms that at least this share (0..1) of the documents hold."""
        names = list(self.vocabulary)
        return frozenset(names[number] for number in np.flatnonzero(self.holders >= share * self.total))


def _postings(term_lists: Sequence[Iterable[str]], vocabulary: dict[str, int]):
    """(documents, term ids, frequencies), one row per document and distinct term; new terms join the vocabulary."""
    ids: list[int] = []
    lengths: list[int] = []
    for terms in term_lists:
        before = len(ids)
        ids.extend(vocabulary.setdefault(term, len(vocabulary)) for term in terms)
        lengths.append(len(ids) - before)
    owners = np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)
    width = max(len(vocabulary), 1)
    pairs, frequencies = np.unique(owners * width + np.asarray(ids, dtype=np.int64), return_counts=True)
    return (pairs // width).astype(np.int32), (pairs % width).astype(np.int32), frequencies.astype(np.int32)
