"""Lexical scores inside one user's documents: BM25 over term lists, in flat numpy arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

K1 = 1.2  # how fast a repeated term stops adding
B = 0.75  # how much a long document is held against itself


@dataclass(frozen=True, eq=False)
class BM25:
    """An immutable index of n documents. Each posting says: document d holds term t so many times.

    A query costs one pass over the postings (about 3 ms for 20,000 documents of 30 terms), so nothing is inverted and
    adding or dropping documents is a concatenation.
    """

    size: int
    vocabulary: dict[str, int]
    documents: np.ndarray  # (postings,) int32, ascending
    term_ids: np.ndarray  # (postings,) int32
    frequencies: np.ndarray  # (postings,) float32
    weights: np.ndarray  # (postings,) float32: saturated frequency, without the term's rarity
    rarity: np.ndarray  # (vocabulary,) float32: inverse document frequency

    @classmethod
    def build(cls, term_lists: Sequence[Iterable[str]]) -> "BM25":
        """Index documents given as term lists with repeats, in order; document i is row i of every answer."""
        vocabulary: dict[str, int] = {}
        documents, term_ids, frequencies = _postings(term_lists, vocabulary)
        return cls._weighted(len(term_lists), vocabulary, documents, term_ids, frequencies)

    def changed(self, keep: np.ndarray, added: Sequence[Iterable[str]]) -> "BM25":
        """The index with only the documents of the boolean mask `keep` (n,), then `added` after them."""
        vocabulary = dict(self.vocabulary)
        documents, term_ids, frequencies = _postings(added, vocabulary)
        kept = keep[self.documents]
        rows = np.cumsum(keep, dtype=np.int32) - 1
        size = int(keep.sum())
        return self._weighted(
            size + len(added),
            vocabulary,
            np.concatenate([rows[self.documents[kept]], documents + size]),
            np.concatenate([self.term_ids[kept], term_ids]),
            np.concatenate([self.frequencies[kept], frequencies]),
        )

    @classmethod
    def _weighted(cls, size, vocabulary, documents, term_ids, frequencies) -> "BM25":
        lengths = np.bincount(documents, weights=frequencies, minlength=size).astype(np.float32)
        mean_length = float(lengths.mean()) if size and lengths.any() else 1.0
        norm = K1 * (1 - B + B * lengths / mean_length)
        weights = frequencies * (K1 + 1) / (frequencies + norm[documents])
        holders = np.bincount(term_ids, minlength=len(vocabulary))
        rarity = np.log1p((size - holders + 0.5) / (holders + 0.5)).astype(np.float32)
        return cls(size, vocabulary, documents, term_ids, frequencies, weights.astype(np.float32), rarity)

    def scores(self, query_terms: Iterable[str]) -> np.ndarray:
        """BM25 of every document for the query's distinct terms: (n,) float32, 0 where nothing matches."""
        asked = [self.vocabulary[term] for term in set(query_terms) if term in self.vocabulary]
        if not asked:
            return np.zeros(self.size, dtype=np.float32)
        worth = np.zeros(len(self.vocabulary), dtype=np.float32)
        worth[asked] = self.rarity[asked]
        gained = worth[self.term_ids] * self.weights
        return np.bincount(self.documents, weights=gained, minlength=self.size).astype(np.float32)

    def coverage(self, query_terms: Iterable[str]) -> np.ndarray:
        """The share of the query each document holds, terms weighed by rarity: (n,) float32 in 0..1.

        A term no document holds counts as rare as can be, so a query about something else covers little.
        """
        distinct = set(query_terms)
        unseen = float(np.log1p(2.0 * self.size + 1.0))
        total = sum(float(self.rarity[self.vocabulary[t]]) if t in self.vocabulary else unseen for t in distinct)
        asked = [self.vocabulary[term] for term in distinct if term in self.vocabulary]
        if not asked or not total:
            return np.zeros(self.size, dtype=np.float32)
        worth = np.zeros(len(self.vocabulary), dtype=np.float32)
        worth[asked] = self.rarity[asked]
        covered = np.bincount(self.documents, weights=worth[self.term_ids], minlength=self.size)
        return np.minimum(covered / total, 1.0).astype(np.float32)


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
    return (pairs // width).astype(np.int32), (pairs % width).astype(np.int32), frequencies.astype(np.float32)
