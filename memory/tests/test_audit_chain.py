"""The chain names the first event that is not as it was sealed, whatever was done behind its back."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from memory.actor import Actor
from memory.audit import guard, log, remove, seal, verify
from memory.models import AuditCheck, AuditEvent, AuditSeal

pytestmark = pytest.mark.django_db
ADA = Actor(kind="person", id="1", label="Ada 阿达", address="192.0.2.7", request_id="r-1")


@pytest.fixture
def write(workspace, now):
    """write(3) appends so many events of the workspace; answers their ids."""

    def write_(count: int, *, place=workspace, at=now, action="memory.revise") -> list[int]:
        rows = [
            log.record(
                workspace=place, actor=ADA, action=action, now=at, object_type="memory", object_id=n,
                before={"text": f"I live in Graz {n}", "credibility": 0.8}, after={"text": "我住在格拉茨"},
            )
            for n in range(count)
        ]  # fmt: skip
        return [row.pk for row in rows]

    return write_


@pytest.fixture
def behind(workspace):
    """behind("UPDATE …") runs SQL as somebody does who has taken the triggers away."""

    def run(sql: str, *params) -> None:
        guard.remove(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
        guard.install(connection)

    return run


def fault(chain) -> str:
    return str(verify.verify(chain.pk).first)


def verified(*args) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("verify_audit", *args, stdout=out)
    except SystemExit as end:
        return end.code, out.getvalue()
    return 0, out.getvalue()


def test_events_are_sealed_in_batches_and_found_whole(workspace, other_workspace, write, now, monkeypatch):
    monkeypatch.setattr(seal, "BATCH", 4)
    write(5), write(3, place=other_workspace), write(2, place=None), write(1)
    assert seal.seal(now=now) == 11
    assert seal.seal(now=now) == 0
    assert sum(AuditSeal.objects.filter(workspace=workspace).values_list("count", flat=True)) == 6
    code, said = verified()
    assert code == 0
    assert "ok shop: 6 events" in said and "ok other: 3 events" in said and "outside of workspaces: 2 events" in said


def test_what_is_not_sealed_yet_is_counted_as_waiting(workspace, write, now):
    write(2), seal.seal(now=now), write(3)
    report = verify.verify(workspace.pk)
    assert (report.rows, report.waiting, report.broken) == (2, 3, 0)


@pytest.mark.parametrize("column, value", [
    ("reason", "never"), ("after", '{"text": "else"}'), ("at", "2020-01-01 00:00:00+00:00"), ("denied", True),
    ("actor_label", "Ben"), ("address", "192.0.2.8"), ("before", None),
])  # fmt: skip
def test_an_edited_event_is_named(workspace, write, now, behind, column, value):
    ids = write(5)
    seal.seal(now=now)
    behind(f"UPDATE memory_auditevent SET {column} = %s WHERE id = %s", value, ids[2])
    assert fault(workspace) == f"event {ids[2]} was edited"


def test_a_deleted_event_is_named(workspace, write, now, behind):
    ids = write(5)
    seal.seal(now=now)
    behind("DELETE FROM memory_auditevent WHERE id = %s", ids[3])
    assert fault(workspace) == f"event {ids[3]} was deleted"


def test_an_event_put_among_sealed_ones_is_named_and_never_sealed(workspace, write, now, behind):
    ids = write(5)
    seal.seal(now=now)
    behind("DELETE FROM memory_auditevent WHERE id = %s", ids[1])
    log_row = AuditEvent(pk=ids[1], workspace=workspace, at=now, actor_kind="person", actor_label="Ada", action="x")
    log_row.save(force_insert=True)
    assert fault(workspace) == f"event {ids[1]} was edited"
    AuditEvent(pk=ids[0] - 5000, workspace=workspace, at=now, actor_label="Ada", action="x").save(force_insert=True)
    write(1), seal.seal(now=now)
    assert fault(workspace) == f"event {ids[0] - 5000} was put among sealed ones afterwards"


def test_an_event_moved_to_another_workspace_is_missed_in_its_own(workspace, other_workspace, write, now, behind):
    ids = write(3)
    seal.seal(now=now)
    behind("UPDATE memory_auditevent SET workspace_id = %s WHERE id = %s", other_workspace.pk, ids[1])
    assert fault(workspace) == f"event {ids[1]} was deleted"
    assert fault(other_workspace) == f"event {ids[1]} was put among sealed ones afterwards"


def test_a_seal_that_was_changed_or_taken_away_is_named(workspace, write, now, behind, monkeypatch):
    monkeypatch.setattr(seal, "BATCH", 2)
    write(6), seal.seal(now=now)
    behind("UPDATE memory_auditseal SET total = 7 WHERE number = 2")
    assert fault(workspace) == "seal 2 was changed"
    behind("DELETE FROM memory_auditseal WHERE number = 2")
    assert fault(workspace) == "seal 2 is missing"


def test_the_command_names_the_first_fault_exits_with_1_and_the_result_is_kept(workspace, write, now, behind):
    ids = write(5)
    seal.seal(now=now)
    behind("UPDATE memory_auditevent SET reason = 'x' WHERE id >= %s", ids[3])
    code, said = verified("--workspace", "shop")
    assert code == 1
    assert f"BROKEN shop: event {ids[3]} was edited, the first of 2 faults" in said and "5 sealed events" in said
    check = AuditCheck.objects.get(workspace=workspace)
    assert (check.first_code, check.first_id, check.broken) == ("edited", ids[3], 2)


def test_a_missing_trigger_is_told(write, now):
    write(1), seal.seal(now=now)
    guard.remove(connection)
    code, said = verified()
    assert code == 1 and "the trigger memory_auditevent_" in said
    guard.install(connection)


def test_heads_kept_elsewhere_show_a_chain_that_was_made_anew(workspace, write, now, behind, tmp_path):
    ids = write(4)
    out = StringIO()
    call_command("export_audit_heads", stdout=out)
    assert json.loads(out.getvalue())["events"] == 4
    kept = tmp_path / "heads.jsonl"
    kept.write_text(out.getvalue())
    assert verified("--heads", str(kept))[0] == 0
    behind("UPDATE memory_auditevent SET reason = 'x' WHERE id = %s", ids[0])
    behind("DELETE FROM memory_auditseal")
    seal.seal(now=now + timedelta(days=1))
    assert verified()[0] == 0
    code, said = verified("--heads", str(kept))
    assert code == 1 and "seal 1 is not the one that was kept elsewhere" in said
    behind("DELETE FROM memory_auditseal")
    assert "seal 1 is missing" in verified("--heads", str(kept))[1]


@pytest.mark.parametrize("line", ["no json", "[]", '{"chain": 1}', '{"chain": true, "seal": 1, "hash": ""}', "\x00"])
def test_a_file_that_holds_no_heads_is_refused(db, tmp_path, line):
    (tmp_path / "heads").write_text(line)
    with pytest.raises(CommandError, match="line 1") as refused:
        call_command("verify_audit", "--heads", str(tmp_path / "heads"))
    assert refused.value.returncode == 2


def test_erased_text_is_gone_and_the_chain_still_holds(workspace, write, now):
    ids = write(4)
    seal.seal(now=now)
    mine = AuditEvent.objects.filter(pk__in=ids[:2])
    assert remove.erase_text(workspace=workspace, events=mine, actor=ADA, now=now, reason="asked for it") == 2
    assert AuditEvent.objects.get(pk=ids[0]).before is None
    act = AuditEvent.objects.get(action="audit.erase")
    assert (act.reason, act.after["events"]) == ("asked for it", 2)
    for _ in range(2):
        report = verify.verify(workspace.pk)
        assert (report.broken, report.erased) == (0, 2)
        seal.seal(now=now)


def test_an_erasure_may_leave_what_is_nobodys_words(workspace, write, now):
    [id] = write(1)
    seal.seal(now=now)

    def clean(event):
        event.before = event.before | {"text": None}

    remove.erase_text(workspace=workspace, events=AuditEvent.objects.all(), actor=ADA, now=now, reason="", clean=clean)
    event = AuditEvent.objects.get(pk=id)
    assert event.before == {"text": None, "credibility": 0.8} and event.after
    assert verify.verify(workspace.pk).broken == 0


def test_an_edit_after_an_erasure_and_an_erasure_without_a_record_are_found(workspace, write, now, behind):
    ids = write(2)
    seal.seal(now=now)
    remove.erase_text(workspace=workspace, events=AuditEvent.objects.filter(pk=ids[0]), actor=ADA, now=now, reason="")
    act = AuditEvent.objects.get(action="audit.erase")
    behind("UPDATE memory_auditevent SET reason = '', erased_by = %s WHERE id = %s", act.pk, ids[1])
    assert verify.verify(workspace.pk).broken == 0  # nothing but the mark was changed: the row is as it was sealed
    behind("UPDATE memory_auditevent SET before = NULL WHERE id = %s", ids[1])
    assert fault(workspace) == f"the text of event {ids[1]} was erased without a record of it"
    behind("UPDATE memory_auditevent SET reason = 'I said nothing' WHERE id = %s", ids[0])
    assert fault(workspace) == f"event {ids[0]} was edited"


def test_retention_removes_whole_old_batches_and_the_chain_still_holds(workspace, write, now, monkeypatch):
    workspace.settings = {"audit_days": 30}
    workspace.save()
    old, later = now - timedelta(days=50), now - timedelta(days=20)
    gone = write(3, at=old)
    seal.seal(now=old)
    kept = write(1, at=old) + write(2, at=later)
    seal.seal(now=later)
    assert remove.retire(now=now, until=float("inf")) == 3
    assert not AuditEvent.objects.filter(pk__in=gone).exists()
    assert AuditEvent.objects.filter(pk__in=kept).count() == 3
    assert AuditEvent.objects.get(action="audit.retire").after["events"] == 3
    report = verify.verify(workspace.pk)
    assert (report.broken, report.removed, report.rows) == (0, 3, 3)
    assert remove.retire(now=now, until=float("inf")) == 0


def test_what_tells_of_a_removal_outlives_it(workspace, write, now):
    workspace.settings = {"audit_days": 30}
    workspace.save()
    write(3), seal.seal(now=now)
    for months in (2, 4, 6):
        then = now + timedelta(days=30 * months)
        write(1, at=then), seal.seal(now=then)
        remove.retire(now=then, until=float("inf"))
        seal.seal(now=then)
    assert AuditEvent.objects.filter(action="audit.retire").count() == 3
    assert verify.verify(workspace.pk).broken == 0


def test_rows_that_vanish_without_an_act_are_missed_even_where_the_seal_says_removed(workspace, write, now, behind):
    ids = write(3)
    seal.seal(now=now)
    behind("DELETE FROM memory_auditevent")
    behind("UPDATE memory_auditseal SET removed_by = %s", write(1, action="audit.retire")[0])
    assert fault(workspace) == f"event {ids[0]} was deleted"


def test_by_default_everything_is_kept_for_ever(workspace, write, now):
    write(3, at=now - timedelta(days=5000)), seal.seal(now=now - timedelta(days=5000))
    assert remove.retire(now=now, until=float("inf")) == 0


def test_a_verification_goes_on_where_time_ran_out(workspace, write, now, monkeypatch, behind):
    monkeypatch.setattr(seal, "BATCH", 2)
    ids = write(6)
    seal.seal(now=now)
    assert verify.verify(workspace.pk, until=0).stopped_at == 0
    behind("UPDATE memory_auditevent SET reason = 'x' WHERE id = %s", ids[3])
    report = verify.verify(workspace.pk, after=1)
    assert (report.rows, str(report.first)) == (4, f"event {ids[3]} was edited")
    assert verify.verify(workspace.pk, after=2).broken == 0
