"""Retrieval quality per set, beside a textbook BM25: `python -m benchmarks.retrieval --data DIR`.

DIR holds NAME.docs.jsonl and NAME.queries.jsonl. Every document is one claim of its user; every query is ranked over
that user's claims only, at the query's own time. Prints the mean recall@5 and recall@10 of:
  bm25      the baseline of benchmarks/bm25_baseline.py
  dense     the bundled embedder alone
  words     the product without an embedder, nothing held back
  fused     both arms, no other rule
  full      the product with its default settings, as an agent gets it
`--ablate` adds the full ranking with one rule off at a time. The first run embeds every text (about 35 a second).
"""

import argparse
import hashlib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.bm25_baseline import BaselineBM25
from benchmarks.retrieval_data import Doc, Query, RetrievalSet, load_sets, recall_at
from memory.embedding import Embedder, get_embedder, unavailable_reason
from memory.index.text import terms
from memory.recall.query import plan_query
from memory.recall.ranking import IndexRow, UserIndex, rank
from memory.recall.scoring import RankingSettings

DEFAULTS = RankingSettings()
PLAIN = RankingSettings(min_relevance=0, context_weight=0, decay_floor=1, period_bonus=0)
RULES_OFF = {
    "no floor": {"min_relevance": 0},
    "no context": {"context_weight": 0},
    "no decay": {"decay_floor": 1},
    "deep decay": {"decay_floor": 0},
    "no period": {"period_bonus": 0},
    "no words": {"lexical_weight": 0},
    "no dense": {"dense_weight": 0},
}
Ranker = Callable[[Query], list[str]]


class CachedEmbedder:
    """The process's embedder with its vectors kept in a file, so that only the first run waits."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / f"{hashlib.sha256(embedder.model_id.encode()).hexdigest()[:16]}.npz"
        self._known: dict[str, np.ndarray] = {}
        if self._path.exists():
            with np.load(self._path) as stored:
                self._known = dict(zip(stored["keys"], stored["vectors"], strict=True))

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        keys = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts]
        for key, text in zip(keys, texts, strict=True):
            if key not in self._known:
                self._known[key] = self._embedder.embed([text])[0]
        return np.array([self._known[key] for key in keys])

    def save(self) -> None:
        if self._known:
            np.savez(self._path, keys=np.array(list(self._known)), vectors=np.array(list(self._known.values())))


def index_of(docs: list[Doc], embedder: CachedEmbedder | None) -> UserIndex:
    vectors = embedder.embed([doc.text for doc in docs]) if embedder else [None] * len(docs)
    return UserIndex.build(
        [
            IndexRow(doc.id, terms(doc.text), vector, doc.time.timestamp(), 1.0, "knowledge", doc.session)
            for doc, vector in zip(docs, vectors, strict=True)
        ]
    )


def rankers(data: RetrievalSet, embedder: CachedEmbedder | None, ablate: bool) -> dict[str, Ranker]:
    baselines = {user: BaselineBM25([doc.text for doc in docs]) for user, docs in data.docs.items()}
    indexes = {user: index_of(docs, embedder) for user, docs in data.docs.items()}

    def baseline(query: Query) -> list[str]:
        docs = data.docs[query.user]
        return [docs[row].id for row in baselines[query.user].ranked(query.text)]

    def product(settings: RankingSettings, *, dense: bool = True, drop_names: bool = True) -> Ranker:
        def ranked(query: Query) -> list[str]:
            index = indexes[query.user]
            common = index.common_terms if drop_names else frozenset()
            plan = plan_query(query.text, now=query.time, common_terms=common)
            hits = rank(
                index,
                terms=plan.terms,
                vector=embedder.embed([plan.text])[0] if embedder and dense else None,
                now=query.time.timestamp(),
                settings=settings,
                periods=plan.periods,
            )
            return [hit.id for hit in hits]

        return ranked

    made: dict[str, Ranker] = {"bm25": baseline}
    if embedder:
        made["dense"] = product(replace(PLAIN, lexical_weight=0), drop_names=False)
    made["words"] = product(PLAIN, dense=False)
    if embedder:
        made["fused"] = product(PLAIN)
    made["full"] = product(DEFAULTS)
    if ablate:
        made |= {name: product(replace(DEFAULTS, **change)) for name, change in RULES_OFF.items()}
        made["names kept"] = product(DEFAULTS, drop_names=False)
    return made


def groups_of(data: RetrievalSet, by_category: bool) -> dict[str, list[Query]]:
    """The lines to print for a set: all queries, those that have an answer, and each category when asked."""
    groups = {"all": data.queries}
    categories: dict[str, list[Query]] = defaultdict(list)
    for query in data.queries:
        categories[query.category].append(query)
    if "adversarial" in categories:
        groups["without adversarial"] = [query for query in data.queries if query.category != "adversarial"]
    return groups | (dict(sorted(categories.items())) if by_category and len(categories) > 1 else {})


def report(data: RetrievalSet, methods: dict[str, Ranker], by_category: bool) -> None:
    people = len(data.docs)
    print(f"\n{data.name}: {sum(map(len, data.docs.values()))} claims of {people} people, {len(data.queries)} queries")
    found = {name: {query.id: ranked(query) for query in data.queries} for name, ranked in methods.items()}
    groups = groups_of(data, by_category)
    width = max(map(len, groups))
    for k in (5, 10):
        print(f"  {f'recall@{k}':{width}} {'n':>4} " + " ".join(f"{name:>10}" for name in methods))
        for group, queries in groups.items():
            means = [
                np.mean([recall_at(found[name][query.id], query.evidence, k) for query in queries]) for name in methods
            ]
            print(f"  {group:{width}} {len(queries):4} " + " ".join(f"{mean:10.3f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the sets")
    parser.add_argument("--sets", nargs="*", help="only these names")
    parser.add_argument("--categories", action="store_true", help="a line for each category")
    parser.add_argument("--ablate", action="store_true", help="a column for each rule left out")
    parser.add_argument("--speakers", action="store_true", help='begin texts with the speaker: "Ada: …"')
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "hindsight-retrieval")
    options = parser.parse_args()
    embedder = get_embedder()
    if embedder is None:
        print(f"No embedder, words only: {unavailable_reason()}")
    cached = CachedEmbedder(embedder, options.cache) if embedder else None
    for data in load_sets(options.data, speakers=options.speakers):
        if options.sets and data.name not in options.sets:
            continue
        report(data, rankers(data, cached, options.ablate), options.categories)
        if cached:
            cached.save()


if __name__ == "__main__":
    main()
