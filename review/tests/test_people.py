"""/people/ and /people/<id>/: whose memories these are, and all of one person."""

import pytest
from django.urls import reverse

from memory.models import EndUser
from memory.recall.search import search


def test_a_person_is_found_by_a_part_of_the_id(workspace, desk, people):
    for name in ("nora", "norbert", "zhou-wenjing"):
        EndUser.objects.create(workspace=workspace, external_id=name)
    content = desk("ada").get("/people/?q=nor").content.decode()
    assert "nora" in content and "norbert" in content and "zhou-wenjing" not in content


def test_nobody_yet(desk):
    assert "Nobody yet" in desk("ada").get("/people/").content.decode()


@pytest.mark.parametrize("tab", ["memories", "episodes", "sessions", "recalls", "conflicts", "nonsense"])
def test_every_tab_opens(tab, make_conflict, desk):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    assert desk("ada").get(reverse("person", args=[conflict.user_id]), {"tab": tab}).status_code == 200


def test_events_say_why_they_were_kept_or_not(tell, desk):
    episode = tell("I am allergic to penicillin.")
    tell("thanks a lot!")
    content = desk("ada").get(reverse("person", args=[episode.user_id]), {"tab": "episodes"}).content.decode()
    assert "Nothing like it is remembered of this person yet." in content
    assert "Only courtesy: it adds nothing." in content
    assert "Whose is it?" in content and "When would it be looked up?" in content


def test_recalls_show_what_was_told(make_memory, desk, now):
    memory = make_memory("My bike is a blue Kestrel")
    search(user=memory.user, query="which bike", asked_by="shop-agent", now=now)
    content = desk("ada").get(reverse("person", args=[memory.user_id]), {"tab": "recalls"}).content.decode()
    assert "which bike" in content and "My bike is a blue Kestrel" in content


def test_recalls_show_what_was_withheld_and_why(make_memory, desk, now):
    place = {"subject": "user", "attribute": "residence"}
    memory = make_memory("I live in Lyon", value="Lyon", **place)
    make_memory("The user lives in Oslo", value="Oslo", run_id="r2", source="llm_reasoning", **place)
    search(user=memory.user, query="where does the user live", asked_by="shop-agent", now=now)
    content = desk("ada").get(reverse("person", args=[memory.user_id]), {"tab": "recalls"}).content.decode()
    assert "The user lives in Oslo" in content and "Withheld" in content
    assert "Other memories of the same thing say Lyon, with 0.8 votes against 0.5." in content


@pytest.mark.parametrize("page", ["0", "999", "x", "-1"])
def test_a_page_that_is_none_is_the_nearest(page, make_memory, desk):
    memory = make_memory("My bike is blue")
    assert desk("ada").get(reverse("person", args=[memory.user_id]), {"page": page}).status_code == 200
