"""On PostgreSQL ids commit out of order: no event is ever passed over by a seal, and nobody waits for one."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory.actor import SYSTEM
from memory.audit import log, seal, verify
from memory.models import AuditEvent, AuditSeal

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@contextmanager
def in_flight(workspace, *, rolled_back: bool = False):
    """A transaction that has appended an event and does not end before the block does; yields the event's id."""
    written, end, ids = Event(), Event(), []

    def run():
        try:
            with transaction.atomic():
                row = log.record(workspace=workspace, actor=SYSTEM, action="test.slow", now=timezone.now())
                ids.append(row.pk)
                written.set()
                end.wait(20)
                transaction.set_rollback(rolled_back)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(run)
        assert written.wait(20)
        try:
            yield ids[0]
        finally:
            end.set()
            done.result(20)


def write(workspace) -> int:
    return log.record(workspace=workspace, actor=SYSTEM, action="test.quick", now=timezone.now()).pk


def sealed() -> list[int]:
    from memory.audit.canon import unpack

    return [id for link in AuditSeal.objects.order_by("pk") for id, _ in unpack(bytes(link.digests))]


def test_a_lower_id_that_commits_late_is_waited_for_and_sealed_in_its_place(workspace):
    with in_flight(workspace) as slow:
        quick = write(workspace)
        assert slow < quick
        assert seal.seal(now=timezone.now()) == 0
    assert seal.seal(now=timezone.now()) == 2
    assert sealed() == [slow, quick]
    assert verify.verify(workspace.pk).broken == 0


def test_an_id_that_is_rolled_back_leaves_a_gap_and_no_fault(workspace):
    with in_flight(workspace, rolled_back=True) as lost:
        quick = write(workspace)
        seal.seal(now=timezone.now())
    assert seal.seal(now=timezone.now()) == 1
    assert sealed() == [quick] and lost < quick
    assert verify.verify(workspace.pk).broken == 0


def test_sealing_goes_on_though_there_is_always_a_transaction_in_flight(workspace):
    with in_flight(workspace) as first:
        seal.seal(now=timezone.now())
        later = in_flight(workspace)
        second = later.__enter__()
    try:
        assert seal.seal(now=timezone.now()) == 1  # what was drawn before the first look; the second one still runs
        assert sealed() == [first]
    finally:
        later.__exit__(None, None, None)
    assert seal.seal(now=timezone.now()) == 1
    assert sealed() == [first, second]


def test_many_writers_and_sealers_at_once_seal_every_event_once(workspace, other_workspace):
    stop = time.monotonic() + 1.5

    def writing(place, n):
        try:
            while time.monotonic() < stop:
                with transaction.atomic():
                    write(place), write(place)
                    transaction.set_rollback(n == 2)
        finally:
            connection.close()

    def sealing():
        try:
            while time.monotonic() < stop:
                seal.seal(now=timezone.now())
        finally:
            connection.close()

    places = (workspace, other_workspace, workspace)
    with ThreadPoolExecutor(5) as pool:
        works = [pool.submit(writing, place, n) for n, place in enumerate(places)]
        works += [pool.submit(sealing), pool.submit(sealing)]
        for work in works:
            work.result(30)
    during = len(sealed())
    seal.seal(now=timezone.now())
    assert sorted(sealed()) == list(AuditEvent.objects.order_by("pk").values_list("pk", flat=True))
    assert during > 0
    for place in (workspace, other_workspace):
        report = verify.verify(place.pk)
        assert (report.broken, report.waiting) == (0, 0)
