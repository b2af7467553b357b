"""Statements compared by their gist: what is given up, denied, chosen, moved; and what only looks like it."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.intake.compare import compare
from memory.intake.gist import gist
from memory.intake.types import Category, Claim, Held, RelationKind

NOW = datetime(2025, 6, 2, 9, tzinfo=UTC)

GIVEN_UP = [
    ("I prefer email.", "Please text me instead of emailing me from now on."),
    ("快递放丰巢柜就行", "以后快递别放丰巢柜了，直接送到家门口"),
    ("Our build runs on Jenkins.", "We have migrated our build from Jenkins to Drone."),
    ("Call me Tess.", "Please call me Theresa, not Tess."),
    ("I go rowing on Sundays.", "I gave up rowing."),
    ("我订阅了早报。", "早报我已经退订了，不再看早报。"),
    ("后台用的是Flask。", "后台从Flask换成FastAPI了。"),
]
CHOSEN = [
    ("Write to me in French.", "Please write to me in Italian from now on."),
    ("I like the aisle.", "Book me window seats from now on."),
    ("回答请尽量简短。", "以后请回答得详细一点。"),
    ("以后打电话通知我。", "以后都用微信通知我吧。"),
]
MOVED = [
    ("The gas bill is about 60 euros a month.", "The gas bill has climbed to 95 euros a month."),
    ("The hearing is on 3 March.", "The hearing slipped to 17 March."),
    ("体检在5月8日。", "体检提前到5月2日了。"),
    ("宽带每月80元。", "宽带涨到每月100元了。"),
]
DENIED = [
    ("Dogs are allowed in the yard.", "Dogs are forbidden in the yard."),
    ("I love olives.", "Olives disgust me."),
    ("I speak Welsh.", "I don't speak a word of Welsh."),
    ("宿舍允许做饭。", "宿舍禁止做饭。"),
    ("我会打网球。", "我不会打网球。"),
    ("这门课是必修。", "这门课是选修。"),
]
SAME = [
    ("I own a bicycle.", "I have a bike."),
    ("I can't stand celery.", "I dislike celery."),
    ("I get up at quarter to seven.", "I get up at 6:45."),
    ("i dont eat wheat", "I do not eat wheat."),
    ("羊肉我不吃。", "我不吃羊肉。"),
    ("他身高一米七五。", "他身高175厘米。"),
    ("我母亲是律师。", "我妈是律师。"),
]
APART = [
    # another person, another thing, another circumstance
    ("My uncle has gout.", "I don't have gout."),
    ("Room 12 has a screen.", "Room 14 has no screen."),
    ("2号楼有食堂。", "3号楼没有食堂。"),
    ("冬天我坐公交上班。", "夏天我骑车上班。"),
    ("On weekdays I get up at 6.", "On weekends I get up at 9."),
    # beside, not instead
    ("Our API supports JSON.", "Our API now supports XML as well."),
    ("I like dogs.", "I don't have a dog."),
    ("I hate mornings.", "I love my morning coffee."),
    ("I eat meat.", "I don't eat pork."),
    # a plan, the past, a period
    ("I hope to sell the flat.", "I bought a bigger flat."),
    ("In 2012 I lived in Kyoto.", "I live in Nagoya now."),
    ("2012年我住在京都。", "我现在住在大阪。"),
]


def relation(old: str, new: str, **slot):
    def claim(text, **more):
        return Claim(text=text, quote=text, category=Category.KNOWLEDGE, **more)

    return next(iter(compare(claim(new, **slot), NOW, [Held("h", claim(old), NOW - timedelta(days=30))])), None)


@pytest.mark.parametrize(("old", "new"), GIVEN_UP + CHOSEN + MOVED + DENIED)
def test_what_takes_the_place_of_the_held_waits_for_a_person(old, new):
    found = relation(old, new)
    assert found is not None and found.kind.needs_a_person


@pytest.mark.parametrize(("old", "new"), SAME)
def test_one_gist_is_a_duplicate(old, new):
    assert relation(old, new).kind is RelationKind.DUPLICATE


@pytest.mark.parametrize(("old", "new"), APART)
def test_what_only_looks_like_a_change_stands_beside_the_held(old, new):
    found = relation(old, new)
    assert found is None or not (found.kind.needs_a_person or found.kind.says_nothing_new)


@pytest.mark.parametrize(
    ("text", "lang"), [("", "en"), ("not", "en"), ("…", "zh"), ("不", "zh"), ("x" * 9000, "en"), ("\ud83d 我", "zh")]
)
def test_odd_texts_have_a_gist(text, lang):
    assert isinstance(gist(text, lang).words, frozenset)


def test_a_statement_that_ends_by_itself_is_advised_to_stand_beside_the_held():
    found = relation("I live in Ghent.", "I moved to Lisbon.", valid_to=NOW + timedelta(days=60))
    assert (found.kind.needs_a_person, found.suggestion) == (True, "keep_both")
    assert found.suggestion_reason.code == "advice_two_periods"
