"""The feed beside writers, on PostgreSQL: it waits for nobody and nobody waits for it."""

import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory.actions.base import take_turn
from memory.index import follower, sync
from memory.models import EndUser, OutboxEntry

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


def test_a_row_that_a_writer_holds_is_left_for_the_next_run(make_memory, qdrant_http):
    """Waiting for it while holding others is how deadlocks begin, and the writer might be the one who loses."""
    held = make_memory("I like tea")
    sync.drain(timezone.now())
    make_memory("I own a boat")
    sync.enqueue([held])
    locked, release = threading.Event(), threading.Event()

    @transaction.atomic
    def write():
        take_turn(held.user)
        sync.enqueue([held])
        locked.set()
        release.wait(10)

    writer = in_thread(write)
    locked.wait(10)
    feeder = in_thread(lambda: sync.drain(timezone.now()))
    feeder.join(5)
    waiting = set(OutboxEntry.objects.values_list("memory_id", flat=True))
    finished = not feeder.is_alive()
    release.set()
    for thread in (writer, feeder):
        thread.join()
    assert (finished, waiting) == (True, {held.pk})
    sync.drain(timezone.now())
    assert (OutboxEntry.objects.count(), follower.get_follower().count()) == (0, 2)
