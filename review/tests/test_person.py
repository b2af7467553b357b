"""/people/<id>/: the tabs and the filter by status; the cost of a full one."""

import pytest
from django.urls import reverse

from memory.actions.revise import retract
from memory.actor import SYSTEM
from memory.api import incoming
from memory.intake.record import record
from memory.recall.search import search


@pytest.fixture
def two(make_memory, now):
    """One active memory and one retracted, of the same person."""
    memory, gone = make_memory("My bike is a blue Kestrel"), make_memory("My cat is called Mimi")
    retract(memory=gone, actor=SYSTEM, now=now, expected_version=gone.version)
    return memory


def rows(client, person, **query):
    return [str(row) for row in client.get(reverse("person", args=[person.pk]), query).context["page"]]


@pytest.mark.parametrize(
    "status, found",
    [
        ("", "Kestrel"), ("active", "Kestrel"), ("retracted", "Mimi"), ("archived", None),
        ("nonsense", "Kestrel"), ("ACTIVE", "Kestrel"),
    ],
)  # fmt: skip
def test_memories_are_filtered_by_status_and_a_bad_one_means_active(status, found, two, desk):
    shown = rows(desk("ada"), two.user, status=status)
    assert len(shown) == (found is not None)
    assert found is None or found in shown[0]


def test_a_person_nobody_knows_is_404(desk, people):
    assert desk("ada").get(reverse("person", args=[999999])).status_code == 404


def test_the_claims_that_wait_lead_to_the_queue_of_this_person(make_conflict, desk):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    content = desk("ada").get(reverse("person", args=[conflict.user_id])).content.decode()
    assert "1 claim waits" in content and f"{reverse('queue')}?user=u1" in content


@pytest.mark.parametrize("tab", ["memories", "episodes", "sessions", "recalls", "conflicts"])
def test_a_tab_costs_the_same_queries_however_full_it_is(
    tab, make_conflict, tell, desk, now, django_assert_max_num_queries
):
    for n in range(8):
        conflict = make_conflict(f"I own {n} bikes", f"I own {n} cars")
        tell(f"I am allergic to sort {n} of nuts.", run_id=f"r{n}")
        search(user=conflict.user, query=f"bikes {n}", asked_by="shop-agent", now=now)
    client = desk("ada")
    with django_assert_max_num_queries(17):
        client.get(reverse("person", args=[conflict.user_id]), {"tab": tab})


def test_the_list_of_people_costs_the_same_queries_however_long(tell, desk, django_assert_max_num_queries):
    for n in range(12):
        tell("I am allergic to penicillin.", user_id=f"u{n}")
    client = desk("ada")
    with django_assert_max_num_queries(14):
        client.get("/people/")


def test_a_long_event_can_be_read_to_its_end(make_episode, desk):
    episode = make_episode("格" * 700 + "<b>尾")
    content = desk("ada").get(reverse("person", args=[episode.user_id]), {"tab": "episodes"}).content.decode()
    assert f"Show all 704 characters</summary>{'格' * 700}&lt;b&gt;尾</details>" in content


def test_what_a_tool_gave_back_is_shown_and_nothing_in_it_is_markup(workspace, desk, now):
    data = {"items": 5, "note": "<b>bold</b>", "password": "swordfish", "shot": {"blob": "iVBORw0KGgo="}}
    body = {
        "user_id": "u1", "run_id": "r1", "metadata": {}, "tool": {"name": "stock", "server": "shop-mcp"},
        "result": {"content": [], "structuredContent": data, "isError": False},
    }  # fmt: skip
    [episode] = record(workspace=workspace, events=[incoming.of_tool_result(body)], now=now)
    page = desk("ada").get(reverse("person", args=[episode.user_id]), {"tab": "episodes"}).content.decode()
    for shown in ("shop-mcp", "items", "&lt;b&gt;bold&lt;/b&gt;", "password", "8\xa0bytes"):
        assert shown in page
    assert "swordfish" not in page and "iVBORw0KGgo" not in page and "<b>bold" not in page
