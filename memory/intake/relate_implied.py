"""Relates a state to a sign that it is not so: "I have no car" and "I parked my car". The rows stand in `implied`."""

import re

from memory.intake import implied, lexicon_en, lexicon_zh
from memory.intake.sentences import is_tentative
from memory.intake.sides import Side
from memory.intake.types import Reason, Relation, RelationKind


def relate(new: Side, old: Side, held_id: str) -> Relation | None:
    """A contradiction between a state and a sign against it, in either order, or None. Never raises."""
    if new.lang != old.lang:
        return None
    for state, sign in ((old, new), (new, old)):
        shown = implied.shown_by(state.claim.text, sign.claim.text, new.lang)
        if shown and _meant(state) and _meant(sign) and _one_person(state, sign, shown[1]):
            return Relation(
                RelationKind.CONTRADICTION, held_id, Reason("does_not_fit", {"row": shown[0], "sign": shown[1]})
            )
    return None


def _meant(side: Side) -> bool:
    """Neither a plan nor a memory of earlier days."""
    past = lexicon_zh.PAST if side.lang == "zh" else lexicon_en.PAST
    return not past.search(side.claim.text) and not is_tentative(side.claim.text, side.lang)


def _one_person(state: Side, sign: Side, words: str) -> bool:
    """True when the sign is about the one whose state it is; "my wife" tells of the speaker only by being theirs."""
    one, other = _speaker(state), _speaker(sign)
    if one == other or not one or not other:
        return True
    if one == "user":
        return other.startswith(("my ", "我")) and bool(re.search(r"\b(?:my|our)\b|我", words, re.IGNORECASE))
    return "they" in (one, other) and "user" not in (one, other) or sign.plain.startswith(one) and one in words.lower()


def _speaker(side: Side) -> str:
    """Whom the sentence is about: the subject of its first fact, or the name it begins with."""
    subject = next((fact.subject for fact in side.facts if fact.subject), side.claim.subject)
    if subject or side.lang == "en":
        return subject
    named = re.match("(?:[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2,3}(?=的|昨|今|早|刚|正))", side.claim.text)
    return "user" if "我" in side.claim.text[:6] else named.group() if named else ""
