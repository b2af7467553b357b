"""The gist of a statement for comparison: its words in one wording, and whether it affirms or denies them.

"I hate jazz", "I don't like jazz" and "jazz? I can't stand it" have one gist: jazz, liking, denied. Synonyms become one
word, and every antonym becomes its opposite, denied.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memory.index.stemming import stem
from memory.intake import lexicon_en, lexicon_zh
from memory.intake.alias_names import ONE_NAMES
from memory.intake.synonyms import EN_DENIED, EN_FLIPS, EN_SAME, EN_TYPED, ZH_DENIED, ZH_FLIPS, ZH_SAME
from memory.intake.units import MONTHS, WEEKDAYS
from memory.intake.words import content

_NEGATED_EN = re.compile(
    r"\b(?:not|never|no longer|cannot|no|neither|nor|none|nothing|without|hardly|barely)\b|n't\b|\bzero\b"
)
_NEGATED_ZH = re.compile(
    "从来不|从来没有?|不再|从不|不会|不能|不用|不要|不可以?|不让|不是|不必|(?<![差对要忙])不(?![错过少久同断])|没有|"
    "没|未(?!来)|"
    "无(?=[需法人])|别(?![墅人的致名处])|勿"
)
_EMPHASIS_ZH = re.compile(
    "一[句滴口根](?!话)|特别|非常|十分|很|超级|最近|现在|目前|如今|已经|一直|其实|真的|一点[儿都也]*|完全|根本|任何|"
    "请|麻烦|以后|今后|从现在起|"
    "到时候?|能|会|可以|要(?!求)|想|打算|还|也|都|就|才|只|再|去|来(?!源)|了|的|地|得|是|在|我们?|咱们?|你们?|您|啊|"
    "吧|呢|呀|哦|啦|"
    "嘛|这个?|那个?|一[个只条家名位台辆]|有(?!限|效|关|名)|和|与|跟|把|被|给|对|从|到|用户"
)
# Short nouns, of whose plural the stemmer leaves the s.
_SHORT_NOUNS = "tv pc id cv cd dvd vm pr kg hr km lb oz nut pet cat dog kid"
_PLURALS = {f"{word}s": word for word in _SHORT_NOUNS.split()}
_TIMES_EN = frozenset(
    [
        "day",
        "night",
        "morning",
        "evening",
        "afternoon",
        "week",
        "weekend",
        "month",
        "year",
        "everi",
        "onc",
        "twice",
        "time",
        "today",
        "yesterdai",
        "tomorrow",
        "daili",
        "weekli",
    ]
) | {content(name.lower()).__iter__().__next__() for name in (*MONTHS, *WEEKDAYS) if name.isascii() and content(name)}
_TIMES_ZH = re.compile(
    "每[天周月年日晚早]|[早中晚][上午]|上午|下午|凌晨|夜里|周[一二三四五六日末]|工作日|一?[杯次回份口天周月年]|"
    "今[天晚早年]|昨[天晚]|平时|一般|通常|经常"
)
# Under which circumstances a statement holds. Two of one kind stand beside each other.
_WHEN = (
    ("weekdays?|workdays?|工作日|平日", "weekends?|周末|双休日"),
    ("winters?|冬天|冬季", "summers?|夏天|夏季", "springs?|春天|春季", "autumns?|秋天|秋季"),
    ("staging|测试环境|预发", "production|prod|生产环境|线上", "dev(?:elopment)?|开发环境|本地"),
    (
        "mornings?|早上|早晨|上午|早餐|breakfast",
        "evenings?|nights?|晚上|夜里|晚餐|晚饭|dinner",
        "lunch|noon|中午|午餐|午饭",
    ),
    ("old|former|旧|老(?=手机|电脑|房|车)", "new|新(?=手机|电脑|房|车)"),
    ("north\\w*|北[门楼]", "south\\w*|南[门楼]", "east\\w*|东[门楼]", "west\\w*|西[门楼]"),
    (
        "first(?! grade| floor| year)|第一",
        "second(?! grade| floor| year)|第二",
        "third(?! grade| floor| year)|第三",
        "final|last|最后",
    ),
    ("work|office|公司", "home|家里"),
    ("front|前[门院]", "back|rear|后[门院]"),
    ("left|左", "right|右"),
)  # fmt: skip
# What names a part of the day but says what somebody is like.
_NO_TIME = re.compile("(?:morning|night|evening) (?:person|people|owl)s?|early (?:bird|riser)s?|夜猫子|晨型人|夜型人")
_WHEN_PATTERNS = tuple(
    tuple(
        re.compile(rf"\b(?:{english})\b|{chinese}" if chinese else rf"\b(?:{english})\b")
        for english, chinese in (
            ("|".join(part for part in option.split("|") if part.isascii()) or "-",
             "|".join(part for part in option.split("|") if not part.isascii()))
            for option in options
        )
    )
    for options in _WHEN
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gist:
    """`words` in one wording. `denies`: says that it is not so. `people`: the relatives it names, lower case.
    `lasting`: its words without those that only say when or how often."""

    words: frozenset[str]
    denies: bool
    people: frozenset[str]
    lasting: frozenset[str]


@lru_cache(maxsize=2048)
def gist(text: str, lang: str) -> Gist:
    """The gist of a text of one language. Never raises."""
    shown = unicodedata.normalize("NFKC", text).replace("’", "'")
    return _chinese(shown.lower()) if lang == "zh" else _english(one_name(shown).lower())


def _english(folded: str) -> Gist:
    for pattern, written in EN_TYPED:
        folded = pattern.sub(written, folded)
    denied = 0
    for pattern, word in EN_DENIED:
        folded, times = pattern.subn(f" {word} ", folded)
        denied += times
    folded, times = _NEGATED_EN.subn(" ", folded)
    short = {_PLURALS.get(word, word) for word in content(folded)}
    words = {EN_SAME.get(word, word) for word in short} - {""}
    flipped = {word for word in words if word in EN_FLIPS}
    words = (words - flipped) | {EN_FLIPS[word] for word in flipped}
    people = {EN_SAME.get(stem(word), word) for word in map(str.lower, lexicon_en.RELATIVES.findall(folded))}
    denies = bool((denied + times + len(flipped)) % 2)
    return Gist(frozenset(words), denies, frozenset(people), frozenset(words) - _TIMES_EN)


def _chinese(folded: str) -> Gist:
    denied = 0
    for pattern, written in (*ZH_DENIED, *ZH_FLIPS):
        folded, times = pattern.subn(written, folded)
        denied += times
    folded = one_wording(folded)
    people = frozenset(re.findall(lexicon_zh.RELATIVES, folded))
    folded, times = _NEGATED_ZH.subn("", folded)
    folded = _EMPHASIS_ZH.sub("", folded)
    return Gist(_signs(folded), bool((denied + times) % 2), people, _signs(_TIMES_ZH.sub("", folded)))


def one_name(text: str) -> str:
    """An English text with each thing under one of its names: "Amazon Web Services" as AWS, JS as JavaScript."""
    pieces = re.findall(r"[A-Za-z.&+#'-]+|[^A-Za-z]+", text)
    for place, piece in enumerate(pieces):
        if not piece[:1].isupper() or len(piece.rstrip(".")) < 4 and not piece.isupper():
            continue
        for length in (7, 5, 3, 1):
            whole = "".join(pieces[place : place + length])
            if short := ONE_NAMES.get(whole.rstrip(".").lower()):
                pieces[place : place + length] = [short]
                break
    return "".join(pieces)


def one_wording(text: str) -> str:
    """A Chinese text with its synonyms as one word."""
    for pattern, written in ZH_SAME:
        text = pattern.sub(written, text)
    return text


def _signs(text: str) -> frozenset[str]:
    return frozenset((*re.findall("[\u4e00-\u9fff]", text), *re.findall(r"[a-z0-9][a-z0-9.+#@_-]*", text)))


def other_circumstances(one: str, other: str) -> bool:
    """True when the two statements name different circumstances of one kind: winter and summer, staging and prod."""
    one, other = (_NO_TIME.sub(" ", text.lower()) for text in (one, other))
    for options in _WHEN_PATTERNS:
        mine = {place for place, option in enumerate(options) if option.search(one)}
        theirs = {place for place, option in enumerate(options) if option.search(other)}
        if mine and theirs and not mine & theirs:
            return True
    return False
