"""The values that travel through intake, one step to the next.

Every step is a pure function over these; only `admit` touches the database. Times are timezone-aware UTC.
A reason is a `Reason`: a stable code plus parameters. `memory/reasons.py` turns it into a sentence in the
reader's language, so nothing here stores prose.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Category(StrEnum):
    PREFERENCE = "preference"
    PROFILE = "profile"
    TASK_STATE = "task_state"
    KNOWLEDGE = "knowledge"
    TOOL_EXPERIENCE = "tool_experience"


class SourceClass(StrEnum):
    USER_INPUT = "user_input"
    TOOL_RETURN = "tool_return"
    LLM_REASONING = "llm_reasoning"
    LLM_SUMMARY = "llm_summary"
    EXTERNAL_CONTENT = "external_content"
    UNKNOWN = "unknown"


class RelationKind(StrEnum):
    """How a candidate stands to one held claim."""

    DUPLICATE = "duplicate"  # says the same
    CONTAINED = "contained"  # the held claim already says it and more
    REFINEMENT = "refinement"  # says the held claim and more
    ADDITIVE = "additive"  # same subject, another fact; both stay true
    UPDATE = "update"  # was true once, something newer is claimed now: a person decides
    CONTRADICTION = "contradiction"  # cannot both be true: a person decides
    UNRELATED = "unrelated"

    @property
    def says_nothing_new(self) -> bool:
        return self in (RelationKind.DUPLICATE, RelationKind.CONTAINED)

    @property
    def needs_a_person(self) -> bool:
        return self in (RelationKind.UPDATE, RelationKind.CONTRADICTION)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was decided: a code of memory/reasons.py and what fills its sentence."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """One episode as the pure steps see it, after `clean`."""

    text: str
    role: str  # user | assistant | tool | system
    kind: str  # message | tool_call | tool_result | outcome
    event_time: datetime
    source_class: SourceClass
    name: str = ""  # the speaker's or the tool's name
    status: str = "ok"  # ok | error
    lang: str = "en"  # en | zh, by the characters
    metadata: dict[str, Any] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()  # what a reader of the original would not have seen, from clean.hidden_text


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's answer to the three questions, for a whole event.

    `key`: whose is it ("user", "agent", "other:Dae", "world", "" when nobody's). `query`: when it would be
    looked up, in a few words. `value`: what it adds, in a few words. `rule` is the id of the deciding rule. `judge`:
    "rules", or the model and the prompt that read it. `fallback`: why rules judged in a model's place, "" when none
    was to be asked.
    """

    worth: bool
    rule: str
    reason: Reason
    category: Category | None = None
    key: str = ""
    query: str = ""
    value: str = ""
    judge: str = "rules"
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One distilled statement. `text` keeps the original wording and language; `quote` is a literal part of
    the event. `subject` is "user" for the person remembered, else a name. `attribute` is a stable lower-case
    key in English whatever the language ("residence", "employer", "likes", "allergy"), "" when none was
    recognised. `value` is the part of the text that fills the attribute, in its own language. `rule`: the rule that
    found it where the verdict is a model's that did not; "" when the verdict's judge found it."""

    text: str
    quote: str
    category: Category
    subject: str = ""
    attribute: str = ""
    value: str = ""
    negated: bool = False
    past: bool = False  # "used to", 以前: true then, not claimed now
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """A claim that is already remembered, as `compare` sees it."""

    id: str
    claim: Claim
    event_time: datetime
    similarity: float = 0.0  # cosine of the two embeddings, 0 when there is no embedder


@dataclass(frozen=True, slots=True)
class Relation:
    kind: RelationKind
    held_id: str
    reason: Reason
    suggestion: str = ""  # accept | keep | keep_both: what the rules would advise the reviewer
    suggestion_reason: Reason | None = None
    # True: the candidate speaks of a time before the held claim. It is history, not a conflict.
    older: bool = False


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One earlier tool result of the same session. `id` is its episode, given back in `Finding.against`."""

    id: int
    name: str
    status: str  # ok | error
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ScreenContext:
    """What the screens may know beyond the event: plain values, gathered by the caller.

    `tool_runs` and `similar_by_origin` newest first. `lessons`: fingerprint of a rejected claim -> its text.
    `similar_by_origin`: texts of claims that this same origin (session, tool run, document) has already brought
    for this user, whatever became of them.
    """

    tool_runs: tuple[ToolRun, ...] = ()
    recalled_texts: tuple[str, ...] = ()
    boot_texts: tuple[str, ...] = ()
    lessons: Mapping[str, str] = field(default_factory=dict)
    similar_by_origin: tuple[str, ...] = ()
    # names the user goes by; (subject, attribute, value) of what is held of other people
    user_names: tuple[str, ...] = ()
    facts_of_others: tuple[tuple[str, str, str], ...] = ()
