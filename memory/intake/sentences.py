"""Texts become sentences and clauses that are literal parts of them; each can be asked for its mood."""

import re
from functools import lru_cache

_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Co|Corp|Jr|Sr|vs|etc|No|approx|Fig|Sgt|Gen|Rev|Mt|Ave|e\.g|i\.e|a\.m|p\.m)"
    r"|\b[A-Z](?:\.[A-Z])*)$"
)
# A full stop ends a sentence when white space and a new beginning follow; Chinese marks always do.
_END = re.compile(r"[。！？!?]+[”」』\"')）]*|\.+[\"')\]]*(?=\s|$)|[;；]|\n+")
_LIST_MARK = re.compile(r"^\s*(?:[-*•·>]+|\d{1,2}[.)、])\s+")

_ZH_CLAUSE = re.compile(r"[，,；;]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_EN_CLAUSE = re.compile(
    r"\s*(?:;|:\s+(?=(?:i|we|our|my|the|he|she|they|it)\s)|\s[-–—]\s|—|,\s+(?:and|but|so|because|which|while|"
    r"although|though|since|plus|then)\b"
    r"|,\s+(?=(?:I|we|he|she|they|it|my|our|his|her|their)\b(?:'|\s))"
    r"|\s+(?:but|because|although|whereas)\s+"
    r"|\s+and\s+(?=(?:I|we|he|she|they|my|our)\b|(?:joined|moved|started|now|am|is|are|have|has|works?|lives?|prefers?"
    r"|likes?|hates?|loves?|speaks?|runs?|owns?|uses?|became|switched)\b)"
    r"|,\s+(?=now\b))\s*",
    re.IGNORECASE,
)

_QUESTION_MARK = re.compile(r"[?？]\s*[\"'”」』)）]*\s*$")
_EN_QUESTION = re.compile(
    r"^(?:(?:so|and|but|ok|okay|well|hey|hi|hello|please|sorry|also|then|just)[,\s]+)*"
    r"(?:who|whom|whose|what|which|when|where|why|how)(?:'s|'re|'d|'ll)?\b(?!ever\b)"
    r"|^(?:(?:so|and|but|ok|okay|well|hey|please|also|then)[,\s]+)*"
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|isn't|aren't|"
    r"don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|haven't|hasn't)\s+"
    r"(?:i|we|you|he|she|it|they|there|this|that|these|those|my|your|our|the|a|an|any|anyone|someone|(?-i:[A-Z]\w+))\b"
    r"|^any\s+(?:news|idea|chance|update|thoughts)",
    re.IGNORECASE,
)
_ZH_QUESTION = re.compile(
    r"(?:吗|么|呢|不|没)\s*[。!！~～]*$|(?<!什)什么(?:时候|地方|意思|样)?(?:$|[的好呢啊呀。]|是)|怎么(?:样|办|用|做|"
    r"走|回事|说|了|装|去|样)?"
    r"|为什么|为何|哪(?:里|儿|家|个|些|种|位|款|天)|多少|几点|是不是|有没有|能不能|可不可以|会不会|要不要|行不行|好不好"
    r"|对不对|能否|可否|是否(?!要先)|谁(?:是|在|有|会|能|知道)|跑完没|好了没|了没$"
)
_ZH_STATEMENT_AFTER_ALL = re.compile(r"不知道|无论|不管|没有什么|没什么|怎么都|什么都|为什么会|告诉(?:我|他)")

_EN_HYPOTHETICAL = re.compile(
    r"^(?:(?:so|and|but|ok|well|maybe|hmm)[,\s]+)*(?:if|suppose|supposing|imagine|assuming|what if|let's say|say we|"
    r"pretend|"
    r"hypothetically|in case|had I|were I)\b"
    r"|\b(?:would|could|might)\s+(?:\w+\s+){0,6}if\b|\bif\s+(?:i|we|you|he|she|they)\s+(?:\w+ed|were|had|used|moved|"
    r"bought)\b"
    r"|\bhypothetical(?:ly)?\b",
    re.IGNORECASE,
)
_ZH_HYPOTHETICAL = re.compile(r"如果|假如|假设|倘若|若是|要是|万一|^(?:就算|即使|哪怕)")

_EN_TENTATIVE = re.compile(
    r"\b(?:might|(?-i:may)(?! \d)|maybe|perhaps|possibly|probably|considering|thinking (?:of|about)|would (?:like|"
    r"love|want) to|wants? to|"
    r"wish(?:es)?|hop(?:e|es|ing) to|dream(?:s|ing)? of|(?<!\bmy )(?<! phone )(?<!the )(?<! data )plan(?:s|"
    r"ning)? (?:to|on)|intend(?:s)? to|some ?day|one day|"
    r"going to|"
    r"will|'ll|not sure|don't know|could|looking (?:to|into|for)|interested in|i'd (?:like|love)|(?:i'm|i am|is|"
    r"are) moving)\b",
    re.IGNORECASE,
)
_ZH_TENTATIVE = re.compile(
    r"也许|可能|或许|大概会|说不定|打算|想(?!念|起|到)|希望|考虑|计划|准备|将来|有一天|以后想|梦想|要是|如果|假如|"
    r"不确定|估计会|下(?:个月|周|年)要"
)


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, stripped, each a literal part of it; list marks are left off. Never raises."""
    found, start = [], 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and not _ends(text, match):
            continue
        found.append(text[start : match.end()])
        start = match.end()
    found.append(text[start:])
    stripped = (_LIST_MARK.sub("", piece).strip() for piece in found)
    return tuple(piece for piece in stripped if any(sign.isalnum() for sign in piece))


def clauses(sentence: str, lang: str) -> tuple[str, ...]:
    """The clauses of a sentence in order, each a literal part of it."""
    pattern = _ZH_CLAUSE if lang == "zh" else _EN_CLAUSE
    pieces = (piece.strip(" \t,，;；—") for piece in pattern.split(sentence))
    return tuple(piece for piece in pieces if piece)


def is_question(sentence: str, lang: str) -> bool:
    """True when the sentence asks, with or without a question mark."""
    if _QUESTION_MARK.search(sentence):
        return True
    if lang == "en":
        return bool(_EN_QUESTION.search(sentence))
    return bool(_ZH_QUESTION.search(sentence.rstrip("。.!！ "))) and not _ZH_STATEMENT_AFTER_ALL.search(sentence)


def is_hypothetical(sentence: str, lang: str) -> bool:
    """True for what-ifs: nothing in the sentence is claimed to be so."""
    if lang == "en":
        return bool(_EN_HYPOTHETICAL.search(sentence))
    return bool(_ZH_HYPOTHETICAL.search(sentence))


def is_tentative(clause: str, lang: str) -> bool:
    """True for plans, wishes and guesses: they do not say what is so now."""
    return bool((_EN_TENTATIVE if lang == "en" else _ZH_TENTATIVE).search(clause))


def _ends(text: str, match: re.Match[str]) -> bool:
    """False for the stop of an abbreviation or an initial, unless the text ends there."""
    before = text[max(0, match.start() - 12) : match.start()]
    if match.end() >= len(text.rstrip()):
        return True
    after = text[match.end() :].lstrip()[:1]
    if after.islower() and not after.isdigit():
        return False
    return not _ABBREVIATION.search(before)
