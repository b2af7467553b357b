"""How far a claim may be trusted: a pure score from where it independently comes from, with its addends."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.intake.types import Reason

# of what is still missing to 1, the part that each further independent origin adds, times its own weight
CORROBORATION = 0.3
# of what is still missing to 1, the part that a reviewer's confirmation adds
CONFIRMATION = 0.7


@dataclass(frozen=True, slots=True)
class Addend:
    amount: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class Credibility:
    """`value` 0 to 1 is the sum of the addends' amounts."""

    value: float
    addends: tuple[Addend, ...]


def credibility(
    support: Iterable[tuple[str, str]], *, weights: Mapping[str, float], confirmed: bool = False
) -> Credibility:
    """Scores `support`, pairs of (origin, source class). One origin counts once, by its weakest class:
    text derived from several sources is no better than the worst of them, and repetition adds nothing."""
    by_origin: dict[str, float] = {}
    named: dict[str, str] = {}
    for origin, source_class in support:
        weight = weights.get(source_class, weights["unknown"])
        if weight < by_origin.get(origin, 2):
            by_origin[origin], named[origin] = weight, source_class
    if not by_origin:
        by_origin, named = {"": weights["unknown"]}, {"": "unknown"}
    strongest, *others = sorted(by_origin, key=lambda origin: -by_origin[origin])
    value = by_origin[strongest]
    addends = [Addend(value, Reason("credibility_source", {"source_class": named[strongest]}))]
    for origin in others:
        gain = (1 - value) * CORROBORATION * by_origin[origin]
        if gain > 0:
            addends.append(Addend(gain, Reason("credibility_corroborated", {"source_class": named[origin]})))
            value += gain
    if confirmed and value < 1:
        gain = (1 - value) * CONFIRMATION
        addends.append(Addend(gain, Reason("credibility_confirmed")))
        value += gain
    return Credibility(min(value, 1.0), tuple(addends))
