"""Reads one English clause into facts by a table of predicates."""

import re
from collections.abc import Iterator

from memory.intake import lexicon_en as lex
from memory.intake.fact import Fact
from memory.intake.grammar_en import Parsed, parse, subject_of
from memory.intake.numbers import amounts
from memory.intake.units import MONTHS
from memory.intake.words import content

# What follows a value and is no part of it.
_TAIL = re.compile(
    r"(?:\s*[,;(]|\s+(?:since|from|as of|starting|until|till|because|so that|when|while|if|for now|for (?:now|years|months|the last)|"
    r"now|currently|these days|nowadays|anymore|any more|again|yesterday|today|tonight|tomorrow|recently|lately|too|as well|instead|"
    r"last (?:week|month|year|\w+day)|this (?:week|month|year)|next (?:week|month|year|\w+day)|already|at the moment|with my|with his|with her|"
    r"and (?:i|we|he|she|they|now|have|am|is)|but|in (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)|"
    r"(?:a|two|three|few) (?:weeks?|months?|years?) ago|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b).*$",
    re.IGNORECASE,
)
_NAME_LIKE = r"[A-Z0-9][\w.&'-]*(?:\s+(?:of|the|and|&|de|[A-Z0-9][\w.&'-]*))*"

# attribute -> patterns on the predicate; "BE " stands for any form of be. (?P<v>) is the value.
_TABLE: tuple[tuple[str, str], ...] = (
    ("allergy", r"BE (?:\w+ )?(?:allergic|intolerant) to (?P<v>.+)|(?:have|has|suffers? from) an? (?:\w+ )?(?:allergy|intolerance) to (?P<v2>.+)|(?:have|has) an? (?:severe |mild |bad )?(?P<v3>[\w ]+?) (?:allergy|intolerance)"),
    ("diet", rf"BE (?:a |an |strictly |mostly )*(?P<v>{'|'.join(sorted(lex.DIETS))})\b|(?:eat|eats) (?:only )?(?P<v2>halal|kosher|vegan|vegetarian|gluten-free)"),
    ("project", r"(?:BE )?(?:work|works|working|assigned|reassigned|moved|switched|staffed|put)(?: now)? (?:on|to|onto) (?:the )?(?P<v>(?:project|team) .+|.+? (?:project|team))$"),
    ("residence", r"(?:live|lives|lived|living|reside|resides|BE living|BE based|BE settled|settled) (?:\w+ly )?(?:in|at|near|on|outside) (?P<v>.+)"),
    ("residence", r"(?:BE )?(?:moved|move|moves|relocated|relocate|moving|relocating)(?: back| over| house)?(?: from .+?)? to (?P<v>.+)"),
    ("hometown", r"BE (?:originally )?from (?P<v>[A-Z].*)|(?:come|comes) from (?P<v2>[A-Z].*)|grew up in (?P<v3>.+)"),
    ("birthplace", r"BE born in (?!(?:the )?(?:city|country))(?P<v>[A-Z][a-z].*)"),
    ("employer", r"(?:BE )?(?:work|works|worked|working|employed) (?:for|at|with|by) (?!(?:home|night|least|the same|a company|an? |the moment))(?P<v>.+?)(?: as .*)?$"),
    ("employer", r"(?:BE )?(?:joined|join|joins|joining)(?: the)? (?P<v>[A-Z].+?)(?: as .*)?$|(?:started|start|starts)(?: a (?:new )?job| work| working)? (?:at|with) (?P<v2>.+)|(?:got|took|have|has) a (?:new )?job (?:at|with) (?P<v3>.+)|BE hired by (?P<v4>.+)"),
    ("occupation", r"(?:BE )?(?:work|works|working)(?: (?:for|at|in) .+?)? as (?:an? |the )?(?P<v>.+)"),
    ("contact", r"(?:contact|reach|text|call|email|message|phone|ping) (?:me|us) (?:by|via|on|through|over|at) (?P<v>.+)"),
    ("language", r"(?:speak|speaks) (?!(?:for|to|at|with|the)\b)(?:fluent |some |a little |native )?(?P<v>[A-Z].+)"),
    ("wears", r"(?:wear|wears|take|takes) (?:a )?(?:size )(?P<v>.+)"),
    ("spouse", r"BE married to (?P<v>.+)|married (?P<v2>[A-Z].+)"),
    ("marital", r"BE (?P<v>single|married|divorced|engaged|widowed|unmarried)\b(?! to)"),
    ("age", r"BE (?P<v>\d{1,3})(?: years? old)?(?:[,.]|$)|BE (?P<v2>\d{1,3}) years old|(?:turned|turns) (?P<v3>\d{1,3})\b"),
    ("relation", r"BE (?:my|our) (?P<v>.+)"),
    ("runs_on", r"(?:runs?|BE running|BE built|BE deployed|BE written|moved|migrated|BE migrated|switched|BE hosted) (?:over )?(?:on|with|in|to|from .+ to) (?P<v>[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*)"),
    ("uses_tool", r"(?:use|uses|using|BE using|adopted|switched to|moved to|switched from .+ to|changed to|went with|chose|picked) (?P<v>.+?)(?: (?:for|instead of|as|to|on) .*)?$"),
    ("owns", r"(?:have|has|own|owns|got|bought|adopted|have got|keep|keeps|drive|drives) (?P<v>(?:an?|two|three|four|five|\d+|no|any|the|some)? ?.+)"),
    ("likes", rf"(?:BE )?(?:{lex.LIKE}) (?:to |eating |drinking |playing |watching |listening to |reading )?(?P<v>.+)"),
    ("dislikes", rf"(?:BE )?(?:{lex.DISLIKE}) (?:to |eating |drinking |playing |watching |listening to |reading )?(?P<v>.+)"),
    ("wants", r"(?:want|wants|need|needs) (?P<v>.+)"),
    ("diet", r"(?:eat|eats|drink|drinks|smoke|smokes) ?(?P<v>.*)"),
)  # fmt: skip
_PREDICATES = tuple((attribute, re.compile(pattern)) for attribute, pattern in _TABLE)
# A clause that says where somebody lives says nothing of tools; the first of these ends the search.
_FINAL = frozenset({"project", "residence", "employer", "allergy", "relation", "contact", "likes", "dislikes", "age"})
_LEFT = re.compile(r"(?:left|quit|resigned from|stopped working (?:at|for)|departed) (?P<v>[A-Z].+?)(?: and .*)?$")
_PREFER = re.compile(
    r"(?:prefer|prefers|preferred|favou?rs?) (?P<v>.+?)(?:\s+(?:over|to|rather than|instead of|more than)\s+(?P<w>.+))?$", re.IGNORECASE
)
_HELD_BY = re.compile(
    r"(?:BE )?(?:(?:now )?(?:own|owns|lead|leads|led|manage|manages|maintain|maintains|head|heads|run|runs|oversee|oversees|chair|chairs|"
    r"handle|handles|administer|administers)|took over|take over|takes over|taking over|in charge of|responsible for|taken over|"
    r"the (?:owner|lead|leader|head|maintainer|manager|chair) of) (?P<v>.+)",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"(?:BE )?(?:(?:made|appointed|named|elected|promoted to(?: be)?)|became|become|becomes)?\s*"
    r"(?P<d>(?:(?:the only|the sole|an?|the|our|another|one of the)\s+)?)(?P<v>[\w -]+)$",
    re.IGNORECASE,
)
_CHANGED_TO = re.compile(
    r"(?:BE )?(?:moved|changed|postponed|rescheduled|pushed(?: back)?|brought forward|delayed|shifted|set|fixed|scheduled|raised|lowered|increased|"
    r"reduced|cut|updated|upgraded|downgraded|switched|extended|shortened|bumped|dropped|went up|rose|fell|capped|limited|put(?: off)?|due|planned|held|renamed)"
    r"(?: back| forward| up| down| off)?(?: from .+?)? (?:to|until|till|at|for|on|by) (?P<v>.+)",
    re.IGNORECASE,
)
_HAPPENS = re.compile(
    r"(?:BE |takes? place |happens? |starts? |begins? |meets? |opens? |closes? |ends? |departs? |leaves? |arrives? |runs? )(?:on|at|every|in|from|until)?\s*(?P<v>.+)",
    re.IGNORECASE,
)
_VERSION = re.compile(r"(?P<name>[A-Z][A-Za-z+#.]*(?:JS|SQL)?)\s+v?(?P<v>\d+(?:\.\d+)*)\b")
_NUMBERED_THINGS = frozenset(
    {"room", "chapter", "page", "size", "gate", "floor", "level", "step", "issue", "order", "ticket", "line", "section"} | set(MONTHS)
)
_MEASURED = {
    "hold": "capacity", "holds": "capacity", "seats": "capacity", "weighs": "weight", "weigh": "weight", "costs": "price",
    "cost": "price", "lasts": "duration", "takes": "duration", "take": "duration", "measures": "length",
}  # fmt: skip
_MEASURE_NOUN = re.compile(r"\b(capacity|volume|weight|price|cost|fee|duration|length|height|width|depth|distance|size|speed|temperature)\b", re.IGNORECASE)
_BEST = re.compile(r"\b(?:best|record|pb|pr|fastest)\b", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(\d+(?:\.\d+)?\s?k(?:m|ilomet\w+)?|(?:half[- ])?marathon|\d+\s?m(?:et\w+)?|mile|bench(?: press)?|squat|deadlift)\b",
    re.IGNORECASE,
)
_BE_FRAME = re.compile(
    r"BE (?P<key>(?:an? |the |(?:\w+ly )?)?(?P<head>[a-z-]+)(?: [a-z]+){0,2}? ?(?:by|in|at|to|for|with|on|of|as|from|after)(?: the [a-z]+(?: [a-z]+)? (?:of|in))?) (?P<v>.+)$"
)
_VERB_FRAME = re.compile(
    r"(?P<key>(?P<head>[a-z]+)(?: the [a-z]+(?: of)?| a [a-z]+ of)?(?: (?:in|at|to|for|of|on|as|with|from))?(?: the [a-z]+(?: [a-z]+)? (?:of|in))?) (?P<v>.+)$"
)
_SLOT = re.compile(
    r"^(?P<n>[^,;:]{1,90}?)\s+(?:is|are|was|were|'s|has been|will be|should be|must be|equals|=|became|remains)\s+"
    r"(?:now |currently |set to |set at |changed to |raised to |called |still |only |actually |being )*(?P<v>.+)$|^(?P<n2>[A-Za-z][\w ]{1,40}?)\s*[:=]\s*(?P<v2>.+)$",
    re.IGNORECASE,
)


def read(clause: str, inherited: str = "") -> Iterator[Fact]:
    """The facts of one clause; `inherited` is the subject of the clause before, for a clause that names none."""
    parsed = parse(clause, inherited)
    marks = {
        "tentative": parsed.tentative, "ended": bool(lex.ENDED.search(clause)), "changed": bool(lex.CHANGE.search(clause)),
        "also": bool(lex.ALSO.search(clause)), "only": bool(lex.ONLY.search(clause)),
    }  # fmt: skip
    seen = set()
    for subject, attribute, value, flip in _found(parsed):
        value = value.strip(" .,!;:\"'“”")
        if value and (attribute, value) not in seen:
            seen.add((attribute, value))
            yield Fact(subject, attribute, value, negated=parsed.negated ^ flip, past=parsed.past, **marks)


def read_sentence(sentence: str) -> Iterator[Fact]:
    """The facts that only a whole sentence shows: a personal record and its time."""
    event = _EVENT.search(sentence) if _BEST.search(sentence) else None
    times = [amount for amount in amounts(sentence) if amount.kind in ("clock", "duration", "mass")] if event else []
    if times:
        parsed = parse(sentence, "user")
        owner = parsed.subject if parsed.subject and not re.match(r"(?:my|our|new|the)\b", parsed.shown, re.IGNORECASE) else "user"
        key = "best:" + re.sub(r"[^a-z0-9]", "", event.group(1).lower())
        yield Fact(owner, key, sentence[times[-1].start : times[-1].end], changed=bool(lex.CHANGE.search(sentence)))


def _found(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    predicate, subject = parsed.predicate, parsed.subject
    yield from _versions(parsed)
    if match := _PREFER.match(predicate):
        other = match.group("w")
        yield subject, "prefers", _cut(match.group("v")) + (f" > {_cut(other)}" if other else ""), False
        return
    if match := _LEFT.match(predicate):
        yield subject, "employer", _cut(match.group("v")), True
        return
    for attribute, pattern in _PREDICATES:
        if match := pattern.match(predicate):
            value = next((value for value in match.groupdict().values() if value), "")
            if attribute == "diet" and not match.group().startswith("BE "):
                yield subject, f"habit:{predicate.split()[0].rstrip('s').lower()}", _cut(value) or "at all", False
            elif attribute == "owns":
                yield from _owned(subject, value)
            else:
                yield subject, attribute, _cut(value), False
            if attribute in _FINAL:
                break
    yield from _times(parsed)
    yield from _holders(parsed)
    yield from _measures(parsed)
    yield from _frames(parsed)


def _owned(subject: str, value: str) -> Iterator[tuple[str, str, str, bool]]:
    value = _cut(value)
    none = re.match(r"(?:no|any)\s+", value, re.IGNORECASE)
    thing = value[none.end() :] if none else value
    flip = bool(none and none.group().lower().startswith("no"))
    count = re.match(r"(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<noun>[a-z][\w -]*)$", thing, re.IGNORECASE)
    if count and subject not in ("user", "they"):
        yield subject, f"count:{' '.join(sorted(content(count.group('noun'))))}", count.group("n"), flip
        return
    yield subject, "pet" if lex.PETS.search(thing) else "owns", thing, flip


def _times(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    """When something happens, how often somebody does it."""
    found = amounts(parsed.predicate)
    kinds = {amount.kind for amount in found}
    if "frequency" in kinds:
        verb = re.sub(r"^(?:BE )?(?:go(?:es)? |going )?", "", parsed.predicate).split()
        key = content(verb[0]) if verb else frozenset()
        if key:
            amount = next(amount for amount in found if amount.kind == "frequency")
            yield parsed.subject, f"frequency:{min(key)}", parsed.predicate[amount.start : amount.end], False
    if parsed.subject in ("user", "they", "") and not parsed.shown.lower().startswith(("my ", "our ")):
        return
    match = _CHANGED_TO.match(parsed.predicate) or _HAPPENS.match(parsed.predicate)
    when = amounts(match.group("v")) if match else ()
    if when and when[0].kind in ("date", "weekday", "clock") and when[0].start < 8:
        yield parsed.subject, "schedule", _cut(match.group("v"), keep_days=True), False


def _holders(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    """Who holds a duty or a role."""
    predicate = parsed.predicate
    if (match := _HELD_BY.match(predicate)) and not amounts(match.group("v")[:6]):
        duty = " ".join(sorted(content(_cut(match.group("v")))))
        if duty:
            yield subject_of(match.group("v")), "held_by:" + duty, parsed.subject or parsed.shown, False
    if re.match(r"BE |became |becomes ", predicate) and (match := _ROLE.match(_cut(predicate))):
        value = match.group("v").strip()
        if lex.ROLES.search(value) or lex.OCCUPATIONS.search(value):
            yield parsed.subject, "role" if lex.ROLES.search(value) else "occupation", value, False
        else:
            yield parsed.subject, "is", value, False
    elif match := re.match(r"BE (?:an?|the) (?P<v>[\w -]+?) (?:at|for|of|in|with) (?P<e>.+)", predicate):
        if lex.OCCUPATIONS.search(match.group("v")) or lex.ROLES.search(match.group("v")):
            yield parsed.subject, "occupation", match.group("v"), False
            if re.match(r"[A-Z]", match.group("e")):
                yield parsed.subject, "employer", _cut(match.group("e")), False


def _measures(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    """What somebody measured: capacity, weight, price, how long it takes."""
    words = parsed.predicate.split()
    verb = words[0].lower() if words else ""
    found = amounts(parsed.whole)
    noun = _MEASURE_NOUN.search(parsed.whole)
    what = _MEASURED.get(verb) or (noun.group(1).lower() if noun else "")
    if not what or not found:
        return
    thing = content(parsed.shown) - content("capacity volume weight price cost fee duration length height size")
    amount = found[-1]
    if thing and amount.kind not in ("date", "weekday", "clock"):
        yield " ".join(sorted(thing)), f"measure:{amount.kind}", parsed.whole[amount.start : amount.end], False


def _versions(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    match = _VERSION.search(parsed.predicate.removeprefix("BE "))
    if match and match.group("name").lower() not in _NUMBERED_THINGS:
        yield parsed.subject, f"version:{match.group('name').lower()}", match.group("v"), False


def _frames(parsed: Parsed) -> Iterator[tuple[str, str, str, bool]]:
    """"The X of Y is V", "Y was founded by V": the slot is what stands before the value."""
    match = _SLOT.match(parsed.whole)
    if match:
        name, value = match.group("n") or match.group("n2"), match.group("v") or match.group("v2")
        if _names_slot(name):
            key = content(name) - frozenset(content(" ".join(lex.SLOT_STOP)))
            if key:
                owner = "user" if re.match(r"(?:my|our)\b|(?:the )?(?:user|customer)'s\b", name, re.IGNORECASE) else ""
                attribute = "name" if key == {"name"} and owner else "birthday" if key <= {"birthdai", "birth", "date"} and "birth" in min(key, key=len) + " ".join(key) else "slot:" + " ".join(sorted(key))
                yield owner, attribute, _cut(re.sub(r"^(?:now|currently|only|spelled|about|up to|around)\s+", "", value), keep_days=True), False
    if re.match(r"BE born (?:on|in)\b|born (?:on|in)\b", parsed.predicate, re.IGNORECASE) and any(a.kind == "date" for a in amounts(parsed.predicate)):
        yield parsed.subject, "birthday", parsed.predicate.split(" ", 2)[-1], False
        return
    match = _BE_FRAME.match(parsed.predicate)
    if match and match.group("head") in lex.FUNCTIONAL_BE or match and _functional(match.group("key")):
        yield parsed.subject, "be:" + _key(match.group("key")), match.group("v"), False
        return
    match = _VERB_FRAME.match(parsed.predicate)
    if match and match.group("head") in lex.FUNCTIONAL_VERBS and len(match.group("key").split()) > 1:
        yield parsed.subject, "be:" + _key(match.group("key")), match.group("v"), False


def _functional(key: str) -> bool:
    return bool(set(key.split()) & lex.FUNCTIONAL_BE)


def _key(key: str) -> str:
    words = [word for word in key.split() if word not in ("a", "an", "the")]
    return " ".join([*(min(content(word), default=word) for word in words)])


def _names_slot(name: str) -> bool:
    """True for a noun phrase that names one slot; false for a bare entity ("The hotel", "Kofi")."""
    if re.match(r"(?:he|she|it|they|i|we|you|this|that|there)$", name, re.IGNORECASE):
        return False
    return bool(lex.SLOT_NOUNS.search(name)) or bool(re.match(r"the\b.+\b(?:of|that|where|which)\b", name, re.IGNORECASE))


def _cut(value: str, keep_days: bool = False) -> str:
    cut = _TAIL.sub("", value) if not keep_days else re.sub(r"\s*(?:\bnow\b|\binstead\b|\bas well\b|\btoo\b|;|\().*$", "", value)
    return cut.strip(" .,!") or value.strip(" .,!")
