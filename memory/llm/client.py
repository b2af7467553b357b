"""One question to a language model on an OpenAI-compatible server."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from memory.index.breaker import Breaker, Resting
from memory.model_server import Line, Refused, Reply, Unavailable, converse, status_of

# Far more than any answer asked for; a server that sends more is not what it should be.
LARGEST = 1_000_000
# How the answer's form is asked for, the best first. What a server refuses is not asked of it again. The second is
# what llama-cpp-python and some others take in the place of the first.
FORMS = ("json_schema", "json_object with schema", "json_object", "plain")

__all__ = ["Answered", "Model", "Refused", "Resting", "Unavailable", "get_model"]


@dataclass(frozen=True, slots=True)
class Answered:
    """`cut` when the answer ended at the limit of tokens. A count of tokens is 0 where the server gave none."""

    text: str
    cut: bool
    prompt_tokens: int
    answer_tokens: int


class Model:
    """A model on a server. What is learnt of the server (which form it takes, whether it is away) is kept here, so
    one process has one of them."""

    def __init__(self, base: str, name: str, key: str = "") -> None:
        self.name = name
        self._url = f"{base}/chat/completions"
        self._models = f"{base}/models"
        self._key = key
        self._form = 0
        self._breaker = Breaker(Unavailable, first=5.0, longest=60.0)

    def ask(self, messages: list[dict[str, str]], schema: dict[str, Any], *, tokens: int, seconds: float) -> Answered:
        """The model's answer of at most `tokens`, within `seconds` whatever the server does.

        Raises Unavailable, Resting while the server is left alone after a failure, or Refused.
        """
        body = {"model": self.name, "messages": messages, "temperature": 0, "max_tokens": tokens, "stream": False}

        async def conversation(line: Line) -> Answered:
            return await self._in_a_form_it_takes(line, body, schema)

        return self._breaker.call(lambda: converse(conversation, key=self._key, seconds=seconds, largest=LARGEST))

    def answers(self) -> bool:
        """Whether the server lists its models, which costs no tokens; never raises."""
        # a server that lists none is there as well
        return status_of(self._models, key=self._key) in (200, 404, 405)

    async def _in_a_form_it_takes(self, line: Line, body: dict[str, Any], schema: dict[str, Any]) -> Answered:
        while True:
            form = self._form
            reply = await line.post(self._url, body | _form(FORMS[form], schema))
            if not _is_refused(reply):
                return _read(reply.json())
            if form + 1 == len(FORMS):
                # it refuses this question however it is put, so the form was not to blame
                self._form = 0
                raise Refused(f"HTTP {reply.status} in every form.")
            self._form = form + 1


def get_model() -> Model:
    """This process's model, as the settings name it."""
    global _model
    named = (settings.LLM_API_BASE, settings.LLM_MODEL, settings.LLM_API_KEY)
    if _model is None or _model[0] != named:
        _model = (named, Model(*named))
    return _model[1]


def forget() -> None:
    """Drops what was learnt of the server."""
    global _model
    _model = None


_model: tuple[tuple[str, str, str], Model] | None = None


def _form(form: str, schema: dict[str, Any]) -> dict[str, Any]:
    if form == "json_schema":
        asked = {"name": "judgement", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": asked}}
    if form == "json_object with schema":
        return {"response_format": {"type": "json_object", "schema": schema}}
    return {"response_format": {"type": "json_object"}} if form == "json_object" else {}


def _is_refused(reply: Reply) -> bool:
    """Whether the question itself was refused. llama-cpp-python calls a form that it does not know its own error."""
    return reply.status in (400, 415, 422) or reply.status in (500, 501) and b"response_format" in reply.content


def _read(answer: Any) -> Answered:
    choices = answer.get("choices") if isinstance(answer, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    text = message.get("content") if isinstance(message, dict) else None
    if isinstance(text, list):
        text = "".join(part.get("text") or "" for part in text if isinstance(part, dict))
    if not isinstance(text, str) or not text.strip():
        refusal = message.get("refusal") if isinstance(message, dict) else None
        raise Refused(str(refusal)[:300] if refusal else "The answer holds no text.")
    usage = answer.get("usage") if isinstance(answer.get("usage"), dict) else {}
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    counts = [count if isinstance(count, int) and 0 < count < 10**9 else 0 for count in counts]
    return Answered(text, first.get("finish_reason") == "length", *counts)
