"""Retrieval quality per set, beside a textbook BM25: `python -m benchmarks.retrieval --data DIR`.

DIR holds NAME.docs.jsonl and NAME.queries.jsonl. Every document is one claim of its user; every query is ranked over
that user's claims only, at the query's own time. A blank query, which the product refuses, is left out. A set of the
project's own, about who is who to the user, is added. Prints the mean recall@5 and recall@10 of:
  bm25      the baseline of benchmarks/bm25_baseline.py
  dense     the bundled embedder alone
  words     the product without an embedder, nothing held back
  fused     both arms, no other rule
  full      the product with its default settings, as an agent gets it
`--ablate` adds, to set beside `fused`, both arms by reciprocal ranks and by the sum of z-scores, and the full ranking
with one rule off at a time. `--half 0` or `1` asks one fixed half of the queries: tune on one, prove on the other.
`--check` exits with 1 when a promise of benchmarks/retrieval_check.py is missed. The first run embeds every text (about
35 a second).
"""

import argparse
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.bm25_baseline import BaselineBM25
from benchmarks.retrieval_check import Verdict, unmeasured, verdicts
from benchmarks.retrieval_data import Doc, Query, RetrievalSet, groups_of, half_of, load_sets, mean_recall
from benchmarks.retrieval_fusion import FUSIONS
from benchmarks.retrieval_relations import relations
from memory.embedding import Embedder, get_embedder, unavailable_reason
from memory.graph.arm import Arm
from memory.graph.extract import read_memory
from memory.graph.resolve import resolve
from memory.index.text import terms
from memory.recall.query import plan_query
from memory.recall.ranking import IndexRow, UserIndex, rank
from memory.recall.scoring import RankingSettings

DEFAULTS = RankingSettings()
PLAIN = RankingSettings(min_relevance=0, context_weight=0, graph_weight=0, decay_floor=1, period_bonus=0)
RULES_OFF = {
    "no floor": {"min_relevance": 0},
    "no context": {"context_weight": 0},
    "no decay": {"decay_floor": 1},
    "deep decay": {"decay_floor": 0},
    "no graph": {"graph_weight": 0},
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


def arm_of(docs: list[Doc]) -> Arm:
    """The graph of a user's claims as the product reads it, nobody having ruled on who is who."""
    return Arm.of(resolve([(doc.id, read_memory(doc.text)) for doc in docs], {}), total=len(docs))


def rankers(data: RetrievalSet, embedder: CachedEmbedder | None, ablate: bool) -> dict[str, Ranker]:
    baselines = {user: BaselineBM25([doc.text for doc in docs]) for user, docs in data.docs.items()}
    indexes = {user: index_of(docs, embedder) for user, docs in data.docs.items()}
    arms = {user: arm_of(docs) for user, docs in data.docs.items()}

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
                reached=arms[query.user].reach(query.text) if settings.graph_weight else None,
            )
            return [hit.id for hit in hits]

        return ranked

    def fused_by(fusion: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Ranker:
        def ranked(query: Query) -> list[str]:
            index = indexes[query.user]
            plan = plan_query(query.text, now=query.time, common_terms=index.common_terms)
            scores = fusion(index.matrix @ embedder.embed([plan.text])[0], index.words.shares(plan.terms))
            best_first = np.lexsort((-index.event_times, -scores))  # equals as the product orders them
            return [index.ids[row] for row in best_first]

        return ranked

    made: dict[str, Ranker] = {"bm25": baseline}
    if embedder:
        made["dense"] = product(replace(PLAIN, lexical_weight=0), drop_names=False)
    made["words"] = product(PLAIN, dense=False)
    if embedder:
        made["fused"] = product(PLAIN)
        if ablate:
            made |= {name: fused_by(fusion) for name, fusion in FUSIONS.items()}
    made["full"] = product(DEFAULTS)
    if ablate:
        made |= {name: product(replace(DEFAULTS, **change)) for name, change in RULES_OFF.items()}
        made["names kept"] = product(DEFAULTS, drop_names=False)
    return made


def report(data: RetrievalSet, methods: dict[str, Ranker], by_category: bool) -> list[Verdict]:
    """Prints the set's tables and gives what became of its promises."""
    people = len(data.docs)
    print(f"\n{data.name}: {sum(map(len, data.docs.values()))} claims of {people} people, {len(data.queries)} queries")
    found = {name: {query.id: ranked(query) for query in data.queries} for name, ranked in methods.items()}
    groups = groups_of(data)
    shown = groups if by_category else {name: groups[name] for name in ("all", "without adversarial") if name in groups}
    width = max(map(len, shown), default=0)
    for k in (5, 10):
        print(f"  {f'recall@{k}':{width}} {'n':>4} " + " ".join(f"{name:>10}" for name in methods))
        for group, queries in shown.items():
            means = [mean_recall(found[name], queries, k) for name in methods]
            print(f"  {group:{width}} {len(queries):4} " + " ".join(f"{mean:10.3f}" for mean in means))
    return verdicts(data.name, groups, found)


def main() -> int:
    options = _parser().parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hindsight_site.settings")  # they name the embedder
    embedder = get_embedder()
    if embedder is None:
        print(f"No embedder, words only: {unavailable_reason()}")
    cached = CachedEmbedder(embedder, options.cache) if embedder else None
    sets = [
        data if options.half is None else half_of(data, options.half)
        for data in [*load_sets(options.data, speakers=options.speakers), relations()]
        if not options.sets or data.name in options.sets
    ]
    outcome: list[Verdict] = []
    for data in sets:
        outcome += report(data, rankers(data, cached, options.ablate), options.categories)
        if cached:
            cached.save()
    if not options.check:
        return 0
    outcome += unmeasured(sets, options.sets)
    print("\nrecall@10 over the BM25 and the plain fusion of this run", *outcome, sep="\n")
    return int(not all(verdict.met for verdict in outcome))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the sets")
    parser.add_argument("--sets", nargs="+", help="only these names")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only this half of the queries")
    parser.add_argument("--categories", action="store_true", help="a line for each category")
    parser.add_argument("--ablate", action="store_true", help="a column for each other fusion and each rule left out")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a promised figure is missed")
    parser.add_argument("--speakers", action="store_true", help='begin texts with the speaker: "Ada: …"')
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "hindsight-retrieval")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
