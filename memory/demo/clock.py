"""The demo's clock: weeks of conversations are told in seconds, and still every row carries its own day."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Lets this process believe that it is `moment`. For the demo alone: nothing that serves people or agents calls it.

    Without it five weeks of conversations would all be recorded, judged and recalled within one minute: a queue
    where nothing is due, memories that never cooled, and charts of one bar.
    """
    real = timezone.now
    timezone.now = lambda: moment
    try:
        yield
    finally:
        timezone.now = real
