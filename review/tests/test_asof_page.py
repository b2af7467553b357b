"""/people/<id>/as-of/: the state of then, the difference, moments that are none, and other workspaces."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.models import EndUser


@pytest.fixture
def moved(make_memory, now):
    later = now + timedelta(hours=1)
    memory, gone = make_memory("I live in Bergen"), make_memory("My cat is called Mimi")
    revise(memory=memory, actor=SYSTEM, now=later, expected_version=1, text="I live in Oslo")
    retract(memory=gone, actor=SYSTEM, now=later, expected_version=1)
    make_memory("My bike is a blue Kestrel", at=later)
    return memory.user


def look(client, person, **query):
    return client.get(reverse("as_of", args=[person.pk]), query)


def test_the_state_of_then_and_what_changed_until_now(moved, desk, now):
    page = look(desk("eve"), moved, at=now.isoformat())
    assert {version.text for version in page.context["versions"]} == {"I live in Bergen", "My cat is called Mimi"}
    assert [(kind, total) for kind, _, total in page.context["parts"]] == [("added", 1), ("changed", 1), ("gone", 1)]
    content = page.content.decode()
    assert "<del>Bergen</del><ins>Oslo</ins>" in content and "Kestrel" in content


def test_two_moments_are_compared_in_either_order(moved, desk, now):
    soon = now + timedelta(minutes=30)
    for at, to in ((now, soon), (soon, now)):
        page = look(desk("eve"), moved, at=at.isoformat(), to=to.isoformat())
        assert [total for _, _, total in page.context["parts"]] == [0, 0, 0]


def test_a_day_alone_means_its_end(moved, desk, now):
    page = look(desk("eve"), moved, at=timezone.localdate(now).isoformat())
    assert {version.text for version in page.context["versions"]} == {"I live in Oslo", "My bike is a blue Kestrel"}


@pytest.mark.parametrize("typed", ["yesterday", "2026-13-45", "2026-02-30T10:00", "9999-12-31", "2999-01-01T00:00"])
@pytest.mark.parametrize("field", ["at", "to"])
def test_a_moment_that_is_none_or_has_not_come_is_said_so(typed, field, moved, desk):
    page = look(desk("eve"), moved, **{field: typed})
    assert page.status_code == 400 and page.context[field].error
    assert f'id="{field}-error"' in page.content.decode()


def test_a_person_of_another_workspace_is_404(desk, people, other_workspace):
    stranger = EndUser.objects.create(workspace=other_workspace, external_id="u1")
    assert look(desk("ada"), stranger).status_code == 404


def test_it_costs_the_same_queries_however_much_was_known(make_memory, user, desk, now, django_assert_max_num_queries):
    for n in range(40):
        make_memory(f"I own boat {n}")
    client = desk("ada")
    with django_assert_max_num_queries(16):
        look(client, user, at=now.isoformat())
