"""Two workers at once, on PostgreSQL: nothing is filed or sent twice."""

import threading

import pytest
from django.db import connection
from django.utils import timezone

from memory.actor import SYSTEM
from review.models import Delivery
from review.notices import delivering, filing, webhooks
from review.tests.receiver import receiver

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
WORKERS = 6


def at_once(act) -> list:
    ready, answers = threading.Barrier(WORKERS), []

    def work():
        ready.wait()
        try:
            answers.append(act())
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_workers_that_meet_file_and_send_each_event_once(workspace, people, make_conflict, settings):
    settings.WEBHOOK_PRIVATE = True
    with receiver() as server:
        hook = webhooks.add(
            workspace=workspace, url=server.url, events=["conflict.queued"], person=people["cara"], actor=SYSTEM,
            now=timezone.now(),
        )  # fmt: skip
        for city in ("Graz", "Linz", "Bern"):
            conflict = make_conflict(f"I live near {city}", f"I live in {city}")
            type(conflict).objects.filter(pk=conflict.pk).update(opened_at=timezone.now())
        at_once(lambda: filing.file_new(hook, now=timezone.now()))
        assert Delivery.objects.count() == 3
        received = at_once(delivering.run)
    assert sum(received) == len(server.had) == 3
    assert set(Delivery.objects.values_list("state", "attempts")) == {("delivered", 1)}
