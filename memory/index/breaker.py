"""A fuse before a service that may be away: after a failure it is left alone for a while, at each failure longer."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Resting(Exception):
    """The service failed a moment ago and was not asked again; the message is that failure's."""


class Breaker:
    """Lets calls through while they work. After one raises `failure` none is made for `first` seconds, then one is
    tried; each further failure doubles the pause up to `longest`. A failure that names a `pause` of its own (seconds)
    gets no less than that, up to `longest`. Shared between threads, not between processes.
    """

    def __init__(
        self, failure: type[Exception], *, first: float = 1.0, longest: float = 60.0, clock=time.monotonic
    ) -> None:
        self._failure, self._first, self._longest, self._clock = failure, first, longest, clock
        self._lock = threading.Lock()
        self._last = ""
        self._pause = 0.0
        self._closed_again_at = 0.0

    def call(self, function: Callable[[], T]) -> T:
        """The function's answer. Raises Resting without calling it, or whatever it raises."""
        self._take_leave()
        try:
            answer = function()
        except self._failure as error:
            self._rest(error)
            raise
        if self._pause:
            with self._lock:
                self._pause = self._closed_again_at = 0.0
        return answer

    def _take_leave(self) -> None:
        with self._lock:
            now = self._clock()
            if now < self._closed_again_at:
                raise Resting(f"{self._last} (asked again in {self._closed_again_at - now:.0f} s)")
            if self._pause:
                # one tries; the others wait for what becomes of it instead of hanging beside it
                self._closed_again_at = now + self._pause

    def _rest(self, error: Exception) -> None:
        with self._lock:
            self._last = str(error)
            self._pause = min(max(self._pause * 2 or self._first, getattr(error, "pause", 0.0)), self._longest)
            self._closed_again_at = self._clock() + self._pause
