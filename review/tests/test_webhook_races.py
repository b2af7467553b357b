"""Two workers at once, on PostgreSQL: nothing is filed or sent twice."""

import pytest
from django.utils import timezone

from memory.actor import SYSTEM
from memory.tests.test_races import together
from review.models import Delivery
from review.notices import delivering, filing, webhooks
from review.tests.receiver import receiver

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
WORKERS = 6


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
        together(*[lambda: filing.file_new(hook, now=timezone.now())] * WORKERS)
        assert Delivery.objects.count() == 3
        received = together(*[delivering.run] * WORKERS)
    assert sum(received) == len(server.had) == 3
    assert set(Delivery.objects.values_list("state", "attempts")) == {("delivered", 1)}
