"""English slots that hold one value at a time: when, how often, how much, which version, "the X of Y is V"."""

import re
from collections.abc import Iterator

from memory.intake import lexicon_en as lex
from memory.intake import predicates_en as table
from memory.intake.grammar_en import Parsed
from memory.intake.numbers import Amount, amounts
from memory.intake.units import MONTHS
from memory.intake.words import content

# subject, attribute, value, whether it turns the clause's own yes or no around
Found = tuple[str, str, str, bool]

VERSION = re.compile(r"(?P<name>[A-Z][A-Za-z+#.]+)\s+v?(?P<v>\d+(?:\.\d+)*)\b")
_VERSION_OF = re.compile(r"\bversion v?(?P<v>\d+(?:\.\d+)*)\b|^BE (?:at|on|now) v?(?P<v2>\d+(?:\.\d+)+)$")
_ENTITIES = (
    "room chapter page size gate floor level step issue order week day question verse part episode season act grade y"
    "ear "
    "table figure ticket line section seat platform lane bay number"
)
_NUMBERED = frozenset(_ENTITIES.split()) | frozenset(MONTHS)
_TOOL_VERBS = re.compile(
    r"(?:BE )?(?:runs?|uses?|using|running|upgraded|downgraded|updated|migrated|moved|switched|on|at|pinned)\b"
)

# What a number measures; the word may be the verb, an adjective after the number, or a noun.
_ASPECTS = {
    "hold": "capacity", "holds": "capacity", "seats": "capacity", "capacity": "capacity", "volume": "capacity",
    "weighs": "weight", "weigh": "weight", "weight": "weight", "heavy": "weight",
    "costs": "price", "cost": "price", "price": "price", "fee": "price",
    "lasts": "duration", "last": "duration", "takes": "duration", "take": "duration", "duration": "duration",
    "long": "length", "length": "length", "measures": "length", "tall": "height", "high": "height", "height": "height",
    "wide": "width", "width": "width", "deep": "depth", "depth": "depth", "away": "distance", "distance": "distance",
    "thick": "thickness", "size": "size", "speed": "speed", "temperature": "temperature",
}  # fmt: skip
_MEASURES = re.compile(
    r"(?:(?:has|have|comes with|(?:BE )?upgraded to) (?=\d)|"
    r"(?:has|have) an? (?:total |maximum |max |overall )?(?:capacity|volume|weight|price|length|height|width|depth|"
    r"duration|size|thickness) of (?:about |around |up to )*|"
    r"(?:holds?|seats|costs?|weighs?|lasts?|takes?|measures?|"
    r"contains?|(?:has |have )?(?:went|gone) (?:up|down) to|(?:BE )?(?:rose|fell|dropped|grew|shrank|raised|lowered|"
    r"reduced|increased|cut|extended|shortened|expanded) to) (?:about |around |up to )*|"
    r"BE (?:now |about |around |only |down to |up to |roughly |almost |just |exactly )*)"
)
# Where a thing is kept is one slot, in a drawer or on a shelf.
_PLACED = frozenset({"kept", "stored", "located", "parked", "filed", "situated", "placed"})
_NOT_MEASURED = ("date", "weekday", "clock", "year", "number", "frequency", "version")
_EVERY = re.compile(
    r"\b(?:every|each) (?P<w>night|morning|evening|afternoon|hour|minute|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)day)s?\b",
    re.IGNORECASE,
)

_BE_FRAME = re.compile(
    r"BE (?P<key>(?:an? |the |(?:\w+ly )?)?(?P<head>[a-z-]+)(?: [a-z]+){0,2}? ?(?:by|in|at|to|for|with|on|of|as|from|"
    r"after)"
    r"(?: the [a-z]+(?: [a-z]+)? (?:of|in))?) (?P<v>.+)$"
)
_VERB_FRAME = re.compile(
    r"(?P<key>(?P<head>[a-z]+)(?: the [a-z]+(?: of)?| a [a-z]+ of)?(?: (?:in|at|to|for|of|on|as|with|from))?"
    r"(?: the [a-z]+(?: [a-z]+)? (?:of|in))?) (?P<v>.+)$"
)
# "We store backups in X": the thing is the subject of the same frame as "backups are stored in X".
_ACTIVE = re.compile(
    r"(?P<verb>store|stores|keep|keeps|host|hosts|deploy|deploys|publish|publishes|rewrote|wrote|built|build|ported|"
    r"moved|migrated)\s+"
    r"(?P<s>(?:the |our |all )?[\w -]+?)\s+(?P<p>in|on|at|to|with)\s+(?P<v>[A-Z].+)$"
)
_SLOT = re.compile(
    r"^(?P<n>[^,;:]{1,90}?)\s+(?:(?:has )?(?:went|gone) (?:up|down) to|rose to|fell to|dropped to|(?:has |is |was |"
    r"has been |have been )?"
    r"(?:changed|raised|lowered|increased|reduced|cut|set|extended|renamed) (?:from .+? )?to|is (?:down|up) to|"
    r"is|are|was|were|'s|has been|will be|should be|must be|equals|=|became|remains)\s+"
    r"(?:now |currently |set to |set at |changed to |raised to |called |still |only |actually |being )*(?P<v>.+)$"
    r"|^(?P<n2>(?:my |our |the )?[A-Za-z][\w-]*(?: [\w-]+){0,3})\s*[:=]\s*(?P<v2>.+)$",
    re.IGNORECASE,
)
_SPOUSE = re.compile(r"(?:(?P<s>[A-Z][\w .-]*?)'s|(?P<m>my)) (?:husband|wife|spouse)$", re.IGNORECASE)


def find(parsed: Parsed, filled: set[str]) -> Iterator[Found]:
    """Every slot of the clause; `filled` are the attributes that were read from it before."""
    yield from _versions(parsed)
    yield from _times(parsed)
    bare = cut(parsed.predicate).split()
    if parsed.negated and len(bare) == 1 and bare[0].islower() and not filled:
        yield parsed.subject, f"habit:{min(content(bare[0]), default=bare[0])}", "at all", False
    if not filled & {"likes", "dislikes", "employer"}:
        yield from _measures(parsed)
    if not filled - {"owns", "role", "occupation", "can", "uses_tool", "wants", "relation"}:
        yield from _frames(parsed)


def cut(value: str, keep_days: bool = False) -> str:
    """A value without what follows it. Days stay where they are the value."""
    if keep_days:
        cut_ = re.sub(r"\s*(?:\bnow\b|\binstead\b|\bas well\b|\btoo\b|;|\(\s).*$", "", value)
    else:
        cut_ = table.TAIL.sub("", value)
    return cut_.strip(" .,!") or value.strip(" .,!")


def _versions(parsed: Parsed) -> Iterator[Found]:
    predicate = parsed.predicate
    match = VERSION.search(predicate.removeprefix("BE "))
    if (
        match
        and parsed.subject
        and match.group("name").lower() not in _NUMBERED
        and _TOOL_VERBS.match(predicate.removeprefix("BE ") and predicate)
    ):
        yield parsed.subject, f"version:{match.group('name').lower()}", match.group("v"), False
    elif match := _VERSION_OF.search(predicate):
        yield parsed.subject, "version:", match.group("v") or match.group("v2"), False


def _times(parsed: Parsed) -> Iterator[Found]:
    """When something happens, how often somebody does it."""
    often = next((amount for amount in amounts(parsed.predicate) if amount.kind == "frequency"), None)
    every = _EVERY.search(parsed.predicate)
    start, end = (often.start, often.end) if often else every.span() if every else (0, 0)
    if end:
        doing = content(re.sub(r"^(?:BE )?(?:go(?:es)? |going |went )?(?:to )?", "", parsed.predicate[:start]))
        if doing:
            yield parsed.subject, f"frequency:{' '.join(sorted(doing))}", parsed.predicate[start:end], False
            if len(doing) == 1:
                yield parsed.subject, f"habit:{min(doing)}", "at all", False
    if parsed.subject in ("user", "they", "") and not parsed.shown.lower().startswith(("my ", "our ")):
        return
    match = table.CHANGED_TO.match(parsed.predicate) or table.HAPPENS.match(parsed.predicate)
    when = amounts(match.group("v")) if match else ()
    if when and when[0].kind in ("date", "weekday", "clock") and when[0].start < 8 and "birthday" not in parsed.subject:
        yield parsed.subject, "schedule", cut(match.group("v"), keep_days=True), False


def _measures(parsed: Parsed) -> Iterator[Found]:
    """What somebody measured: capacity, weight, price, how long it takes."""
    match = _MEASURES.match(parsed.predicate)
    rest = parsed.predicate[match.end() :] if match else ""
    found = (
        [amount for amount in amounts(rest) if amount.kind not in _NOT_MEASURED and amount.start <= 3] if match else []
    )
    if not found:
        return
    amount: Amount = found[0]
    around = f"{parsed.shown} {parsed.predicate[: match.end()]} {rest[amount.end :]}".lower()
    of = re.match(r"\s*of (?P<n>[\w ]+)", rest[amount.end :])
    aspect = next((_ASPECTS[word] for word in re.findall(r"[a-z]+", around) if word in _ASPECTS), "")
    aspect = " ".join(sorted(content(of.group("n")))) if of else aspect
    thing = content(re.sub(r"(?:'s|\bof the\b|\bof\b)", " ", parsed.shown)) - content(" ".join(_ASPECTS))
    subject = parsed.subject if parsed.subject in ("user", "they") else " ".join(sorted(thing))
    if subject:
        yield subject, f"measure:{amount.kind}:{aspect}", rest[amount.start : amount.end], False


def _frames(parsed: Parsed) -> Iterator[Found]:
    """ "The X of Y is V", "Y was founded by V": the slot is what stands before the value."""
    match = _SLOT.match(parsed.whole)
    if match and not (
        match.group("n2") and re.search(r"\b(?:i|we|you|your|it|is|in|for you)\b", match.group("n2"), re.IGNORECASE)
    ):
        yield from _slot(match.group("n") or match.group("n2"), match.group("v") or match.group("v2"))
    if re.match(r"(?:BE )?born (?:on|in)\b", parsed.predicate, re.IGNORECASE) and any(
        amount.kind == "date" for amount in amounts(parsed.predicate)
    ):
        yield (
            parsed.subject,
            "birthday",
            re.sub(r"^(?:BE )?born (?:on |in )", "", parsed.predicate, flags=re.IGNORECASE),
            False,
        )
        return
    if match := _ACTIVE.match(parsed.predicate):
        thing = re.sub(r"^(?:the|our|all) ", "", match.group("s")).lower()
        if match.group("verb") in ("rewrote", "wrote", "built", "build", "ported", "migrated", "moved"):
            yield thing, "runs_on", cut(match.group("v")), False
            if match.group("verb") == "moved":
                yield thing, "residence", cut(match.group("v")), False
        else:
            yield thing, "be:" + _key(f"{match.group('verb')} {match.group('p')}"), cut(match.group("v")), False
        return
    match = _BE_FRAME.match(parsed.predicate)
    if match and set(match.group("key").split()) & lex.FUNCTIONAL_BE:
        yield parsed.subject, "be:" + _key(match.group("key")), _whole(match.group("v")), False
        return
    match = _VERB_FRAME.match(parsed.predicate)
    if match and match.group("head") in lex.FUNCTIONAL_VERBS and len(match.group("key").split()) > 1:
        yield parsed.subject, "be:" + _key(match.group("key")), _whole(match.group("v")), False


def _slot(name: str, value: str) -> Iterator[Found]:
    if not _names_slot(name) or re.match(
        r"(?:\w+ed|born|written|built|made|held)\s(?:by|in|with|to|at|on|for|of|yesterday|today|again|last|this|"
        r"twice|successfully)\b",
        value,
    ):
        return
    value = cut(re.sub(r"^(?:now|currently|only|spelled|about|up to|around)\s+", "", value), keep_days=True)
    if match := _SPOUSE.match(name.strip()):
        yield (match.group("s") or "user").lower(), "spouse", value, False
        return
    key = content(name) - content(" ".join(lex.SLOT_STOP))
    if not key or re.match(r"(?:a|an)\b", name, re.IGNORECASE):
        return
    owner = "user" if re.match(r"(?:my|our)\b|(?:the )?(?:user|customer)'s\b", name, re.IGNORECASE) else ""
    if key <= content("birthday birth date") and key & content("birthday birth"):
        yield owner, "birthday", value, False
    elif key == content("name") and owner:
        yield owner, "name", value, False
    else:
        yield owner, "slot:" + " ".join(sorted(key)), value, False


def _names_slot(name: str) -> bool:
    """True for a noun phrase that names one slot; false for a bare entity ("The hotel", "Kofi")."""
    if re.match(r"(?:he|she|it|they|i|we|you|this|that|there)(?:'|\b\s*$)", name, re.IGNORECASE):
        return False
    words = name.split()
    if len(words) > 1 and all(word[:1].isupper() for word in words) and not re.match(r"My|Our|The", name):
        return bool(re.search(r"'s\b", name))
    return bool(lex.SLOT_NOUNS.search(name)) or bool(
        re.match(r"the\b.+\b(?:of|that|where|which)\b", name, re.IGNORECASE)
    )


def _key(key: str) -> str:
    words = [word for word in key.split() if word not in ("a", "an", "the")]
    if words[0] in _PLACED and words[-1] in ("in", "on", "under", "inside", "behind", "near"):
        words[-1] = "at"
    return " ".join(min(content(word), default=word) for word in words)


def _whole(value: str) -> str:
    """A value that is all of the rest, but for "now" and the like."""
    return re.sub(r"\s+(?:now|currently|instead|these days|today|as well|too)$", "", value)
