"""The database refuses to change or remove what the audit holds, whoever asks."""

import pytest
from django.db import IntegrityError, connection, transaction

from memory.actor import SYSTEM
from memory.audit import guard, log
from memory.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(workspace, now):
    return log.record(workspace=workspace, actor=SYSTEM, action="test.done", now=now, reason="as it was")


def refused(sql: str, params=()) -> bool:
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, params)
    return True


def test_an_event_is_neither_changed_nor_deleted_by_sql(event):
    assert refused("UPDATE memory_auditevent SET reason = 'never happened' WHERE id = %s", [event.pk])
    assert refused("DELETE FROM memory_auditevent WHERE id = %s", [event.pk])
    assert AuditEvent.objects.get().reason == "as it was"


def test_the_orm_is_refused_too(event):
    for change in (lambda: event.delete(), lambda: AuditEvent.objects.update(reason="x"), lambda: event.save()):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()


@pytest.mark.sqlite
def test_an_event_is_not_replaced_by_an_insert(event):
    columns = "id, at, actor_kind, actor_id, actor_label, action, denied, object_type, object_id, reason, request_id"
    values = "'2026-05-04', 'system', '', 'x', 'test.done', 0, '', '', 'never happened', ''"
    assert refused(f"INSERT OR REPLACE INTO memory_auditevent ({columns}) VALUES (%s, {values})", [event.pk])


def test_the_table_is_not_emptied(event):
    if connection.vendor == "postgresql":
        connection.check_constraints()  # else a deferred one is what refuses
        assert refused("TRUNCATE memory_auditevent CASCADE")
    assert refused("DELETE FROM memory_auditevent")
    assert AuditEvent.objects.count() == 1


def test_a_workspace_with_an_audit_cannot_be_deleted(event, workspace):
    with pytest.raises(IntegrityError):
        workspace.delete()


def test_the_gate_opens_inside_its_block_only_and_not_after_a_failure(event):
    with transaction.atomic(), guard.opened(event):
        AuditEvent.objects.filter(pk=event.pk).update(reason="")
    assert refused("DELETE FROM memory_auditevent")
    with pytest.raises(ValueError), transaction.atomic(), guard.opened(event):
        AuditEvent.objects.all().delete()
        raise ValueError
    assert refused("DELETE FROM memory_auditevent")
    assert AuditEvent.objects.get().reason == ""


def test_the_gate_stays_shut_for_an_act_that_is_not_written(event):
    with transaction.atomic(), pytest.raises(RuntimeError), guard.opened(AuditEvent(action="audit.erase")):
        pass


def test_a_missing_trigger_is_noticed_and_made_again(event):
    assert guard.missing() == []
    name, on = (
        ("memory_auditevent_guard", " ON memory_auditevent")
        if connection.vendor == "postgresql"
        else ("memory_auditevent_delete", "")
    )
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER {name}{on}")
    assert guard.missing() == [name]
    guard.install(connection)
    assert guard.missing() == []
