"""Relates two statements by their gist: the same in other words, denied, given up, another choice, another number.

Works where `relate_facts` reads no common fact. A conflict needs one subject, one set of circumstances, and words in
common; what may hold beside the held statement ("also", another person, another season) is left alone.
"""

import re

from memory.intake import lexicon_en, lexicon_zh
from memory.intake.choices import ABOUT_A_THING, STATES, Choice, choices
from memory.intake.gist import Gist, gist, one_wording, other_circumstances
from memory.intake.given_up import GivenUp, given_up
from memory.intake.numbers import Amount, amounts, same_amount
from memory.intake.sentences import is_tentative
from memory.intake.sides import Side
from memory.intake.types import Reason, Relation, RelationKind
from memory.intake.words import content, overlap

ALIKE = 0.75
_NOBODY = frozenset({"", "user", "they", "it", "agent"})
# Said to the agent: whatever is read as its subject is none.
_BIDS = re.compile(
    r"(?:from now on,? |please,? |pls |always |never |just |do not |don't |and |ok(?:ay)?,? )*(?:email|mail|call|text|write|"
    r"reply|answer|send|book|use|put|leave|give|deliver|schedule|keep|make|message|address|ship|speak|respond|format|show|"
    r"contact|reach|remind|ring|stop|switch|add|order|pay|set|tell|get|let|start|wake|notify|include|skip|pick|charge)\b|"
    r"请|以后|今后|从现在起|别|不要|帮我|给我|麻烦|默认",
    re.IGNORECASE,
)
_SLOT = re.compile(lexicon_zh.SLOT_NOUNS)
_FROM_NOW_ON = re.compile(
    r"\b(?:from now on|from here on|going forward|please|instead|decided|i'd rather|i(?:'d| would) like(?! to))\b|以后|今后|从现在起|往后|请|别|不用|不要",
    re.IGNORECASE,
)
# The new statement takes the place of another.
_TAKES_PLACE = re.compile(
    r"\b(?:now|from now on|from this (?:week|month|year)|these days|nowadays|instead|in the end|switch(?:ed|ing)|"
    r"chang(?:ed|ing)|mov(?:ed|ing)|renamed|replaced|relocated|converted|renewed|adjusted|climbed|jumped|bumped|set|upgraded|downgraded|migrated|rescheduled|postponed|slipped|"
    r"pushed(?: back)?|brought forward|extended|shortened|raised|lowered|increased|reduced|cut|went (?:up|down)|"
    r"gone (?:up|down)|dropped|rose|fell|grew|best|fastest|highest|record|took|got|became|just|new|shrank|doubled|halved|no longer|(?:down|up) to|took over|turned|"
    r"decided|settled on|only)\b|"
    r"现在|如今|目前|已经|以后|今后|从现在起|改|换|升|涨|降|减|调|延|推迟|提前|变成|转|扩|搬|迁|缩|增加|提高|最后|最终|重新|最快|新高|纪录|破了|再(?=[交开去做来])|只(?=[收用接能要剩])",
    re.IGNORECASE,
)
# Verbs of which several objects stand side by side: "now supports XML" takes no place.
_MANY = re.compile(
    r"\b(?:support|ha[sv]e?|had|like|love|enjoy|know|speak|own|offer|include|sell|accept|learn|play|eat|want|need|"
    r"teach|visit|collect|watch)(?:s|ed|ing)?\b|有|支持|喜欢|爱|会|学|玩|养|想|去过",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|just)\b|只|仅", re.IGNORECASE)
_MOVES = re.compile(r"\b(?:switch|chang|replac|renam|mov|migrat|upgrad)\w+|换|改|升级|迁|转", re.IGNORECASE)
_ALSO = re.compile(
    r"\b(?:also|as well|too|in addition|besides|another|second|both)\b|也|还|另外|另一|同时|兼", re.IGNORECASE
)
_HAVING = re.compile(
    r"\b(?:have|has|had|own|owns|got|keep|drive|drives|use|uses|run|runs|ride|manage|manages|lead|leads|on|deploy|"
    r"host|rent|with)\b|有|养|开|用|是|在|骑|负责|租|订|请",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please |pls |just |always |and )*(?:email|e-mail|mail|call|text|write|reply|answer|send|book|use|put|leave|give|"
    r"deliver|schedule|keep|make|message|address|ship|speak|respond|format|show|contact|reach)\b|\bi (?:want|prefer|"
    r"like|take|pay|drink|need|read|would)\b|\bi'd rather\b|^(?:请|以后|今后|有事|快递|帮我|给我|回复|回答|用.{1,6}(?:回|写|说|沟通)|"
    r"叫我|默认|.{1,4}要.{0,3}糖|.*(?:一点|就够|就行|即可|至少|最多)|会议|发票|咖啡)|我(?:喜欢|想|要|平时|一般)|放.{1,8}(?:就行|就好|即可)",
    re.IGNORECASE,
)  # fmt: skip
_LIGHT = frozenset(
    ["now", "have", "get", "use", "go", "do", "make", "take", "be", "want", "need", "send", "put", "new", "best", "month", "monthli", "year", "week", "limit", "about", "last", "rais", "lower", "increas", "reduc", "cut", "went", "up", "down", "to", "reset", "turn", "extend", "slip", "push", "move", "chang", "upgrad", "switch", "pay", "from", "this", "that", "only", "onli", "instead", "end", "come", "thing", "wear", "until", "due", "升", "级", "涨", "降", "改", "换", "成", "为", "调", "高", "提", "减", "延", "长", "前", "推", "迟", "变", "新", "扩", "建", "后", "钱", "每", "月", "定", "起"]
)  # fmt: skip
_ADJUSTED = frozenset("升级涨降改换成为调高提减延长前推迟变新扩建后定起转到") | frozenset(
    [
        "now",
        "new",
        "move",
        "chang",
        "upgrad",
        "switch",
        "extend",
        "slip",
        "push",
        "rais",
        "lower",
        "increas",
        "reduc",
        "cut",
        "went",
        "up",
        "down",
        "to",
        "turn",
        "from",
        "only",
        "decid",
        "end",
        "prefer",
        "pleas",
        "rename",
        "renam",
        "replac",
        "see",
    ]
)


def relate(new: Side, old: Side, held_id: str) -> Relation | None:
    """A conflict or a sameness that the gists show, or None."""
    if new.lang != old.lang or not _meant(new) or not _meant(old) or _of_two(new, old):
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
    if not mine.words or mine.words != theirs.words or _pronouns(new) != _pronouns(old):
        return None
    if len(mine.words) < 2 and not amounts(new.claim.text) and new.lang == "zh":
        return None
    return Relation(RelationKind.DUPLICATE, held_id, Reason("same_meaning"))


def _given_up(new: Side, old: Side, theirs: Gist, held_id: str) -> Relation | None:
    """The new statement leaves behind what the held one says."""
    held = {part.phrase for part in given_up(old.claim.text, old.lang)}
    for part in given_up(new.claim.text, new.lang):
        words = gist(part.phrase, new.lang).words
        kept = words - _LIGHT or words
        if theirs.denies or held or not kept or not kept <= theirs.words:
            continue
        if new.lang == "zh" and len(kept) < 2 and not any(word.isascii() for word in kept):
            continue
        if part.thing and not _has(part, old):
            continue
        if new.lang == "en" and len(theirs.lasting - kept - _LIGHT) > 3:
            continue
        params = {"held": part.phrase, "new": new.claim.text[:120], "attribute": "", "subject": ""}
        return Relation(RelationKind.UPDATE, held_id, Reason("gives_it_up", params))
    return None


def _has(part: GivenUp, old: Side) -> bool:
    return bool(_HAVING.search(old.claim.text)) and len(part.phrase) > 1


def _denied(new: Side, old: Side, mine: Gist, theirs: Gist, held_id: str) -> Relation | None:
    """One side denies what the other says, all of it or the wider part; never only a narrower part."""
    if mine.denies == theirs.denies:
        return None
    no, yes = (mine, theirs) if mine.denies else (theirs, mine)
    side, other = (new, old) if mine.denies else (old, new)
    if amounts(side.claim.text) and not _equal_numbers(new, old) or _digits(side) - _digits(other):
        return None
    whole = no.words == yes.words or overlap(no.words, yes.words) >= ALIKE and len(no.words) > 2
    wider = len(no.words) >= 2 and no.words < yes.words and len(yes.lasting - no.words) <= 2 and _is_head(side, other)
    if not whole and not wider and not (no.words <= yes.words and yes.lasting <= no.words):
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
    if _ALSO.search(new.claim.text) or gist(new.claim.text, new.lang).denies != gist(old.claim.text, old.lang).denies:
        return None
    for one in choices(new.claim.text):
        for other in choices(old.claim.text):
            if one.kind == other.kind and one.option != other.option and _settles(one, other, new, old):
                params = {"held": other.shown, "new": one.shown, "attribute": one.kind, "subject": ""}
                return Relation(RelationKind.UPDATE, held_id, Reason("value_changed", params))
    return None


def _settles(one: Choice, other: Choice, new: Side, old: Side) -> bool:
    topic = gist(one.left, new.lang).words - _ADJUSTED
    held = gist(other.left, old.lang).words - _ADJUSTED
    shared = topic & held
    takes = bool(_TAKES_PLACE.search(new.claim.text) or _FROM_NOW_ON.search(new.claim.text))
    close = len(shared) >= (2 if new.lang == "zh" else 1) and len(shared) >= min(len(topic), len(held)) / 2
    if other_circumstances(one.left, other.left):
        return False
    if one.kind in STATES:
        return takes and _speakers(new) == _speakers(old)
    if one.kind in ABOUT_A_THING or takes and close:
        return takes and close
    asks = bool(_ORDER.search(new.claim.text) or takes) and bool(_ORDER.search(old.claim.text))
    return asks and (close or takes and (bool(shared) or not topic or not held))


def _speakers(side: Side) -> set[str]:
    named = {fact.subject for fact in side.facts if fact.attribute not in ("held_by:",) and fact.subject != ""}
    return {"user"} if re.match(r"i\b|we\b|[我咱]", side.plain) else named


def _moved(new: Side, old: Side, held_id: str) -> Relation | None:
    """Another number of the same thing, said with a word of change: "slipped to 26 May"."""
    if not _TAKES_PLACE.search(new.claim.text) or _ALSO.search(new.claim.text):
        return None
    pairs = _differing(new, old)
    if len(pairs) != 1:
        return None
    one, other = pairs[0]
    topic = gist(_without(new, one), new.lang).words - _LIGHT
    held = gist(_without(old, other), old.lang).words - _LIGHT
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
    mine, theirs = amounts(new.claim.text), amounts(old.claim.text)
    pairs = []
    for one in mine:
        fitting = [other for other in theirs if same_amount(one, other) is not None]
        if len(fitting) == 1 and sum(same_amount(again, fitting[0]) is not None for again in mine) == 1:
            pairs.append((one, fitting[0]))
    return [(one, other) for one, other in pairs if same_amount(one, other) is False]


def _replaced(new: Side, old: Side, mine: Gist, theirs: Gist, held_id: str) -> Relation | None:
    """The same frame with another filling, said with a word of change: "my favourite is Rust now"."""
    text = new.claim.text
    if not _TAKES_PLACE.search(text) or _ALSO.search(text) or mine.denies or theirs.denies:
        return None
    if (_MANY.search(text) and not _MOVES.search(text) and not _ONLY.search(text)) or _years(old) - _years(new):
        return None
    topic, held = mine.words - _ADJUSTED, theirs.words - _ADJUSTED
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


def _meant(side: Side) -> bool:
    """Neither a plan nor a guess; "from now on I'll" is meant."""
    text = side.claim.text
    if _past(side):
        return False
    return not is_tentative(text, side.lang) or bool(_FROM_NOW_ON.search(text))


def _past(side: Side) -> bool:
    return bool((lexicon_zh.PAST if side.lang == "zh" else lexicon_en.PAST).search(side.claim.text))


def _of_two(new: Side, old: Side) -> bool:
    """True when the two speak of different persons or things: each names a subject, and the other never does."""
    for one, other in ((new, old), (old, new)):
        if _BIDS.match(one.claim.text):
            continue
        named = [
            fact.subject for fact in one.facts if fact.subject not in _NOBODY and not _SLOT.fullmatch(fact.subject)
        ]
        if named and not any(_names(subject, one, other) for subject in named):
            return True
    one, other = _numbered(new), _numbered(old)
    return bool(one and other and one != other)


def _numbered(side: Side) -> list[str]:
    """The numbers by which things are told apart: Room 101, 2号楼."""
    found = re.findall(
        r"\b(?:room|gate|order|invoice|ticket|case|flight|server|floor|line|platform|building|unit|apartment) ?#?([a-z]{0,2}\d+)\b"
        r"|(\d+|[一二三四五六七八九十]+)(?=[号楼层室班组])|(?:订单|发票|房间|航班|工单)号?([a-z]{0,2}\d+)",
        side.plain,
    )
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


def _pronouns(side: Side) -> list[str]:
    if side.lang == "en":
        return []
    return re.findall("[你您]|[我咱]|[他她它]", side.claim.text.replace("我的", ""))
