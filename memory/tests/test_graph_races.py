"""Two who build one user's graph at once, on PostgreSQL."""

import pytest

from memory.graph import sync
from memory.models import Conflict, Entity, EntityMention, IdentityDoubt
from memory.tests.test_races import together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_building_at_once_makes_one_graph_and_asks_once(make_memory, user):
    for name in ("Anna", "Clara", "Emma"):
        make_memory(f"My sister {name} lives in Lisbon")
        make_memory(f"My boss {name} is strict")
    answers = together(*[lambda: sync.sync(user.pk)] * 4)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert sync.sync(user.pk)
    assert Entity.objects.filter(kind="person").exclude(key="self").count() == 6
    assert EntityMention.objects.filter(entity__name="Lisbon").count() == 3
    assert Conflict.objects.count() == IdentityDoubt.objects.count() == 3
