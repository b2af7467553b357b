"""What retrieval is promised to gain over the BM25 of the same run, and whether it does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.retrieval_data import Query, RetrievalSet, mean_recall

K = 10
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Promise:
    """The mean recall@10 of `full` is at least `gain` above that of `bm25`, over the queries of one group of a set."""

    data_set: str
    group: str  # a name of groups_of
    gain: float


PROMISES = (
    Promise("locomo_en", "without adversarial", 0.06),
    Promise("madial_en", "all", 0.06),
    Promise("madial_zh", "all", 0.06),
    Promise("memorybank_zh", "all", 0.0),
    Promise("memorybank_zh", "date-anchored", 0.10),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    promise: Promise
    measured: tuple[float, float] | None  # recall of bm25 and of full; None: no query to measure with

    @property
    def met(self) -> bool:
        if self.measured is None:
            return False
        bm25, full = self.measured
        return full - bm25 >= self.promise.gain - ROUNDING

    def __str__(self) -> str:
        name = f"{self.promise.data_set}, {self.promise.group}"
        if self.measured is None:
            return f"  {name}: not measured: MISSED"
        bm25, full = self.measured
        return (
            f"  {name}: full {full:.3f}, bm25 {bm25:.3f}, gain {full - bm25:+.3f}; "
            f"promised {self.promise.gain:+.2f}: {'met' if self.met else 'MISSED'}"
        )


def verdicts(
    data_set: str, groups: Mapping[str, Sequence[Query]], found: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[Verdict]:
    """The set's promises against what `bm25` and `full` found: {method: {query id: document ids, best first}}."""
    made = []
    for promise in PROMISES:
        if promise.data_set == data_set:
            queries = groups.get(promise.group)
            recalls = tuple(mean_recall(found[name], queries, K) for name in ("bm25", "full")) if queries else None
            made.append(Verdict(promise, recalls))
    return made


def unmeasured(measured: Sequence[RetrievalSet], wanted: Sequence[str] | None) -> list[Verdict]:
    """The promises of sets that are wanted (None: all) but were not there: a promise nobody looked at is not kept."""
    names = {data.name for data in measured}
    return [
        Verdict(promise, None)
        for promise in PROMISES
        if promise.data_set not in names and (wanted is None or promise.data_set in wanted)
    ]
