"""Numbers with what they measure, periods, and the attributes read out of a sentence."""

from datetime import UTC, datetime

import pytest

from memory.intake.aliases import same_value
from memory.intake.distil import attributes_of
from memory.intake.numbers import amounts, number_of
from memory.intake.periods import period

SAID = datetime(2025, 5, 7, 12, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tank holds 10 litres.", [("volume", 10.0)]),
        ("capacity 10,000 ml", [("volume", 10.0)]),
        ("会议一个半小时", [("duration", 5400.0)]),
        ("an hour and a half", [("duration", 5400.0)]),
        ("十公里跑了49分15秒", [("length", 10000.0), ("duration", 2955.0)]),
        ("three times a week", [("frequency", 3.0)]),
        ("我每周跑三次步", [("frequency", 3.0)]),
        ("born 5 May 1990", [("date", (1990, 5, 5))]),
        ("1990年5月5日", [("date", (1990, 5, 5))]),
        ("建于1940年", [("year", 1940.0)]),
        ("40间房", [("number", 40.0)]),
        ("at 3 pm", [("clock", 900.0)]),
        ("下午三点", [("clock", 900.0)]),
        ("改到周四", [("weekday", 3)]),
        ("€40", [("money:EUR", 40.0)]),
        ("二十五岁", [("number", 25.0)]),
        ("no numbers at all", []),
        ("", []),
    ],
)
def test_a_number_knows_what_it_measures(text, expected):
    assert [(amount.kind, amount.value) for amount in amounts(text)] == expected


@pytest.mark.parametrize(
    ("shown", "value"), [("十二", 12), ("两万三", 20003), ("1,250", 1250), ("seven", 7), ("abc", None), ("", None)]
)
def test_numerals_of_both_languages_are_numbers(shown, value):
    assert number_of(shown) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Rome.", ("user", "residence", "Rome", False, False)),
        ("My name is Odile.", ("user", "name", "Odile", False, False)),
        ("I used to live in Rome.", ("user", "residence", "Rome", False, True)),
        ("my friend Dae hates football", ("dae", "dislikes", "football", False, False)),
        ("I'm not allergic to nuts.", ("user", "allergy", "nuts", True, False)),
        ("I have no pets.", ("user", "pet", "pets", True, False)),
        ("Refund limit is 200", ("", "slot:limit refund", "200", False, False)),
        ("Our reports database is MySQL.", ("user", "slot:databas report", "MySQL", False, False)),
        (
            "The customer's budget for the tent is 3000 pounds.",
            ("user", "slot:budget tent", "3000 pounds", False, False),
        ),
        ("Production runs Python 3.10.", ("production", "version:python", "3.10", False, False)),
        ("我叫沈知夏", ("user", "name", "沈知夏", False, False)),
        ("我对青霉素不过敏", ("user", "allergy", "青霉素", True, False)),
        ("我女儿糯糯对芒果过敏", ("糯糯", "allergy", "芒果", False, False)),
        ("我以前住在武汉", ("user", "residence", "武汉", False, True)),
        ("米拉是我嫂子", ("米拉", "relation", "嫂子", False, False)),
        ("后端接口的超时时间是 30 秒", ("", "slot:后端接口超时时间", "30 秒", False, False)),
    ],
)
def test_an_attribute_is_read(text, expected):
    lang = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in text) else "en"
    assert expected in attributes_of(text, lang)


def test_one_sentence_may_hold_several():
    found = {
        (attribute, value)
        for _, attribute, value, _, _ in attributes_of("我叫沈知夏，在澄湖医院做护士，对青霉素过敏", "zh")
    }
    assert {("name", "沈知夏"), ("employer", "澄湖医院"), ("occupation", "护士"), ("allergy", "青霉素")} <= found


@pytest.mark.parametrize(
    "text",
    ["Do you live in Rome?", "If I lived in Rome, I'd be happy.", "I might move to Rome.", "I hope to live in Rome."],
)
def test_questions_what_ifs_and_plans_state_nothing(text):
    assert not any(attribute == "residence" for _, attribute, _, _, _ in attributes_of(text, "en"))


@pytest.mark.parametrize(
    "text", ["\x00", "\ud83d", "is is is is", "的的的的", "of the of the", "I", "我", "x" * 9000, "a, " * 900]
)
def test_odd_texts_are_read_without_an_error(text):
    for lang in ("en", "zh"):
        assert isinstance(attributes_of(text, lang), list)


@pytest.mark.parametrize(
    ("text", "lang", "begins", "ends"),
    [
        ("I live here since March", "en", (2025, 3, 1), None),
        ("since Nov 2024 core-infra owns ranking", "en", (2024, 11, 1), None),
        ("Apr 2024: search-guild took over", "en", (2024, 4, 1), None),
        ("Kofi is assigned to Osprey from Monday", "en", (2025, 5, 12), None),
        ("The offer is valid until 2025-06-01", "en", None, (2025, 6, 1)),
        ("3月起我住在西安", "zh", (2025, 3, 1), None),
        ("从下周一开始居家办公", "zh", (2025, 5, 12), None),
        ("优惠有效期至2025年6月1日", "zh", None, (2025, 6, 1)),
        ("十万年前这里是海", "zh", None, None),
        ("valid until 31 February 2025", "en", None, None),
        ("I work from home", "en", None, None),
    ],
)
def test_a_stated_period_becomes_times(text, lang, begins, ends):
    expected = tuple(datetime(*day, tzinfo=UTC) if day else None for day in (begins, ends))
    assert period(text, lang, SAID) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("New York City", "NYC"), ("北京", "帝都"), ("Chelsea Clinton", "Chelsea Victoria Clinton"),
        ("10 litres", "10,000 ml"),
        ("Shigeru Miyamoto", "Miyamoto Shigeru"), ("Joe Mills", "Joseph Mills"), ("西安", "西安市"),
        ("Kubernetes", "k8s"),
    ],
)  # fmt: skip
def test_two_names_of_one_thing_are_the_same(one, other):
    assert same_value(one, other)
    assert same_value(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Room 101", "Room 102"), ("University of Oxford", "University of Cambridge"), ("3.10", "3.12"),
        ("200", "2000"),
        ("小王", "小李"), ("一辆自行车", "一个帐篷"), ("Python 3", "Ruby 3"), ("9 to 5", "9 to 6"),
    ],
)  # fmt: skip
def test_near_names_are_not_the_same(one, other):
    assert not same_value(one, other)
