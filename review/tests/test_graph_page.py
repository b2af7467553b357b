"""/people/<id>/graph/: the picture, an entity's card, the same as tables, and what is asked for in the address."""

import re

import pytest
from django.urls import reverse

from memory.actions.revise import retract
from memory.actor import SYSTEM
from memory.models import EndUser, IdentityDoubt, Memory

WORLD = ("I live in Porto.", "I work at Northwind.", "My sister Ana lives in Leipzig.", "I use PostgreSQL.")


@pytest.fixture
def person(user, tell):
    for text in WORLD:
        tell(text)
    return user


def get(client, person, status: int = 200, **query):
    answer = client.get(reverse("graph", args=[person.pk]), query)
    assert answer.status_code == status
    return answer


def drawn(answer) -> set[str]:
    return {shape.label for shape in answer.context["picture"].shapes}


def relations(answer) -> set[tuple[str, str, str]]:
    return {(each.one.name, each.words, each.other.name) for each in answer.context["sentences"]}


def test_every_node_is_a_link_in_the_picture_with_its_name_and_kind(person, desk):
    page = get(desk("ada"), person).content.decode()
    svg = page[page.index('<svg class="graph') : page.index("</svg>", page.index('<svg class="graph'))]
    assert len(re.findall(r'<a id="n-[0-9a-f-]{36}"', svg)) == 6
    assert "<title>Porto · Place</title>" in svg and "icons.svg#place" in svg
    assert "style=" not in page


def test_the_tables_say_the_same_in_words(person, desk):
    answer = get(desk("ada"), person)
    me = next(shape.node.name for shape in answer.context["picture"].shapes if shape.node.is_self)
    assert {(me, "lives in", "Porto"), (me, "works for", "Northwind"), (me, "has the sister", "Ana"),
            ("Ana", "lives in", "Leipzig"), (me, "uses", "PostgreSQL")} <= relations(answer)  # fmt: skip
    assert re.search(r"<td>lives in</td>\s*<td>Leipzig</td>", answer.content.decode())


def test_a_chosen_entity_has_a_card_with_its_relations_and_memories(person, desk):
    answer = get(desk("ada"), person, entity="ana")
    page = answer.content.decode()
    memory = Memory.objects.get(text__contains="Leipzig")
    assert answer.context["chosen"].name == "Ana"
    assert {each.words for each in answer.context["about"]} == {"has the sister", "lives in"}
    assert reverse("memory", args=[memory.pk]) in page and memory.text in page
    assert len(drawn(answer)) == 6


@pytest.mark.parametrize(
    "query, shown",
    [
        ({"entity": "Leipzig", "hops": "1"}, {"Leipzig", "Ana"}),
        ({"entity": "Ana", "hops": "1"}, {"Leipzig", "Ana", "u1"}),
        ({"kind": "place"}, {"Leipzig", "Porto", "u1"}),
        ({"kind": "tool", "entity": "Ana"}, {"PostgreSQL", "Ana", "u1"}),
        ({"kind": "nonsense", "hops": "7"}, {"Leipzig", "Porto", "Ana", "Northwind", "PostgreSQL", "u1"}),
    ],
)
def test_the_address_chooses_what_is_drawn(query, shown, person, desk):
    assert drawn(get(desk("ada"), person, **query)) == shown


def test_a_name_that_is_not_there_is_said_so_and_the_whole_graph_stays(person, desk):
    answer = get(desk("ada"), person, status=404, entity="Atlantis<b>")
    assert "No name in this graph is “Atlantis&lt;b&gt;”." in answer.content.decode()
    assert len(drawn(answer)) == 6


def test_an_entity_of_another_person_is_not_there(person, tell, desk):
    tell("I live in Bergen.", user_id="u2")
    other = EndUser.objects.get(external_id="u2")
    client = desk("ada")
    bergen = next(node.id for node in get(client, other).context["graph"].nodes if node.name == "Bergen")
    assert "Bergen" not in get(client, person, status=404, entity=bergen).content.decode()


def test_a_person_without_names_has_an_empty_page(make_episode, desk):
    page = get(desk("ada"), make_episode("Hello").user).content.decode()
    assert "No names yet" in page and '<svg class="graph' not in page


def test_what_was_retracted_is_neither_drawn_nor_listed(person, desk, now):
    memory = Memory.objects.get(text__contains="Porto")
    retract(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version)
    assert "Porto" not in get(desk("ada"), person).content.decode()


def test_an_open_doubt_is_named_with_the_way_to_decide_it(person, make_conflict, desk):
    conflict = make_conflict(None, "Ana is Anna", kind="identity")
    IdentityDoubt.objects.create(
        workspace=person.workspace, user=person, kind="person", first_key="ana", second_key="anna", first_name="Ana",
        second_name="Anna", conflict=conflict, created_at=conflict.opened_at,
    )  # fmt: skip
    page = get(desk("ada"), person).content.decode()
    assert "Is “Ana” the same as “Anna”?" in page and reverse("conflict", args=[conflict.pk]) in page


def test_two_of_one_name_in_doubt_are_two_nodes_and_a_question(user, tell, desk):
    tell("My sister Ana lives in Porto.")
    tell("My colleague Ana works at Northwind.")
    answer = get(desk("ada"), user)
    assert [shape.label for shape in answer.context["picture"].shapes].count("Ana") == 2
    assert "Two are called “Ana”. Are they one?" in answer.content.decode()


def test_chinese_names_are_drawn_as_they_were_written(tell, desk):
    tell("我住在上海。")
    tell("我在腾讯工作。")
    assert {"上海", "腾讯"} <= drawn(get(desk("ada"), EndUser.objects.get()))


def test_nothing_that_was_said_becomes_markup(tell, desk):
    tell("I work at Smith&Sons <script>alert(1)</script> Corp.")
    assert "<script>alert" not in get(desk("ada"), EndUser.objects.get()).content.decode()


def test_the_persons_tabs_lead_here_and_back(person, desk):
    client, here = desk("ada"), reverse("graph", args=[person.pk])
    assert f'href="{here}"' in client.get(reverse("person", args=[person.pk])).content.decode()
    assert f'href="{reverse("person", args=[person.pk])}?tab=episodes"' in get(client, person).content.decode()


def test_a_graph_costs_the_same_queries_however_large(tell, desk, django_assert_max_num_queries):
    for place in ("Porto", "Leipzig", "Graz", "Bergen", "Oslo", "Kyoto"):
        tell(f"My friend lives in {place}.")
    client, person = desk("ada"), EndUser.objects.get()
    get(client, person)
    with django_assert_max_num_queries(18):
        get(client, person, entity="Porto")
