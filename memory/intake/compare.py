"""How a new claim stands to what is already held. Text in, relations out; nothing is stored or changed here.

A conflict is only named when both sides speak of the same subject and the same slot, hold at the same time, are
meant (no plan, guess or what-if), and differ. Everything else stays beside what is held.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory.intake import attributes, relate_facts, relate_gist, relate_words
from memory.intake.clean import language, normalise
from memory.intake.fact import Fact
from memory.intake.facts import facts_of
from memory.intake.gist import other_circumstances
from memory.intake.periods import years_of
from memory.intake.sentences import is_hypothetical, is_question, sentences
from memory.intake.sides import Side
from memory.intake.types import Claim, Held, Reason, Relation, RelationKind

_STRENGTH = {
    RelationKind.DUPLICATE: 0,
    RelationKind.CONTRADICTION: 1,
    RelationKind.UPDATE: 2,
    RelationKind.CONTAINED: 3,
    RelationKind.REFINEMENT: 5,
    RelationKind.ADDITIVE: 6,
}
_OLDER_UPDATE = 4
# What common facts show only as long as the words show no conflict.
_GIVES_WAY = frozenset({RelationKind.ADDITIVE, RelationKind.CONTAINED, RelationKind.REFINEMENT})


def compare(candidate: Claim, event_time: datetime, held: Sequence[Held]) -> list[Relation]:
    """The relations of `candidate` (said at `event_time`) to the held claims, strongest first; unrelated ones are
    left out. `Relation.older` marks a candidate that speaks of an earlier time than the held claim."""
    new = side_of(candidate, event_time)
    found = []
    for known in held:
        relation = _between(new, side_of(known.claim, known.event_time), known)
        if relation is not None:
            found.append((known.similarity, relation))
    found.sort(key=lambda pair: (_rank(pair[1]), -pair[0]))
    return [relation for _, relation in found]


def side_of(claim: Claim, event_time: datetime) -> Side:
    """A claim read for comparison: its language, its facts, its mood."""
    lang = language(claim.text)
    parts = sentences(claim.text)
    open_ = bool(parts) and all(is_question(part, lang) or is_hypothetical(part, lang) for part in parts)
    facts = facts_of(claim.text, lang)
    open_ = open_ and not facts
    if claim.valid_from is None and claim.valid_to is None and (years := years_of(claim.text)):
        claim = replace(claim, valid_from=years[0], valid_to=years[1])
    if claim.value and attributes.is_known(claim.attribute):
        filed = Fact(claim.subject.lower(), claim.attribute, claim.value, claim.negated, claim.past)
        same = [fact for fact in facts if fact.attribute == filed.attribute]
        if not any(filed.value == fact.value or filed.subject == fact.subject for fact in same):
            # A model, or an import, read in the text what these rules cannot.
            facts += (filed,)
    return Side(claim=claim, lang=lang, facts=facts, open=open_, at=event_time, plain=normalise(claim.text))


def _between(new: Side, old: Side, known: Held) -> Relation | None:
    if new.plain == old.plain:
        return Relation(RelationKind.DUPLICATE, known.id, Reason("same_words"))
    if new.open or old.open:
        return None
    relation = relate_facts.relate(new, old, known.id)
    if relation is None or relation.kind in _GIVES_WAY:
        relation = (
            relate_gist.relate(new, old, known.id)
            or relate_gist.same(new, old, known.id)
            or relation
            or relate_words.relate(new, old, known.id, known.similarity)
        )
    if relation is None:
        return None
    if relation.kind.needs_a_person:
        relation = _in_time(_in_place(relation, new, old), new, old)
    if relation.kind.needs_a_person and not relation.suggestion:
        relation = suggest(relation, new, old)
    return relation


def _in_place(relation: Relation, new: Side, old: Side) -> Relation:
    """What differs between winter and summer, or here and there, stands side by side."""
    said, held = (
        text.replace(str(relation.reason.params.get(name) or "\n"), " ")
        for text, name in ((new.claim.text, "new"), (old.claim.text, "held"))
    )
    if not other_circumstances(said, held) or relation.reason.code == "fixed_value_differs":
        return relation
    return Relation(RelationKind.ADDITIVE, relation.held_id, Reason("different_circumstances", relation.reason.params))


def _in_time(relation: Relation, new: Side, old: Side) -> Relation:
    """A statement about an earlier time is history; one about another period stands beside what is held."""
    if new.ends and old.begins and new.ends <= old.begins:
        return Relation(RelationKind.ADDITIVE, relation.held_id, Reason("different_periods", relation.reason.params))
    if old.ends and old.ends <= new.begins_or_said:
        return Relation(RelationKind.ADDITIVE, relation.held_id, Reason("different_periods", relation.reason.params))
    if relation.reason.code == "fixed_value_differs" or not new.is_before(old):
        return relation
    params = relation.reason.params | {
        "held_since": old.begins_or_said.date().isoformat(),
        "said": new.begins_or_said.date().isoformat(),
    }
    return replace(relation, kind=RelationKind.UPDATE, reason=Reason("older_statement", params), older=True)


def suggest(relation: Relation, new: Side, old: Side) -> Relation:
    """Adds what the rules would advise the reviewer, or nothing when they know no better."""
    if relation.older:
        return replace(relation, suggestion="keep", suggestion_reason=Reason("advice_older"))
    if relation.reason.code == "fixed_value_differs":
        return relation
    days = (new.at - old.at).days
    if new.ends and not (old.ends and old.ends <= new.ends):
        params = {"until": new.ends.date().isoformat()}
        return replace(relation, suggestion="keep_both", suggestion_reason=Reason("advice_two_periods", params))
    if any(fact.changed or fact.ended for fact in new.facts):
        return replace(
            relation, suggestion="accept", suggestion_reason=Reason("advice_says_it_changed", {"days": days})
        )
    if relation.kind is RelationKind.UPDATE and days >= 1:
        return replace(relation, suggestion="accept", suggestion_reason=Reason("advice_newer", {"days": days}))
    return relation


def _rank(relation: Relation) -> int:
    return _OLDER_UPDATE if relation.older else _STRENGTH[relation.kind]
