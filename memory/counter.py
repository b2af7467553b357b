"""Counts shared by all web processes, for throttles. A cache that is away makes nobody wait and stops nobody."""

import logging
from collections.abc import Callable

from django.core.cache import cache

from memory.index.breaker import Breaker, Resting

PAUSE_SECONDS = 5.0  # no process asks a failed cache for so long

log = logging.getLogger(__name__)


class Counter:
    """Named counts in Django's cache, each gone some seconds after its first step."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The cache is asked again at once, whatever it failed at before."""
        # the client's own errors are not known here, and which cache it is neither
        self._breaker = Breaker(Exception, first=PAUSE_SECONDS, longest=PAUSE_SECONDS)
        self._away = False

    def step(self, name: str, *, seconds: float) -> int:
        """One more; answers the count with this one, or 0 when the cache is away."""

        def step() -> int:
            if cache.add(name, 1, timeout=seconds):
                return 1
            try:
                return cache.incr(name)
            except ValueError:  # it ended between the two
                return 1

        return self._ask(step)

    def value(self, name: str) -> int:
        """The count, 0 also when the cache is away."""
        return self._ask(lambda: cache.get(name, 0))

    def drop(self, name: str) -> None:
        self._ask(lambda: int(cache.delete(name)))

    def _ask(self, call: Callable[[], int]) -> int:
        try:
            answer = self._breaker.call(call)
        except Resting:
            return 0
        except Exception:
            # once for an outage, not once for a request of it
            if not self._away:
                log.warning("The cache is away, so nobody is throttled until it is back.", exc_info=True)
            self._away = True
            return 0
        if self._away:
            log.warning("The cache is back, throttles count again.")
            self._away = False
        return answer


counter = Counter()
