"""Takes one English clause apart: its subject, what stands before the main verb, and the predicate."""

import re
from dataclasses import dataclass

from memory.intake import lexicon_en as lex
from memory.intake.sentences import is_tentative

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|"
    r"dec(?:ember)?)"
)
# What may stand before the subject and is no part of the statement.
_LEAD = re.compile(
    r"^(?:(?:and|but|so|because|since|while|which|although|well|ok|okay|oh|yes|no|yeah|also|btw|by the way|note|fyi|"
    r"update|"
    r"quick (?:update|fact|note)|fact|correction|confirmed|just confirmed|remember|remember that|actually|honestly|"
    r"sorry|"
    r"for the record|in fact|hi|hello|hey|good to know|then|now|currently|as (?:it|they) stands?|yesterday|today|"
    r"recently|lately|"
    r"(?:(?:from|since|as of|starting) )?(?:last|this|next) (?:week|month|year|term|semester|spring|summer|autumn|fall|"
    r"winter)|since then|these days|from now on|"
    r"nowadays|"
    r"(?:(?:since|from|as of|in|until) )?(?:(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day(?: on)?)(?=[:,\s])|"
    r"(?:the )?user (?:said|says|told me|mentioned)(?: that)?|my understanding is(?: that)?|i think(?: that)?|"
    r"it turns out(?: that)?|(?:the )?(?:tests?|results?|doctors?|records?) (?:shows?|says?|"
    r"confirm(?:s|ed)?)(?: that)?|(?:summary|"
    r"notes?)(?: of [\w ]{3,40})?(?=:)|"
    r"(?:(?:since|in|as of|from) )?" + _MONTH + r"(?: \d{1,2},?)?(?: \d{4})?(?=[:,\s]))\s*[,:.]?\s+)+",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?<=\w)(?=['’](?:m|re|ve|d|ll)\b)|(?<=\b[Hh]e)(?=['’]s\b)|(?<=\b[Ii]t)(?=['’]s\b)|(?<=\b[Ss]he)(?=['’]s\b)",
    re.ASCII,
)
_PARTICIPLE = re.compile(
    r"^(?:\w+(?:ed|en)|been|gone|become|begun|bought|got|made|sold|left|lost|met|paid|put|quit|read|run|set|spent|"
    r"told|kept|"
    r"built|taught|cut|hit|let|shut|split|moved|switched|just|already|recently|never|not|also|now|always|since)$"
)
_RELATIVES = frozenset(("that", "who", "which", "where", "whom", "whose"))
_STOPPERS = re.compile(rf"^(?:{lex.DISLIKE}|{lex.LIKE})\b", re.IGNORECASE)

_VERBS = lex.MAIN_VERBS | lex.AUXILIARIES


@dataclass(slots=True)
class Parsed:
    """`subject` is folded (see subject_of), `shown` as written. `predicate` starts with "BE " after a form of be."""

    subject: str
    shown: str
    predicate: str
    negated: bool
    past: bool
    tentative: bool
    whole: str


def parse(clause: str, inherited: str) -> Parsed:
    """The parts of a clause. `inherited` is the subject when the clause names none."""
    whole = _LEAD.sub("", clause.replace("’", "'"))
    tokens = _SHORT.sub(" ", whole.rstrip(" .,!;:。")).split()
    at = _subject_end(tokens)
    shown = " ".join(tokens[:at])
    subject = subject_of(shown) if at else inherited
    predicate, negated, past, modal = _predicate(tokens[at:])
    return Parsed(
        subject=subject, shown=shown, predicate=predicate, negated=negated,
        past=past or bool(lex.PAST.search(clause)), tentative=modal or is_tentative(clause, "en"), whole=whole,
    )  # fmt: skip


def subject_of(shown: str) -> str:
    """ "user" for the person remembered, "they" and "it" for pronouns, else the name or noun in lower case."""
    words = shown.strip(" ,:;\"'“”").split()
    low = [word.lower().strip("\"'“”,") for word in words]
    if not low:
        return ""
    while len(low) > 1 and low[-1] in lex.ADVERBS:
        low, words = low[:-1], words[:-1]
    if low[-1] in lex.USER_WORDS and len(low) <= 2:
        return "user"
    if len(low) == 1:
        return {
            "he": "they",
            "she": "they",
            "they": "they",
            "it": "it",
            "this": "it",
            "that": "it",
            "you": "agent",
        }.get(low[0], low[0])
    if relative := lex.RELATIVES.search(shown):
        name = re.match(r"[\s,]*((?:[A-Z][\w'-]*\s?)+)", shown[relative.end() :])
        if name:
            return name.group(1).strip().lower()
        named = re.match(r"\s*((?:[A-Z][\w-]*\s?)+),?\s*(?:my|our)\b", shown)
        if named:
            return named.group(1).strip().lower()
    kept = low[1:] if low[0] in lex.DETERMINERS and low[0] not in ("no", "every", "each") else low
    if low[0] in ("my", "our") and lex.RELATIVES.fullmatch(kept[-1]):
        return f"my {kept[-1]}"
    return " ".join(word.removesuffix("'s") for word in kept)


def _subject_end(tokens: list[str]) -> int:
    """How many tokens the subject has; 0 when the clause starts with its verb or shows none."""
    if not tokens:
        return 0
    first = tokens[0].lower()
    if first in lex.PRONOUNS and first not in ("this", "that", "these", "those", "someone", "who"):
        return 1
    if title := _title(tokens):
        return title
    if first in _VERBS and (tokens[0].islower() or first not in ("will", "may")):
        return 0
    if first in ("born", "based", "allergic", "named", "called", "decided", "only"):
        return 1 if first == "only" and len(tokens) > 1 and tokens[1].lower() in lex.PRONOUNS else 0
    relative = False
    for place, token in enumerate(tokens[1:14], start=1):
        low = token.lower().strip(",\"'")
        if low in _RELATIVES and place > 1:
            relative = True
            continue
        if token in ("May", "Will", "Mark", "March"):
            continue
        following = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
        if low in lex.ALSO_NOUNS and following in _VERBS:
            continue
        plain = low in lex.AUXILIARIES if relative or first in lex.DETERMINERS and place == 1 else low in _VERBS
        if low.endswith(("'s", "s'")) and low not in ("it's", "he's", "she's"):
            continue
        if plain and not (token[0].isupper() and low not in lex.AUXILIARIES):
            return place
    return 0


def _title(tokens: list[str]) -> int:
    """The length of a title that holds verbs of its own: all words begin with capitals, a form of be follows."""
    for place, token in enumerate(tokens[:9]):
        if place > 1 and token in ("is", "was", "are", "were"):
            return place
        if not (token[:1].isupper() or token[:1].isdigit() or token in ("of", "the", "a", "and", "to", "in", "on")):
            return 0
    return 0


def _predicate(tokens: list[str]) -> tuple[str, bool, bool, bool]:
    """The predicate with "BE " before it after a form of be; whether it is negated, past, tentative."""
    negated = past = modal = be = False
    was = False
    place = 0
    while place < len(tokens):
        low = tokens[place].lower().strip(",")
        following = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
        if _STOPPERS.match(" ".join(tokens[place : place + 5])) and low not in ("am", "only"):
            break
        if low == "used" and following == "to":
            past, place = True, place + 2
            continue
        if low == "no" and following == "longer":
            negated, place = True, place + 2
            continue
        if low in lex.BE:
            be, was = True, was or low in ("was", "were", "wasn't", "weren't")
        elif low in ("have", "has", "had", "'ve"):
            if not _PARTICIPLE.match(following):
                break
        elif (
            low in ("do", "does", "did")
            and following not in ("not", "n't", "never")
            or low not in lex.AUXILIARIES
            and low not in lex.ADVERBS
            and low not in ("not", "never")
        ):
            break
        if tokens[place] in ("May", "Will"):
            break
        modal = modal or low in lex.MODALS
        negated ^= low in ("not", "never", "cannot", "can't") or low.endswith("n't")
        place += 1
    rest = " ".join(tokens[place:])
    first = tokens[place].lower() if place < len(tokens) else ""
    if place == 0 and rest[:1].isupper() and first in _VERBS | {"born", "based", "allergic"}:
        rest = rest[0].lower() + rest[1:]
    if was and not _PARTICIPLE.match(first) and first not in ("born", "a", "the"):
        past = True
    if first in lex.PAST_VERBS and not be:
        past = True
    return ("BE " + rest if be else rest), negated, past, modal
