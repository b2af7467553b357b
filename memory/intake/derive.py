"""What an agent's words are worth when they only pass on what a page or a mail said: no more than the page. Pure."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from memory.intake.types import Event, SourceClass
from memory.intake.words import content

# so large a part of the words in common is passing on; so few words are a coincidence
PASSED_ON = 0.6
FEWEST_WORDS = 4
# a memory is one statement, so fewer words of it tell more
FEWEST_RECALLED = 3


def source_class_of(event: Event, outside: Sequence[str]) -> SourceClass:
    """The event's own source class, or external_content for an agent's text made of one of the `outside` texts.

    Without this, a page would gain an agent's credibility by being repeated ("trust laundering").
    """
    if event.role != "assistant":
        return event.source_class
    mine = content(event.text)
    if len(mine) >= FEWEST_WORDS and any(len(mine & content(text)) >= PASSED_ON * len(mine) for text in outside):
        return SourceClass.EXTERNAL_CONTENT
    return event.source_class


def rests_on(claim: str, recalled: Mapping[UUID, str]) -> list[UUID]:
    """Which of the memories an agent was told stand behind a claim of its own: those most of whose words it repeats."""
    mine = content(claim)
    found = []
    for id, text in recalled.items():
        words = content(text)
        if len(words) >= FEWEST_RECALLED and len(mine & words) >= PASSED_ON * len(words):
            found.append(id)
    return found
