"""Reads one English clause into facts: who, by a table of predicates, does or has or is what."""

import re
from collections.abc import Iterator

from memory.intake import lexicon_en as lex
from memory.intake import predicates_en as table
from memory.intake import slots_en
from memory.intake.fact import Fact
from memory.intake.grammar_en import Parsed, parse, subject_of
from memory.intake.numbers import amounts
from memory.intake.slots_en import Found, cut
from memory.intake.words import content

_FEELS = re.compile(rf"BE |(?:{lex.DISLIKE}|{lex.LIKE})\b")
_SPOUSE_IS = re.compile(r"BE (?:my|our) (?:wife|husband|spouse)$")
_LIFT = re.compile(r"my (?:bench(?: press)?|squat|deadlift) is\b", re.IGNORECASE)
_OUR_ONE = re.compile(r"BE (?:my|our) (?P<v>[^,]+)$")
_BEST = re.compile(r"\b(?:best|record|pb|pr|fastest|max)\b", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(\d+(?:\.\d+)?\s?k(?:m|ilomet\w+)?|half[- ]marathon|marathon|\d+\s?m(?:et\w+)?|mile|bench|squat|"
    r"deadlift)(?: press|ed|ted)?\b",
    re.IGNORECASE,
)


def read(clause: str, inherited: str = "") -> Iterator[Fact]:
    """The facts of one clause; `inherited` is the subject of the clause before, for a clause that names none."""
    only = re.match(r"only (?=[A-Z])", clause, re.IGNORECASE)
    parsed = parse(clause[only.end() :] if only else clause, inherited)
    marks = {
        "tentative": parsed.tentative, "ended": bool(lex.ENDED.search(clause)),
        "changed": bool(lex.CHANGE.search(clause)),
        "also": bool(lex.ALSO.search(clause)), "only": bool(only or lex.ONLY.search(clause)),
    }  # fmt: skip
    seen = set()
    for subject, attribute, value, flip in _found(parsed):
        value = value.strip(" .,!;:\"'“”")
        if value and (attribute, value) not in seen:
            seen.add((attribute, value))
            yield Fact(subject, attribute, value, negated=parsed.negated ^ flip, past=parsed.past, **marks)


def read_sentence(sentence: str) -> Iterator[Fact]:
    """The facts that only a whole sentence shows: a personal record and its time."""
    event = _EVENT.search(sentence) if _BEST.search(sentence) or _LIFT.match(sentence) else None
    times = [amount for amount in amounts(sentence) if amount.kind in ("clock", "duration", "mass")] if event else []
    if times:
        parsed = parse(sentence, "user")
        mine = not parsed.subject or re.match(r"(?:my|our|new|the)\b", parsed.shown, re.IGNORECASE)
        key = "best:" + re.sub(r"[^a-z0-9]", "", event.group(1).lower())
        value = sentence[times[-1].start : times[-1].end]
        yield Fact("user" if mine else parsed.subject, key, value, changed=bool(lex.CHANGE.search(sentence)))


def _found(parsed: Parsed) -> Iterator[Found]:
    predicate, subject = parsed.predicate, parsed.subject
    if match := table.PREFER.match(predicate):
        other = match.group("w")
        yield subject, "prefers", cut(match.group("v")) + (f" > {cut(other)}" if other else ""), False
        return
    if match := table.LEFT.match(predicate):
        yield subject, "employer", cut(match.group("v")), True
        return
    filled = set()
    person = subject in ("user", "they", "") or all(word[:1].isupper() for word in parsed.shown.split())
    for found in _personal(subject, predicate, person):
        filled.add(found[1])
        yield found
    for found in (*_replaced(subject, predicate, filled), *_holders(parsed), *slots_en.find(parsed, filled)):
        filled.add(found[1])
        yield found
    if match := _SPOUSE_IS.match(predicate):
        yield "user", "spouse", parsed.shown, False
    if not filled:
        yield from _is(parsed)
        if parsed.subject and not predicate.startswith("BE "):
            yield subject, "does", cut(predicate), False


def _personal(subject: str, predicate: str, person: bool) -> Iterator[Found]:
    """What the table of predicates reads."""
    for attribute, rows in table.PREDICATES:
        match = next((found for row in rows if (found := row.match(predicate))), None)
        if not match or attribute == "age" and not person:
            continue
        value = cut(next(value for name, value in match.groupdict().items() if name != "verb" and value is not None))
        if attribute == "habit":
            yield subject, f"habit:{match.group('verb')}", value or "at all", False
        elif attribute == "owns":
            yield from _owned(subject, value)
        else:
            yield subject, attribute, value, False
        if attribute in table.FINAL:
            return


def _replaced(subject: str, predicate: str, filled: set[str]) -> Iterator[Found]:
    """What a new tool takes the place of."""
    match = table.REPLACED.search(predicate) if filled & {"uses_tool", "runs_on"} else None
    if match:
        yield subject, "uses_tool", cut(next(value for value in match.groups() if value)), True


def _owned(subject: str, value: str) -> Iterator[Found]:
    none = re.match(r"(?:no|any)\s+", value, re.IGNORECASE)
    thing = value[none.end() :] if none else value
    flip = bool(none and none.group().lower().startswith("no"))
    count = re.match(
        r"(?P<n>\d+|two|three|four|five|six|seven|eight|nine|ten)\s+(?P<noun>[a-z][\w -]*)$", thing, re.IGNORECASE
    )
    named = re.match(r"an? (?P<n>[a-z][\w -]*?) of (?P<v>[^,]*\d[^,]*?)(?: for (?:the |an? )?(?P<w>[\w ]+))?$", thing)
    if named and lex.SLOT_NOUNS.search(named.group("n")):
        key = content(f"{named.group('n')} {named.group('w') or ''}")
        yield subject if subject == "user" else "", "slot:" + " ".join(sorted(key)), named.group("v"), flip
        return
    if count:
        yield subject, f"count:{' '.join(sorted(content(count.group('noun'))))}", count.group("n"), flip
        if subject not in ("user", "they"):
            return
    yield subject, "pet" if lex.PETS.search(thing) else "owns", thing, flip


def _holders(parsed: Parsed) -> Iterator[Found]:
    """Who holds a duty or a role."""
    predicate = parsed.predicate
    if match := table.ROLE_OF.match(predicate):
        yield parsed.subject, "role", match.group("v").strip(), False
        key = content(f"{match.group('v')} {match.group('d')}")
        yield "", "slot:" + " ".join(sorted(key)), parsed.shown or parsed.subject, False
        duty = content(match.group("d"))
        yield (
            subject_of(cut(match.group("d"))),
            "held_by:" + " ".join(sorted(duty)),
            parsed.subject or parsed.shown,
            False,
        )
        if match.group("e"):
            yield parsed.subject, "employer", cut(match.group("e")), False
        return
    if match := table.ONLY_ONE.match(predicate):
        yield parsed.subject, "can" if match.group("c") else "owns", cut(match.group("v")), False
    if (match := table.OF_ROLE.match(cut(predicate))) and lex.ROLES.search(match.group("v").split(" of ")[0]):
        yield parsed.subject, "role", match.group("v").split(" of ")[0], False
        yield "", "slot:" + " ".join(sorted(content(match.group("v")))), parsed.shown or parsed.subject, False
        return
    if (
        (match := _OUR_ONE.match(predicate))
        and lex.SLOT_NOUNS.search(match.group("v"))
        and not lex.RELATIVES.search(match.group("v"))
    ):
        yield "user", "slot:" + " ".join(sorted(content(match.group("v")))), parsed.shown, False
    if match := table.HELD_BY.match(predicate):
        duty = " ".join(sorted(content(cut(match.group("v")))))
        if duty and not slots_en.VERSION.search(match.group("v")):
            yield subject_of(cut(match.group("v"))), "held_by:" + duty, parsed.subject or parsed.shown, False
    bare = cut(predicate)
    if match := table.DUTY_OF.match(predicate):
        yield (
            parsed.subject,
            "held_by:" + " ".join(sorted(content(parsed.shown))),
            (match.group("s") or match.group("s2")).lower(),
            False,
        )
    if match := table.SUCCEEDS.match(bare):
        yield "", "slot:" + " ".join(sorted(content(match.group("v")))), parsed.shown or parsed.subject, False
    if (match := table.THE_ROLE.match(bare)) and parsed.subject not in ("it", ""):
        role = next(value for value in match.groups() if value)
        if lex.ROLES.search(role) and not role.startswith(("only", "sole")):
            yield "", "slot:" + " ".join(sorted(content(role))), parsed.shown or parsed.subject, False
    if match := table.CAN.match(predicate):
        yield parsed.subject, "can", cut(match.group("v")), False
    elif re.search(r"\b(?:can|cannot|can't)\b", parsed.whole) and not _FEELS.match(predicate):
        yield parsed.subject, "can", bare, False
    if re.match(r"BE |became |becomes ", predicate) and (match := table.ROLE.match(bare)):
        value = match.group("v").strip()
        if lex.ROLES.search(value) or lex.OCCUPATIONS.search(value):
            yield parsed.subject, "role" if lex.ROLES.search(value) else "occupation", value, False
            if match.group("e"):
                yield parsed.subject, "employer", cut(match.group("e")), False


def _is(parsed: Parsed) -> Iterator[Found]:
    """A plain "is": of use only to see it denied."""
    match = re.match(r"BE (?:an? |the )?(?P<v>[\w' -]+)$", cut(parsed.predicate))
    if match and len(match.group("v").split()) <= 4 and not re.match(r"\w+(?:ing|ed)\b", match.group("v")):
        yield parsed.subject, "is", match.group("v"), False
