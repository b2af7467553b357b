"""Relates two statements by the facts read out of them: the same slot, and values that agree or do not."""

import re

from memory.intake import relate_implied
from memory.intake.alias_names import ALIASES
from memory.intake.aliases import same_value
from memory.intake.choices import choices
from memory.intake.fact import FIXED, Fact, is_single
from memory.intake.numbers import amounts, same_amount
from memory.intake.sides import Side
from memory.intake.types import Reason, Relation, RelationKind
from memory.intake.words import content, overlap

_LIKING = frozenset({"likes", "dislikes", "prefers"})
_ROLES = frozenset({"role", "occupation"})
# What somebody has, can or does; the verb of having may be part of the value.
_HOLDS = frozenset({"owns", "can", "does"})
_HOLDING = re.compile(
    r"^(?:sole|only|co-?|joint|another|second|new)[ -]?(?=\w)|"
    r"^(?:(?:knows?|ha[sv]e?|holds?|keeps?|gets?|got|owns?|opens?|access(?:es)?) )+(?:(?:the|an?|access to|his|her) )*|"
    r"^(?:the|an?) |^(?:一[把张个份]|知道|掌握|拿着?|持有|有)+"
)
_ANY_PET = frozenset({"pet", "pets", "宠物", "animals", "动物"})


def relate(new: Side, old: Side, held_id: str) -> Relation | None:
    """The strongest relation any pair of facts shows, or None."""
    found: list[Relation] = []
    for known in old.facts:
        for fact in new.facts:
            if relation := _pair(fact, known, held_id):
                found.append(relation)
    conflicts = [relation for relation in found if relation.kind.needs_a_person]
    if conflicts:
        return min(conflicts, key=lambda relation: relation.kind is RelationKind.UPDATE)
    if relation := relate_implied.relate(new, old, held_id):
        return relation
    return _agreement(new, old, held_id, found)


def _pair(new: Fact, old: Fact, held_id: str) -> Relation | None:
    if new.tentative or old.tentative:
        return None
    if relation := _exclusive(new, old, held_id):
        return relation
    if not same_subject(new, old):
        return None
    if relation := _liking(new, old, held_id):
        return relation
    if not same_slot(new.attribute, old.attribute) or new.attribute == "does":
        return None
    if old.past or new.past:
        return _past(new, old, held_id)
    same = values_agree(new, old)
    params = _params(new, old)
    if new.negated != old.negated:
        return _negation(new, old, same, params, held_id)
    if same:
        return Relation(RelationKind.DUPLICATE, held_id, Reason("same_fact", params))
    if same is None or new.negated:
        return None
    if new.attribute in FIXED:
        return Relation(RelationKind.CONTRADICTION, held_id, Reason("fixed_value_differs", params))
    if new.also or old.also and not new.changed:
        return Relation(RelationKind.ADDITIVE, held_id, Reason("stands_beside", params))
    if is_single(new.attribute) or _replaces(new, old):
        kind = (
            RelationKind.UPDATE
            if new.changed or new.attribute.startswith(("best:", "version:", "frequency:", "age"))
            else RelationKind.CONTRADICTION
        )
        code = "value_changed" if kind is RelationKind.UPDATE else "value_differs"
        return Relation(kind, held_id, Reason(code, params))
    return Relation(RelationKind.ADDITIVE, held_id, Reason("stands_beside", params))


def _params(new: Fact, old: Fact) -> dict[str, str]:
    """What fills the sentence of a reason: both values as written, and whose and which slot it is."""
    return {
        "attribute": old.attribute,
        "held": old.value or old.attribute.partition(":")[2],
        "new": new.value or new.attribute.partition(":")[2],
        "subject": new.subject or old.subject,
    }


def same_subject(new: Fact, old: Fact) -> bool:
    """True when both may be about one subject: the same name, none named, or pronouns on both sides."""
    one, other = new.subject, old.subject
    if one == other or not one or not other:
        return True
    if "user" in (one, other):
        return False
    if "they" in (one, other):
        return True
    first, second = content(one), content(other)
    if first and first == second:
        return True
    known = ALIASES.get(one.removeprefix("我").removeprefix("my "))
    return known is not None and known == ALIASES.get(other.removeprefix("我").removeprefix("my "))


def same_slot(one: str, other: str) -> bool:
    """True for the same attribute; slots named by a phrase agree when one phrase only adds words to the other."""
    if one == other:
        return True
    if one.startswith("measure:") and other.startswith("measure:"):
        return _same_measure(one, other)
    kind, _, rest = one.partition(":")
    other_kind, _, other_rest = other.partition(":")
    if kind != other_kind or kind not in ("slot", "held_by") or not rest or not other_rest:
        return False
    first, second = set(rest.split()), set(other_rest.split())
    if len(first) == 1 == len(second):
        short, long = sorted((rest, other_rest), key=len)
        return bool(re.search("[\u4e00-\u9fff]", short)) and len(short) >= 3 and long.endswith(short)
    smaller, larger = sorted((first, second), key=len)
    return len(smaller) >= 2 and smaller <= larger and len(larger) - len(smaller) <= 1


def _same_measure(one: str, other: str) -> bool:
    """The same dimension; the aspect (height, width) may be left out on one side. How big a store is, is what it
    holds."""
    dimension, aspect = one.split(":", 1)[1].rsplit(":", 1)
    other_dimension, other_aspect = other.split(":", 1)[1].rsplit(":", 1)
    aspects = {aspect, other_aspect}
    alike = len(aspects) == 1 or "" in aspects or dimension in ("data", "volume") and aspects == {"capacity", "size"}
    return dimension == other_dimension and alike


def values_agree(new: Fact, old: Fact) -> bool | None:
    """Whether both give one value; None when the two cannot be compared."""
    if new.attribute == "schedule":
        pairs = [same_amount(a, b) for a in amounts(new.value) for b in amounts(old.value)]
        compared = [pair for pair in pairs if pair is not None]
        return all(compared) if compared else None
    if new.attribute.startswith(("measure:", "best:", "frequency:", "version:", "count:")):
        return same_value(new.value, old.value)
    if new.attribute == "commute" and (ways := _ways(new.value)) and (held := _ways(old.value)):
        return ways == held
    if new.attribute == "prefers":
        ours, theirs = new.value.split(" > "), old.value.split(" > ")
        return all(same_value(a, b) for a, b in zip(ours, theirs, strict=False))
    if new.attribute == "pet" and ({new.value.lower(), old.value.lower()} & _ANY_PET):
        return True
    return same_value(new.value, old.value)


def _ways(value: str) -> set[int]:
    """The ways of travelling a value names, whatever the word: cycle and bike are one."""
    return {choice.option for choice in choices(value) if choice.kind == "travel"}


def _past(new: Fact, old: Fact, held_id: str) -> Relation | None:
    """What was so once contradicts nothing; only "used to" said of what is held as so now tells of an end."""
    same = values_agree(new, old)
    params = _params(new, old)
    if new.past and new.ended and not new.negated and not old.past and not old.negated and same:
        return Relation(RelationKind.UPDATE, held_id, Reason("has_ended", params))
    if new.past and old.past and same and new.negated == old.negated:
        return Relation(RelationKind.DUPLICATE, held_id, Reason("same_fact", params))
    return Relation(RelationKind.ADDITIVE, held_id, Reason("about_the_past", params))


def _negation(new: Fact, old: Fact, same: bool | None, params: dict, held_id: str) -> Relation | None:
    if not same and not _covers(new, old):
        return None
    if new.negated and (new.changed or new.ended):
        return Relation(RelationKind.UPDATE, held_id, Reason("has_ended", params))
    return Relation(RelationKind.CONTRADICTION, held_id, Reason("says_the_opposite", params))


def _covers(new: Fact, old: Fact) -> bool:
    """True when the denied value is the wider one: no fish at all, and salmon fish on Fridays."""
    denied, said = (new, old) if new.negated else (old, new)
    wide, narrow = content(denied.value), content(said.value)
    return bool(wide) and wide < narrow and len(narrow) - len(wide) <= 2


def _liking(new: Fact, old: Fact, held_id: str) -> Relation | None:
    """Love and hate of one thing, in whatever words."""
    first, second = _feeling(new), _feeling(old)
    if not first or not second or first == second or new.past or old.past:
        return None
    if new.attribute not in _LIKING and old.attribute not in _LIKING:
        return None
    if not (same_value(_object(new), _object(old)) or _same_object(new, old)):
        return None
    params = _params(new, old)
    if new.changed or new.ended:
        return Relation(RelationKind.UPDATE, held_id, Reason("opposite_feeling", params))
    return Relation(RelationKind.CONTRADICTION, held_id, Reason("opposite_feeling", params))


def _feeling(fact: Fact) -> int:
    sign = {"likes": 1, "prefers": 1, "dislikes": -1}.get(fact.attribute)
    if fact.attribute.startswith(("slot:favourit", "slot:favorit", "favourite:")):
        sign = 1
    if sign is None and fact.attribute.startswith("habit:"):
        sign = 1
    if sign is None:
        return 0
    return -sign if fact.negated else sign


def _object(fact: Fact) -> str:
    return fact.value.partition(" > ")[0]


def _same_object(new: Fact, old: Fact) -> bool:
    return overlap(content(_object(new)), content(_object(old))) >= 0.99


def _replaces(new: Fact, old: Fact) -> bool:
    """True for a many-valued attribute when the new statement says that it takes the place of the held one."""
    if new.attribute == "prefers":
        return _swapped(new.value, old.value)
    if new.attribute in ("role", "occupation", "project"):
        return new.changed and not new.only
    return False


def _swapped(new: str, old: str) -> bool:
    """tabs > spaces, then spaces > tabs; aisle seats, then window seats."""
    first, _, second = new.partition(" > ")
    held_first, _, held_second = old.partition(" > ")
    if second and held_second:
        return same_value(first, held_second) and same_value(second, held_first) or same_value(second, held_first)
    if second:
        return same_value(second, held_first)
    if held_second:
        return same_value(first, held_second)
    words, held_words = first.lower().split(), held_first.lower().split()
    return len(words) > 1 and len(held_words) > 1 and words[-1] == held_words[-1] and words[0] != held_words[0]


def _held_thing(fact: Fact) -> str:
    return _HOLDING.sub("", fact.value)


def _exclusive(new: Fact, old: Fact, held_id: str) -> Relation | None:
    """ "Jo is the only admin" leaves no room for Kim; "only Mats has the code" none for Elin, who knows it."""
    kinds = {new.attribute, old.attribute}
    if not (kinds <= _HOLDS or len(kinds) == 1 and kinds <= _ROLES) or new.negated or old.negated:
        return None
    if not (new.only or old.only) or new.past or old.past or new.subject == old.subject:
        return None
    if not new.subject or not old.subject or not same_value(_held_thing(new), _held_thing(old)):
        return None
    params = {"value": old.value, "held_subject": old.subject, "new_subject": new.subject}
    return Relation(RelationKind.CONTRADICTION, held_id, Reason("only_one_can", params))


def _agreement(new: Side, old: Side, held_id: str, found: list[Relation]) -> Relation | None:
    """Every fact of one side is a fact of the other: the same, less, or more."""
    same = [relation for relation in found if relation.kind is RelationKind.DUPLICATE]
    if same and new.facts and old.facts:
        new_known, old_known = _all_known(new, old), _all_known(old, new)
        extra = content(new.claim.text) - content(old.claim.text)
        left = content(old.claim.text) - content(new.claim.text)
        reason = same[0].reason
        if (
            new_known
            and old_known
            and min(len(extra), len(left)) <= 3
            and (left or len(extra) < 2)
            and (extra or len(left) < 2)
        ):
            return Relation(RelationKind.DUPLICATE, held_id, reason)
        told = frozenset().union(*(content(fact.value) for fact in new.facts))
        if old_known and not left and len(extra - told) >= 2:
            return Relation(RelationKind.REFINEMENT, held_id, Reason("adds_detail", reason.params))
        if new_known and len(extra) <= 2:
            return Relation(RelationKind.CONTAINED, held_id, Reason("already_in_held", reason.params))
        if old_known:
            return Relation(RelationKind.REFINEMENT, held_id, Reason("adds_detail", reason.params))
    return next((relation for relation in found if relation.kind is RelationKind.ADDITIVE), None)


def _all_known(side: Side, other: Side) -> bool:
    """Every value of one side is known to the other, under one of the attributes it was read as."""
    by_value: dict[str, bool] = {}
    for fact in side.facts:
        if fact.attribute not in ("is", "does"):
            by_value[fact.value] = by_value.get(fact.value, False) or _known(fact, other)
    return all(by_value.values())


def _known(fact: Fact, side: Side) -> bool:
    return any(
        same_subject(fact, other) and same_slot(fact.attribute, other.attribute) and fact.negated == other.negated
        and fact.past == other.past and values_agree(fact, other)
        for other in side.facts
    )  # fmt: skip
