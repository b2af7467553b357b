"""Every reason the product stores is a code and parameters; here each code is a sentence a reviewer understands."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

REASONS: dict[str, Any] = {
    # what became of a claim
    "new_to_user": _("Nothing like it is remembered of this person yet."),
    "same_words": _("These very words are remembered already."),
    "same_words_reordered": _("The same words are remembered already, in another order."),
    "same_fact": _("The same is remembered already, in other words: {held}."),
    "same_meaning": _("It means the same as what is remembered already."),
    "already_in_held": _("What is remembered already says this and more."),
    "adds_detail": _("It says what is remembered already and adds to it."),
    "stands_beside": _("Both can be true: it adds “{new}” beside “{held}”."),
    "about_the_past": _("One of the two speaks of the past, so both can be true."),
    "different_periods": _("The two hold at different times, so both can be true."),
    "different_circumstances": _("The two hold under different circumstances, so both can be true."),
    "as_given": _("The caller asked to keep this text as it is."),
    "already_waiting": _("The same claim already waits for a person to decide."),
    "older_statement": _(
        "It speaks of an earlier time ({said}) than what is remembered ({held_since}): “{new}” then, “{held}” now. Ke"
        "pt as history."
    ),
    # why a person must decide
    "value_changed": _("Held now: {held}. The newer statement says that it is {new}."),
    "value_differs": _("Held now: {held}. The new statement says {new}, and only one of them can be true."),
    "fixed_value_differs": _(
        "Held now: {held}. The new statement says {new}, and this never changes: one of them is wrong."
    ),
    "gives_it_up": _("The newer statement leaves behind what is held now: {held}."),
    "has_ended": _("Held now: {held}. The newer statement says that this is no longer so."),
    "says_the_opposite": _("The new statement denies what is held now: {held}."),
    "says_the_opposite_in_words": _("The two say the opposite of each other in nearly the same words."),
    "opposite_words": _("The two differ by one word only: “{held}” is held now, the new statement says “{new}”."),
    "opposite_feeling": _("The two say opposite things of what this person likes: {held}."),
    "only_one_can": _(
        "Only one can be {value}: what is remembered names {held_subject}, the new statement {new_subject}."
    ),
    "does_not_fit": _("What the new statement takes for granted does not fit what is remembered."),
    "one_name_two_roles": _("Two that hardly go together are told of {name}. Is it one person?"),
    "short_name_fits": _("“{name}” may be short for “{other}”, or somebody else. Is it one person?"),
    # advice
    "advice_newer": _("The new statement is {days} days newer, and this is something that changes with time."),
    "advice_says_it_changed": _("The new statement itself says that something has changed."),
    "advice_two_periods": _("The new statement holds until {until} only; the held one may hold again afterwards."),
    "advice_older": _("The new statement is the older one."),
    # what each screen finds
    "about_hidden_text": _("Instructions in comments, in disguised letters or in unseen parts."),
    "about_instruction": _("Text from a tool, a page or a file that tells agents what to do."),
    "about_claims_trust": _("Text that vouches for itself: verified, approved, trust 1.0."),
    "about_exfiltration": _("Secrets or data to be sent somewhere."),
    "about_external_claim": _("Outside text that claims something about the user."),
    "about_misreport": _("A reported success where the tool's own result says error."),
    "about_repeat": _("A claim a person has rejected before."),
    "about_flood": _("One origin brings many different values for one thing."),
    "about_repetition": _("One origin says the same thing again in other words."),
    "about_identity": _("A name so close to the user's that it may be somebody else."),
    "about_recall_echo": _("The agent repeats what recall has just told it."),
    "about_boot_text": _("The agent's own start-up text."),
    # the vote at recall
    "outvoted": _("Other memories of the same thing say {value}, with {votes} votes against {own_votes}."),
    "outvoted_by_person": _("A person has confirmed another memory of the same thing: {value}."),
    "memories_differ": _("Both are remembered, and only one can be true: {held}, or {new}."),
    "advice_outvoted": _("Independent sources speak for the one held: {votes} votes against {own_votes}."),
    "advice_confirmed": _("A person has confirmed the one held."),
    # what recall had to do without
    "no_embedder": _("The embedder was away: words alone answered."),
    "vector_db_away": _("The vector database was away: the database answered alone, as well and more slowly."),
    "vector_db_behind": _("The vector database was behind: the database answered alone, as well and more slowly."),
    "past_words_only": _("So many wordings have changed since that the oldest were compared by words alone."),
    "past_without_graph": _("So many wordings have changed since that the graph of then was left out."),
    "not_logged": _("The log of recalls could not be written: who was told this will not be known."),
    "archived_cut": _("So much is archived that the longest archived was not looked at."),
    "archived_words_only": _("So much is archived that the oldest of it was compared by words alone."),
    # told beside a result
    "neighbour": _("Told beside a result, as said around it in its session."),
    # screens
    "rejected_before": _("A person has rejected this claim before: {text}"),
    "tool_says_error": _("Reported as done, but the tool “{tool}” answered with an error: {result}"),
    "origin_said_it": _("The same source has said this before in other words. Repetition is no evidence."),
    "origin_floods": _("The same source has spoken of this {times} times already, each time differently."),
    "name_nearly_the_user": _("It speaks of {subject}, a name very close to {name}: it may be another person."),
    "known_of_another": _("The same is remembered of {other} already ({value}): whose is it?"),
    "outside_text_about_user": _("Text from outside claims something about a person; nobody here has said so."),
    "screen_override": _("It tells agents to ignore their instructions."),
    "screen_addresses_agents": _("It speaks to AI agents instead of a reader."),
    "screen_plants_memory": _("It tries to plant a lasting rule in memory."),
    "screen_exfiltration": _("It wants secrets or data sent somewhere."),
    "screen_redirects_payment": _("It leads payments to another account."),
    "screen_claims_trust": _("It vouches for itself. Only the console decides how far a source is trusted."),
    "screen_raises_rights": _("It gives somebody more rights, or takes a check away."),
    "screen_forced_step": _("It forces a tool into every task."),
    "screen_trigger": _("It waits for a code word and then acts."),
    "screen_bridges_records": _("It makes one record answer for another."),
    "screen_foreign_source": _("It sends every installation to a foreign address."),
    "screen_claims_repetition": _("It argues with how often it was said."),
    "screen_encoded": _("It hides instructions in encoded text."),
    # the judge's rules
    "judge_empty": _("There is no text in it."),
    "judge_tool_call": _("A call to a tool; its result is judged instead."),
    "judge_degenerate": _("The same words over and over (degenerate text)."),
    "judge_system_text": _("A system message, the same in every session."),
    "judge_boot_text": _("The agent's own start-up text."),
    "judge_boot_sentence": _("A line of the agent's own start-up text."),
    "judge_heartbeat": _("A sign of life, no statement."),
    "judge_gives_orders": _("It gives orders to agents; a person must see it."),
    "judge_tool_failed": _("A tool failed: worth knowing before it is tried again."),
    "judge_outcome": _("It records how a task ended."),
    "judge_raw_output": _("Raw data from a tool; it stays in the archive."),
    "judge_courtesy": _("Only courtesy: it adds nothing."),
    "judge_recall_echo": _("The agent repeats what it was just told from memory."),
    "judge_recital": _("The agent says that it speaks from memory."),
    "judge_code": _("Code or a log line; it stays in the archive."),
    "judge_standing_request": _("A wish that is to hold from now on."),
    "judge_correction": _("The user corrects what was understood."),
    "judge_task_constraint": _("It states what the person needs."),
    "judge_question": _("It only asks."),
    "judge_hypothetical": _("It only supposes; nothing is claimed to be so."),
    "judge_agent_talk": _("The agent's talk: an offer, an announcement, an answer."),
    "judge_ephemeral": _("It is true for the moment only."),
    "judge_reported_outcome": _("The agent reports how an action ended."),
    "judge_agent_words": _("The agent's own words, not a fact about the person."),
    "judge_preference": _("It says what somebody likes, avoids or always chooses."),
    "judge_commitment": _("It is a promise or an agreement."),
    "judge_decision": _("It is a decision or a change of course."),
    "judge_profile": _("It is a fact about a person."),
    "judge_possession": _("It says what something of this person's is."),
    "judge_plan": _("It is a plan, a goal or a deadline."),
    "judge_request": _("It asks for something to be done now."),
    "judge_experience": _("It says what was learnt from using a tool."),
    "judge_stated_fact": _("It states a fact."),
    "judge_opinion": _("It says what somebody thinks of something."),
    "judge_exclamation": _("An exclamation: it adds nothing."),
    "judge_dated": _("A statement tied to a date or an amount."),
    "judge_adds_nothing": _("It adds nothing that would help later."),
    # the judge that is a model
    "llm_adds_nothing": _("The model finds nothing in it that would help later."),
    "llm_worth": _("The model finds it worth remembering."),
    "llm_invented": _("The model named {count} claims, but the event holds the words of none of them."),
    # credibility
    "credibility_source": _("Where it comes from: {source_class}."),
    "credibility_corroborated": _("An independent source says so too: {source_class}."),
    "credibility_corroborated_often": _("{origins} independent sources say so too: {source_class}."),
    "credibility_inherited": _("It was also made from a weaker source and counts no more than that: {source_class}."),
    "credibility_record": _("Reviewers have taken {accepted} and turned away {rejected} claims of {source}."),
    "credibility_confirmed": _("A person has confirmed it."),
    # why a memory that was made from others is to be looked at
    "stale_edited": _("What it was made from was reworded."),
    "stale_superseded": _("What it was made from has been superseded."),
    "stale_rejected": _("What it was made from was turned away by a person."),
    "stale_retracted": _("What it was made from was retracted."),
    "stale_archived": _("What it was made from was archived."),
}

_PLACE = re.compile(r"\{(\w+)\}")


def render(code: str, params: Mapping[str, Any] | None = None) -> str:
    """The sentence of a reason in the reader's language. A missing parameter shows as "…", an unknown code as itself;
    never raises."""
    if code not in REASONS:
        return str(code)
    given = params if isinstance(params, Mapping) else {}
    return _PLACE.sub(lambda match: _shown(given.get(match.group(1))), str(REASONS[code]))


def _shown(value: Any) -> str:
    if value is None or value == "":
        return "…"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)
