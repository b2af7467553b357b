"""How far a claim may be trusted: a pure score from where it independently comes from, with its addends."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memory.intake.types import Reason

# So many decisions weigh as much as the table: five rejections in a row take a first-party tool from 0.80 to 0.64,
# one or two cannot make or break a source.
PRIOR_STRENGTH = 20.0
# So much may good decisions raise a source above the table. Names of tools, agents and sites are the caller's word,
# so a good name can be borrowed; a bad one hurts only its bearer.
RAISED_AT_MOST = 0.2
# of what is still missing to 1, the part that each further independent origin adds, times its own weight
CORROBORATION = 0.3
# of what is missing to 1 without them, the part that all further origins together may add: a session or a document
# costs nothing to make
CORROBORATION_AT_MOST = 0.5
# of what is still missing to 1, the part that a reviewer's confirmation adds
CONFIRMATION = 0.7


class Support(NamedTuple):
    """One piece of evidence: its independent origin ("session:12"), its source class, and the source whose decisions
    count ("tool:crm"; "" for none)."""

    origin: str
    source_class: str
    source: str = ""


class Record(NamedTuple):
    """How often reviewers took what a source said, and how often they turned it away."""

    accepted: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class Addend:
    """`reason.code` is the addend's id; `amount` may be negative."""

    amount: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class Credibility:
    """`value` 0 to 1 is the sum of the addends' amounts, but for rounding."""

    value: float
    addends: tuple[Addend, ...]


def track_record(weight: float, record: Record) -> float:
    """The weight of a source after decisions on it: the mean of Beta(s·weight + accepted, s·(1 - weight) + rejected)
    with s = PRIOR_STRENGTH, at most RAISED_AT_MOST above the table's `weight`."""
    mean = (PRIOR_STRENGTH * weight + record.accepted) / (PRIOR_STRENGTH + record.accepted + record.rejected)
    return min(mean, weight + RAISED_AT_MOST, 1.0)


def credibility(
    support: Iterable[Support],
    *,
    weights: Mapping[str, float],
    records: Mapping[str, Record] | None = None,
    confirmed: bool = False,
) -> Credibility:
    """Scores `support`. One origin counts once, by its weakest evidence: text derived from several sources is no
    better than the worst of them, and repetition adds nothing. `records` are the decisions by source."""
    origins = _origins(support, weights, records or {})
    first, *others = sorted(origins.values(), key=lambda origin: -origin.weight)
    addends = [*first.addends(), *_corroboration(first.weight, others)]
    value = sum(addend.amount for addend in addends)
    if confirmed and value < 1:
        addends.append(Addend((1 - value) * CONFIRMATION, Reason("credibility_confirmed")))
        value += addends[-1].amount
    return Credibility(min(max(round(value, 9), 0.0), 1.0), tuple(addends))


@dataclass(slots=True)
class _Origin:
    """What one origin is worth: that of its weakest evidence; `best` is the class it would have had without that."""

    weakest: Support
    prior: float
    weight: float
    record: Record
    best: str
    best_prior: float

    def addends(self) -> list[Addend]:
        found = [Addend(self.best_prior, Reason("credibility_source", {"source_class": self.best}))]
        if self.prior < self.best_prior:
            why = Reason("credibility_inherited", {"source_class": self.weakest.source_class})
            found.append(Addend(self.prior - self.best_prior, why))
        if self.weight != self.prior:
            why = Reason("credibility_record", {"source": self.weakest.source} | self.record._asdict())
            found.append(Addend(self.weight - self.prior, why))
        return found


def _origins(support: Iterable[Support], weights, records) -> dict[str, _Origin]:
    found: dict[str, _Origin] = {}
    for each in list(support) or [Support("", "unknown")]:
        prior = weights.get(each.source_class, weights["unknown"])
        record = records.get(each.source, Record())
        weight = track_record(prior, record)
        known = found.get(each.origin)
        if known is None:
            found[each.origin] = _Origin(each, prior, weight, record, each.source_class, prior)
            continue
        if weight < known.weight:
            known.weakest, known.prior, known.weight, known.record = each, prior, weight, record
        if prior > known.best_prior:
            known.best, known.best_prior = each.source_class, prior
    return found


def _corroboration(base: float, others: Iterable[_Origin]) -> list[Addend]:
    """What further origins add, one addend for all of a class."""
    value, room = base, (1 - base) * CORROBORATION_AT_MOST
    gains: dict[str, list[float]] = {}
    for origin in others:
        gain = min((1 - value) * CORROBORATION * origin.weight, base + room - value)
        if gain > 1e-9:
            gains.setdefault(origin.weakest.source_class, []).append(gain)
            value += gain
    return [
        Addend(
            sum(each),
            Reason("credibility_corroborated", {"source_class": source_class})
            if len(each) == 1
            else Reason("credibility_corroborated_often", {"source_class": source_class, "origins": len(each)}),
        )
        for source_class, each in gains.items()
    ]
