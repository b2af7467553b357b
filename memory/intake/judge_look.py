"""An event or one of its sentences, with what the judge's rules look at."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.intake import lexicon_talk as talk
from memory.intake.clean import HAN, normalise
from memory.intake.fact import Fact
from memory.intake.facts import facts_of
from memory.intake.sentences import clauses, sentences
from memory.intake.sentences import is_question as asks
from memory.intake.types import Event, SourceClass

_WEAK = frozenset({"is", "wants", "does", "can"})
_NOT_OWNED = re.compile(
    r"^(?:an? |the |some |any |no |another |one |a few |a quick |a small |more )*(?:\w+ )?(?:questions?|problems?|"
    r"issues?|ideas?|look|minute|second|moment|time|doubts?|meeting|"
    r"feeling|point|clue|chance|suggestion|request|reason|choice|plan|fun|trouble|way|need|to\b.*)\b|^(?:问题|疑问|"
    r"时间|空|"
    r"事|办法|道理|意思|点|些|什么|一个问题|人)"
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
        return tuple(piece for sentence in sentences(self.text) for piece in stated_and_asked(sentence, self.lang))

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in facts_of(self.text, self.lang) if not fact.tentative and not _empty_handed(fact))

    @property
    def by_user(self) -> bool:
        return self.event.role == "user" and self.event.source_class is not SourceClass.EXTERNAL_CONTENT

    @property
    def by_agent(self) -> bool:
        return self.event.role == "assistant"

    @property
    def firm(self) -> tuple[Fact, ...]:
        """The facts that say something that lasts."""
        return tuple(fact for fact in self.facts if fact.attribute not in _WEAK and fact.subject not in ("it", "agent"))

    @property
    def size(self) -> int:
        """Words of an English text; in a Chinese one two characters count as a word."""
        if self.lang == "en":
            return len(self.text.split())
        return len(HAN.findall(self.text)) // 2 + len(re.findall(r"[A-Za-z0-9]+", self.text))

    def has(self, english: re.Pattern[str], chinese: re.Pattern[str]) -> bool:
        return bool((english if self.lang == "en" else chinese).search(self.text))


def whole(event: Event, recalled: Sequence[str], boot_texts: Sequence[str]) -> Look:
    """The event with what the rules compare it to, prepared once."""
    told = tuple(plain(text) for text in recalled)
    booted = tuple(plain(part) for text in boot_texts for part in (text, *sentences(text)))
    return Look(event, event.text, tuple(t for t in told if len(t) > 5), tuple(t for t in booted if len(t) > 11))


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    return normalise(text)


def stated_and_asked(sentence: str, lang: str) -> tuple[str, ...]:
    """ "I am vegetarian, what can I eat?" states something before it asks: the two are judged apart."""
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


def _empty_handed(fact: Fact) -> bool:
    if fact.attribute == "owns":
        return bool(_NOT_OWNED.search(fact.value)) or fact.subject in ("they", "it", "")
    return bool(talk.DEICTIC.search(fact.value))
