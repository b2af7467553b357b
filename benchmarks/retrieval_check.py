"""What retrieval is promised to gain over the BM25 of the same run, that its rules lose nothing to plain fusion, and
whether it is so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.retrieval_data import Query, RetrievalSet, mean_recall

K = 10
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Promise:
    """The mean recall@10 of `full` is at least `gain` above that of `over`, over the queries of one group of a set."""

    data_set: str
    group: str  # a name of groups_of
    gain: float
    over: str = "bm25"


# every set's; of FEW queries or less, as in a half, up to one query is chance
LOSS_TO_FUSION, FEW = 0.005, 50
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
    measured: tuple[float, float] | None  # recall of `over` and of full; None: no query to measure with

    @property
    def met(self) -> bool:
        if self.measured is None:
            return False
        base, full = self.measured
        return full - base >= self.promise.gain - ROUNDING

    def __str__(self) -> str:
        name = f"{self.promise.data_set}, {self.promise.group}"
        if self.measured is None:
            return f"  {name}: not measured: MISSED"
        base, full = self.measured
        return (
            f"  {name}: full {full:.3f}, {self.promise.over} {base:.3f}, gain {full - base:+.3f}; "
            f"promised {self.promise.gain:+g}: {'met' if self.met else 'MISSED'}"
        )


def verdicts(
    data_set: str, groups: Mapping[str, Sequence[Query]], found: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[Verdict]:
    """The set's promises against what the methods found: {method: {query id: document ids, best first}}.

    Without an embedder there is no fusion to lose to.
    """
    promises = [promise for promise in PROMISES if promise.data_set == data_set]
    if "fused" in found:
        count = len(groups.get("all", ()))
        loss = round(1 / count, 3) if 0 < count <= FEW else LOSS_TO_FUSION
        promises.append(Promise(data_set, "all", -loss, over="fused"))
    made = []
    for promise in promises:
        queries = groups.get(promise.group)
        recalls = tuple(mean_recall(found[name], queries, K) for name in (promise.over, "full")) if queries else None
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
