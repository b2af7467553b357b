"""What a statement says, as facts that can be compared: whose, which attribute, what value, and how firmly."""

from dataclasses import replace
from functools import lru_cache

from memory.intake import facts_en, facts_zh
from memory.intake.fact import Fact
from memory.intake.sentences import clauses, is_hypothetical, is_question, sentences

__all__ = ["Fact", "attributes_of", "facts_of"]

# Values that name nothing once the sentence stands alone.
_NOTHING = frozenset(
    {"it", "them", "this", "that", "these", "those", "you", "here", "there", "everything", "anything", "something",
     "it all", "this one",
     "that one", "它", "它们", "这", "那", "这个", "那个", "这些", "那些", "这里", "那里", "你", "您", "什么", "一切"}
)  # fmt: skip
_PRONOUNS = frozenset({"it", "them", "它", "它们"})
MOST = 40  # sentences read of one text


@lru_cache(maxsize=2048)
def facts_of(text: str, lang: str) -> tuple[Fact, ...]:
    """Every fact the rules recognise in a text, in order. Questions and what-ifs state none. Never raises."""
    found: list[Fact] = []
    reader = facts_zh if lang == "zh" else facts_en
    for sentence in sentences(text)[:MOST]:
        if is_hypothetical(sentence, lang):
            continue
        parts = clauses(sentence, lang)
        if is_question(sentence, lang):
            # "I work in Lyon, and you?" states something before it asks.
            parts = tuple(part for part in parts[:-1] if not is_question(part, lang))
        elif best := [fact for fact in reader.read_sentence(sentence) if fact not in found]:
            found.extend(best)
        subject = ""
        for clause in parts:
            before = subject
            for fact in reader.read(clause, subject):
                if fact.value in _PRONOUNS and before not in ("", "user", "they", "it"):
                    # "Coriander tastes of soap, I hate it."
                    fact = replace(fact, value=before)
                if fact not in found and fact.value.lower() not in _NOTHING:
                    found.append(fact)
                subject = fact.subject or subject
    return tuple(found)


def attributes_of(text: str, lang: str) -> list[tuple[str, str, str, bool, bool]]:
    """(subject, attribute, value, negated, past) of every recognised fact; wishes and plans are left out."""
    return [
        (fact.subject, fact.attribute, fact.value, fact.negated, fact.past)
        for fact in facts_of(text, lang)
        if not fact.tentative
    ]
