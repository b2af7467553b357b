"""What the judge's rules ask of an event or of one of its sentences. Each function answers one question."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.intake import judge_words as words
from memory.intake import orders
from memory.intake.clean import HAN, normalise
from memory.intake.fact import Fact
from memory.intake.facts import facts_of
from memory.intake.numbers import amounts
from memory.intake.sentences import is_hypothetical as supposes
from memory.intake.sentences import is_question as asks
from memory.intake.sentences import clauses, sentences
from memory.intake.types import Category, Event, SourceClass

_PREFERRING = ("likes", "dislikes", "prefers", "diet", "habit:", "contact", "wears")
_PROFILE = ("name", "age", "birthday", "birthplace", "residence", "hometown", "employer", "occupation", "role", "allergy",
            "pet", "relation", "language", "spouse", "marital", "owns", "best:", "frequency:", "slot:surname")  # fmt: skip
_PERSONAL = tuple(name for name in (*_PREFERRING, *_PROFILE) if not name.startswith("slot:"))
_TASK = ("project", "schedule", "held_by:", "deadline")
_WEAK = frozenset({"is", "wants", "does", "can"})
_NOT_OWNED = re.compile(
    r"^(?:an? |the |some |any |no |another |one |a few |a quick |a small |more )*(?:\w+ )?(?:questions?|problems?|issues?|ideas?|look|minute|second|moment|time|doubts?|meeting|"
    r"feeling|point|clue|chance|suggestion|request|reason|choice|plan|fun|trouble|way|need|to\b.*)\b|^(?:问题|疑问|时间|空|事|办法|道理|意思|点|些|什么|一个问题|人)"
)


@dataclass(frozen=True, slots=True)
class Look:
    """`text` is the whole event's or one sentence's. `recalled` and `boot` are normalised, each no shorter than 6."""

    event: Event
    text: str
    recalled: tuple[str, ...] = ()
    boot: tuple[str, ...] = ()

    @property
    def lang(self) -> str:
        return self.event.lang

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(piece for sentence in sentences(self.text) for piece in _stated_and_asked(sentence, self.lang))

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts_of(self.text, self.lang) if not fact.tentative and not _empty_handed(fact))

    @property
    def by_user(self) -> bool:
        return self.event.role == "user" and self.event.source_class is not SourceClass.EXTERNAL_CONTENT

    @property
    def by_agent(self) -> bool:
        return self.event.role == "assistant"

    def has(self, english: re.Pattern[str], chinese: re.Pattern[str]) -> bool:
        return bool((english if self.lang == "en" else chinese).search(self.text))


def whole(event: Event, recalled: Sequence[str], boot_texts: Sequence[str]) -> Look:
    """The event with what the rules compare it to, prepared once."""
    told = tuple(_plain(text) for text in recalled)
    booted = tuple(_plain(part) for text in boot_texts for part in (text, *sentences(text)))
    return Look(event, event.text, tuple(t for t in told if len(t) > 5), tuple(t for t in booted if len(t) > 11))


def _stated_and_asked(sentence: str, lang: str) -> tuple[str, ...]:
    """"I am vegetarian, what can I eat?" states something before it asks: the two are judged apart."""
    if not asks(sentence, lang) or asks(sentence.rstrip("?？!！。. "), lang) and lang == "en":
        return (sentence,)
    said = clauses(sentence, lang)
    if len(said) < 2:
        return (sentence,)
    end = sentence.rfind(said[-1])
    stated = sentence[:end].rstrip(" ,，;；—")
    if asks(stated, lang) or not any(not fact.tentative for fact in facts_of(stated, lang)):
        return (sentence,)
    return stated, sentence[end:]


def is_empty(seen: Look) -> bool:
    return not any(sign.isalnum() for sign in seen.text) and not seen.event.hidden


def is_tool_call(seen: Look) -> bool:
    return seen.event.kind == "tool_call"


def is_degenerate(seen: Look) -> bool:
    """Long text with hardly any different words in it, or one sign or phrase without end."""
    text = seen.text
    if len(text) < 60:
        return bool(re.fullmatch(r"(.{1,4}?)\1{7,}.{0,4}", text, re.DOTALL)) and len(text) > 12
    pieces = re.findall(rf"{HAN.pattern}|[^\s\W]+", text[:6000])
    if len(pieces) < 30:
        return len(set(text)) <= 4
    common = Counter(pieces).most_common(1)[0][1]
    return len(set(pieces)) / len(pieces) < 0.08 or common / len(pieces) > 0.6


def is_system(seen: Look) -> bool:
    return seen.event.role == "system"


def is_boot_text(seen: Look) -> bool:
    pattern = words.BOOT_EN if seen.lang == "en" else words.BOOT_ZH
    if seen.event.role != "tool" and pattern.search(seen.text.strip()):
        return True
    mine = _plain(seen.text)
    return len(mine) > 11 and any(mine in text or (len(text) > 40 and text in mine) for text in seen.boot)


def is_heartbeat(seen: Look) -> bool:
    return bool(words.HEARTBEAT.search(seen.text))


def gives_orders(seen: Look) -> bool:
    """Only for what does not come from the user: an order to agents, in the open or hidden."""
    if seen.by_user or seen.event.role == "system":
        return False
    return bool(orders.find(seen.event))


def is_tool_failure(seen: Look) -> bool:
    return seen.event.kind == "tool_result" and seen.event.status == "error"


def is_outcome(seen: Look) -> bool:
    return seen.event.kind == "outcome"


def is_raw_output(seen: Look) -> bool:
    return seen.event.role == "tool" and bool(re.match(r"\s*[\[{<]", seen.text))


@lru_cache(maxsize=1024)
def _courtesy(text: str, lang: str) -> bool:
    bare = re.sub(r"[^\w\s'’\u4e00-\u9fff]", " ", text).replace("’", "'")
    if lang == "en":
        left = words.COURTESY_EN.sub(" ", words.NAME_LEFT.sub(_unless_courtesy, bare))
        return len(left.split()) <= (1 if len(bare.split()) > 2 else 0) and not re.search(r"\d", left)
    left = words.COURTESY_ZH.sub("", re.sub(r"\s+", "", bare))
    if re.search("谢|感谢|辛苦|客气", bare) and len(left) <= 12 and not re.search("我(?:喜欢|住|叫|在|是|想|要)|过敏|\\d{2}", re.sub("喜欢这些.{0,4}", "", bare)):
        return True
    return len(left) <= 2 and not re.search(r"\d", left)


def is_courtesy(seen: Look) -> bool:
    return len(seen.text) <= 120 and _courtesy(seen.text, seen.lang)


def is_recital(seen: Look) -> bool:
    """The agent says that it speaks from memory."""
    return seen.by_agent and bool(words.RECALLED_PREFIX.search(seen.text))


def is_echo(seen: Look) -> bool:
    """Near-verbatim what recall returned. The user may say again what is remembered: that is evidence."""
    if seen.by_user:
        return False
    mine = _plain(seen.text)
    return len(mine) > 5 and any(mine in text or (text in mine and len(text) / len(mine) > 0.6) for text in seen.recalled)


def is_boot_sentence(seen: Look) -> bool:
    mine = _plain(seen.text)
    return len(mine) > 11 and any(mine in text for text in seen.boot)


def is_code(seen: Look) -> bool:
    return bool(words.CODE.search(seen.text)) and not seen.facts


def is_standing_request(seen: Look) -> bool:
    if not seen.by_user or not seen.has(words.STANDING_EN, words.STANDING_ZH) or supposes(seen.text, seen.lang):
        return False
    if asks(seen.text, seen.lang) and not re.match(r"(?:can|could|would|will) you|please|你?(?:能|可以)|麻烦|请", seen.text, re.IGNORECASE):
        return False
    return _size(seen.text, seen.lang) >= 3 and (not _firm(seen) or bool(words.BIDDING.search(seen.text)))


def is_correction(seen: Look) -> bool:
    if not seen.by_user or asks(seen.text, seen.lang) or supposes(seen.text, seen.lang):
        return False
    if words.DEICTIC.search(seen.text) and not _firm(seen):
        return False
    return seen.has(words.CORRECTION_EN, words.CORRECTION_ZH) and _size(seen.text, seen.lang) >= 4


def is_constraint(seen: Look) -> bool:
    if not seen.by_user or supposes(seen.text, seen.lang):
        return False
    if not (asks(seen.text, seen.lang) or seen.has(words.REQUEST_EN, words.REQUEST_ZH) or _looks_for(seen)):
        return False
    return seen.has(words.CONSTRAINT_EN, words.CONSTRAINT_ZH)


def is_question(seen: Look) -> bool:
    return asks(seen.text, seen.lang)


def is_hypothetical(seen: Look) -> bool:
    return supposes(seen.text, seen.lang)


def is_agent_talk(seen: Look) -> bool:
    return seen.by_agent and seen.has(words.ASSISTANT_TALK_EN, words.ASSISTANT_TALK_ZH) and not is_reported_outcome(seen)


def is_ephemeral(seen: Look) -> bool:
    return seen.has(words.EPHEMERAL_EN, words.EPHEMERAL_ZH) and _size(seen.text, seen.lang) <= 14 and not _firm(seen)


def is_reported_outcome(seen: Look) -> bool:
    return seen.by_agent and seen.has(words.OUTCOME_EN, words.OUTCOME_ZH) and _size(seen.text, seen.lang) >= 4


def is_agent_words(seen: Look) -> bool:
    """The agent may tell of the user or state a fact; what else it says is its own."""
    if not seen.by_agent:
        return False
    if any(fact.subject not in ("user", "agent", "they", "it", "") for fact in _firm(seen) if not fact.attribute.startswith("slot:")):
        return False
    about_user = re.search(r"\b(?:the )?(?:user|customer|client)(?:'s)?\b|用户|顾客|客户", seen.text, re.IGNORECASE)
    if about_user and (_firm(seen) or seen.has(words.PREFERENCE_EN, words.PREFERENCE_ZH)):
        return False
    return not any(fact.attribute.startswith(("slot:", "version:", "measure:")) for fact in _firm(seen))


def is_preference(seen: Look) -> bool:
    if any(fact.attribute.startswith(_PREFERRING) for fact in _firm(seen)):
        return True
    if not seen.has(words.PREFERENCE_EN, words.PREFERENCE_ZH) or _size(seen.text, seen.lang) < 3:
        return False
    if words.UNDECIDED.search(seen.text):
        return False
    return not any(words.DEICTIC.search(fact.value) for fact in seen.facts)


def is_commitment(seen: Look) -> bool:
    return seen.has(words.COMMITMENT_EN, words.COMMITMENT_ZH) and _size(seen.text, seen.lang) >= 4


def is_decision(seen: Look) -> bool:
    return seen.has(words.DECISION_EN, words.DECISION_ZH) and _size(seen.text, seen.lang) >= 4


def is_profile(seen: Look) -> bool:
    return any(fact.attribute.startswith(_PROFILE) for fact in _firm(seen))


def is_plan(seen: Look) -> bool:
    return seen.has(words.PLAN_EN, words.PLAN_ZH) and _size(seen.text, seen.lang) >= 4 and not is_request(seen)


def is_request(seen: Look) -> bool:
    return seen.has(words.REQUEST_EN, words.REQUEST_ZH)


def is_experience(seen: Look) -> bool:
    return (
        seen.has(words.OUTCOME_EN, words.OUTCOME_ZH)
        and seen.has(words.LEARNED_EN, words.LEARNED_ZH)
        and _size(seen.text, seen.lang) >= 6
    )


def is_stated_fact(seen: Look) -> bool:
    if seen.has(words.FACT_EN, words.FACT_ZH) and _size(seen.text, seen.lang) >= 5:
        return True
    return bool(_firm(seen)) or bool(orders.permits(seen.text, seen.lang) and seen.event.role == "tool")


def is_opinion(seen: Look) -> bool:
    return seen.has(words.OPINION_EN, words.OPINION_ZH) and _size(seen.text, seen.lang) >= 6


def is_exclamation(seen: Look) -> bool:
    return bool(words.EXCLAMATION.search(seen.text))


def is_dated(seen: Look) -> bool:
    """A statement of some length that is tied to a date or an amount."""
    if seen.event.role == "tool" or _size(seen.text, seen.lang) < 8:
        return False
    return any(amount.kind in ("date", "year", "percent", "temperature") or amount.kind.startswith("money") for amount in amounts(seen.text))


def category_by_facts(seen: Look) -> Category | None:
    for names, category in ((_PREFERRING, Category.PREFERENCE), (_PROFILE, Category.PROFILE), (_TASK, Category.TASK_STATE)):
        if any(fact.attribute.startswith(names) for fact in _firm(seen)):
            return category
    return None


def whose(seen: Look) -> str:
    """"user", "agent", "other:<name>" or "world": the subject of the first fact, else the speaker."""
    for fact in _firm(seen):
        if fact.subject == "user":
            return "user"
        if fact.subject and fact.subject not in ("they", "it", "agent"):
            if not fact.attribute.startswith(_PERSONAL):
                continue
            place = seen.text.lower().find(fact.subject)
            shown = seen.text[place : place + len(fact.subject)] if place >= 0 else fact.subject
            return f"other:{shown.removeprefix('my ')}"
    if seen.by_agent:
        return "agent"
    if seen.event.role == "user" and re.search(r"\b(?:i|me|my|we|our)\b|我|咱", seen.text, re.IGNORECASE):
        return "user"
    return "user" if is_standing_request(seen) or is_constraint(seen) else "world"


def _firm(seen: Look) -> list[Fact]:
    """Facts that say something that lasts."""
    return [fact for fact in seen.facts if fact.attribute not in _WEAK and fact.subject not in ("it", "agent")]


def _empty_handed(fact: Fact) -> bool:
    if fact.attribute == "owns":
        return bool(_NOT_OWNED.search(fact.value)) or fact.subject in ("they", "it", "")
    return bool(words.DEICTIC.search(fact.value))


def _looks_for(seen: Look) -> bool:
    return bool(re.search(r"\b(?:looking for|i want|i need|i'd like|find me|searching for)\b|想(?:找|要|吃|住|去|订|买)|需要|推荐|希望", seen.text, re.IGNORECASE))


def _size(text: str, lang: str) -> int:
    """Words of an English text; Chinese counts two characters as one."""
    if lang == "en":
        return len(text.split())
    return len(HAN.findall(text)) // 2 + len(re.findall(r"[A-Za-z0-9]+", text))


def _unless_courtesy(match: re.Match[str]) -> str:
    return match.group() if words.COURTESY_EN.fullmatch(match.group().lower()) else " "


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    return normalise(text)
