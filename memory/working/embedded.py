"""Working memory in the database: a table with expiry, written in the transaction of the event itself."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from memory.models import Session, WorkingTurn
from memory.policy import Policy


class EmbeddedWorkingMemory:
    def push(self, session: Session, turns: Sequence[dict[str, Any]], *, policy: Policy, now: datetime) -> None:
        expires = now + timedelta(hours=policy.working_ttl_hours)
        rows = [WorkingTurn(session=session, turn=turn, expires_at=expires) for turn in turns[-policy.working_turns :]]
        WorkingTurn.objects.bulk_create(rows)
        oldest_kept = (
            WorkingTurn.objects.filter(session=session).order_by("-id").values_list("id", flat=True)
        )[policy.working_turns - 1 : policy.working_turns]  # fmt: skip
        for id in oldest_kept:
            WorkingTurn.objects.filter(session=session, id__lt=id).delete()

    def context(self, session: Session, *, policy: Policy, now: datetime) -> list[dict[str, Any]]:
        fresh = WorkingTurn.objects.filter(session=session, expires_at__gt=now).order_by("-id")
        return [row.turn for row in fresh[: policy.working_turns]][::-1]

    def forget(self, sessions: Iterable[Session]) -> None:
        WorkingTurn.objects.filter(session__in=sessions).delete()

    def is_away(self) -> bool:
        return False


def drop_expired(now: datetime) -> int:
    """Deletes turns nobody can read any more; answers how many."""
    return WorkingTurn.objects.filter(expires_at__lte=now).delete()[0]
