"""Names in English texts: what the words around them, or the names themselves, say they are."""

import re
from collections.abc import Iterator

from memory.graph import roles
from memory.graph.collector import Collector
from memory.graph.lexicon import GIVEN_NAMES, NO_NAMES, ORGANISATION_ENDS, PLACE_ENDS, PLACES, TOOLS, WORDLY_TOOLS
from memory.graph.reading import ORGANISATION, PERSON, PLACE, PROJECT, SELF, TOOL
from memory.intake.lexicon_en import MAIN_VERBS
from memory.intake.sentences import is_question, is_tentative, sentences

_WORD = r"[A-ZÀ-Þ][\wÀ-ÿ+#]*(?:[-&.][\wÀ-ÿ]+)*"
_RUN = re.compile(rf"\b{_WORD}(?:['’]s\b)?(?:(?: (?:of|de|van|von|del|la|da|bin))? (?:{_WORD}|\d+[A-Z]?\b)){{0,3}}")
_NAME = rf"(?P<name>{_WORD}(?: {_WORD}){{0,2}})"
_OWN_ROLE = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur) (?:(?:older|younger|elder|little|big|twin|best|old|new|former|dear|current) )*"
    rf"(?P<role>(?i:{roles.EN}))\b(?!['’]s\b)"
    rf"(?:,? (?:is |was )?(?:called|named) |, |: | is | )?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?:{_NAME})?"
)
_NAME_ROLE = re.compile(
    rf"{_NAME}(?:, (?:who is )?| is | \()(?:my|our) (?:\w+ )?(?P<role>(?i:{roles.EN}))\b(?!['’]s\b)"
)
_TITLED = re.compile(rf"\b(?:Mr|Mrs|Ms|Dr|Prof|Professor|Doctor)\.? (?P<name>{_WORD}(?: {_WORD})?)")
_ROOM = re.compile(
    r"\b(?P<what>(?:meeting |conference )?room|hall|building|floor|gate|platform|terminal|suite|warehouse|dock|bay|"
    r"aisle|lab|studio|classroom) (?P<number>[A-Z]?-?\d{1,4}[A-Za-z]?|(?-i:[A-Z]))\b(?!\.\d)",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    rf"\bProject (?P<a>{_WORD}(?: [A-Z0-9][\w-]*)?)|\b(?P<b>{_WORD}(?: {_WORD}){{0,2}}) (?:project|Project)\b"
)
_WORKS_ON = re.compile(
    r"\b(?P<verb>(?:work(?:s|ing|ed)? on)|lead(?:s|ing)?|led|joined|manage[sd]?|managing|assigned to|moved to|"
    r"run(?:s|ning)?|own(?:s|ing)?|started|contribut\w+ to) (?:the |our |my )?$"
)
_WENT = re.compile(
    r"\b(?:trip|flew|fly|flying|flights?|travel(?:l?ed|l?ing)?|born|landed|vacation|holiday) (?:back )?(?:to|in|from) $"
)
_ALSO = re.compile(
    rf"{_NAME},? (?:\()?(?:also known as|also called|a\.?k\.?a\.?|nicknamed|who goes by|goes by|is short for) "
    rf"[\"“']?(?P<other>{_WORD}(?: {_WORD})?)"
)
_OF_ANOTHER = re.compile(
    rf"(?P<whose>{_WORD}(?: {_WORD})?)['’]s (?:\w+ )?(?P<role>(?i:{roles.EN}))(?: is|, | named| called)? {_NAME}"
)
_FIRST_PERSON = re.compile(r"\b(?:I|We|we|my|My|our|Our)\b")
_LEADS = frozenset({"lead", "leads", "leading", "led", "manages", "manage", "managing", "managed", "runs", "owns"})


def read(text: str, found: Collector) -> None:
    for sentence in sentences(text):
        sure = not (is_question(sentence, "en") or is_tentative(sentence, "en"))
        _roles(sentence, found, sure)
        _rooms(sentence, found)
        _projects(sentence, found, sure)
        for match in _TITLED.finditer(sentence):
            found.add(match.group("name"), PERSON)
        for match in _ALSO.finditer(sentence):
            one, other = trimmed(match.group("name")), trimmed(match.group("other"))
            if one and other:
                found.also(found.add(one), found.add(other))
        _known(sentence, found)
        _runs(sentence, found)


def trimmed(shown: str) -> str:
    """A run of capitalised words without what is no part of a name at either end; "" when nothing is left."""
    words = re.sub(r"['’]s\b", "", shown).split()
    if " ".join(words).lower() in PLACES | TOOLS:
        return " ".join(words)
    while words and words[0].lower().strip(".,") in NO_NAMES:
        words = words[1:]
    while words and words[-1].lower().strip(".,") in NO_NAMES | {"of", "de", "van", "von", "the"}:
        words = words[:-1]
    kept = " ".join(words).strip(" .,")
    return kept if any(sign.isalpha() for sign in kept) and (len(kept) > 1 or kept.isupper()) else ""


def name_at_start(value: str) -> str:
    """The name that a fact's value begins with, "" when it is a common noun."""
    value = re.sub(r"^(?:the|a|an) (?=[A-Z])", "", value.strip())
    if value.lower() in TOOLS:
        return value
    match = _RUN.match(value)
    return trimmed(match.group()) if match else ""


def is_common(word: str, text: str) -> bool:
    """Whether a capitalised word that begins a sentence is likely no name: a verb, or a word the text writes small."""
    folded = word.lower()
    if folded in GIVEN_NAMES:
        return False
    return folded in MAIN_VERBS or folded.endswith(("ing", "ed", "ly", "n't")) or f" {folded}" in text


def kind_of(name: str) -> str:
    """What a name is by itself, "" when it does not say."""
    folded = name.lower()
    words = folded.split()
    if folded in PLACES:
        return PLACE
    if folded in TOOLS:
        return TOOL
    if len(words) > 1 and words[-1] in ORGANISATION_ENDS or len(words) > 2 and words[0] in ("university", "bank"):
        return ORGANISATION
    if len(words) > 1 and words[-1] in PLACE_ENDS:
        return PLACE
    if words and words[0] in GIVEN_NAMES and all(word.isalpha() for word in words) and len(words) <= 3:
        return PERSON
    return ""


def _roles(sentence: str, found: Collector, sure: bool) -> None:
    for match in _OWN_ROLE.finditer(sentence):
        role, name = roles.role_of(match.group("role")), trimmed(match.group("name") or "")
        kind = kind_of(name) if name else PERSON
        if not role or kind not in ("", PERSON) or role == "client" and kind != PERSON:
            continue
        place = found.add(name, PERSON, role)
        if name and sure:
            found.relate(place, role)
    for match in _NAME_ROLE.finditer(sentence):
        role, name = roles.role_of(match.group("role")), trimmed(match.group("name"))
        if role and name and kind_of(name) in ("", PERSON):
            place = found.add(name, PERSON, role)
            if sure:
                found.relate(place, role)
    for match in _OF_ANOTHER.finditer(sentence):
        role, whose, name = (
            roles.role_of(match.group("role")),
            trimmed(match.group("whose")),
            trimmed(match.group("name")),
        )
        if role and whose and name and kind_of(name) in ("", PERSON) and kind_of(whose) in ("", PERSON) and sure:
            found.link(found.add(whose), found.add(name, PERSON), role)


def _rooms(sentence: str, found: Collector) -> None:
    for match in _ROOM.finditer(sentence):
        if match.group("number").isalpha() and match.group("what").islower():
            continue
        found.add(f"{match.group('what')} {match.group('number')}", PLACE)


def _projects(sentence: str, found: Collector, sure: bool) -> None:
    for match in _PROJECT.finditer(sentence):
        name = trimmed(match.group("a") or match.group("b"))
        if not name or not match.group("a") and kind_of(name):
            continue
        shown = f"Project {name}" if match.group("a") else name
        place = found.add(shown, PROJECT)
        doing = _WORKS_ON.search(sentence[: match.start()])
        if not (doing and sure):
            continue
        predicate = "leads" if doing.group("verb").split()[0] in _LEADS else "project"
        before = sentence[: doing.start()]
        people = [run for run in _trimmed_runs(before) if kind_of(run) in ("", PERSON)]
        if people:
            found.link(found.add(people[-1]), place, predicate)
        elif _FIRST_PERSON.search(before):
            found.link(SELF, place, predicate)


def _known(sentence: str, found: Collector) -> None:
    """Tools that are written in small letters."""
    words = re.findall(r"[A-Za-z][\w.+#-]*[\w+#]|[A-Za-z]", sentence)
    for size in (3, 2, 1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size])
            if name.lower() in TOOLS:
                found.add(name, TOOL)


def _runs(sentence: str, found: Collector) -> None:
    """All other capitalised names; where nothing says what they are, another memory may."""
    for match in _RUN.finditer(sentence):
        for name in _parts(trimmed(match.group())):
            kind = kind_of(name)
            begins = not sentence[: match.start()].strip(" \"'“”(-*")
            if not kind and not begins and _WENT.search(sentence[: match.start()]):
                kind = PLACE
            elif not kind and not begins and name.lower() in WORDLY_TOOLS:
                kind = TOOL
            found.add(name, kind)


def _parts(name: str) -> Iterator[str]:
    """ "Lisbon Portugal" is two names, and so are a person's and what follows by accident."""
    words = name.split()
    if len(words) > 1 and name.lower() not in PLACES:
        for size in (2, 1):
            head, rest = " ".join(words[:size]), " ".join(words[size:])
            if head.lower() in PLACES and rest.lower() in PLACES:
                yield from (head, rest)
                return
    if name:
        yield name


def _trimmed_runs(text: str) -> list[str]:
    return [name for match in _RUN.finditer(text) if (name := trimmed(match.group()))]
