"""The reading of one memory: who and what it names, and how they stand to each other. Pure, never raises on any text.

Precision first. A name's kind comes from what a fact says of it, from the words beside it, or from the name itself;
a name of which none of them speaks is kept without a kind, and counts only if another memory says what it is.
"""

import re

from memory.graph import extract_en, extract_zh, roles
from memory.graph.collector import Collector
from memory.graph.reading import ORGANISATION, PERSON, PLACE, PROJECT, SELF, TOOL, Reading
from memory.intake.clean import HAN, language
from memory.intake.fact import Fact
from memory.intake.facts import facts_of

# of one memory; what is longer is a document
LONGEST = 4000
_KINDS = {
    "residence": PLACE, "hometown": PLACE, "birthplace": PLACE, "employer": ORGANISATION, "school": ORGANISATION,
    "uses_tool": TOOL, "runs_on": TOOL, "spouse": PERSON, "project": PROJECT,
}  # fmt: skip
# Only people have these.
_PERSONAL = frozenset({
    "birthplace", "employer", "school", "occupation", "allergy", "diet", "language", "birthday",
    "marital", "spouse", "relation", "wears", "commute",
})  # fmt: skip
_MERELY_WITH = r"\b(?:with|by) (?:the )?"
_SCHOOLED = re.compile(r"(?i:\b(?:stud|enrol|universit|college|school|class|attend|graduat|transfer))|[学读]")
_NO_TOOL = r"\b(?:went with|chose|picked|moved to|changed to) (?:the )?"


def read_memory(text: str, *, subject: str = "", attribute: str = "", value: str = "") -> Reading:
    """What a memory's text says, and the fact it is filed under (a model may have read what the rules do not)."""
    text = text[:LONGEST]
    found = Collector()
    lang = language(text)
    facts = list(facts_of(text, lang))
    if attribute and not any((fact.subject, fact.attribute) == (subject, attribute) for fact in facts):
        facts.append(Fact(subject, attribute, value))
    if attribute == "tool_outcome" and subject:
        found.add(subject, TOOL)
    (extract_zh if lang == "zh" else extract_en).read(text, found)
    for fact in facts:
        _fact(fact, text, lang, found)
    return found.reading()


def _fact(fact: Fact, text: str, lang: str, found: Collector) -> None:
    if fact.attribute == "name" and fact.subject == "user":
        if not (fact.negated or fact.tentative):
            found.own(fact.value if HAN.search(fact.value) else extract_en.name_at_start(fact.value))
        return
    if fact.attribute == "school" and not _SCHOOLED.search(text):
        return  # "the team switched to Slack"
    if fact.attribute.startswith("held_by:"):
        _holder(fact, text, found)
        return
    if fact.attribute == "relation":
        role, name = roles.role_of(fact.value), _as_written(fact.subject, text, lang)
        place = found.add(name, PERSON, role) if role and name else None
        if not (fact.negated or fact.past or fact.tentative):
            found.relate(place, role)
        return
    kind, name = _value(fact, text, lang)
    subject = _subject(fact, text, lang, found)
    if not name:
        return
    target = found.add(name, kind, "spouse" if fact.attribute == "spouse" and fact.subject == "user" else "")
    if not (fact.negated or fact.past or fact.tentative or fact.ended):
        found.link(subject, target, "works_in" if kind == PLACE and fact.attribute == "employer" else fact.attribute)


def _value(fact: Fact, text: str, lang: str) -> tuple[str, str]:
    """The kind and name of what a fact gives somebody, ("", "") when it is no name."""
    kind = _KINDS.get(fact.attribute, "")
    if not kind:
        return "", ""
    if lang == "zh" and HAN.search(fact.value):
        if kind == ORGANISATION:
            return extract_zh.employer(fact.value)
        if kind == PLACE:
            name = extract_zh.place_of(fact.value)
        elif kind == PERSON:
            name = fact.value if extract_zh.is_person(fact.value) else ""
        else:
            name = ""
        return (kind, name) if name else ("", "")
    name = extract_en.name_at_start(fact.value)
    if not name:
        return "", ""
    if fact.attribute == "employer" and re.search(_MERELY_WITH + re.escape(name), text):
        return "", ""  # "works with Python"
    if kind == TOOL and re.search(_NO_TOOL + re.escape(name), text):
        return "", ""  # "went with the Millers"
    known = extract_en.kind_of(name)
    if known and known != kind:
        works_in = fact.attribute == "employer" and known == PLACE
        return (known, name) if works_in else ("", "")
    thing = fact.attribute == "residence" and fact.subject not in ("user", "they") and not known
    if thing and not re.search(r"\b(?:live[sd]?|living|reside[sd]?|settled) ", text):
        return "", ""  # "the service moved to Hetzner"
    return kind, name


def _subject(fact: Fact, text: str, lang: str, found: Collector) -> int | None:
    if fact.subject == "user":
        return SELF
    if fact.subject.startswith("my ") and (role := roles.role_of(fact.subject[3:])):
        return found.add("", PERSON, role)
    name = _as_written(fact.subject, text, lang)
    if not name:
        return None
    person = fact.attribute in _PERSONAL
    if " " not in name and name.isascii() and extract_en.is_common(name, text):
        return None
    if lang == "zh" and HAN.search(name):
        if role := roles.role_of(name):
            return found.add("", PERSON, role)
        name = re.sub(f"^(?:我们?的?)?{roles.ZH}(?=..)", "", name)
        if not (found.has(name, PERSON) or extract_zh.is_person(name)):
            return None
    elif person and extract_en.kind_of(name) not in ("", PERSON):
        person = False
    return found.add(name, PERSON if person else "")


def _holder(fact: Fact, text: str, found: Collector) -> None:
    """ "Anna leads the Falcon project": the reader of projects knows the project, here is who."""
    name = _as_written(fact.value, text, "zh" if HAN.search(fact.value) else "en")
    if name:
        found.add(name)


def _as_written(folded: str, text: str, lang: str) -> str:
    """A fact's subject as the text writes it, "" for a pronoun or a common noun."""
    if not folded or folded in ("user", "they", "it", "agent"):
        return ""
    at = text.casefold().find(folded.casefold())
    shown = text[at : at + len(folded)] if at >= 0 else folded
    if lang == "zh" and HAN.search(shown):
        return shown
    return extract_en.name_at_start(shown)
