"""The judge that needs no model: a table of rules, the first that fits decides, and the verdict names it.

Rules for a whole event come first (nothing in it is looked at once one fits); then each sentence is judged by its
own table, and the event is worth remembering when one of its sentences is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory.intake import judge_questions as ask
from memory.intake.judge_answers import category_by_facts, whose
from memory.intake.judge_look import Look, whole
from memory.intake.types import Category, Event, Reason, Verdict

BOTH = ("en", "zh")
# What these rules find is the user's even where the sentence names nobody.
_THE_USERS = frozenset({"standing_request", "task_constraint", "correction"})
# Sentences of one event that are judged; what follows is kept in the archive.
MOST = 40


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: `fits` decides whether the rule speaks, `worth` what it says, `reason` is its code."""

    id: str
    about: str
    fits: Callable[[Look], bool]
    worth: bool = False
    category: Category | None = None
    query: str = ""
    languages: tuple[str, ...] = BOTH

    @property
    def reason(self) -> str:
        return f"judge_{self.id}"


EVENT_RULES = (
    Rule("empty", "Nothing is left once invisible characters and blanks are taken away.", ask.is_empty),
    Rule("tool_call", "A call the agent makes; its result is judged instead.", ask.is_tool_call),
    Rule("degenerate", "One word or phrase repeated over and over.", ask.is_degenerate),
    Rule("system_text", "A system message: instructions to the agent, the same in every session.", ask.is_system),
    Rule("boot_text", "The agent's own start-up text, or a copy of it.", ask.is_boot_text),
    Rule("heartbeat", "A sign of life or a test of the connection.", ask.is_heartbeat),
    Rule("gives_orders", "Text that orders agents about, or hides from the reader: a person must see it.",
         ask.gives_orders, worth=True, category=Category.KNOWLEDGE, query="what this source tried to make agents do"),
    Rule("tool_failed", "A tool failed: worth knowing before it is tried again.", ask.is_tool_failure, worth=True,
         category=Category.TOOL_EXPERIENCE, query="whether this tool worked and what went wrong"),
    Rule("outcome", "A recorded outcome of a task.", ask.is_outcome, worth=True, category=Category.TASK_STATE,
         query="how the task ended"),
    Rule("raw_output", "Raw data from a tool; kept in the archive, no statement for memory.", ask.is_raw_output),
    Rule("recital", "The agent says that it speaks from memory.", ask.is_recital),
    Rule("courtesy", "Greeting, thanks, farewell or a bare yes.", ask.is_courtesy),
)  # fmt: skip

SENTENCE_RULES = (
    Rule("recall_echo", "The agent repeats what recall has just told it.", ask.is_echo),
    Rule("boot_sentence", "A line of the agent's start-up text.", ask.is_boot_sentence),
    Rule("courtesy", "Greeting, thanks, farewell or a bare yes.", ask.is_courtesy),
    Rule("code", "Code or a log line; the archive keeps it.", ask.is_code),
    Rule("standing_request", "A request that is to hold from now on.", ask.is_standing_request, worth=True,
         category=Category.PREFERENCE, query="how the user wants things done"),
    Rule("correction", "The user corrects what was understood.", ask.is_correction, worth=True,
         category=Category.PROFILE, query="what is right about this"),
    Rule("task_constraint", "A request that states what the person needs: price, score, place, service.",
         ask.is_constraint, worth=True, category=Category.TASK_STATE, query="what the user is looking for"),
    Rule("question", "Only asks; it states nothing.", ask.is_question),
    Rule("hypothetical", "What if: nothing in it is claimed to be so.", ask.is_hypothetical),
    Rule("agent_talk", "Agent talk: an offer, an announcement, an answer.", ask.is_agent_talk),
    Rule("ephemeral", "True for the moment only.", ask.is_ephemeral),
    Rule("reported_outcome", "The agent reports how an action ended.", ask.is_reported_outcome, worth=True,
         category=Category.TOOL_EXPERIENCE, query="whether this was done"),
    Rule("agent_words",
        "The agent's own words about its work or the world; not the user's profile."
    , ask.is_agent_words),
    Rule("preference", "What somebody likes, avoids, or always chooses.", ask.is_preference, worth=True,
         category=Category.PREFERENCE, query="what the person likes or avoids"),
    Rule("profile", "A fact about a person.", ask.is_profile, worth=True, category=Category.PROFILE,
         query="who this person is"),
    Rule("commitment", "A promise or an agreement about something to be done.", ask.is_commitment, worth=True,
         category=Category.TASK_STATE, query="what was promised, to whom, by when"),
    Rule("decision", "A decision or a change of course.", ask.is_decision, worth=True, category=Category.TASK_STATE,
         query="what was decided"),
    Rule("possession", "What a thing of the user's is.", ask.is_possession, worth=True, category=Category.PROFILE,
         query="what this person has"),
    Rule("plan", "A plan, a goal or a deadline.", ask.is_plan, worth=True, category=Category.TASK_STATE,
         query="what is planned, by when"),
    Rule("request", "Asks for something to be done now.", ask.is_request),
    Rule("experience", "What was learnt from using a tool.", ask.is_experience, worth=True,
         category=Category.TOOL_EXPERIENCE, query="how this tool or system behaves"),
    Rule("stated_fact", "Announced as a fact, or a fact the rules can read.", ask.is_stated_fact, worth=True,
         category=Category.KNOWLEDGE, query="what is known about this"),
    Rule("opinion", "What somebody thinks of something.", ask.is_opinion, worth=True, category=Category.PREFERENCE,
         query="what the person thinks of this"),
    Rule("exclamation", "An exclamation.", ask.is_exclamation),
    Rule("dated", "A statement with a date, an amount or a name.", ask.is_dated, worth=True,
         category=Category.KNOWLEDGE, query="what happened when"),
)  # fmt: skip
ADDS_NOTHING = Rule("adds_nothing", "States nothing that would help later.", lambda _: True)

RULES = (*EVENT_RULES, *SENTENCE_RULES, ADDS_NOTHING)


def judge(event: Event, *, recalled: Sequence[str] = (), boot_texts: Sequence[str] = ()) -> Verdict:
    """Whether the event holds something worth remembering, whose it is, when it would be looked up, what it adds.

    `recalled` are texts recall gave the agent shortly before, `boot_texts` the session's system messages. Never raises.
    """
    seen = whole(event, recalled, boot_texts)
    for rule in EVENT_RULES:
        if rule.fits(seen):
            return _verdict(rule, seen)
    refused: tuple[Rule, Look] | None = None
    for rule, sentence in judged_sentences(seen):
        if rule.worth:
            return _verdict(rule, sentence)
        refused = refused or (rule, sentence)
    return _verdict(*(refused or (ADDS_NOTHING, seen)))


def judged_sentences(seen: Look) -> list[tuple[Rule, Look]]:
    """Each sentence of an event with the rule that decides it, those worth remembering first, in order."""
    judged = []
    for text in seen.sentences[:MOST]:
        sentence = replace(seen, text=text)
        rule = next((rule for rule in SENTENCE_RULES if rule.fits(sentence)), ADDS_NOTHING)
        judged.append((rule, sentence))
    return sorted(judged, key=lambda pair: not pair[0].worth)


def category_of(rule: Rule, seen: Look) -> Category | None:
    """The rule's category, unless the facts in the sentence say better."""
    keeps = rule.id in ("reported_outcome", "commitment", "decision", "plan", "experience", "standing_request")
    return rule.category if keeps else category_by_facts(seen) or rule.category


def _verdict(rule: Rule, seen: Look) -> Verdict:
    if not rule.worth:
        return Verdict(worth=False, rule=rule.id, reason=Reason(rule.reason))
    key = whose(seen)
    if key == "world" and rule.id in _THE_USERS:
        key = "user"
    return Verdict(
        worth=True, rule=rule.id, reason=Reason(rule.reason), category=category_of(rule, seen), key=key,
        query=rule.query, value=" ".join(seen.text.split())[:200],
    )  # fmt: skip
