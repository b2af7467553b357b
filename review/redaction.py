"""The one way around the rule that decisions and notes are never changed: a person's right to erasure.

The database refuses UPDATE and DELETE of both tables (migration 0005). Inside `erasing()` it lets them pass, for this
transaction alone. `memory` never imports `review`, so `forget` does not call this: the page that carries out an erasure
opens one transaction, calls `redact` for the person's conflicts, and then `forget`. Where `forget` deletes conflicts,
so that their decisions go with them, it is called inside `erasing()`:

    with erasing():
        redact(Conflict.objects.filter(user=user))
        forget(user=user, …)
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import QuerySet

from memory.models import Conflict
from review.models import BulkRun, Decision, Erasing, Note, Proposal, SecondLook


@contextmanager
def erasing() -> Iterator[None]:
    """A transaction in which decisions and notes may be changed and deleted. No other transaction sees it open."""
    with transaction.atomic():
        opened = Erasing.objects.create()
        yield
        opened.delete()


def redact(conflicts: QuerySet[Conflict]) -> int:
    """Takes what people said and wrote out of every decision, second look, proposal and note on these conflicts;
    answers how many decisions there were. Who decided what, when and for which reason stays."""
    with erasing():
        BulkRun.objects.filter(decisions__conflict__in=conflicts).update(note="")
        Note.objects.filter(conflict__in=conflicts).update(text="")
        SecondLook.objects.filter(decision__conflict__in=conflicts).update(note="")
        Proposal.objects.filter(conflict__in=conflicts).update(note="", text="", answer="", apart={})
        return Decision.objects.filter(conflict__in=conflicts).update(
            note="", held_text="", incoming_text="", edited_text="", apart={}
        )
