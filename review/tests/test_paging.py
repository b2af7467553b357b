"""Lists end where nobody reads on, and say so."""

import pytest

from memory.models import Episode
from review import paging


@pytest.fixture
def parked(make_episode):
    for n in range(7):
        make_episode(f"event {n}", judging="parked")
    return Episode.objects.select_related("session").prefetch_related("verdicts").order_by("-id")


def contents(page):
    return [episode.content for episode in page]


def test_pages_keep_the_order_of_the_list(parked):
    pages = paging.Pages(parked, 3)
    assert (pages.count, pages.num_pages, pages.more) == (7, 3, False)
    assert contents(pages.page(1)) == ["event 6", "event 5", "event 4"]
    assert contents(pages.page(3)) == ["event 0"]


def test_a_list_ends_after_the_most_that_is_shown(parked, monkeypatch):
    monkeypatch.setattr(paging, "MOST", 5)
    pages = paging.Pages(parked, 3)
    assert (pages.count, pages.num_pages, pages.more) == (5, 2, True)
    assert contents(pages.page(2)) == ["event 3", "event 2"]
    assert contents(pages.get_page("9999")) == ["event 3", "event 2"]


def test_an_empty_list_is_one_empty_page(db):
    pages = paging.Pages(Episode.objects.order_by("id"), 3)
    assert contents(pages.get_page("1")) == []


def test_a_page_says_that_the_list_goes_on(desk, parked, monkeypatch):
    monkeypatch.setattr(paging, "MOST", 5)
    monkeypatch.setattr("review.pages.intake.PAGE", 3)
    assert "1–3 of the first 5" in desk("ada").get("/intake/?outcome=PARKED").content.decode()


def test_the_rows_of_earlier_pages_are_not_joined(parked, django_assert_num_queries):
    with django_assert_num_queries(4) as asked:  # count, keys, rows, their verdicts
        list(paging.Pages(parked, 3).page(2))
    joined = [query["sql"] for query in asked.captured_queries if "JOIN" in query["sql"]]
    assert len(joined) == 1 and "OFFSET" not in joined[0]
