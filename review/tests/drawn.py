"""A decision that was drawn for a second look, as tests need one: nobody in particular has taken it."""

from django.utils import timezone

from memory.models import Conflict
from review.models import Decision, SecondLook


def drawn(conflict: Conflict) -> SecondLook:
    decision = Decision.objects.create(
        conflict=conflict, choice="keep", reason_code="other", decided_at=timezone.now(), conflict_version=1,
        incoming_text=conflict.text,
    )  # fmt: skip
    return SecondLook.objects.create(decision=decision, workspace=conflict.workspace, drawn_at=timezone.now())
