"""The feed beside writers, on PostgreSQL: it waits for nobody and nobody waits for it."""

import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory.actions.base import take_turn
from memory.actions.revise import retract_all
from memory.actor import SYSTEM
from memory.index import follower, sync, verify
from memory.models import EndUser, Memory, OutboxEntry

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def in_thread(work):
    def run():
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_filling_goes_on_with_others_while_one_is_written_to(settings, make_memory, workspace, qdrant_http):
    url, settings.VECTOR_DB_URL = settings.VECTOR_DB_URL, ""
    busy, idle = (EndUser.objects.create(workspace=workspace, external_id=name) for name in ("busy", "idle"))
    for owner in (busy, idle):
        make_memory(f"{owner.external_id} likes tea", user=owner, run_id=owner.external_id)
    settings.VECTOR_DB_URL = url
    locked, release = threading.Event(), threading.Event()

    @transaction.atomic
    def write():
        take_turn(busy)
        locked.set()
        release.wait(10)

    writer = in_thread(write)
    locked.wait(10)
    feeder = in_thread(lambda: sync.drain(timezone.now()))
    time.sleep(0.5)
    waiting = set(OutboxEntry.objects.values_list("user_id", flat=True))
    release.set()
    writer.join()
    feeder.join()
    assert waiting == {idle.pk}
    sync.drain(timezone.now())
    assert follower.get_follower().count() == 2


def test_feeders_and_writers_of_many_rows_never_deadlock(make_memory, workspace, qdrant_http, now):
    users = [EndUser.objects.create(workspace=workspace, external_id=f"u-{n}") for n in range(4)]
    for owner in users:
        for n in range(15):
            make_memory(f"{owner.external_id} keeps box {n}", user=owner, run_id=owner.external_id)
    errors = []

    def until(work):
        def run():
            try:
                for _ in range(12):
                    work()
            except Exception as error:
                errors.append(repr(error))

        return in_thread(run)

    def bustle(owner):
        @transaction.atomic
        def touch_all():
            take_turn(owner)
            memories = list(Memory.objects.filter(user=owner).order_by("?"))
            for memory in memories:
                sync.enqueue([memory])

        return touch_all

    threads = [until(bustle(owner)) for owner in users]
    threads += [until(lambda: sync.drain(timezone.now())) for _ in range(3)]
    for thread in threads:
        thread.join()
    assert errors == []
    retract_all(user=EndUser.objects.get(pk=users[0].pk), actor=SYSTEM, now=now)
    while sync.drain(timezone.now()):
        pass
    report = verify.verify(follower.get_follower(), sample=5)
    assert (report.differences, report.held, report.waiting) == ({}, 45, 0)
