"""One question to an OpenAI-compatible server, and nothing it can do makes us wait longer than agreed.

The only importer of an HTTP client for language models. httpx and not `openai`: one deadline must bound the whole
call, and that library's own retries and timeouts work against it.
"""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import httpx
from django.conf import settings

from memory.index.breaker import Breaker, Resting

CONNECT_SECONDS = 5.0
# Far more than any answer asked for; a server that sends more is not what it should be.
LARGEST = 1_000_000
# How the answer's form is asked for, the best first. What a server refuses is not asked of it again. The second is
# what llama-cpp-python and some others take in the place of the first.
FORMS = ("json_schema", "json_object with schema", "json_object", "plain")

__all__ = ["Answered", "Model", "Refused", "Resting", "Unavailable", "get_model"]


class Unavailable(Exception):
    """The server cannot be reached, is too slow, or is not what it should be. It may work again later."""

    # seconds the server itself asks to be left alone
    pause: float = 0.0


class Refused(Exception):
    """The server works, and will not take this question or gave no text for it: too long, or against its rules."""


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
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._form = 0
        self._breaker = Breaker(Unavailable, first=5.0, longest=60.0)

    def ask(self, messages: list[dict[str, str]], schema: dict[str, Any], *, tokens: int, seconds: float) -> Answered:
        """The model's answer of at most `tokens`, within `seconds` whatever the server does.

        Raises Unavailable, Resting while the server is left alone after a failure, or Refused.
        """
        body = {"model": self.name, "messages": messages, "temperature": 0, "max_tokens": tokens, "stream": False}
        return self._breaker.call(lambda: asyncio.run(self._within(seconds, body, schema)))

    def answers(self) -> bool:
        """Whether the server lists its models, which costs no tokens; never raises."""
        try:
            status = asyncio.run(self._status_of_models())
        except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError):
            return False
        # a server that lists none is there as well
        return status in (200, 404, 405)

    async def _status_of_models(self) -> int:
        async with asyncio.timeout(CONNECT_SECONDS), self._http() as http, http.stream("GET", self._models) as response:
            return response.status_code

    async def _within(self, seconds: float, body: dict[str, Any], schema: dict[str, Any]) -> Answered:
        try:
            async with asyncio.timeout(seconds):
                return await self._in_a_form_it_takes(body, schema)
        except TimeoutError as error:
            raise Unavailable(f"No whole answer within {seconds:.0f} seconds.") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise Unavailable(f"{type(error).__name__}: {error}") from error

    async def _in_a_form_it_takes(self, body: dict[str, Any], schema: dict[str, Any]) -> Answered:
        async with self._http() as http:
            while True:
                form = self._form
                status, headers, content = await self._post(http, body | _form(FORMS[form], schema))
                if not _is_refused(status, content):
                    _check(status, headers, content)
                    return _read(content)
                if form + 1 == len(FORMS):
                    # it refuses this question however it is put, so the form was not to blame
                    self._form = 0
                    raise Refused(f"HTTP {status} in every form.")
                self._form = form + 1

    def _http(self) -> httpx.AsyncClient:
        limits = httpx.Timeout(None, connect=CONNECT_SECONDS)
        return httpx.AsyncClient(headers=self._headers, timeout=limits, follow_redirects=False)

    async def _post(self, http: httpx.AsyncClient, body: dict[str, Any]) -> tuple[int, httpx.Headers, bytes]:
        # unpacked, a small answer could become a huge one
        async with http.stream("POST", self._url, json=body, headers={"Accept-Encoding": "identity"}) as response:
            content = b""
            async for piece in response.aiter_raw():
                content += piece
                if len(content) > LARGEST:
                    raise Unavailable(f"The answer is larger than {LARGEST} bytes.")
            return response.status_code, response.headers, content


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


def _is_refused(status: int, content: bytes) -> bool:
    """Whether the question itself was refused. llama-cpp-python calls a form that it does not know its own error."""
    return status in (400, 415, 422) or status in (500, 501) and b"response_format" in content


def _check(status: int, headers: httpx.Headers, content: bytes) -> None:
    if status == 413:
        raise Refused("HTTP 413: the question is too long for the server.")
    if status != 200:
        # A redirect too: the texts go to the server that was configured and to no other. What a broken server says
        # is not repeated, for it may quote the question and end in a log.
        told = content[:300].decode(errors="replace") if status in (401, 403, 404, 429) else ""
        shown = headers.get("location", told)
        error = Unavailable(f"HTTP {status} {shown}".strip())
        error.pause = _seconds(headers.get("retry-after", ""))
        raise error


def _seconds(header: str) -> float:
    return float(header) if header.isascii() and header.isdigit() else 0.0


def _read(content: bytes) -> Answered:
    try:
        answer = json.loads(content)
    except ValueError as error:
        raise Unavailable("The server answered with something that is not JSON.") from error
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
