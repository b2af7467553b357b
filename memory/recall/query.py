"""What a question asks for, ready for both arms of retrieval."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.index.text import plain, terms
from memory.recall.dates import Period, periods_in

SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")
# A capitalised word that does not begin a sentence, or a possessive that does.
NAME = re.compile(r"(?:(?<=[a-z0-9,;:] )[A-Z][a-z]+\b(?:['’]s\b)?|\b[A-Z][a-z]+['’]s\b)")
# Asks for what is done again and again.
HABIT = re.compile(
    r"\b(?:usually|normally|typically|generally|tend to|used to|as a rule)\b"
    r"|一般(?!般)|通常|平时|平常|往往|每到|每逢",
    re.IGNORECASE,
)
# So does this, unless it is about what has been done: "What do I wear in winter?"
PRESENT = re.compile(
    r"\b(?:do|does|don['’]t|doesn['’]t|always|often|regularly|mostly|every|each)\b"
    r"|经常|常常|时常|总是|老是|一到|习惯|都会|喜欢|爱(?=[吃喝玩穿去做看])|(?<![非正日])常(?=[去做吃喝玩穿看来])",
    re.IGNORECASE,
)
PAST = re.compile(r"\b(?:did|didn['’]t|was|were|had|have|has|happened|\w{3,}ed)\b|了|过", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QueryPlan:
    text: str  # what to embed
    terms: Sequence[str]  # what to look up
    periods: Sequence[Period]  # the times it asks about
    # what to look for word for word, as text.plain: a question of nothing but stop words has no terms; else ""
    phrase: str = ""


def plan_query(text: str, *, now: datetime, common_terms: Collection[str] = frozenset()) -> QueryPlan:
    """Plan the search for a question asked at `now` (timezone-aware; dates in the question are read in its zone).

    `common_terms` are those many of the user's memories share (UserIndex.common_terms). Names among them are kept
    from the embedder: "What pet does Ada have?" would come near everything that greets Ada. Words still find them.
    """
    wanted = terms(text)
    return QueryPlan(
        text=_without_names(text, common_terms), terms=wanted, periods=_asked_times(text, now),
        phrase="" if wanted else plain(text),
    )  # fmt: skip


def _without_names(text: str, common_terms: Collection[str]) -> str:
    def dropped_if_common(match: re.Match) -> str:
        found = terms(match.group())
        return "" if found and all(term in common_terms for term in found) else match.group()

    return NAME.sub(dropped_if_common, text).strip() or text


def _asked_times(text: str, now: datetime) -> list[Period]:
    """The times in the text's questions; a chatty "I won a race today! What should I eat?" asks about none."""
    sentences = SENTENCE.findall(text)
    asking = [sentence for sentence in sentences if "?" in sentence or "？" in sentence]
    if len(sentences) > 1 and asking:
        sentences = asking
    asked = "".join(sentences)
    return periods_in(asked, now=now, recurring=not _asks_for_a_habit(asked))


def _asks_for_a_habit(text: str) -> bool:
    return bool(HABIT.search(text) or (PRESENT.search(text) and not PAST.search(text)))
