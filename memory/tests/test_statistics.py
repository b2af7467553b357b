"""SQLite plans by what it knows of its tables: one user's memories are found by the user, not by the workspace."""

import uuid

import pytest
from django.db.models import Model

from memory import tasks
from memory.index import embedded
from memory.models import EndUser, IndexEntry, Memory

pytestmark = pytest.mark.sqlite


def _copies(row: Model, **changed) -> list[dict]:
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return [values | changed]


def test_one_users_memories_are_found_by_the_user(make_memory, workspace):
    kept = make_memory("I live in Bergen")
    memories, entries = [], []
    for number in range(40):
        user = EndUser.objects.create(workspace=workspace, external_id=f"other-{number}")
        for turn in range(5):
            changed = {"id": uuid.uuid4(), "user_id": user.pk, "fingerprint": f"{number}-{turn}"}
            memories += [Memory(**row) for row in _copies(kept, **changed)]
            entries.append(
                IndexEntry(memory_id=changed["id"], workspace=workspace, user=user, version=1, terms="bergen")
            )
    Memory.objects.bulk_create(memories)
    IndexEntry.objects.bulk_create(entries)
    tasks.tidy()
    found = IndexEntry.objects.filter(workspace=workspace, user=kept.user, memory__status="active")
    assert "(user_id=?" in found.explain()
    assert [row.id for row in embedded.rows(kept.user)] == [kept.pk]
