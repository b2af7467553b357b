"""Takes one English clause apart: its subject, what stands before the main verb, and the predicate."""

import re
from dataclasses import dataclass

from memory.intake import lexicon_en as lex
from memory.intake.sentences import is_tentative

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?)"
)
# What may stand before the subject and is no part of the statement.
_LEAD = re.compile(
    r"^(?:(?:and|but|so|because|since|while|which|although|well|ok|okay|oh|yes|no|yeah|also|btw|by the way|note|fyi|update|"
    r"quick (?:update|fact|note)|fact|correction|confirmed|just confirmed|remember|remember that|actually|honestly|sorry|"
    r"for the record|in fact|hi|hello|hey|good to know|then|now|currently|as (?:it|they) stands?|yesterday|today|recently|lately|"
    r"(?:last|this|next) (?:week|month|year|term|semester|spring|summer|autumn|fall|winter)|since then|these days|nowadays|"
    r"(?:(?:since|from|as of|in|until) )?(?:(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: on)?)(?=[:,\s])|"
    r"(?:the )?user (?:said|says|told me|mentioned)(?: that)?|my understanding is(?: that)?|i think(?: that)?|"
    r"it turns out(?: that)?|(?:summary|notes?)(?: of [\w ]{3,40})?(?=:)|(?:(?:since|in|as of|from) )?" + _MONTH + r"(?: \d{1,2},?)?(?: \d{4})?(?=[:,\s]))\s*[,:.]?\s+)+",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?<=\w)(?=['’](?:m|re|ve|d|ll)\b)|(?<=\b[Hh]e)(?=['’]s\b)|(?<=\b[Ii]t)(?=['’]s\b)|(?<=\b[Ss]he)(?=['’]s\b)", re.ASCII)
_PARTICIPLE = re.compile(
    r"^(?:\w+(?:ed|en)|been|gone|become|begun|bought|got|made|sold|left|lost|met|paid|put|quit|read|run|set|spent|told|kept|"
    r"built|taught|cut|hit|let|shut|split|moved|switched|just|already|recently|never|not|also|now|always|since)$"
)
_PAST_MAIN = frozenset("lived worked owned played smoked studied spoke drove liked loved hated preferred wore drank ate had".split())
_DETERMINERS = frozenset("the a an my our your his her their its this that these those some every each all both no".split())
_RELATIVES = frozenset(("that", "who", "which", "where", "whom", "whose"))
_STOPPERS = re.compile(rf"^(?:{lex.DISLIKE}|{lex.LIKE})\b", re.IGNORECASE)
_MODALS = frozenset("will would could may might should shall 'll 'd".split())

MAIN_VERBS = frozenset(
    """live lives lived reside resides move moves moved relocated relocates relocate settled work works worked join joins joined
    left quit quits prefer prefers preferred want wants need needs use uses used switched switch changed change own owns
    owned bought got adopted speak speaks spoke know knows wear wears drive drives drove eat eats ate drink drinks drank
    smoke smokes smoked swim swims swam run runs ran walk walks go goes went study studies studied start starts started
    stopped gave became become becomes leads lead led manages manage managed maintains maintain heads head administers
    administer oversees oversee took takes take holds hold held costs cost weighs weigh measures lasts last contains
    contain play plays played dies died belongs belong read reads teach teaches taught train trains trained grew comes
    come came lies stands stand opens open closes close ends begins begin departs arrives meets meet met report reports
    supports requires require allows expires asked asks said says decided agreed chose promised committed keeps keep kept
    store stores stored deploys deploy refuse refuses ordered order orders cooked cook cooks practise practises practice
    practices ride rides rode cycle cycles jog jogs hike hikes visit visits visited call calls called sleep sleeps wake
    wakes gets get has have had hates hate loves love likes like enjoys enjoy adore adores dislikes dislike detests
    detest despises despise avoid avoids find finds thinks think believes graduated majored owes pay pays paid attends
    attend sits sit serves serve hosts host hosted approves approve reviews review handles handle points listens listen
    replaced replaces inherited earns earn charges charge seats seat fits accepts ships ship returns return commutes commute
    renamed migrated upgraded downgraded postponed rescheduled increased decreased raised dropped rose fell doubled took leave leaves expires expire finishes
    finish lands land tastes taste seems seem sounds smells appears sells sell sold provides provide includes include offers offer transferred
    transfer transfers enrolled earns rents rent rented buys buy retired resigned fired stays stay trusts trust believes
    believe depends relies went goes going hosts handles treats treat loves carries carry helps help thinks sings sing draws
    draw paints paint writes write wrote rewrote built builds build collects collect plants plant watches watch follows follow followed
    suffers suffer sends send sent receives receive puts put picks picked gives give given forbids forbid bans ban banned divorced""".split()
)
_VERBS = MAIN_VERBS | lex.AUXILIARIES


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
    """"user" for the person remembered, "they" and "it" for pronouns, else the name or noun in lower case."""
    words = shown.strip(" ,:;\"'“”").split()
    low = [word.lower().strip("\"'“”,") for word in words]
    if not low:
        return ""
    while len(low) > 1 and low[-1] in lex.ADVERBS:
        low, words = low[:-1], words[:-1]
    if low[-1] in lex.USER_WORDS and len(low) <= 2:
        return "user"
    if len(low) == 1:
        return {"he": "they", "she": "they", "they": "they", "it": "it", "this": "it", "that": "it", "you": "agent"}.get(low[0], low[0])
    if relative := lex.RELATIVES.search(shown):
        name = re.match(r"[\s,]*((?:[A-Z][\w'-]*\s?)+)", shown[relative.end() :])
        if name:
            return name.group(1).strip().lower()
        named = re.match(r"\s*((?:[A-Z][\w-]*\s?)+),?\s*(?:my|our)\b", shown)
        if named:
            return named.group(1).strip().lower()
    kept = low[1:] if low[0] in _DETERMINERS and low[0] not in ("no", "every", "each") else low
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
        plain = low in lex.AUXILIARIES if relative or first in _DETERMINERS and place == 1 else low in _VERBS
        if low.endswith(("'s", "s'")) and low not in ("it's", "he's", "she's"):
            continue
        if plain and not (token[0].isupper() and low not in lex.AUXILIARIES):
            return place
    return 0


def _title(tokens: list[str]) -> int:
    """The length of a title that holds verbs of its own: all its words begin with capitals, and a form of be follows."""
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
        elif low in ("do", "does", "did") and following not in ("not", "n't", "never") or low not in lex.AUXILIARIES and low not in lex.ADVERBS and low not in ("not", "never"):
            break
        if tokens[place] in ("May", "Will"):
            break
        modal = modal or low in _MODALS
        negated ^= low in ("not", "never", "cannot", "can't") or low.endswith("n't")
        place += 1
    rest = " ".join(tokens[place:])
    first = tokens[place].lower() if place < len(tokens) else ""
    if place == 0 and rest[:1].isupper() and first in _VERBS | {"born", "based", "allergic"}:
        rest = rest[0].lower() + rest[1:]
    if was and not _PARTICIPLE.match(first) and first not in ("born", "a", "the"):
        past = True
    if first in _PAST_MAIN and not be:
        past = True
    return ("BE " + rest if be else rest), negated, past, modal
