"""/review/: the order, the filters, the pages, and why it is empty."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone

from memory.models import Conflict
from review import queue
from review.queue import Filters


def texts(client, query=""):
    return [row.text for row in client.get(f"/review/{query}").context["page"].object_list]


@pytest.fixture
def three(make_conflict):
    """late (high), soon (medium), later (low), due in this order."""
    made = {}
    for hours, (name, band) in zip((-2, 1, 50), (("late", 1), ("soon", 2), ("later", 3)), strict=True):
        conflict = make_conflict(
            f"{name} held", f"{name} incoming", kind="injection" if name == "soon" else "contradiction"
        )
        due = timezone.now() + timedelta(hours=hours)
        Conflict.objects.filter(pk=conflict.pk).update(band=band, due_at=due)
        made[name] = conflict
    return made


def test_what_is_due_first_comes_first(three, desk):
    assert texts(desk("ada")) == ["late incoming", "soon incoming", "later incoming"]


@pytest.mark.parametrize(
    "query, found",
    [
        ("?kind=injection", ["soon incoming"]),
        ("?band=3", ["later incoming"]),
        ("?overdue=1", ["late incoming"]),
        ("?q=LATER", ["later incoming"]),
        ("?q=soon+held", ["soon incoming"]),
        ("?user=u1&band=1", ["late incoming"]),
        ("?user=nobody", []),
        ("?status=decided", []),
        ("?kind=nonsense&band=9", ["late incoming", "soon incoming", "later incoming"]),
    ],
)
def test_filters_are_in_the_address(query, found, three, desk):
    assert texts(desk("ada"), query) == found


def test_a_filter_survives_its_own_address():
    filters = Filters.read(QueryDict("kind=flood&q=%E9%9D%92%E9%9C%89%E7%B4%A0&band=1&junk=1"))
    assert Filters.read(QueryDict(filters.query)) == filters
    assert Filters().query == ""


def test_twenty_five_to_a_page(make_conflict, desk):
    for n in range(27):
        make_conflict(f"I own {n} bikes", f"I own {n} cars")
    client = desk("ada")
    first, second = texts(client), texts(client, "?page=2")
    assert (len(first), len(second)) == (25, 2)
    assert not set(first) & set(second)


def test_of_the_decided_ones_the_last_are_searched(three, desk, now, monkeypatch):
    for days, name in enumerate(three):
        Conflict.objects.filter(pk=three[name].pk).update(
            status="decided", choice="keep", decided_at=now - timedelta(days=days)
        )
    client = desk("ada")
    assert texts(client, "?status=decided&q=later") == ["later incoming"]
    monkeypatch.setattr(queue, "MOST", 2)
    assert texts(client, "?status=decided&q=later") == []
    assert texts(client, "?status=decided&q=later&user=u1") == ["later incoming"]
    assert texts(client, "?status=decided&q=soon") == ["soon incoming"]
    assert "decided last are searched" in client.get("/review/?status=decided&q=soon").content.decode()


def test_an_empty_queue_says_why(three, desk, people):
    assert "Nothing matches" in desk("ada").get("/review/?q=zzz").content.decode()
    Conflict.objects.all().delete()
    assert "Every claim has been decided" in desk("ada").get("/review/").content.decode()


def test_walking_the_list_keeps_to_its_order(three, workspace):
    walk = queue.around(three["soon"], workspace, Filters(), now=timezone.now())
    assert (walk.place, walk.total, walk.previous, walk.next) == (2, 3, three["late"].pk, three["later"].pk)


def test_a_page_costs_the_same_queries_however_long_it_is(make_conflict, desk, django_assert_max_num_queries):
    for n in range(12):
        make_conflict(f"I own {n} bikes", f"I own {n} cars")
    client = desk("ada")
    with django_assert_max_num_queries(18):
        client.get("/review/")
