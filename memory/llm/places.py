"""How many calls may be under way at one time, counted in the database: workers run on any number of hosts."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from memory.llm.client import Unavailable
from memory.models import LlmPlace

LOOK_AGAIN = 0.2


@contextmanager
def place(*, wait: float, hold: float) -> Iterator[None]:
    """Holds one of the LLM_CONCURRENCY places, for `hold` seconds at most.

    Raises Unavailable when none became free within `wait` seconds. A worker that is killed leaves its place to run out.
    """
    ends = time.monotonic() + wait
    while (taken := _take(timedelta(seconds=hold + 1))) is None:
        if time.monotonic() > ends:
            raise Unavailable(f"All {settings.LLM_CONCURRENCY} places for calls were taken for {wait:.0f} seconds.")
        time.sleep(LOOK_AGAIN)
    number, until = taken
    try:
        yield
    finally:
        # only our own: when it ran out, another may hold it by now
        LlmPlace.objects.filter(pk=number, until=until).update(until=None)


def _take(hold: timedelta) -> tuple[int, datetime] | None:
    now = timezone.now()
    until = now + hold
    free = LlmPlace.objects.filter(Q(until=None) | Q(until__lt=now))
    for number in range(settings.LLM_CONCURRENCY):
        if free.filter(pk=number).update(until=until) == 1:
            return number, until
    if LlmPlace.objects.filter(pk__lt=settings.LLM_CONCURRENCY).count() < settings.LLM_CONCURRENCY:
        places = [LlmPlace(pk=number) for number in range(settings.LLM_CONCURRENCY)]
        LlmPlace.objects.bulk_create(places, ignore_conflicts=True)
    return None
