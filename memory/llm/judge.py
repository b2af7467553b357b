"""Asks the model to judge some events: from what it said before, within the budget, twice at most."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from memory.llm import answers, client, known, places, prompts, usage
from memory.llm.answers import Judged
from memory.llm.prompts import Asked
from memory.models import Verdict, Workspace
from memory.policy import policy_of

Fallback = Verdict.Fallback
# Events of one question: more, and an answer that breaks off loses more.
TOGETHER = 4
# Tokens of an answer: for its frame, and for each event.
FRAME, EACH = 150, 350
# What a second question adds to the first: the answer that could not be read.
SECOND = 800
# Of LLM_TIMEOUT, for two questions: each may wait half of it for its place and then last as long.
LONGEST = 3

log = logging.getLogger(__name__)


class OverBudget(Exception):
    """The workspace has not that many tokens left today."""


def name(lang: str) -> str:
    """The judge as verdicts name it, at most 60 characters: the model, cut if need be, and the prompt."""
    prompt = prompts.judge_id(lang)
    return f"llm:{settings.LLM_MODEL[: 60 - len(prompt) - 5]}@{prompt}"


def tokens_of(text: str) -> int:
    """No fewer tokens than models make of a text: a Chinese character is one, an English one a third."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


def cut(text: str, tokens: int) -> str:
    """The beginning of a text, of no more than so many tokens."""
    return text.encode("utf-8", "replace")[: 3 * (tokens - 1)].decode("utf-8", "ignore")


def room(lang: str, events: int) -> int:
    """Tokens that the texts of so many events may have together."""
    return settings.LLM_CONTEXT - tokens_of(prompts.words_of(prompts.judge_id(lang))) - _answer(events) - SECOND


def judge(workspace: Workspace, lang: str, events: Sequence[Asked]) -> dict[int, Judged | str]:
    """What the model says of each event, by its number; a code of Verdict.Fallback where it says nothing.

    The events are of one user. Takes no longer than LONGEST times LLM_TIMEOUT, and must not be called in a transaction.
    """
    judge_name = name(lang)
    found: dict[int, Judged | str] = {}
    for event in events:
        if (judged := known.get(workspace, judge_name, event)) is not None:
            found[event.number] = judged
    left = [event for event in events if event.number not in found]
    counts = {"from_cache": len(found)}
    if left:
        read, why = _ask(workspace, lang, left)
        for event in left:
            found[event.number] = read.get(event.number, why)
            if event.number in read:
                known.keep(workspace, judge_name, event, read[event.number])
        column = {Fallback.BUDGET: "over_budget"}.get(why, why.removeprefix("llm_"))
        counts |= {"judged": len(read)} | ({column: len(left) - len(read)} if len(read) < len(left) else {})
    usage.count(workspace, **counts)
    return found


def forget(workspace: Workspace, lang: str, event: Asked) -> None:
    """Takes away what the present model is known to have said of a text, asked about on its own or among others.
    Raises when the cache is away."""
    alone = replace(event, text=cut(event.text, room(lang, TOGETHER)))
    known.forget(workspace, [name(lang)], {event, alone})


def _ask(workspace: Workspace, lang: str, events: Sequence[Asked]) -> tuple[dict[int, Judged], str]:
    """What could be read, and why the rest could not."""
    read: dict[int, Judged] = {}
    messages = prompts.judge(lang, events)
    for _try in range(2):
        missing = [event for event in events if event.number not in read]
        text = ""
        try:
            answered = _call(workspace, messages, _answer(len(missing)))
            # half of a surrogate pair could not be sent back, nor stored
            text = answered.text.encode("utf-8", "replace").decode("utf-8")
            read |= answers.read(text, {event.number for event in missing}, cut=answered.cut)
            problem = "Not every event was answered."
        except (answers.Unreadable, client.Refused) as error:
            problem = str(error)
        except OverBudget:
            return read, Fallback.BUDGET
        except (client.Unavailable, client.Resting) as error:
            log.warning("The model at %s is away, rules judge: %s", settings.LLM_API_BASE, error)
            return read, Fallback.UNAVAILABLE
        missing = [event for event in events if event.number not in read]
        if not missing:
            break
        log.info("the model's answer could not be used: %s", problem)
        messages = prompts.judge(lang, missing)
        if text:
            messages = prompts.again(messages, text, problem)
    return read, Fallback.UNREADABLE


def _call(workspace: Workspace, messages: list[dict[str, str]], tokens: int) -> client.Answered:
    asked = sum(tokens_of(message["content"]) for message in messages)
    budget = policy_of(workspace).llm_tokens_per_day
    aside, day = asked + tokens, usage.today()
    if not usage.set_aside(workspace, day=day, tokens=aside, budget=budget):
        raise OverBudget
    used = {"calls": 1, "prompt_tokens": 0, "answer_tokens": 0}
    try:
        with places.place(wait=settings.LLM_TIMEOUT / 2, hold=settings.LLM_TIMEOUT):
            answered = client.get_model().ask(messages, answers.SCHEMA, tokens=tokens, seconds=settings.LLM_TIMEOUT)
        # a server that counts nothing is counted for
        used["prompt_tokens"] = answered.prompt_tokens or asked
        used["answer_tokens"] = answered.answer_tokens or tokens_of(answered.text)
        return answered
    except client.Resting:
        used["calls"] = 0
        raise
    finally:
        usage.settle(workspace, day=day, aside=aside, **used)


def _answer(events: int) -> int:
    return min(FRAME + EACH * events, settings.LLM_CONTEXT // 2)
