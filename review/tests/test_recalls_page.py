"""/recalls/ and /recalls/<id>/: what was asked, what was told at which version, and what was withheld by what."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.models import EndUser, RecallHit, Session
from memory.recall.past import search_at
from memory.recall.search import search

pytestmark = pytest.mark.django_db
LIVES = {"subject": "user", "attribute": "residence"}


@pytest.fixture
def ask(user, now):
    def ask_(query, *, of=user, hours=0, **more):
        fresh = EndUser.objects.get(pk=of.pk)
        return search(user=fresh, query=query, asked_by="sales", now=now + timedelta(hours=hours), **more).recall_id

    return ask_


@pytest.fixture
def log(make_memory, workspace, user, ask):
    """Three recalls of u1, the second with something withheld, and one of u2."""
    make_memory("I live in Lyon", value="Lyon", **LIVES)
    make_memory("The user lives in Oslo", value="Oslo", run_id="r2", source="llm_reasoning", **LIVES)
    other = EndUser.objects.create(workspace=workspace, external_id="u2")
    make_memory("I like green tea", user=other)
    session = Session.objects.get(user=user, run_id="r2")
    return {
        "cat": ask("what is my cat called"),
        "home": ask("where does the user live", hours=1, agent_id="helper", session=session),
        "again": ask("我住在哪里", hours=2),
        "tea": ask("which tea", of=other, hours=3, agent_id="helper"),
    }


def listed(client, **query):
    return [row[0].pk for row in client.get(reverse("recalls"), query).context["rows"]]


def test_all_are_listed_newest_first_with_how_much_each_told(log, desk):
    page = desk("eve").get(reverse("recalls"))
    assert [row[0].pk for row in page.context["rows"]] == [log[name] for name in ("tea", "again", "home", "cat")]
    assert {row[0].pk: row[1:] for row in page.context["rows"]}[log["home"]] == (1, 1)


@pytest.mark.parametrize(
    "query, names",
    [
        ({"user": "u2"}, ["tea"]), ({"user": "nobody"}, []), ({"agent": "helper"}, ["tea", "home"]),
        ({"session": "r2"}, ["home"]), ({"session": "r7"}, []), ({"q": "CAT"}, ["cat"]), ({"q": "住在"}, ["again"]),
        ({"withheld": "1"}, ["home"]), ({"withheld": "yes"}, ["tea", "again", "home", "cat"]),
        ({"since": "2026-05-04"}, ["tea", "again", "home", "cat"]), ({"since": "2026-05-05"}, []),
        ({"since": "soon"}, ["tea", "again", "home", "cat"]), ({"user": "u1", "agent": "helper"}, ["home"]),
        ({"page": "9999"}, ["tea", "again", "home", "cat"]),
    ],
)  # fmt: skip
def test_the_filters_stand_in_the_address(log, desk, query, names):
    assert listed(desk("eve"), **query) == [log[name] for name in names]


def test_words_are_looked_for_among_the_latest_only(log, desk, monkeypatch):
    monkeypatch.setattr("review.recalls.LOOKED", 2)
    assert listed(desk("eve"), q="住在") == [log["again"]]
    assert listed(desk("eve"), q="cat") == []
    assert listed(desk("eve"), q="live", user="u1") == [log["home"]]


def test_a_list_costs_the_same_however_long_it_is(log, ask, desk, django_assert_num_queries):
    client = desk("eve")
    client.get(reverse("recalls"))
    with CaptureQueriesContext(connection) as captured:
        client.get(reverse("recalls"))
    few = len(captured)
    for n in range(10):
        ask(f"question {n}", hours=n)
    with django_assert_num_queries(few):
        client.get(reverse("recalls"))


def test_one_recall_tells_what_was_told_and_what_was_withheld_by_what(log, desk):
    page = desk("eve").get(reverse("recall", args=[log["home"]]))
    [told], [held] = page.context["told"], page.context["withheld"]
    assert (told.hit.wording, told.hit.version) == ("I live in Lyon", 1)
    assert [other.text for other in held.others] == ["I live in Lyon"]
    content = page.content.decode()
    for shown in (
        "where does the user live", "helper", "Other memories of the same thing say Lyon, with 0.8 votes against 0.5.",
        reverse("memory", args=[told.hit.memory_id]), f"{reverse('lab')}?recall={log['home']}",
        f"?recall={log['home']}&amp;then=1", "Outvoted by", "Meaning",
    ):  # fmt: skip
        assert shown in content, shown


def test_the_wording_of_then_and_what_became_of_it(make_memory, ask, desk, now):
    reworded, gone = make_memory("I live in Bergen"), make_memory("I live alone")
    recall = ask("where do I live")
    later = now + timedelta(hours=1)
    revise(memory=reworded, actor=SYSTEM, now=later, expected_version=1, text="I live in Oslo")
    retract(memory=gone, actor=SYSTEM, now=later, expected_version=1)
    content = desk("eve").get(reverse("recall", args=[recall])).content.decode()
    assert ">I live in Bergen</a>" in content and "<del>Bergen</del><ins>Oslo</ins>" in content
    assert f"{reverse('memory', args=[reworded.pk])}?from=1&amp;to=2" in content
    assert "Retracted" in content


def test_a_recall_of_a_past_moment_says_so(make_memory, user, desk, now):
    make_memory("I live in Bergen")
    answer = search_at(
        user=EndUser.objects.get(pk=user.pk), at=now, query="where", asked_by="a", now=now + timedelta(days=1),
        categories=["profile"], threshold=0.5,
    )  # fmt: skip
    content = desk("eve").get(reverse("recall", args=[answer.recall_id])).content.decode()
    assert "As of" in content and "Profile" in content and "0.5" in content


def test_a_recall_logged_before_the_outvoters_were_kept_still_opens(log, desk):
    RecallHit.objects.filter(withheld=True).update(reason_params={"value": "Lyon"}, scores={})
    assert desk("eve").get(reverse("recall", args=[log["home"]])).status_code == 200


def test_another_workspaces_recall_is_404_and_not_listed(log, make_memory, other_workspace, ask, desk):
    stranger = EndUser.objects.create(workspace=other_workspace, external_id="u1")
    make_memory("The code word is zanzibar", user=stranger)
    theirs = ask("zanzibar", of=stranger)
    client = desk("eve")
    assert client.get(reverse("recall", args=[theirs])).status_code == 404
    assert theirs not in listed(client) and theirs not in listed(client, user="u1")


def test_the_persons_page_and_the_memorys_lead_to_the_recall(log, desk, user):
    link = reverse("recall", args=[log["home"]])
    client = desk("eve")
    assert link in client.get(reverse("person", args=[user.pk]), {"tab": "recalls"}).content.decode()
    memory = RecallHit.objects.get(recall=log["home"], withheld=False).memory_id
    assert link in client.get(reverse("memory", args=[memory])).content.decode()


def test_an_empty_log_says_so(workspace, desk):
    assert "Nothing was asked yet" in desk("eve").get(reverse("recalls")).content.decode()


@pytest.mark.parametrize("name, status", [("ada", 200), ("eve", 200), ("cara", 200), ("dan", 403)])
def test_everybody_with_a_seat_may_look(log, desk, name, status):
    for place in (reverse("recalls"), reverse("recall", args=[log["home"]])):
        assert desk(name).get(place).status_code == status
