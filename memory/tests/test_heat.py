"""Heat: hits counted by a job, fading by half-lives."""

from datetime import timedelta

import pytest

from memory.models import Recall, RecallHit
from memory.recall.heat import cooled, fold


def test_heat_halves_with_each_half_life(now):
    assert cooled(4, since=now - timedelta(days=60), now=now, half_life_days=30) == pytest.approx(1)


def test_what_was_never_hit_is_cold(now):
    assert cooled(3, since=None, now=now, half_life_days=30) == 0


def test_a_clock_that_runs_backwards_does_not_warm(now):
    assert cooled(3, since=now + timedelta(days=9), now=now, half_life_days=30) == 3


@pytest.fixture
def recall(make_memory, workspace):
    memory = make_memory("My bike is a blue Kestrel")

    def recall_(at, *, withheld=False):
        row = Recall.objects.create(workspace=workspace, user=memory.user, asked_by="t", query="bike", created_at=at)
        RecallHit.objects.create(recall=row, memory=memory, version=1, rank=1, score=1, withheld=withheld)
        return memory

    return recall_


def test_hits_are_counted_once_and_older_ones_weigh_less(recall, now):
    recall(now - timedelta(days=30))
    memory = recall(now)
    assert fold(now) == 2
    assert fold(now) == 0
    memory.refresh_from_db()
    assert (memory.hits, memory.last_hit_at) == (2, now)
    assert memory.heat == pytest.approx(1.5)


def test_recalls_counted_out_of_order_give_the_same_heat(recall, now):
    recall(now)
    fold(now)
    memory = recall(now - timedelta(days=30))
    fold(now)
    memory.refresh_from_db()
    assert memory.heat == pytest.approx(1.5)
    assert memory.last_hit_at == now


def test_what_was_withheld_warms_nothing(recall, now):
    memory = recall(now, withheld=True)
    fold(now)
    memory.refresh_from_db()
    assert (memory.hits, memory.heat) == (0, 0)
