from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory.index.text import terms
from memory.recall.dates import periods_in
from memory.recall.query import plan_query

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)  # a Wednesday


def days(text: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """(first day, last day) of each period, in the zone of now."""
    return [
        tuple(datetime.fromtimestamp(edge, now.tzinfo).date().isoformat() for edge in (period.start, period.end - 1))
        for period in periods_in(text, now=now)
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on May 3", "2026-05-03", "2026-05-03"),
        ("the 3rd of May 2024", "2024-05-03", "2024-05-03"),
        ("on 2024-05-03", "2024-05-03", "2024-05-03"),
        ("December 25", "2025-12-25", "2025-12-25"),
        ("in March", "2026-03-01", "2026-03-31"),
        ("in June", "2025-06-01", "2025-06-30"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("yesterday", "2026-05-19", "2026-05-19"),
        ("last Friday", "2026-05-15", "2026-05-15"),
        ("on Wednesday", "2026-05-13", "2026-05-13"),
        ("last week", "2026-05-11", "2026-05-17"),
        ("last weekend", "2026-05-16", "2026-05-17"),
        ("last month", "2026-04-01", "2026-04-30"),
        ("three days ago", "2026-05-17", "2026-05-17"),
        ("2 weeks ago", "2026-05-03", "2026-05-09"),
        ("last night", "2026-05-19", "2026-05-19"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("this spring", "2026-03-01", "2026-05-31"),
        ("last spring", "2025-03-01", "2025-05-31"),
        ("in winter", "2025-12-01", "2026-02-28"),
        ("in the fall of 2023", "2023-09-01", "2023-11-30"),
        ("a couple of weeks ago", "2026-05-03", "2026-05-09"),
        ("a few weeks ago", "2026-04-08", "2026-05-06"),
        ("a few days ago", "2026-05-14", "2026-05-18"),
        ("twelve days ago", "2026-05-08", "2026-05-08"),
        ("half a year ago", "2025-10-05", "2026-01-03"),
        ("on Fri", "2026-05-15", "2026-05-15"),
        ("last tues", "2026-05-19", "2026-05-19"),
        ("on Sun", "2026-05-17", "2026-05-17"),
        ("上上周", "2026-05-04", "2026-05-10"),
        ("上上周五", "2026-05-08", "2026-05-08"),
        ("上上个月", "2026-03-01", "2026-03-31"),
        ("半年前", "2025-10-05", "2026-01-03"),
        ("前几天", "2026-05-14", "2026-05-18"),
        ("几周前", "2026-04-08", "2026-05-06"),
        ("月初", "2026-05-01", "2026-05-10"),
        ("月底", "2026-04-21", "2026-04-30"),
        ("上个月底", "2026-04-21", "2026-04-30"),
        ("3月初", "2026-03-01", "2026-03-10"),
        ("5月底", "2025-05-22", "2025-05-31"),
        ("年初", "2026-01-01", "2026-02-28"),
        ("年底", "2025-11-01", "2025-12-31"),
        ("去年年底", "2025-11-01", "2025-12-31"),
        ("2024年初", "2024-01-01", "2024-02-29"),
        ("去年夏天", "2025-06-01", "2025-08-31"),
        ("去年的冬天", "2025-12-01", "2026-02-28"),
        ("今年冬天", "2025-12-01", "2026-02-28"),
        ("夏天", "2025-06-01", "2025-08-31"),
        ("5月3日那天", "2026-05-03", "2026-05-03"),
        ("在5月3号", "2026-05-03", "2026-05-03"),
        ("五月三日", "2026-05-03", "2026-05-03"),
        ("十二月二十五号", "2025-12-25", "2025-12-25"),
        ("2024年5月", "2024-05-01", "2024-05-31"),
        ("去年5月", "2025-05-01", "2025-05-31"),
        ("2024年", "2024-01-01", "2024-12-31"),
        ("昨天", "2026-05-19", "2026-05-19"),
        ("大前天", "2026-05-17", "2026-05-17"),
        ("上周五", "2026-05-15", "2026-05-15"),
        ("上个星期", "2026-05-11", "2026-05-17"),
        ("上个月", "2026-04-01", "2026-04-30"),
        ("三天前", "2026-05-17", "2026-05-17"),
    ],
)
def test_a_named_time_is_read_at_the_time_of_asking(text, first, last):
    assert days(text) == [(first, last)]


@pytest.mark.parametrize(
    "text",
    ["may I go", "a march", "on Fridays", "2024-02-31", "2月30日", "99月", "十万年前", "9999999999年前", "500年后",
     "99999 days ago", "", "\0", "second of all", "1 of them", "it fell last", "based on sun and rain",
     "he sat on it", "a winter coat", "few people", "明年夏天", "每年冬天", "下个月底", "每年年底", "明年底",
     "正月初五", "几天后"],
)  # fmt: skip
def test_what_is_no_time_limits_nothing(text):
    assert days(text) == []


def test_a_winter_belongs_to_the_year_it_begins_in():
    january = datetime(2026, 1, 10, tzinfo=UTC)
    assert days("in winter", january) == [("2025-12-01", "2026-02-28")]
    assert days("last winter", january) == [("2024-12-01", "2025-02-28")]
    assert days("winter holidays in winter 2023", january) == [("2023-12-01", "2024-02-29")]


def test_a_time_before_the_calendar_is_left_out():
    assert days("前年", datetime(2, 5, 20, tzinfo=UTC)) == []


def test_a_school_year_is_no_beginning_of_a_year():
    assert days("去年初中毕业") == [("2025-01-01", "2025-12-31")]


def test_days_begin_at_midnight_where_the_asker_is():
    shanghai = timezone(timedelta(hours=8))
    [period] = periods_in("昨天", now=datetime(2026, 5, 20, 1, tzinfo=shanghai))
    assert datetime.fromtimestamp(period.start, UTC) == datetime(2026, 5, 18, 16, tzinfo=UTC)
    assert period.end - period.start == 86_400


def test_one_day_named_twice_is_one_period():
    assert len(days("on 3 May, yes, May 3")) == 1


def test_only_questions_ask_about_a_time():
    chatty = "I won the race yesterday! What should I eat?"
    assert plan_query(chatty, now=NOW).periods == []
    assert len(plan_query("We talked. What did I say yesterday?", now=NOW).periods) == 1
    assert len(plan_query("my notes of yesterday", now=NOW).periods) == 1


@pytest.mark.parametrize(
    "text",
    [
        "what do I usually do in winter?", "What do I wear in winter?", "Where does Nora go in summer?",
        "what sports do I normally do during the summer", "What do I always cook on December 25?",
        "what do I often buy in March?", "Which films do I tend to watch on Friday?", "do I get hay fever in spring",
        "What did I usually drink in summer?",
        "冬天我一般做什么", "我夏天通常去哪里？", "我平时星期五吃什么", "春天我经常去哪儿玩？", "每到三月我都做什么",
        "我冬天喜欢穿什么", "一到年底我就忙什么，平时呢", "我秋天常去哪里", "月底我往往花多少钱？", "我冬天爱吃什么",
    ],
)  # fmt: skip
def test_a_habit_is_of_no_one_winter(text):
    assert plan_query(text, now=NOW).periods == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("what did I do in winter?", "2025-12-01"), ("Do you remember what I did in winter?", "2025-12-01"),
        ("What do I usually do in the winter of 2023?", "2023-12-01"), ("What happened in March?", "2026-03-01"),
        ("what did I usually do last spring", "2025-03-01"), ("What did I eat every day in March?", "2026-03-01"),
        ("which film do I have from last Friday?", "2026-05-15"), ("冬天我做了什么", "2025-12-01"),
        ("去年冬天我一般做什么", "2025-12-01"), ("上周五我一般几点下班", "2026-05-15"),
        ("我夏天去过哪里", "2025-06-01"), ("2024年3月我经常去哪里", "2024-03-01"),
        ("非常冷的冬天发生什么", "2025-12-01"), ("我春天经常去了哪里", "2026-03-01"),
    ],
)  # fmt: skip
def test_what_has_been_done_in_a_season_is_of_that_season(text, first):
    [period] = plan_query(text, now=NOW).periods
    assert datetime.fromtimestamp(period.start, UTC).date().isoformat() == first


def test_a_name_most_memories_share_is_kept_from_the_embedder_but_not_from_the_words():
    plan = plan_query("What pet does Ada have?", now=NOW, common_terms=set(terms("Ada")))
    assert "Ada" not in plan.text
    assert set(terms("Ada")) <= set(plan.terms)
    assert plan_query("What pet does Ada have?", now=NOW).text == "What pet does Ada have?"


def test_a_shared_possessive_goes_even_at_the_beginning():
    assert plan_query("Ada's pet?", now=NOW, common_terms=set(terms("Ada"))).text == "pet?"


def test_a_shared_word_that_is_no_name_stays():
    assert "dance" in plan_query("Where is the dance festival?", now=NOW, common_terms=set(terms("dance"))).text


def test_a_query_of_names_only_is_embedded_as_it_is():
    assert plan_query("Ada's", now=NOW, common_terms=set(terms("Ada"))).text == "Ada's"
