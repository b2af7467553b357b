"""Sealing and verifying by the clock, in pieces as long as a job may take."""

import pytest
from django.core.management import call_command
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from memory import tasks
from memory.actor import SYSTEM
from memory.audit import log, seal, verify
from memory.models import AuditCheck, AuditSeal

pytestmark = pytest.mark.django_db


def test_the_jobs_seal_and_verify_and_the_result_is_kept(workspace, now):
    log.record(workspace=workspace, actor=SYSTEM, action="test.done", now=now)
    assert tasks.seal_audit() == 1
    tasks.verify_audit()
    for queued in OrmQ.objects.all():
        job = SignedPackage.loads(queued.payload)
        assert job["func"] == "memory.tasks.verify_chain"
        tasks.verify_chain(*job["args"])
    check = AuditCheck.objects.get()
    assert (check.workspace, check.rows, check.seals, check.broken) == (workspace, 1, 1, 0)


def test_a_verification_by_jobs_adds_up_what_its_steps_found(workspace, now, monkeypatch):
    monkeypatch.setattr(seal, "BATCH", 2)
    for _ in range(6):
        log.record(workspace=workspace, actor=SYSTEM, action="test.done", now=now)
    seal.seal(now=now)
    whole = verify._links

    def one_seal(chain, start, report, heads, until):
        for link in whole(chain, start, report, heads, until):
            if report.seals > 1:
                report.seals, report.stopped_at = 1, link.number - 1
                return
            yield link

    monkeypatch.setattr(verify, "_links", one_seal)
    after, found = 0, {}
    for _ in range(3):
        tasks.verify_chain(workspace.pk, after, found)
        if queued := OrmQ.objects.first():
            _, after, found = SignedPackage.loads(queued.payload)["args"]
            queued.delete()
    check = AuditCheck.objects.get()
    assert (check.rows, check.seals, check.broken) == (6, 3, 0)


def test_the_clock_knows_the_audits_jobs(db):
    call_command("setup_schedules")
    names = {"memory.tasks.seal_audit", "memory.tasks.retire_audit", "memory.tasks.verify_audit"}
    assert names <= set(Schedule.objects.values_list("func", flat=True))


def test_retention_by_the_job_goes_on_until_nothing_is_left(workspace, now):
    workspace.settings = {"audit_days": 30}
    workspace.save()
    log.record(workspace=workspace, actor=SYSTEM, action="test.done", now=now.replace(year=2020))
    seal.seal(now=now.replace(year=2020))
    assert (tasks.retire_audit(), tasks.retire_audit()) == (1, 0)
    assert AuditSeal.objects.get().removed_by
