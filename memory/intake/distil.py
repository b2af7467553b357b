"""An event worth remembering becomes claims: one for each statement that stands on its own, in its own words."""

from memory.intake import orders
from memory.intake.fact import Fact
from memory.intake.facts import attributes_of, facts_of
from memory.intake.judge_answers import whose
from memory.intake.judge_look import Look, whole
from memory.intake.judge_rules import Rule, category_of, judged_sentences
from memory.intake.periods import period
from memory.intake.types import Category, Claim, Event, Verdict

__all__ = ["attributes_of", "claim_as_given", "distil"]

# A longer statement is kept whole in the archive; what is recalled must fit an agent's context.
LONGEST = 1000
MOST = 12
_WHOLE_EVENT = frozenset({"tool_failed", "outcome"})
# What a claim is about, when a sentence holds several facts: the first of these that it has.
_FIRST = (
    "allergy", "diet", "employer", "residence", "name", "birthday", "contact", "likes", "dislikes", "prefers",
    "project", "relation", "pet", "best:",
    "version:", "held_by:", "schedule", "slot:", "role", "occupation", "age", "language",
)  # fmt: skip


def distil(event: Event, verdict: Verdict) -> list[Claim]:
    """The claims of an event judged worth remembering; none for any other. Every claim's text and quote are literal
    parts of the event's text, or of what it hides from the reader."""
    if not verdict.worth:
        return []
    if verdict.rule == "gives_orders":
        return _orders(event)
    seen = whole(event, (), ())
    if verdict.rule in _WHOLE_EVENT:
        text = event.text.strip()[:LONGEST]
        slot = {"subject": event.name, "attribute": "tool_outcome", "value": event.status} if event.name else {}
        return [Claim(text=text, quote=text, category=verdict.category or Category.TASK_STATE, **slot)]
    claims: list[Claim] = []
    for text in seen.sentences:
        for rule, sentence in judged_sentences(Look(event, text)):
            if rule.worth and len(claims) < MOST:
                claim = _claim(rule, sentence)
                if claim.text not in {known.text for known in claims}:
                    claims.append(claim)
    return claims or [_whole(seen, verdict)]


def claim_as_given(event: Event, category: Category) -> Claim:
    """The whole text as one claim, filed under its main fact, for a caller that does not want it taken apart."""
    seen = whole(event, (), ())
    fact = main_fact(facts_of(seen.text, seen.lang))
    begins, ends = period(seen.text, seen.lang, event.event_time)
    return Claim(
        text=event.text, quote=event.text, category=category, subject=subject_of(fact, seen),
        attribute=fact.attribute if fact else "", value=fact.value if fact else "", negated=bool(fact and fact.negated),
        past=bool(fact and fact.past), valid_from=begins, valid_to=ends,
    )  # fmt: skip


def _claim(rule: Rule, seen: Look) -> Claim:
    fact = main_fact(facts_of(seen.text, seen.lang))
    begins, ends = period(seen.text, seen.lang, seen.event.event_time)
    text = seen.text[:LONGEST]
    return Claim(
        text=text, quote=text, category=category_of(rule, seen) or Category.KNOWLEDGE, subject=subject_of(fact, seen),
        attribute=fact.attribute if fact else "", value=fact.value if fact else "", negated=bool(fact and fact.negated),
        past=bool(fact and fact.past), valid_from=begins, valid_to=ends,
    )  # fmt: skip


def _whole(seen: Look, verdict: Verdict) -> Claim:
    """The event as one claim: it was judged by words that no single sentence of it holds."""
    text = seen.text.strip()[:LONGEST]
    return Claim(text=text, quote=text, category=verdict.category or Category.KNOWLEDGE, subject=subject_of(None, seen))


def main_fact(facts: tuple[Fact, ...]) -> Fact | None:
    """The fact a sentence is filed under. A plan or a wish is filed under none: it says nothing of what is so."""
    sure = [fact for fact in facts if not fact.tentative and fact.attribute != "does"]
    for start in _FIRST:
        for fact in sure:
            if fact.attribute.startswith(start):
                return fact
    return sure[0] if sure else None


def subject_of(fact: Fact | None, seen: Look) -> str:
    if fact and fact.subject and fact.subject not in ("they", "it", "agent"):
        return fact.subject
    owner = whose(seen)
    return owner.removeprefix("other:") if owner in ("user", "agent") or owner.startswith("other:") else ""


def _orders(event: Event) -> list[Claim]:
    """Each sentence that gives orders, as it stands, for a person to see."""
    quotes = dict.fromkeys(order.quote for order in orders.find(event))
    return [
        Claim(text=quote[:LONGEST], quote=quote[:LONGEST], category=Category.KNOWLEDGE) for quote in list(quotes)[:MOST]
    ]
