"""What a model said of an event becomes a verdict and claims, as far as the event's own words bear it out.

The model reads; it cannot write. A claim is a sentence of the event, found by the model's quote, and never the
model's wording. What rules read for certain (a question, a what-if, an echo, a fact of the user's own person) stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memory.intake import attributes, quotes
from memory.intake.distil import LONGEST, MOST, distil, main_fact, subject_of
from memory.intake.fact import Fact
from memory.intake.facts import facts_of
from memory.intake.judge_answers import PERSONAL
from memory.intake.judge_look import Look, whole
from memory.intake.judge_rules import EVENT_RULES, Rule, category_of, judged_sentences
from memory.intake.periods import period
from memory.intake.sentences import is_tentative
from memory.intake.types import Category, Claim, Event, Reason, Verdict
from memory.llm.answers import Judged, Said

# What the rules are sure of: such events are never sent, and such sentences never kept.
_WHOLE = frozenset(rule.id for rule in EVENT_RULES)
_SENTENCE = frozenset({"recall_echo", "boot_sentence", "courtesy", "code", "question", "hypothetical"})
_MACHINE = frozenset({"recall_echo", "boot_sentence", "code"})
_USER = frozenset({"user", "the user", "i", "me", "customer", "the customer", "用户", "我", "客户", "本人"})
_AGENT = frozenset({"agent", "the agent", "assistant", "the assistant", "ai", "智能体", "助手"})


@dataclass(frozen=True, slots=True)
class Reading:
    """`invented`: claims thrown away because the event does not hold their quote."""

    verdict: Verdict
    claims: list[Claim]
    invented: int = 0


def rules_suffice(event: Event, by_rules: Verdict, *, recalled: Sequence[str], boot_texts: Sequence[str]) -> bool:
    """True when no model could add anything: noise, machine text, and what a person must see anyway."""
    if by_rules.rule in _WHOLE:
        return True
    seen = whole(event, recalled, boot_texts)
    return all(rule.id in _MACHINE for rule, _ in judged_sentences(seen))


def read(
    event: Event,
    answer: Judged,
    by_rules: Verdict,
    *,
    judge: str,
    recalled: Sequence[str] = (),
    boot_texts: Sequence[str] = (),
) -> Reading:
    """The verdict of `judge` (a model and its prompt) from its answer and that of the rules. Never raises."""
    seen = whole(event, recalled, boot_texts)
    claims: dict[str, Claim] = {}
    supposed: list[str] = []
    invented = 0
    for said in answer.claims:
        place = quotes.find(event.text, said.quote)
        if place is None:
            invented += 1
            continue
        text, judged = _around(seen, place)
        if said.hypothetical:
            supposed.append(text)
        elif text not in claims and not all(rule.id in _SENTENCE for rule, _ in judged):
            claims[text] = _claim(said, text, judged, seen)
    known = [*claims, *supposed]
    for claim in distil(event, by_rules):
        if _insists(claim) and not any(claim.text in text or text in claim.text for text in known):
            claims[claim.text] = replace(claim, rule=by_rules.rule)
    kept = list(claims.values())[:MOST]
    return Reading(_verdict(answer, by_rules, kept, judge, invented), kept, invented)


def _around(seen: Look, place: tuple[int, int]) -> tuple[str, list[tuple[Rule, Look]]]:
    """The whole sentences that the quote is part of, and what the rules say of each: half a sentence can say the
    opposite of the whole."""
    hit = [(start, end) for start, end in _sentences(seen) if start < place[1] and place[0] < end] or [place]
    judged = [pair for start, end in hit for pair in judged_sentences(replace(seen, text=seen.text[start:end]))]
    return seen.text[hit[0][0] : hit[-1][1]][:LONGEST].strip(), judged


def _sentences(seen: Look) -> Iterator[tuple[int, int]]:
    end = 0
    for sentence in seen.sentences:
        start = seen.text.find(sentence, end)
        if start >= 0:
            end = start + len(sentence)
            yield start, end


def _claim(said: Said, text: str, judged: list[tuple[Rule, Look]], seen: Look) -> Claim:
    event = seen.event
    look = replace(seen, text=text)
    facts = facts_of(text, look.lang)
    named = attributes.stable(said.attribute)
    value = quotes.literal(text, said.value)
    fact = next((fact for fact in facts if fact.attribute == named and _is_sure(fact)), None)
    if fact is None and named and value and not is_tentative(text, look.lang):
        fact = Fact(_whom(said, event.text), named, value, said.negated, said.past)
    fact = fact or main_fact(facts)
    begins, ends = period(text, look.lang, event.event_time)
    if not (begins or ends) and quotes.find(event.text, said.when_true):
        begins, ends = period(said.when_true, look.lang, event.event_time)
    rule, sentence = judged[0] if judged else (None, look)
    kind = said.category or (category_of(rule, sentence) if rule else "") or Category.KNOWLEDGE
    return Claim(
        text=text, quote=text, category=Category(kind) if kind in set(Category) else Category.KNOWLEDGE,
        subject=subject_of(fact, look) or _whom(said, event.text), attribute=fact.attribute if fact else "",
        value=fact.value if fact else "", negated=fact.negated if fact else said.negated,
        past=fact.past if fact else said.past, valid_from=begins, valid_to=ends,
    )  # fmt: skip


def _is_sure(fact: Fact) -> bool:
    """Rules read this slot, and whose it is: their reading is the key that later claims are compared by."""
    return not fact.tentative and fact.subject not in ("", "it", "they")


def _whom(said: Said, text: str) -> str:
    """Whom a claim is about: "user", "agent", or a name that the event itself names."""
    for named in (said.about_whom, said.subject):
        name = " ".join(named.lower().split())
        if name in _USER:
            return "user"
        if name in _AGENT:
            return "agent"
        if name and (shown := quotes.literal(text, name)):
            return shown.lower()
    return ""


def _insists(claim: Claim) -> bool:
    """What rules read in full of the user's own person, an allergy above all, no model's silence unsays."""
    return claim.subject == "user" and bool(claim.value) and claim.attribute.startswith(PERSONAL)


def _verdict(answer: Judged, by_rules: Verdict, kept: list[Claim], judge: str, invented: int) -> Verdict:
    if not kept:
        if invented:
            return Verdict(False, "llm_invented", Reason("llm_invented", {"count": invented}), judge=judge)
        return Verdict(False, "llm", Reason("llm_adds_nothing"), value=answer.adds[:200], judge=judge)
    subject = kept[0].subject
    other = f"other:{subject}" if subject not in ("", "user", "agent") else subject
    return Verdict(
        worth=True, rule="llm", reason=Reason("llm_worth"), category=kept[0].category,
        key=other or answer.whose or by_rules.key, query=answer.looked_up_when[:500] or by_rules.query,
        value=answer.adds[:200] or by_rules.value, judge=judge,
    )  # fmt: skip
