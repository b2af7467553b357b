"""Memories from a file: what another system remembered, with a history here from their first day on."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django_q.tasks import async_task

from memory.actions.bring import Brought, bring
from memory.actor import Actor
from memory.bulk import rows as rows_module
from memory.bulk.people import sessions_of, users_of
from memory.bulk.rows import BadRow, BadRows
from memory.intake.clean import fingerprint
from memory.models import Conflict, EndUser, Lesson, Memory, Workspace
from memory.models.memory import MemoryStatus
from memory.store import parts, patient


@dataclass(frozen=True, slots=True)
class ImportedMemories:
    count: int
    users: int
    bad: list[BadRow]  # what was left out because it cannot be read
    skipped: list[BadRow]  # what was left out because it is known, waits for a person, or was rejected by one
    run_id: str  # the session of the import with each user, and its id in the audit


def import_memories(
    workspace: Workspace,
    rows: Iterable[Any],
    actor: Actor,
    now: datetime,
    *,
    label: str = "",
    skip_bad: bool = False,
    dry_run: bool = False,
) -> ImportedMemories:
    """Remembers rows of the shape of bulk.rows.MemoryRow, in one transaction. None is a blank line.

    Raises BadRows, with nothing written, when any row is bad; with `skip_bad` those are left out and answered. Rows
    are not judged or compared: what contradicts something held stands beside it. `dry_run` writes nothing.
    """
    good, bad = rows_module.check(rows, rows_module.memory)
    if bad and not skip_bad:
        raise BadRows(bad)
    run_id = f"import-{now:%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    with transaction.atomic():
        patient()
        users = users_of(workspace, {fields["user_id"] for _, fields in good})
        _take_turns(users.values())
        unknown = _unknown_sources(good, users)
        if unknown and not skip_bad:
            raise BadRows(unknown)
        bad, lines = bad + unknown, {row.line for row in unknown}
        good = [(line, fields) for line, fields in good if line not in lines]
        wanted, skipped = _new(good, users, now)
        if dry_run:
            transaction.set_rollback(True)
        elif wanted:
            _bring(workspace, wanted, users, actor, now, run_id, label or "imported")
            async_task("memory.tasks.embed_missing", group="index")
    return ImportedMemories(len(wanted), len({fields["user_id"] for fields in wanted}), bad, skipped, run_id)


def _bring(workspace, wanted: Sequence[dict], users: dict[str, EndUser], actor, now, run_id: str, reason: str) -> None:
    times: dict[tuple[int, str], dict[str, Any]] = {}
    for fields in wanted:
        at, place = fields.get("event_time") or now, (users[fields["user_id"]].pk, run_id)
        known = times.setdefault(place, {"started_at": at, "last_event_at": at})
        known["started_at"] = min(at, known["started_at"])
        known["last_event_at"] = max(at, known["last_event_at"])
    sessions = sessions_of(workspace, times)
    items = [
        Brought(user, sessions[user.pk, run_id], fields) for fields in wanted for user in (users[fields["user_id"]],)
    ]  # fmt: skip
    bring(workspace=workspace, items=items, actor=actor, now=now, run_id=run_id, reason=reason)


def _take_turns(users: Iterable[EndUser]) -> None:
    """As actions.base.take_turn, of many users: in one order, so that two imports wait and do not deadlock."""
    for part in parts(sorted(user.pk for user in users)):
        rows = EndUser.objects.filter(pk__in=part)
        list(rows.select_for_update().order_by("pk").values_list("pk"))
        rows.update(revision=F("revision") + 1)


def _unknown_sources(good: Sequence[tuple[int, dict[str, Any]]], users: dict[str, EndUser]) -> list[BadRow]:
    """Rows made from what is no active memory of their user."""
    named = sorted({source for _, fields in good for source in fields.get("derived_from", ())})
    held: set[tuple[int, Any]] = set()
    for part in parts(named):
        held |= set(Memory.objects.filter(pk__in=part, status=MemoryStatus.ACTIVE).values_list("user_id", "pk"))
    return [
        BadRow(line, f"derived_from.{place}", "There is no such memory of this user.")
        for line, fields in good
        for place, source in enumerate(fields.get("derived_from", ()))
        if (users[fields["user_id"]].pk, source) not in held
    ]


def _new(
    good: Sequence[tuple[int, dict[str, Any]]], users: dict[str, EndUser], now: datetime
) -> tuple[list[dict[str, Any]], list[BadRow]]:
    """The rows that may enter, and why the others may not. Each has its text's fingerprint."""
    known = _known([user.pk for user in users.values()], now)
    wanted, skipped = [], []
    for line, row in good:
        fields = row | {"fingerprint": fingerprint(row["text"])}
        place = (users[fields["user_id"]].pk, fields["fingerprint"])
        if why := known.get(place):
            skipped.append(BadRow(line, "", why))
        else:
            known[place] = f"says the same as line {line}"
            wanted.append(fields)
    return wanted, skipped


def _known(users: Sequence[int], now: datetime) -> dict[tuple[int, str], str]:
    """What a row may not say again: by user and fingerprint, the reason. What is active comes before the rest."""
    known: dict[tuple[int, str], str] = {}
    for part in parts(users):
        lessons = Lesson.objects.filter(user_id__in=part, undone_at=None, expires_at__gt=now)
        waiting = Conflict.objects.filter(user_id__in=part, status=Conflict.Status.OPEN)
        active = Memory.objects.filter(user_id__in=part, status=MemoryStatus.ACTIVE)
        for found, why in (
            (lessons, "a reviewer rejected this"),
            (waiting, "this waits for a reviewer"),
            (active, "this is remembered already"),
        ):
            known |= dict.fromkeys(found.values_list("user_id", "fingerprint"), why)
    return known
