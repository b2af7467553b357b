"""What the judge's rules ask of an event or of one of its sentences. Each function answers one question."""

import re
from collections import Counter
from functools import lru_cache

from memory.intake import lexicon_talk as talk
from memory.intake import lexicon_worth as worth
from memory.intake import orders
from memory.intake.clean import HAN
from memory.intake.judge_answers import PREFERRING, PROFILE
from memory.intake.judge_look import Look, plain
from memory.intake.numbers import amounts
from memory.intake.sentences import is_hypothetical as supposes
from memory.intake.sentences import is_question as asks


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
    pattern = talk.BOOT_EN if seen.lang == "en" else talk.BOOT_ZH
    if seen.event.role != "tool" and pattern.search(seen.text.strip()):
        return True
    mine = plain(seen.text)
    return len(mine) > 11 and any(mine in text or (len(text) > 40 and text in mine) for text in seen.boot)


def is_heartbeat(seen: Look) -> bool:
    return bool(talk.HEARTBEAT.search(seen.text))


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
    return seen.event.role == "tool" and (seen.event.is_data or bool(re.match(r"\s*[\[{<]", seen.text)))


@lru_cache(maxsize=1024)
def _courtesy(text: str, lang: str) -> bool:
    bare = re.sub(r"[^\w\s'’\u4e00-\u9fff-]", " ", text.replace("’", "'"))
    if lang == "en":
        bare = talk.GREETED.sub(lambda match: match.group()[: match.start("n") - match.start()], bare.strip())
        left, said = talk.COURTESY_EN.subn(" ", bare)
        return bool(said) and not talk.FILLER_EN.sub(" ", left).split()
    left = talk.COURTESY_ZH.sub("", re.sub(r"\s+", "", bare))
    if (
        re.search("谢|感谢|辛苦|客气", bare)
        and len(left) <= 12
        and not re.search("我(?:喜欢|住|叫|在|是|想|要)|过敏|\\d{2}", re.sub("喜欢这些.{0,4}", "", bare))
    ):
        return True
    return len(left) <= 2 and not re.search(r"\d", left)


def is_courtesy(seen: Look) -> bool:
    return len(seen.text) <= 120 and _courtesy(seen.text, seen.lang)


def is_recital(seen: Look) -> bool:
    """The agent says that it speaks from memory."""
    return seen.by_agent and bool(talk.RECALLED_PREFIX.search(seen.text))


def is_echo(seen: Look) -> bool:
    """Near-verbatim what recall returned. The user may say again what is remembered: that is evidence."""
    if seen.by_user:
        return False
    mine = plain(seen.text)
    return len(mine) > 5 and any(
        mine in text or (text in mine and len(text) / len(mine) > 0.6) for text in seen.recalled
    )


def is_boot_sentence(seen: Look) -> bool:
    mine = plain(seen.text)
    return len(mine) > 11 and any(mine in text for text in seen.boot)


def is_code(seen: Look) -> bool:
    return bool(talk.CODE.search(seen.text)) and not seen.facts


def is_standing_request(seen: Look) -> bool:
    if not seen.by_user or not seen.has(worth.STANDING_EN, worth.STANDING_ZH) or supposes(seen.text, seen.lang):
        return False
    if asks(seen.text, seen.lang) and not re.match(
        r"(?:can|could|would|will) you|please|你?(?:能|可以)|麻烦|请", seen.text, re.IGNORECASE
    ):
        return False
    return seen.size >= 3 and (not seen.firm or bool(worth.BIDDING.search(seen.text)))


def is_correction(seen: Look) -> bool:
    if not seen.by_user or asks(seen.text, seen.lang) or supposes(seen.text, seen.lang):
        return False
    left = (worth.CORRECTION_EN if seen.lang == "en" else worth.CORRECTION_ZH).sub("", seen.text, count=1)
    points = talk.DEICTIC.search(seen.text) and (talk.DEICTIC.search(left) or not left.strip(" .!。！"))
    if points and not seen.firm and not worth.SPELLED.search(seen.text):
        return False
    return seen.has(worth.CORRECTION_EN, worth.CORRECTION_ZH) and seen.size >= 4


def is_constraint(seen: Look) -> bool:
    if not seen.by_user or supposes(seen.text, seen.lang):
        return False
    if not (asks(seen.text, seen.lang) or seen.has(talk.REQUEST_EN, talk.REQUEST_ZH) or _looks_for(seen)):
        return False
    return seen.has(worth.CONSTRAINT_EN, worth.CONSTRAINT_ZH)


def is_question(seen: Look) -> bool:
    return asks(seen.text, seen.lang)


def is_hypothetical(seen: Look) -> bool:
    return supposes(seen.text, seen.lang)


def is_agent_talk(seen: Look) -> bool:
    return seen.by_agent and seen.has(talk.ASSISTANT_TALK_EN, talk.ASSISTANT_TALK_ZH) and not is_reported_outcome(seen)


def is_ephemeral(seen: Look) -> bool:
    if seen.size > 14:
        return False
    return seen.has(talk.MOMENT_EN, talk.MOMENT_ZH) or seen.has(talk.EPHEMERAL_EN, talk.EPHEMERAL_ZH) and not seen.firm


def is_reported_outcome(seen: Look) -> bool:
    return seen.by_agent and seen.has(worth.OUTCOME_EN, worth.OUTCOME_ZH) and seen.size >= 4


def _is_somebody(subject: str) -> bool:
    """Somebody or something with a name, not "one that your phone …"."""
    if subject in ("user", "agent", "they", "it", ""):
        return False
    return not re.search(r"\b(?:you|yours?|one|that|this|these|those)\b|[您你这那]", subject, re.IGNORECASE)


def is_agent_words(seen: Look) -> bool:
    """The agent may tell of the user or state a fact; what else it says is its own."""
    if not seen.by_agent:
        return False
    if any(_is_somebody(fact.subject) for fact in seen.firm if not fact.attribute.startswith("slot:")):
        return False
    about_user = re.search(r"\b(?:the )?(?:user|customer|client)(?:'s)?\b|用户|顾客|客户", seen.text, re.IGNORECASE)
    if about_user and (seen.firm or seen.has(worth.PREFERENCE_EN, worth.PREFERENCE_ZH)):
        return False
    return not any(fact.attribute.startswith(("slot:", "version:", "measure:")) for fact in seen.firm)


def is_preference(seen: Look) -> bool:
    if any(fact.attribute.startswith(PREFERRING) for fact in seen.firm):
        return True
    if not seen.has(worth.PREFERENCE_EN, worth.PREFERENCE_ZH) or seen.size < 3:
        return False
    if worth.UNDECIDED.search(seen.text):
        return False
    return not any(talk.DEICTIC.search(fact.value) for fact in seen.facts)


def is_commitment(seen: Look) -> bool:
    return seen.has(worth.COMMITMENT_EN, worth.COMMITMENT_ZH) and _says_enough(seen)


def is_decision(seen: Look) -> bool:
    if seen.by_user and talk.BID_ZH.search(seen.text):
        return False
    return seen.has(worth.DECISION_EN, worth.DECISION_ZH) and seen.size >= 4


def is_profile(seen: Look) -> bool:
    if not seen.by_agent and (seen.has(worth.HEALTH_EN, worth.HEALTH_ZH) or seen.has(worth.LIFE_EN, worth.LIFE_ZH)):
        return True
    return any(fact.attribute.startswith(PROFILE) for fact in seen.firm)


def is_possession(seen: Look) -> bool:
    """What a thing of the user's is. How it is doing right now passes."""
    if not seen.by_user or seen.has(talk.EPHEMERAL_EN, talk.EPHEMERAL_ZH):
        return False
    return seen.has(worth.POSSESSION_EN, worth.POSSESSION_ZH)


def is_plan(seen: Look) -> bool:
    return seen.has(worth.PLAN_EN, worth.PLAN_ZH) and _says_enough(seen) and not is_request(seen)


def _says_enough(seen: Look) -> bool:
    return seen.size >= (4 if seen.lang == "en" else 3)


def is_request(seen: Look) -> bool:
    return seen.has(talk.REQUEST_EN, talk.REQUEST_ZH) or bool(talk.BID_ZH.search(seen.text))


def is_experience(seen: Look) -> bool:
    return (
        seen.has(worth.OUTCOME_EN, worth.OUTCOME_ZH) and seen.has(worth.LEARNED_EN, worth.LEARNED_ZH) and seen.size >= 6
    )


def is_stated_fact(seen: Look) -> bool:
    if seen.has(worth.FACT_EN, worth.FACT_ZH) and seen.size >= 5:
        return True
    if seen.by_user and seen.has(worth.PLACED_EN, worth.PLACED_ZH):
        return True
    return bool(seen.firm) or bool(orders.permits(seen.text, seen.lang) and seen.event.role == "tool")


def is_opinion(seen: Look) -> bool:
    return seen.has(worth.OPINION_EN, worth.OPINION_ZH) and seen.size >= 6


def is_exclamation(seen: Look) -> bool:
    return bool(talk.EXCLAMATION.search(seen.text))


def is_dated(seen: Look) -> bool:
    """A statement of some length that is tied to a date or an amount."""
    if seen.event.role == "tool" or seen.size < 8:
        return False
    return any(
        amount.kind in ("date", "year", "percent", "temperature") or amount.kind.startswith("money")
        for amount in amounts(seen.text)
    )


def _looks_for(seen: Look) -> bool:
    return bool(
        re.search(
            r"\b(?:looking for|i want|i need|i'd like|find me|searching for)\b|想(?:找|要|吃|住|去|订|买)|需要|推荐|"
            r"希望",
            seen.text,
            re.IGNORECASE,
        )
    )
