"""The one way around the rule that decisions and notes are never changed: a person's right to erasure.

The database refuses UPDATE and DELETE of both tables (migration 0005). Inside `erasing()` it lets them pass, for this
transaction alone. `memory` never imports `review`: review/erasure.py hands it over.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from review.models import Erasing


@contextmanager
def erasing() -> Iterator[None]:
    """A transaction in which decisions and notes may be changed and deleted. No other transaction sees it open."""
    with transaction.atomic():
        opened = Erasing.objects.create()
        yield
        opened.delete()
