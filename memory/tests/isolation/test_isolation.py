"""Whatever happens in whatever order, nobody is told of another user or another workspace. On every engine.

The suite runs this on SQLite, and on PostgreSQL with Redis; the vector database's stand-in is one of the cases here.
A failure prints the shortest list of steps that shows it.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.models import Recall
from memory.tests.isolation.operations import OPERATIONS
from memory.tests.isolation.world import NAMES, WORKSPACES, make_world

PEOPLE = WORKSPACES * len(NAMES)
STEPS = st.lists(
    st.tuples(
        st.integers(0, len(OPERATIONS) - 1), st.integers(0, PEOPLE - 1), st.integers(1, PEOPLE - 1), st.integers(0, 59)
    ),
    min_size=30, max_size=80,
)  # fmt: skip


@pytest.fixture(params=["database", "vector_db"])
def engine(request, roles):
    return request.getfixturevalue("qdrant_http") if request.param == "vector_db" else None


@settings(
    max_examples=12, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(steps=STEPS)
def test_no_answer_crosses_a_user_or_a_workspace(engine, steps):
    world = make_world()
    for operation, me, away, number in steps:
        me, other = world.people[me], world.people[(me + away) % PEOPLE]
        OPERATIONS[operation](world, me, other, number)


def test_everybody_has_something_to_hide_and_somebody_looks(engine):
    """The same by plan: each operation by each person, so that none of them only ever meets an empty world."""
    world = make_world()
    for turn, act in enumerate([*OPERATIONS[:2], *OPERATIONS, *OPERATIONS]):
        for place, me in enumerate(world.people):
            act(world, me, world.people[(place + 1 + turn % (PEOPLE - 1)) % PEOPLE], turn + 7 * place)
    assert all(person.memories for person in world.people)
    assert sum(bool(person.conflicts) for person in world.people) > 1
    assert {recall.user.external_id for recall in Recall.objects.select_related("user")} == set(NAMES)
