"""One conversation with an OpenAI-compatible server, and nothing it can do makes us wait longer than agreed.

The only importer of an HTTP client for models of any kind. httpx and not `openai`: one deadline must bound the whole
conversation, and that library's own retries and timeouts work against it.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx

CONNECT_SECONDS = 5.0

T = TypeVar("T")


class Unavailable(Exception):
    """The server cannot be reached, is too slow, or is not what it should be. It may work again later."""

    # seconds the server itself asks to be left alone
    pause: float = 0.0
    # what was answered, where that is known
    status: int = 0


class Refused(Exception):
    """The server works, and will not take this question or gave nothing for it: too long, or against its rules."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: httpx.Headers
    content: bytes

    def json(self) -> Any:
        """What a good answer holds. Raises Unavailable or, for a question that is too long, Refused."""
        if self.status == 413:
            raise Refused("HTTP 413: the question is too long for the server.")
        if self.status != 200:
            raise self._failure()
        try:
            return json.loads(self.content)
        except ValueError as error:
            raise Unavailable("The server answered with something that is not JSON.") from error

    def _failure(self) -> Unavailable:
        # A redirect too: the texts go to the server that was configured and to no other. What a broken server says
        # is not repeated, for it may quote the question and end in a log.
        told = self.content[:300].decode(errors="replace") if self.status in (401, 403, 404, 429) else ""
        error = Unavailable(f"HTTP {self.status} {self.headers.get('location', told)}".strip())
        error.pause = _seconds(self.headers.get("retry-after", ""))
        error.status = self.status
        return error


class Line:
    """An open line to the server, as a conversation gets it."""

    def __init__(self, http: httpx.AsyncClient, largest: int) -> None:
        self._http, self._largest = http, largest

    async def post(self, url: str, body: dict[str, Any]) -> Reply:
        # unpacked, a small answer could become a huge one
        async with self._http.stream("POST", url, json=body, headers={"Accept-Encoding": "identity"}) as response:
            content = bytearray()
            async for piece in response.aiter_raw():
                content += piece
                if len(content) > self._largest:
                    raise Unavailable(f"The answer is larger than {self._largest} bytes.")
            return Reply(response.status_code, response.headers, bytes(content))


def converse(conversation: Callable[[Line], Awaitable[T]], *, key: str, seconds: float, largest: int) -> T:
    """What the conversation answers, within `seconds` from connecting to the last byte; answers of `largest` bytes.

    Raises Unavailable when it takes longer or the line breaks, and what the conversation raises.
    """
    return asyncio.run(_within(conversation, key, seconds, largest))


def status_of(url: str, *, key: str) -> int:
    """The HTTP status of a GET; 0 when there is no answer within CONNECT_SECONDS."""
    try:
        return asyncio.run(_status(url, key))
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL, OSError):
        return 0


async def _within(conversation: Callable[[Line], Awaitable[T]], key: str, seconds: float, largest: int) -> T:
    try:
        async with asyncio.timeout(seconds), _http(key) as http:
            return await conversation(Line(http, largest))
    except TimeoutError as error:
        raise Unavailable(f"No whole answer within {seconds:.0f} seconds.") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise Unavailable(f"{type(error).__name__}: {error}") from error


async def _status(url: str, key: str) -> int:
    async with asyncio.timeout(CONNECT_SECONDS), _http(key) as http, http.stream("GET", url) as response:
        return response.status_code


def _http(key: str) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.AsyncClient(
        headers=headers, timeout=httpx.Timeout(None, connect=CONNECT_SECONDS), follow_redirects=False
    )


def _seconds(header: str) -> float:
    """Seconds a Retry-After asks for, given as a number or as a date."""
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
