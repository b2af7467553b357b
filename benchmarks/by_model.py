"""Reads events with the configured language model as the worker does, without a database, budget or cache."""

from collections import Counter

from django.conf import settings

from memory.intake import judge_llm
from memory.intake.distil import distil
from memory.intake.judge_rules import judge
from memory.intake.types import Claim, Event, Verdict
from memory.llm import answers, client, prompts
from memory.llm import judge as asking

# How events were judged: by the model, by rules that were sure, or by rules because the model failed in some way.
judged: Counter = Counter()


def read(event: Event) -> tuple[Verdict, list[Claim]]:
    """The verdict and the claims. An answer that cannot be read, or none, leaves the rules' own, and is counted."""
    by_rules = judge(event)
    if judge_llm.rules_suffice(event, by_rules, recalled=(), boot_texts=()):
        judged["rules, sure"] += 1
        return by_rules, distil(event, by_rules)
    text = asking.cut(event.text, asking.room(event.lang, 1))
    messages = prompts.judge(event.lang, [prompts.Asked(1, event.role, event.name, text)])
    try:
        answered = client.get_model().ask(
            messages, answers.SCHEMA, tokens=asking.FRAME + asking.EACH, seconds=settings.LLM_TIMEOUT
        )
        judgement = answers.read(answered.text, {1}, cut=answered.cut)[1]
    except (client.Unavailable, client.Resting, client.Refused, answers.Unreadable) as error:
        judged[f"rules, {type(error).__name__}"] += 1
        return by_rules, distil(event, by_rules)
    judged["model"] += 1
    reading = judge_llm.read(event, judgement, by_rules, judge=asking.name(event.lang))
    judged["invented claims"] += reading.invented
    return reading.verdict, reading.claims
