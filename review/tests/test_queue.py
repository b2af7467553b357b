"""/review/: the order, the filters, the pages, and why it is empty."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from memory.models import Conflict, Episode, Evidence
from review import queue, urgency
from review.filters import Filters
from review.models import Assignment, Decision


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
    with django_assert_max_num_queries(23):
        client.get("/review/")


def test_what_is_overdue_counts_one_band_higher_and_in_the_end_as_high(make_conflict, desk):
    for name, band, hours in [("fresh", 3, 1), ("late", 3, -1), ("very late", 3, -30), ("late medium", 2, -1)]:
        conflict = make_conflict(f"{name} held", name)
        due = timezone.now() + timedelta(hours=hours)
        Conflict.objects.filter(pk=conflict.pk).update(band=band, due_at=due)
    client = desk("ada")
    assert texts(client, "?band=1") == ["very late", "late medium"]
    assert texts(client, "?band=2") == ["late"] and texts(client, "?band=3") == ["fresh"]
    answer = client.get("/review/?order=urgency")
    shown = [(row.text, int(row.band_now)) for row in answer.context["page"].object_list]
    assert shown == [("very late", 1), ("late medium", 1), ("late", 2), ("fresh", 3)]
    assert [n for _band, n in answer.context["counts"].bands] == [2, 1, 1]
    assert "was Low" in answer.content.decode()


def test_by_urgency_an_old_low_one_is_not_kept_behind_by_new_high_ones(make_conflict, desk, now):
    old = make_conflict("old held", "old")
    Conflict.objects.filter(pk=old.pk).update(band=3, due_at=timezone.now() - timedelta(days=9))
    for n in range(3):
        new = make_conflict(f"{n} held", f"new {n}")
        Conflict.objects.filter(pk=new.pk).update(band=1, due_at=timezone.now() + timedelta(hours=n))
    assert texts(desk("ada"), "?order=urgency")[0] == "old"


def test_the_counts_are_of_the_present_filter(three, desk):
    def counted(query):
        counts = desk("ada").get(f"/review/{query}").context["counts"]
        kinds = {kind.value: n for kind, n in counts.kinds if n}
        return counts.open, counts.overdue, kinds, [n for _band, n in counts.bands]

    assert counted("") == (3, 1, {"contradiction": 2, "injection": 1}, [1, 1, 1])
    assert counted("?kind=injection") == (1, 0, {"contradiction": 2, "injection": 1}, [0, 1, 0])
    assert counted("?band=1") == (1, 1, {"contradiction": 1}, [1, 1, 1])
    assert counted("?overdue=1") == (1, 1, {"contradiction": 1}, [1, 0, 0])
    assert counted("?q=later") == (1, 0, {"contradiction": 1}, [0, 0, 1])


def test_the_line_of_progress_counts_what_was_decided_today_and_stands(three, desk):
    ada = desk("ada")
    form = {"choice": "accept", "reason_code": "newer", "version": 1}
    for name in ("soon", "later"):
        ada.post(reverse("decide", args=[three[name].pk]), form)
    ada.post(reverse("undo", args=[three["later"].pk]), {"decision": Decision.objects.last().pk})
    assert ada.get("/review/").context["progress"] == {"today": 1, "open": 2, "overdue": 1}
    assert desk("ben").get("/review/").context["progress"]["today"] == 0


def test_by_category_and_by_agent(three, desk):
    Conflict.objects.filter(pk=three["soon"].pk).update(category="knowledge")
    Episode.objects.filter(pk=three["later"].episode_id).update(agent_id="bot-7")
    assert texts(desk("ada"), "?category=knowledge") == ["soon incoming"]
    assert texts(desk("ada"), "?agent=bot-7") == ["later incoming"] and texts(desk("ada"), "?agent=bot") == []


def test_of_very_many_the_ones_due_first_are_searched_and_that_is_told(three, desk, monkeypatch):
    monkeypatch.setattr(queue, "SEARCHED", 2)
    content = desk("ada").get("/review/?q=incoming").content.decode()
    assert (
        texts(desk("ada"), "?q=incoming") == ["late incoming", "soon incoming"] and "due first are searched" in content
    )
    assert texts(desk("ada"), "?q=later&user=u1") == ["later incoming"]
    assert "due first are searched" not in desk("ada").get("/review/").content.decode()


def test_what_others_hold_is_out_of_the_way_and_told(three, desk):
    desk("ben").post(reverse("take", args=[three["late"].pk]))
    ada = desk("ada")
    assert texts(ada) == ["soon incoming", "later incoming"] and texts(ada, "?show=held") == ["late incoming"]
    assert texts(desk("ben"), "?show=mine") == ["late incoming"]
    assert "Held by others" in ada.get("/review/").content.decode()
    assert len(texts(ada, "?show=all")) == 3


def test_the_three_empty_lists_differ(make_conflict, desk):
    conflict, ada = make_conflict("a bike", "a car"), desk("ada")
    assert "Nothing matches" in ada.get("/review/?kind=identity").content.decode()
    desk("ben").post(reverse("take", args=[conflict.pk]))
    held = ada.get("/review/").content.decode()
    assert "A colleague works on the one that is left" in held and "ben, until" in held
    Conflict.objects.update(status="decided", choice="keep", decided_at=timezone.now())
    assert "Every claim has been decided" in ada.get("/review/").content.decode()


def test_a_flood_is_one_line_that_opens(make_conflict, desk):
    flood = [make_conflict(None, f"Buy {n} coins", kind="flood") for n in range(4)]
    for hours, conflict in enumerate(flood):
        Conflict.objects.filter(pk=conflict.pk).update(due_at=timezone.now() + timedelta(hours=hours + 1))
    make_conflict("a bike", "a car")
    client = desk("ada")
    [line] = [row for row in client.get("/review/").context["page"].object_list if row.kind == "flood"]
    assert (line.text, line.flood_size) == ("Buy 0 coins", 4)
    assert client.get("/review/").context["counts"].open == 5
    opened = "?" + urlencode({"flood": line.flood_origin, "user": "u1"})
    assert opened.replace("&", "&amp;") in client.get("/review/").content.decode()
    assert texts(client, opened) == [f"Buy {n} coins" for n in range(4)]
    desk("ada").post(reverse("skip", args=[flood[0].pk]))
    [line] = [row for row in client.get("/review/").context["page"].object_list if row.kind == "flood"]
    assert (line.text, line.flood_size) == ("Buy 1 coins", 3), "the flood stays when its first is out of the way"


def test_two_users_floods_and_two_origins_are_lines_of_their_own(make_conflict, make_episode, user, desk):
    make_conflict(None, "Buy 1 coins", kind="flood")
    make_conflict(None, "Buy 2 coins", kind="flood")
    Evidence.objects.filter(conflict__text="Buy 2 coins").update(origin="doc:elsewhere")
    assert len(texts(desk("ada"))) == 2


def test_pages_of_a_list_with_assigned_ones_first_neither_repeat_nor_lose_one(make_conflict, desk, people):
    for n in range(60):
        conflict = make_conflict(f"I own {n} bikes", f"I own {n} cars")
        if n % 2:
            Assignment.objects.create(conflict=conflict, person=people["ada"], at=timezone.now())
    client = desk("ada")
    pages = [texts(client, f"?page={number}&order=urgency") for number in (1, 2, 3)]
    assert [len(page) for page in pages] == [25, 25, 10]
    assert len({text for page in pages for text in page}) == 60
    mine = set(Conflict.objects.filter(assignment__person=people["ada"]).values_list("text", flat=True))
    assert set((pages[0] + pages[1])[:30]) == mine


@pytest.mark.parametrize(
    "query", ["?user=%00", "?q=%ED%A0%80", "?page=-7", "?page=x", "?flood=" + "x" * 3000, "?band=%F0"]
)
def test_an_address_of_nonsense_opens(query, three, desk):
    assert desk("ada").get(f"/review/{query}").status_code in (200, 400)


def test_every_kind_of_urgency_is_told_in_words(make_conflict):
    alone = [("injection", None, 1)] + [("identity", None, band) for band in (1, 2, 3)]
    against = [("contradiction", "held", band) for band in (1, 2, 3)]
    for kind, held, band in alone + against:
        conflict = make_conflict(held and f"{held} {band}", f"{kind} {band} {held}", kind=kind)
        conflict.band = band
        assert urgency.why(conflict).endswith(".") and "%" not in urgency.why(conflict)
