"""A reviewer's own views of the queue."""

import pytest
from django.urls import reverse

from review import saved_views
from review.models import SavedView


@pytest.fixture
def ada(desk, make_conflict):
    make_conflict("a bike", "a car")
    return desk("ada")


def save(client, name, query="kind=injection"):
    return client.post(reverse("view_save"), {"name": name, "query": query}, follow=True)


def act(client, verb, view, **fields):
    return client.post(reverse("view_act", args=[view.pk, verb]), fields, follow=True)


def test_a_view_keeps_the_filters_under_a_name(ada):
    answer = save(ada, "  My  injections ", "?junk=1&kind=injection&band=1".lstrip("?"))
    view = SavedView.objects.get()
    assert (view.name, view.query) == ("My injections", "kind=injection&band=1")
    assert answer.context["view"] == view and answer.redirect_chain[-1][0] == "/review/?kind=injection&band=1"


def test_saving_under_a_known_name_changes_that_view(ada):
    save(ada, "Mine")
    save(ada, "Mine", "assignee=me")
    assert SavedView.objects.get().query == "assignee=me"


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_view_needs_a_name_of_a_usable_length(name, ada):
    assert "name" in str(list(save(ada, name).context["messages"])[0])
    assert not SavedView.objects.exists()


def test_a_view_is_renamed_but_not_to_a_name_that_is_taken(ada):
    save(ada, "One")
    save(ada, "Two", "assignee=me")
    view = SavedView.objects.get(name="Two")
    assert "this name already" in act(ada, "rename", view, name="One").content.decode()
    act(ada, "rename", view, name="Three")
    assert set(SavedView.objects.values_list("name", flat=True)) == {"One", "Three"}


def test_the_queue_opens_with_the_default_view_until_it_is_none(ada):
    save(ada, "Mine", "assignee=me")
    save(ada, "Attacks")
    one, two = SavedView.objects.order_by("name")
    for view in (one, two):
        act(ada, "default", view)
    assert ada.get("/review/")["Location"] == f"/review/?{two.query}"
    assert ada.get("/review/?status=open").status_code == 200, "clearing the filters leads past it"
    act(ada, "plain", two)
    assert ada.get("/review/").status_code == 200


def test_a_view_without_filters_can_be_the_default_too(ada):
    save(ada, "All", "")
    act(ada, "default", SavedView.objects.get())
    assert ada.get("/review/", follow=True).status_code == 200


def test_a_view_is_deleted(ada):
    save(ada, "Mine")
    act(ada, "delete", SavedView.objects.get())
    assert not SavedView.objects.exists()


def test_a_view_is_its_owners_alone(ada, desk):
    save(ada, "Mine")
    view, ben = SavedView.objects.get(), desk("ben")
    for verb in ("rename", "delete", "default", "plain"):
        assert act(ben, verb, view, name="Ben's").status_code == 404
    assert ben.get("/review/").context["views"] == []


def test_there_are_not_endlessly_many(ada, monkeypatch):
    monkeypatch.setattr(saved_views, "MOST", 1)
    save(ada, "One")
    assert "delete one first" in save(ada, "Two").content.decode()
    assert SavedView.objects.get().name == "One"
