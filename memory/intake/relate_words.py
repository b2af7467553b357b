"""Relates two statements of which the rules read no common fact: by their words, and by their meaning when known."""

import re

from memory.intake import lexicon_en, lexicon_zh
from memory.intake.numbers import Amount, amounts, same_amount
from memory.intake.sentences import is_tentative
from memory.intake.sides import Side
from memory.intake.types import Reason, Relation, RelationKind
from memory.intake.words import content, overlap

# Words of one statement that must be in the other for two wordings to count as one; above it, negation decides.
ALIKE = 0.75
# The bundled embedder's cosine (mean subtracted) from which two statements with shared words say the same.
SAME_MEANING = 0.86

_ZH_NEGATION = re.compile("不再|从不|不会|不能|不用|不是|不|没有|没|未|别|无(?=[需法人])|禁止|停止")
_EN_VERB = re.compile(
    r"\b(?:is|are|has|have|runs?|starts?|ends?|opens?|closes?|leaves?|expires?|takes?|lasts?|costs?|pays?|earns?|"
    r"sleeps?|wakes?|gets?|needs?|allows?|"
    r"accepts?|holds?|contains?|keeps?|sends?|arrives?|departs?|charges?|finishes|works?|uses?|limits?|requires?|"
    r"supports?|serves?|handles?)\b",
    re.IGNORECASE,
)
_EN_EVENT = re.compile(
    r"\b(?:was|were|did|had|\w+ed|bought|paid|ran|went|ate|saw|met|sold|got|took|spent|won|lost|made|came)\b",
    re.IGNORECASE,
)
_ZH_VERB = re.compile("[是在有到要需为开发能会用收持续超睡花跑走写读]|保留|允许|支付")
_CHANGE_WORDS = re.compile(
    r"\b(?:now|currently|since|from|until|already|these days|nowadays|instead|anymore|usually|only|up|down|to|monday|"
    r"today|changed|raised|new)\b|"
    r"现在|目前|已经|只|才|仅|改[成为到]?|调[整到成]*|了|如今|每次|变成",
    re.IGNORECASE,
)
_OPPOSITES = (
    "open/closed enabled/disabled on/off allowed/forbidden allowed/prohibited required/optional public/private "
    "available/unavailable working/broken up/down cheap/expensive early/late full/empty safe/unsafe possible/impossib"
    "le "
    "happy/unhappy free/paid hot/cold easy/hard true/false valid/invalid active/inactive alive/dead present/absent "
    "mandatory/optional fast/slow big/small high/low always/never accept/reject include/exclude online/offline "
    "vegetarian/carnivore indoors/outdoors morning/evening"
)
_ZH_OPPOSITES = (
    "开启/关闭 打开/关闭 启用/停用 启用/禁用 允许/禁止 必须/不必 公开/私有 免费/收费 可用/不可用 成功/失败 贵/便宜 早"
    "/晚 "
    "满/空 安全/危险 容易/困难 同意/反对 同意/拒绝 通过/驳回 在线/离线 室内/室外 早上/晚上 热/冷 大/小 高/低 快/慢 胖"
    "/瘦 "
    "支持/不支持 已婚/未婚 上涨/下跌 增加/减少"
)
_ANTONYMS = tuple(tuple(pair.split("/")) for pair in _OPPOSITES.split())
_ZH_ANTONYMS = tuple(tuple(pair.split("/")) for pair in _ZH_OPPOSITES.split())


def relate(new: Side, old: Side, held_id: str, similarity: float) -> Relation | None:
    """Opposite, same, more, less, or None. Works without a similarity (0)."""
    if new.lang != old.lang or _tentative(new) or _tentative(old):
        return None
    if not _same_subjects(new, old):
        return None
    if not _same_numbers(new, old):
        return _other_number(new, old, held_id)
    words, held_words = content(new.claim.text), content(old.claim.text)
    if not words or not held_words:
        return None
    shared = overlap(words, held_words)
    if _past(new) != _past(old):
        return None
    if _negated(new) != _negated(old):
        if shared >= ALIKE and len(words & held_words) >= 1:
            return Relation(RelationKind.CONTRADICTION, held_id, Reason("says_the_opposite_in_words"))
        return None
    if opposed := _opposed(new, old, words, held_words):
        return Relation(
            RelationKind.CONTRADICTION, held_id, Reason("opposite_words", {"held": opposed[1], "new": opposed[0]})
        )
    if shared >= 0.99 or (shared >= ALIKE and similarity >= SAME_MEANING):
        return Relation(RelationKind.DUPLICATE, held_id, Reason("same_words_reordered"))
    if len(words) >= 2 and words < held_words:
        return Relation(RelationKind.CONTAINED, held_id, Reason("already_in_held"))
    if len(held_words) >= 2 and held_words < words:
        return Relation(RelationKind.REFINEMENT, held_id, Reason("adds_detail"))
    return None


def _other_number(new: Side, old: Side, held_id: str) -> Relation | None:
    """Two statements that are one but for a number which is no name: "expires after 10 minutes", "after 30 minutes"."""
    if _past(new) or _past(old) or _tells_an_event(new) or _tells_an_event(old) or _negated(new) != _negated(old):
        return None
    first, second = _measured(new), _measured(old)
    if len(first) != 1 or len(second) != 1 or same_amount(first[0], second[0]) is not False:
        return None
    bare, held_bare = _without_number(new, first[0]), _without_number(old, second[0])
    if len(bare) < 2 or overlap(bare, held_bare) < ALIKE:
        return None
    params = {"held": _shown(old, second[0]), "new": _shown(new, first[0]), "attribute": "", "subject": ""}
    return Relation(RelationKind.UPDATE, held_id, Reason("value_changed", params))


def _measured(side: Side) -> list[Amount]:
    """The numbers that measure something: they stand after the verb, and not right after a noun they number."""
    text = side.claim.text
    verb = (_ZH_VERB if side.lang == "zh" else _EN_VERB).search(text)
    return [amount for amount in amounts(text) if verb and amount.start >= verb.end() - 1]


def _tells_an_event(side: Side) -> bool:
    """Something that happened once: it may happen again with other numbers."""
    if side.lang == "en":
        return bool(_EN_EVENT.search(side.claim.text)) and not lexicon_en.CHANGE.search(side.claim.text)
    return "了" in side.claim.text and not lexicon_zh.CHANGE.search(side.claim.text)


def _without_number(side: Side, amount: Amount) -> frozenset[str]:
    text = side.claim.text[: amount.start] + " " + side.claim.text[amount.end :]
    return content(_CHANGE_WORDS.sub(" ", text))


def _shown(side: Side, amount: Amount) -> str:
    return side.claim.text[amount.start : amount.end].strip()


def _negated(side: Side) -> bool:
    pattern = _ZH_NEGATION if side.lang == "zh" else lexicon_en.NEGATORS
    return len(pattern.findall(side.claim.text)) % 2 == 1


def _tentative(side: Side) -> bool:
    return is_tentative(side.claim.text, side.lang)


def _past(side: Side) -> bool:
    pattern = lexicon_zh.PAST if side.lang == "zh" else lexicon_en.PAST
    return bool(pattern.search(side.claim.text))


def _same_numbers(new: Side, old: Side) -> bool:
    """False when a number of one side has no equal on the other side."""
    first, second = amounts(new.claim.text), amounts(old.claim.text)
    digits = re.findall(r"\d+", new.plain), re.findall(r"\d+", old.plain)
    if not first and not second:
        return digits[0] == digits[1]
    return all(any(same_amount(a, b) for b in second) for a in first) and all(
        any(same_amount(a, b) for a in first) for b in second
    )


def _same_subjects(new: Side, old: Side) -> bool:
    one = {fact.subject for fact in new.facts if fact.subject}
    other = {fact.subject for fact in old.facts if fact.subject}
    return not one or not other or bool(one & other)


def _opposed(new: Side, old: Side, words: frozenset[str], held_words: frozenset[str]) -> tuple[str, str] | None:
    """The pair of opposite words by which two otherwise equal statements differ."""
    if new.lang == "en":
        extra, left = words - held_words, held_words - words
        if len(extra) != 1 or len(left) != 1 or not words & held_words:
            return None
        pair = {min(extra), min(left)}
        return next(((min(extra), min(left)) for one in _ANTONYMS if pair == set(content(" ".join(one)))), None)
    for one, other in _ZH_ANTONYMS:
        for mine, held in ((one, other), (other, one)):
            if (
                mine in new.plain
                and held in old.plain
                and new.plain.replace(mine, "", 1) == old.plain.replace(held, "", 1)
            ):
                return mine, held
    return None
