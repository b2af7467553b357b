"""What one memory's words say of people, places, organisations, tools and projects, and which names are one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.graph.extract import read_memory
from memory.graph.reading import from_json, to_json
from memory.graph.resolve import resolve


def named(text: str, **slot) -> set[tuple[str, str, str]]:
    return {(each.name, each.kind, each.role) for each in read_memory(text, **slot).mentions if each.kind and each.name}


def related(text: str) -> set[tuple[str, str, str]]:
    reading = read_memory(text)
    shown = [mention.name or mention.role for mention in reading.mentions]
    return {
        ("self" if link.source < 0 else shown[link.source], link.predicate, shown[link.target])
        for link in reading.links
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("My sister Anna lives in Lisbon and works at Acme.",
      {("self", "sister", "Anna"), ("Anna", "residence", "Lisbon"), ("Anna", "employer", "Acme")}),
     ("I work at Acme as a nurse", {("self", "employer", "Acme")}),
     ("I'm working on Project Falcon", {("self", "project", "Project Falcon")}),
     ("Anna Schmidt leads the Falcon project", {("Anna Schmidt", "leads", "Falcon")}),
     ("Anna's brother Tom is a cook", {("Anna", "brother", "Tom")}),
     ("The billing service runs on PostgreSQL", set()),
     ("I used to live in Graz", set()), ("I might move to Berlin", set()), ("Where does my sister Anna live?", set()),
     ("我姐姐李梅在字节跳动工作。", {("self", "sister", "李梅"), ("李梅", "employer", "字节跳动")}),
     ("我在腾讯上班，住在深圳", {("self", "employer", "腾讯"), ("self", "residence", "深圳")}),
     ("王伟负责天枢星项目", {("王伟", "leads", "天枢星项目")}),
     ("我参与猎鹰项目", {("self", "project", "猎鹰项目")}),
     ("李梅的弟弟李强是厨师", {("李梅", "brother", "李强")})],
)  # fmt: skip
def test_relations_are_those_that_are_stated(text, expected):
    assert related(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("We meet in Room 101", {("Room 101", "place", "")}), ("会议在301会议室", {("301会议室", "place", "")}),
     ("I use Docker for dev", {("Docker", "tool", "")}), ("我用VS Code写代码", {("VS Code", "tool", "")}),
     ("Dr. Smith is my dentist", {("Smith", "person", "dentist")}),
     ("My boss, Anna Schmidt, is strict", {("Anna Schmidt", "person", "boss")}),
     ("Yesterday I went on a trip to Paris", {("Paris", "place", "")})],
)  # fmt: skip
def test_names_are_what_the_words_around_them_say(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    ["The Room was nice", "Monday is fine", "My manager May said we ship in June", "She works with them", "城市很大",
     "我们公司在做开源项目", "The parser works with care", "Being my own boss is hard",
     "Seeing my kids", "我在医院上班", "他住在楼上", "I'm happy that Spring is here", "开始努力工作"],
)  # fmt: skip
def test_common_nouns_months_and_first_words_are_nobody(text):
    assert named(text) == set()


def test_a_failed_tool_is_a_tool():
    assert named("connection refused", subject="crm", attribute="tool_outcome", value="error") == {("crm", "tool", "")}


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_no_text_breaks_the_reading_and_it_survives_the_database(text):
    reading = read_memory(text)
    assert from_json(to_json(reading)) == reading or not reading
    resolve([("m", reading)], {}, "u1")


def test_names_that_are_one_are_one_entity():
    texts = [
        "Anna Schmidt works at Acme Inc.", "Anna likes tea", "Acme is late", "I live in NYC", "New York is loud",
        "Robert Brown, also known as Bob, is my neighbour", "Bob has a dog", "Meet in Room 101", "Room 102 is bigger",
        "My name is Ada", "My sister lives far away", "My sister Clara sings",
    ]  # fmt: skip
    found = resolve(enumerate(map(read_memory, texts)), {}, "u1")
    people = {entity.name: set(entity.memories) for entity in found.entities.values() if entity.kind == "person"}
    assert people["Anna Schmidt"] == {0, 1} and people["Robert Brown"] == {5, 6} and people["Clara"] == {10, 11}
    places = {entity.name: set(entity.memories) for entity in found.entities.values() if entity.kind == "place"}
    assert places == {"NYC": {3, 4}, "Room 101": {7}, "Room 102": {8}}
    assert found.entities["organisation", "acme"].aliases == ("Acme Inc",)
    assert found.entities["person", "self"].name == "Ada" and found.doubts == []
