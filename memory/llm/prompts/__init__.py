"""What is asked of the model: a prompt in the language of the texts, and the texts fenced as data.

A prompt is a file; its name is its id and is stored with every verdict. A change of its words is a new number.
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

JUDGE = {"en": "judge-en-1", "zh": "judge-zh-1"}

# What chat templates use to say whose turn it is: a server may read it even in the middle of a text.
_TURN_MARK = re.compile(
    r"<[|｜][^|｜<>\n]{1,60}[|｜]>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</?(?:think|thinking|reasoning)>"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """One event as it is shown to the model, by its number in the question."""

    number: int
    role: str
    name: str
    text: str


def judge_id(lang: str) -> str:
    return JUDGE.get(lang, JUDGE["en"])


@cache
def words_of(prompt_id: str) -> str:
    return (Path(__file__).parent / f"{prompt_id}.txt").read_text(encoding="utf-8").strip()


def judge(lang: str, events: Sequence[Asked]) -> list[dict[str, str]]:
    """The chat messages that ask for a judgement of these events."""
    code = _code([event.text for event in events])
    return [
        {"role": "system", "content": words_of(judge_id(lang))},
        {"role": "user", "content": "\n\n".join(_fenced(event, code) for event in events)},
    ]


def again(messages: list[dict[str, str]], answer: str, problem: str) -> list[dict[str, str]]:
    """The same question, after an answer that could not be read."""
    return [
        *messages,
        {"role": "assistant", "content": _harmless(answer[:2000])},
        {"role": "user", "content": f"{problem} Answer again, with the JSON object only."},
    ]


def _fenced(event: Asked, code: str) -> str:
    # a name comes from the caller, and stands outside the fence
    name = re.sub(r"[^\w .:/-]", "", event.name)[:60]
    source = f"{event.role} {name}".strip()
    return f"<<<EVENT {event.number} {code} from {source}>>>\n{_harmless(event.text)}\n<<<END {event.number} {code}>>>"


def _code(texts: Sequence[str]) -> str:
    """A code that none of the texts holds, so none can close its fence."""
    while True:
        code = secrets.token_hex(4)
        if not any(code in text for text in texts):
            return code


def _harmless(text: str) -> str:
    return _TURN_MARK.sub(lambda match: f"{match[0][0]} {match[0][1:]}", text)
