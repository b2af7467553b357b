"""Relates two statements by their gist: the same in other words, denied, given up, another choice, another number.

Works where `relate_facts` reads no common fact. A conflict needs one subject, one set of circumstances, and words in
common; what may hold beside the held statement ("also", another person, another season) is left alone.
"""

import re

from memory.intake import lexicon_change as words
from memory.intake import lexicon_en, lexicon_zh
from memory.intake.choices import ABOUT_A_THING, OF_ANSWERS, STATES, TOOLS, Choice, choices
from memory.intake.gist import Gist, gist, one_wording, other_circumstances
from memory.intake.given_up import GivenUp, given_up
from memory.intake.numbers import Amount, amounts, same_amount, times_without_a_day
from memory.intake.sentences import is_tentative
from memory.intake.sides import Side
from memory.intake.types import Reason, Relation, RelationKind
from memory.intake.words import content, overlap

ALIKE = 0.75


def relate(new: Side, old: Side, held_id: str) -> Relation | None:
    """A conflict or a sameness that the gists show, or None."""
    if new.lang != old.lang or not _meant(new) or not _meant(old):
        return None
    if _of_two(new, old) and not _succeeds(new, old):
        return None
    mine, theirs = gist(new.claim.text, new.lang), gist(old.claim.text, old.lang)
    if mine.people != theirs.people or not mine.words or not theirs.words:
        return None
    if relation := _chosen(new, old, held_id):
        return relation
    if other_circumstances(new.claim.text, old.claim.text):
        return None
    return (
        _given_up(new, old, theirs, held_id)
        or _denied(new, old, mine, theirs, held_id)
        or _moved(new, old, held_id)
        or _replaced(new, old, mine, theirs, held_id)
    )


def same(new: Side, old: Side, held_id: str) -> Relation | None:
    """A duplicate in other words, or None: one gist, the same numbers, the same people in the same order."""
    if new.lang != old.lang or _past(new) != _past(old) or not _meant(new) or not _meant(old) or _of_two(new, old):
        return None
    mine, theirs = gist(_plain_of_numbers(new), new.lang), gist(_plain_of_numbers(old), old.lang)
    if mine.denies != theirs.denies or mine.people != theirs.people or not _equal_numbers(new, old):
        return None
    if not mine.words or mine.words != theirs.words or not _same_pronouns(new, old):
        return None
    if len(mine.words) < 2 and not amounts(new.claim.text) and new.lang == "zh":
        return None
    return Relation(RelationKind.DUPLICATE, held_id, Reason("same_meaning"))


def _given_up(new: Side, old: Side, theirs: Gist, held_id: str) -> Relation | None:
    """The new statement leaves behind what the held one says."""
    held = {part.phrase for part in given_up(old.claim.text, old.lang)}
    for part in given_up(new.claim.text, new.lang):
        named = gist(part.phrase, new.lang).words
        kept = named - words.LIGHT or named
        if theirs.denies or held or not kept or not kept <= theirs.words:
            continue
        if new.lang == "zh" and len(kept) < 2 and not any(word.isascii() for word in kept):
            continue
        if part.thing and not _has(part, old):
            continue
        if new.lang == "en" and len(theirs.lasting - kept - words.LIGHT) > 3:
            continue
        params = {"held": part.phrase, "new": new.claim.text[:120], "attribute": "", "subject": ""}
        return Relation(RelationKind.UPDATE, held_id, Reason("gives_it_up", params))
    return None


def _has(part: GivenUp, old: Side) -> bool:
    return bool(words.HAVING.search(old.claim.text)) and len(part.phrase) > 1


def _denied(new: Side, old: Side, mine: Gist, theirs: Gist, held_id: str) -> Relation | None:
    """One side denies what the other says, all of it or the wider part; never only a narrower part."""
    if mine.denies == theirs.denies:
        return _prefixed(mine, theirs, held_id)
    no, yes = (mine, theirs) if mine.denies else (theirs, mine)
    side, other = (new, old) if mine.denies else (old, new)
    # what costs four euros is not free, whatever the number
    paid = words.FREE[new.lang] <= no.words & yes.words
    if not paid and (amounts(side.claim.text) and not _equal_numbers(new, old) or _digits(side) - _digits(other)):
        return None
    whole = no.words == yes.words or overlap(no.words, yes.words) >= ALIKE and len(no.words) > 2
    wider = len(no.words) >= 2 and no.words < yes.words and len(yes.lasting - no.words) <= 2 and _is_head(side, other)
    priced = paid and yes.words <= no.words and len(no.words - yes.words) <= 4
    if not whole and not wider and not priced and not (no.words <= yes.words and yes.lasting <= no.words):
        return None
    return Relation(RelationKind.CONTRADICTION, held_id, Reason("says_the_opposite_in_words"))


def _prefixed(mine: Gist, theirs: Gist, held_id: str) -> Relation | None:
    """One word of one side is a word of the other with a prefix that denies it: accessible, inaccessible."""
    one, other = mine.words - theirs.words, theirs.words - mine.words
    if len(one) != 1 or len(other) != 1 or not mine.words & theirs.words:
        return None
    short, long = sorted((min(one), min(other)), key=len)
    if len(short) < 4 or long.removesuffix(short) not in ("un", "in", "im", "ir", "il", "dis", "non", "non-"):
        return None
    return Relation(RelationKind.CONTRADICTION, held_id, Reason("says_the_opposite_in_words"))


def _is_head(denying: Side, saying: Side) -> bool:
    """False when what is denied only describes another thing: mornings, and morning coffee."""
    if denying.lang == "zh":
        return True
    last = next(reversed(re.findall(r"[a-z]{3,}", denying.plain)), "")
    after = re.search(rf"\b{re.escape(last.rstrip('s'))}\w* (?P<next>[a-z]+)", saying.plain)
    return after is None or not content(after.group("next"))


def _chosen(new: Side, old: Side, held_id: str) -> Relation | None:
    """Another option of a kind of which one is chosen at a time."""
    if (
        words.ALSO.search(new.claim.text)
        or gist(new.claim.text, new.lang).denies != gist(old.claim.text, old.lang).denies
    ):
        return None
    for one in choices(new.claim.text):
        for other in choices(old.claim.text):
            if one.kind == other.kind and one.option != other.option and _settles(one, other, new, old):
                params = {"held": other.shown, "new": one.shown, "attribute": one.kind, "subject": ""}
                return Relation(RelationKind.UPDATE, held_id, Reason("value_changed", params))
    return None


def _settles(one: Choice, other: Choice, new: Side, old: Side) -> bool:
    answering = words.ANSWERING if one.kind in OF_ANSWERS else frozenset()
    topic = gist(one.left, new.lang).words - words.ADJUSTED - answering
    held = gist(other.left, old.lang).words - words.ADJUSTED - answering
    shared = topic & held
    takes = bool(words.TAKES_PLACE.search(new.claim.text) or words.FROM_NOW_ON.search(new.claim.text))
    close = len(shared) >= (2 if new.lang == "zh" else 1) and len(shared) >= min(len(topic), len(held)) / 2
    if other_circumstances(one.left, other.left):
        return False
    if one.kind in TOOLS:
        return bool(words.MOVES.search(new.claim.text)) and _speakers(new) == _speakers(old)
    if one.kind in STATES:
        return takes and _speakers(new) == _speakers(old)
    if one.kind in ABOUT_A_THING or takes and close:
        return takes and close
    asks = bool(words.WISH.search(new.claim.text) or takes) and bool(words.WISH.search(old.claim.text))
    return asks and (close or takes and (bool(shared) or not topic or not held))


def _speakers(side: Side) -> set[str]:
    named = {fact.subject for fact in side.facts if fact.attribute not in ("held_by:",) and fact.subject != ""}
    return {"user"} if re.match(r"i\b|we\b|[我咱]", side.plain) else named


def _moved(new: Side, old: Side, held_id: str) -> Relation | None:
    """Another number of the same thing, said with a word of change: "slipped to 26 May"."""
    if not words.TAKES_PLACE.search(new.claim.text) or words.ALSO.search(new.claim.text):
        return None
    pairs = _differing(new, old)
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    topic = gist(_without(new, one), new.lang).words - words.LIGHT
    held = gist(_without(old, other), old.lang).words - words.LIGHT
    shared = topic & held
    if len(shared) < (min(2, len(topic), len(held)) or 1 if new.lang == "zh" else 1) or len(shared) < 0.6 * min(
        len(topic), len(held)
    ):
        return None
    params = {
        "held": old.claim.text[other.start : other.end].strip(), "new": new.claim.text[one.start : one.end].strip(),
        "attribute": "", "subject": "",
    }  # fmt: skip
    return Relation(RelationKind.UPDATE, held_id, Reason("value_changed", params))


def _differing(new: Side, old: Side) -> list[tuple[Amount, Amount]]:
    """The amounts of one kind that each side has once, and that differ."""
    mine, theirs = (amounts(side.claim.text) or times_without_a_day(side.claim.text) for side in (new, old))
    pairs = []
    for one in mine:
        fitting = [other for other in theirs if same_amount(one, other) is not None]
        if len(fitting) == 1 and sum(same_amount(again, fitting[0]) is not None for again in mine) == 1:
            pairs.append((one, fitting[0]))
    return [(one, other) for one, other in pairs if same_amount(one, other) is False]


def _replaced(new: Side, old: Side, mine: Gist, theirs: Gist, held_id: str) -> Relation | None:
    """The same frame with another filling, said with a word of change: "my favourite is Rust now"."""
    text = new.claim.text
    if not words.TAKES_PLACE.search(text) or words.ALSO.search(text) or mine.denies or theirs.denies:
        return None
    if (words.MANY.search(text) and not words.MOVES.search(text) and not words.ONLY.search(text)) or _years(
        old
    ) - _years(new):
        return None
    if _happened(new) and _happened(old):
        return None
    topic, held = mine.lasting - words.ADJUSTED, theirs.lasting - words.ADJUSTED
    shared, gained, lost = topic & held, topic - held, held - topic
    least = 2 if new.lang == "zh" else 1
    if len(shared) < least or not gained or not lost or len(gained) > 4 * least or len(lost) > 3 * least:
        return None
    if len(shared) < len(held) * (0.4 if new.lang == "zh" else 0.5) or len(shared) < len(topic) / 3:
        return None
    if _digits(new) and _digits(old) and not _equal_numbers(new, old) and not all(map(_has_digit, gained | lost)):
        return None
    params = {"held": old.claim.text[:120], "new": new.claim.text[:120], "attribute": "", "subject": ""}
    return Relation(RelationKind.UPDATE, held_id, Reason("value_changed", params))


def _happened(side: Side) -> bool:
    """True when an English statement only says what was done to something: "was renamed yesterday"."""
    match = re.search(r"\b(?:was|were|has been|have been) (?P<v>.+)", side.plain)
    return match is not None and len(gist(match.group("v"), "en").lasting) <= 1


def _meant(side: Side) -> bool:
    """Neither a plan nor a guess; "from now on I'll" is meant."""
    text = side.claim.text
    if _past(side):
        return False
    return not is_tentative(text, side.lang) or bool(words.FROM_NOW_ON.search(text))


def _past(side: Side) -> bool:
    return bool((lexicon_zh.PAST if side.lang == "zh" else lexicon_en.PAST).search(side.claim.text))


def _of_two(new: Side, old: Side) -> bool:
    """True when the two speak of different persons or things: each names a subject, and the other never does."""
    for one, other in ((new, old), (old, new)):
        if words.BIDS.match(one.claim.text):
            continue
        named = [
            fact.subject
            for fact in one.facts
            if fact.subject not in words.NOBODY and not words.SLOT.fullmatch(fact.subject)
        ]
        if named and not any(_names(subject, one, other) for subject in named):
            return True
    one, other = _numbered(new), _numbered(old)
    return bool(one and other and one != other)


def _succeeds(new: Side, old: Side) -> bool:
    """True when the new statement puts somebody in the place of the one the held statement names."""
    named = [part.phrase for part in given_up(new.claim.text, new.lang) if part.phrase[:1].isupper()]
    return any(re.search(rf"\b{re.escape(name)}\b", old.claim.text) for name in named)


def _numbered(side: Side) -> list[str]:
    """The numbers by which things are told apart: Room 101, 2号楼."""
    found = words.NUMBERED.findall(side.plain)
    return sorted("".join(groups) for groups in found)


def _names(subject: str, one: Side, side: Side) -> bool:
    if side.lang == "zh":
        named, text = one_wording(subject.removeprefix("我")), one_wording(side.plain)
        known = len(named) > 3 and len(set(named) & set(text)) >= 0.6 * len(set(named))
        return named in text or known or any(fact.subject and fact.subject in subject for fact in side.facts)
    if re.search(rf"\bour {re.escape(subject)}\b", one.plain) and re.search(r"\b(?:we|us|our)\b", side.plain):
        return True
    return bool(gist(subject, "en").words & gist(side.claim.text, "en").words) or not gist(subject, "en").words


def _without(side: Side, amount: Amount) -> str:
    return side.claim.text[: amount.start] + " " + side.claim.text[amount.end :]


def _plain_of_numbers(side: Side) -> str:
    text = side.claim.text
    for amount in reversed(amounts(text)):
        text = text[: amount.start] + " " + re.sub("^[个名位人]+", "", text[amount.end :])
    return text


def _equal_numbers(new: Side, old: Side) -> bool:
    mine, theirs = amounts(new.claim.text), amounts(old.claim.text)
    return len(mine) == len(theirs) and all(any(same_amount(one, other) for other in theirs) for one in mine)


def _digits(side: Side) -> set[str]:
    return set(re.findall(r"\d+|[一二三四五六七八九十]+(?=[号楼层室班组年级])", side.plain))


def _years(side: Side) -> set[object]:
    return {amount.value for amount in amounts(side.claim.text) if amount.kind in ("year", "date")}


def _has_digit(word: str) -> bool:
    return any(sign.isdigit() for sign in word)


def _same_pronouns(new: Side, old: Side) -> bool:
    """The same people in the same order. "I am a nurse" and "my profession is nurse" speak of one person."""
    mine, theirs = _pronouns(new), _pronouns(old)
    if "我" in new.plain and "我" in old.plain and set(mine) | set(theirs) <= set("我"):
        return True
    return mine == theirs


def _pronouns(side: Side) -> list[str]:
    if side.lang == "en":
        return []
    return re.findall("[你您]|[我咱]|[他她它]", side.claim.text.replace("我的", ""))
