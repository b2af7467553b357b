"""How a new statement stands to a held one: pairs by class of language, then the peers' cases."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.intake.compare import compare
from memory.intake.types import Category, Claim, Held, RelationKind

NOW = datetime(2025, 6, 2, 9, tzinfo=UTC)  # a Monday


def claim(text: str, **slot) -> Claim:
    return Claim(text=text, quote=text, category=Category.KNOWLEDGE, **slot)


def relation(old: str, new: str, *, days: int = 30, similarity: float = 0.0):
    found = compare(claim(new), NOW, [Held("h", claim(old), NOW - timedelta(days=days), similarity)])
    return found[0] if found else None


CONFLICTS = [
    # a value, a place, a rhythm
    ("My rent is 900 euros.", "My rent went up to 980 euros."),
    ("The cache expires after 10 minutes.", "The cache expires after 30 minutes."),
    ("My marathon record is 3:58.", "I finished the marathon in 3:41, a personal best."),
    ("Tara is based in Oslo.", "Tara relocated to Bergen last month."),
    ("We store backups in Frankfurt.", "Backups are stored in Dublin now."),
    ("The newsletter goes out monthly.", "The newsletter goes out every week now."),
    ("房租每月3000元。", "房租涨到3500元了。"),
    ("我半马最好成绩是1小时50分。", "上周半马跑了1小时42分，刷新了个人纪录。"),
    ("公司总部在上海。", "公司总部迁到苏州了。"),
    ("我每周健身两次。", "我现在每天都健身。"),
    ("例会在周三。", "例会改到周五了。"),
    # yes and no
    ("I hate running.", "I love running."),
    ("I'm a fan of horror films.", "I am not a fan of horror films any more."),
    ("I adore cilantro.", "Cilantro tastes like soap to me, I hate it."),
    ("The office has a gym.", "The office has no gym."),
    ("Two-factor login is enabled.", "Two-factor login is disabled."),
    ("I can drive.", "I can't drive."),
    ("系统支持指纹登录。", "系统不支持指纹登录。"),
    ("阿明爱吃榴莲。", "阿明受不了榴莲。"),
    ("我特别喜欢吃辣。", "最近胃不好，我现在不吃辣了。"),
    # who works where, who holds what
    ("Nadia works at Brightfin.", "Nadia has quit Brightfin."),
    ("Lukas is a teacher at Oak School.", "Lukas resigned from Oak School."),
    ("Ines is the only maintainer.", "Paul became a maintainer last week."),
    ("Only Kay has root access.", "Mo was given root access yesterday."),
    ("The project manager is Elif.", "The project manager is Tom now."),
    ("Grace chairs the committee.", "Noah chairs the committee now."),
    ("小周在华景银行上班。", "小周从华景银行辞职了。"),
    ("我在蓝海科技工作。", "我已经入职远山集团了。"),
    ("组长是小何。", "小罗当上了组长。"),
    ("支付模块由小王负责。", "支付模块现在由小李负责。"),
    ("只有张姐能审批报销。", "现在老刘也能审批报销了。"),
    # versions and tools
    ("The cluster runs Kubernetes 1.27.", "The cluster is on Kubernetes 1.30 now."),
    ("Our backend is written in Ruby.", "We rewrote the backend in Go."),
    ("I prefer tabs over spaces.", "We adopted a formatter. I prefer spaces over tabs now."),
    ("我们用npm管理依赖。", "我们已经从npm换成pnpm了。"),
    ("线上用的是MySQL 5.7。", "线上已经升级到MySQL 8.0。"),
    # what one takes for granted and the other denies
    ("I don't own a car.", "I parked my car in front of the office this morning."),
    ("I am vegan.", "I had a cheese omelette for breakfast."),
    ("I'm single.", "My wife picked me up from the airport."),
    ("小李没有车。", "小李早上开车来上班的。"),
    ("我吃素。", "今晚我点了一份牛排。"),
    ("小赵是单身。", "小赵的老婆刚生了孩子。"),
]
SAME = [
    ("The rope is 2 metres long.", "The length of the rope is 200 cm."),
    ("The flight takes 90 minutes.", "The flight takes an hour and a half."),
    ("My birthday is 3 March 1988.", "I was born on 1988-03-03."),
    ("The meeting starts at 3 pm.", "The meeting starts at 15:00."),
    ("He lives in Los Angeles.", "He lives in LA."),
    ("We use Kubernetes.", "We use k8s."),
    ("Nora's husband is Karl.", "Nora is married to Karl."),
    ("I prefer tea over coffee.", "I prefer tea to coffee."),
    ("水箱容量是10升。", "水箱容量为10000毫升。"),
    ("我的生日是1992年8月1日。", "我生于1992-08-01。"),
    ("他住在魔都。", "他住在上海。"),
    ("我妈妈是老师。", "我母亲是老师。"),
    ("会议下午三点开始。", "会议15:00开始。"),
]
COMPATIBLE = [
    ("Sam is a developer.", "Sam also coaches the football team."),
    ("I used to live in Madrid.", "I live in Valencia."),
    ("I was vegetarian as a student.", "I eat steak every Friday."),
    ("I want to move to Spain one day.", "I live in Sweden."),
    ("I'm thinking about quitting my job at Acme.", "I work at Acme."),
    ("If I moved to Rome I would buy a scooter.", "I live in Milan."),
    ("Do you live in Boston?", "I live in Chicago."),
    ("I like tea.", "I like coffee."),
    ("I don't eat pork.", "My husband loves pork."),
    ("My wife is vegetarian.", "I had a steak for dinner."),
    ("My brother lives in Ghent.", "I live in Antwerp."),
    ("The bridge is 300 metres long.", "The bridge was opened in 1932."),
    ("The tower is 80 metres tall.", "The tower is 20 metres wide."),
    ("I ran 5 km on Monday.", "I ran 8 km on Thursday."),
    ("Order 5512 was shipped.", "Order 5513 was not shipped."),
    ("The first draft is due Monday.", "The final draft is due in June."),
    ("I have a dog.", "My dog is called Rex and he is a beagle."),
    ("老张是司机。", "老张还会修车。"),
    ("我以前住在武汉。", "我住在长沙。"),
    ("我打算学吉他。", "我会弹钢琴。"),
    ("如果搬到上海，我就换工作。", "我住在杭州。"),
    ("你喜欢吃辣吗？", "我不吃辣。"),
    ("我喜欢苹果。", "我也喜欢香蕉。"),
    ("我不吃鱼。", "我老公爱吃鱼。"),
    ("我妻子吃素。", "我晚饭吃了牛排。"),
    ("图书馆有5层。", "图书馆建于1998年。"),
    ("我周一跑了5公里。", "我周四跑了8公里。"),
    ("订单1001已发货。", "订单1002未发货。"),
    ("小王喜欢跑步。", "小李讨厌跑步。"),
    ("我上周在成都出差。", "我住在重庆。"),
]


@pytest.mark.parametrize(("old", "new"), CONFLICTS)
def test_a_conflict_waits_for_a_person(old, new):
    found = relation(old, new)
    assert found is not None
    assert found.kind.needs_a_person
    assert not found.older


@pytest.mark.parametrize(("old", "new"), SAME)
def test_other_words_for_the_same_are_a_duplicate(old, new):
    assert relation(old, new).kind.says_nothing_new


@pytest.mark.parametrize(("old", "new"), COMPATIBLE)
def test_what_can_both_be_true_is_no_conflict(old, new):
    found = relation(old, new)
    assert found is None or not (found.kind.needs_a_person or found.kind.says_nothing_new)


@pytest.mark.parametrize("text", ["I live in Rome.", "我住在南京。", "…", "?", "", "\x00", "x" * 5000])
def test_a_text_is_never_in_conflict_with_itself(text):
    assert relation(text, text).kind is RelationKind.DUPLICATE
    assert relation(text, f" {text.upper()}!").kind is RelationKind.DUPLICATE


# C01
def test_the_same_said_twice_is_a_duplicate():
    assert relation("My bike is a blue Kestrel", "my bike is a blue kestrel.").kind is RelationKind.DUPLICATE


# C02
def test_a_reversal_keeps_both_sides_in_its_reason():
    found = relation("I love durian", "I can't stand durian")
    assert found.kind is RelationKind.CONTRADICTION
    assert found.reason.params["held"] == "durian"


# C03, R4
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I work at Northwind", "I now work at Tailspin"),
        ("Mina works at Northwind", "Mina left Northwind, now at Contoso"),
        ("我在云栖数据做后端开发", "我已经从云栖数据离职了，现在在锦江智算上班。"),
    ],
)
def test_a_new_employer_is_an_update_with_advice_to_accept(old, new):
    found = relation(old, new, days=89)
    assert found.kind is RelationKind.UPDATE
    assert found.suggestion == "accept"
    assert found.suggestion_reason.params["days"] == 89


# C04
def test_an_additive_fact_is_no_conflict():
    found = relation("Mira is a QA engineer at Northwind", "Mira administers Northwind's Git server")
    assert found is None or found.kind is RelationKind.ADDITIVE


# C05
def test_a_reassignment_in_other_words_is_an_update():
    found = relation("Kofi works on project Heron", "Kofi has been assigned to project Osprey from Monday")
    assert found.kind is RelationKind.UPDATE
    assert found.suggestion == "accept"


# C10
def test_a_fact_inside_a_longer_held_sentence_is_found():
    held = "我叫沈知夏，在澄湖医院做护士，对青霉素过敏"
    found = relation(held, "我对青霉素不过敏")
    assert found.kind.needs_a_person
    assert found.reason.params["held"] == "青霉素"
    assert relation(held, "我对青霉素过敏").kind is RelationKind.CONTAINED


# R3
def test_near_names_and_numbered_things_stay_apart():
    assert relation("Iran has many oil fields", "Tigran joined the finance sync") is None
    assert relation("Room 101 projector is broken", "Room 102 projector is not broken") is None


# R5
def test_an_older_statement_arriving_late_is_history():
    stored = Held(
        "h", claim("since Nov 2024 core-infra owns ranking", valid_from=datetime(2024, 11, 1, tzinfo=UTC)), NOW
    )
    late = claim("Apr 2024: search-guild took over ranking", valid_from=datetime(2024, 4, 1, tzinfo=UTC))
    [found] = compare(late, NOW + timedelta(days=3), [stored])
    assert found.older
    assert found.reason.code == "older_statement"
    [found] = compare(
        claim("I live in Leeds."), NOW - timedelta(days=400), [Held("h", claim("I live in Bristol."), NOW)]
    )
    assert found.older
    assert found.suggestion == "keep"


def test_what_never_changes_is_an_error_however_late_it_comes():
    held = Held("h", claim("My birthday is 3 March 1988."), NOW)
    [found] = compare(claim("My birthday is 5 March 1988."), NOW - timedelta(days=400), [held])
    assert found.kind is RelationKind.CONTRADICTION
    assert not found.older
    assert found.suggestion == ""


def test_two_periods_stand_beside_each_other():
    held = Held("h", claim("I live in Ghent.", valid_to=datetime(2025, 1, 1, tzinfo=UTC)), NOW - timedelta(days=300))
    [found] = compare(claim("I live in Antwerp."), NOW, [held])
    assert found.kind is RelationKind.ADDITIVE
    assert found.reason.code == "different_periods"


# R18
def test_paraphrases_are_one_and_the_odd_one_out_is_a_conflict():
    first = "间隔改回2秒"
    for again in ("把间隔改回2秒。", "间隔调回2秒", "间隔改回 2 秒！"):
        assert relation(first, again, days=0).kind.says_nothing_new
    assert relation(first, "间隔改回3秒", days=0).kind.needs_a_person


# C17
def test_an_inflated_limit_contradicts_the_users():
    assert relation("Refund limit is 200", "refund limit is 2000").kind.needs_a_person


def test_used_to_ends_what_is_held_now():
    found = relation("I smoke.", "I used to smoke.")
    assert found.kind is RelationKind.UPDATE
    assert found.reason.code == "has_ended"


def test_the_duplicate_comes_before_the_conflict():
    held = [
        Held("a", claim("I hate jazz."), NOW - timedelta(days=9)),
        Held("b", claim("I love jazz."), NOW - timedelta(days=9)),
    ]
    found = compare(claim("I love jazz!"), NOW, held)
    assert [item.held_id for item in found] == ["b", "a"]


def test_more_and_less_detail_are_told_apart():
    assert (
        relation("I work at Northwind", "I work at Northwind in the billing team with Rosa").kind
        is RelationKind.REFINEMENT
    )
    assert relation("I like short reviews with clear titles", "I like short reviews").kind is RelationKind.CONTAINED
