from dataclasses import replace

import numpy as np
import pytest

from memory.embedding import get_embedder
from memory.index.text import terms
from memory.recall.dates import Period
from memory.recall.ranking import IndexRow, UserIndex, rank
from memory.recall.scoring import RankingSettings

DAY = 86_400.0
NOW = 1_000 * DAY
SETTINGS = RankingSettings()


def row(text, *, age_days=0.0, vector=None, credibility=1.0, category="knowledge", session=None) -> IndexRow:
    return IndexRow(text, terms(text), vector, NOW - age_days * DAY, credibility, category, session)


def embedded(rows: list[IndexRow]) -> list[IndexRow]:
    embedder = get_embedder()
    if embedder is None:
        pytest.skip("needs the bundled embedder")
    vectors = embedder.embed([entry.id for entry in rows])
    return [replace(entry, vector=vector) for entry, vector in zip(rows, vectors, strict=True)]


def found(rows: list[IndexRow], query: str, *, dense=False, **more) -> list[str]:
    vector = get_embedder().embed([query])[0] if dense else None
    options = {"now": NOW, "settings": SETTINGS, "top_k": 10} | more
    return [hit.id for hit in rank(UserIndex.build(rows), terms=terms(query), vector=vector, **options)]


PARTS = [
    "billing worker", "export job", "login page", "search index", "mail gateway", "report builder", "image resizer",
    "payment hook", "audit log", "staging database",
]  # fmt: skip
EVENTS = [
    "was restarted after the deploy", "needs a second reviewer", "leaks memory under load", "moved to a new cluster",
    "fails when the disk is full", "got a retry with backoff", "must not run on Fridays", "has no owner yet",
    "keeps a ratio of three errors per thousand calls", "times out after 30 seconds", "logs in JSON now",
    "was rolled back by Mina", "keeps its secrets in the vault", "has tests that take ten minutes",
    "waits for the schema migration", "was renamed last sprint", "needs a newer Python", "depends on the queue",
    "is owned by the platform team", "hit eighty percent CPU",
]  # fmt: skip
WORK_NOTES = [row(f"The {part} {event}.") for part in PARTS for event in EVENTS]
CHINESE_PARTS = [
    "登录页", "导出任务", "支付网关", "搜索服务", "移动端", "缓存层", "账单报表", "通知队列", "后台管理", "数据管道",
]  # fmt: skip
CHINESE_EVENTS = [
    "由平台组负责", "昨晚发布失败", "内存占用过高", "等待安全评审", "响应变慢", "下周要演示", "证书快过期",
    "依赖需要升级", "监控没有报警", "灰度发布中",
]  # fmt: skip
CHINESE_NOTES = [row(f"{part}{event}。") for part in CHINESE_PARTS for event in CHINESE_EVENTS]
SMALL_TALK = [
    "nice weather today", "had noodles for lunch", "the bus was late again", "watched a film in the evening",
    "slept badly last night", "bought some apples", "called mum for a while", "went for a walk",
]  # fmt: skip


@pytest.mark.parametrize("query", ["sourdough hydration ratio", "best beaches in Portugal", "酸面包的含水量"])
def test_a_question_about_something_else_finds_next_to_nothing(query):
    assert len(found(WORK_NOTES, query)) <= 2
    assert len(found(embedded(WORK_NOTES), query, dense=True)) <= 2


@pytest.mark.parametrize(
    "query",
    ["酸面包的含水量", "酸面包要发酵多久", "怎么种番茄", "婚礼在哪里办", "吉他弦多久换一次", "how long to boil an egg"],
)  # fmt: skip
def test_a_chinese_question_about_something_else_finds_next_to_nothing(query, chinese_notes):
    assert len(found(CHINESE_NOTES, query)) <= 2
    assert len(found(chinese_notes, query, dense=True)) <= 2


@pytest.fixture(scope="module")
def chinese_notes():
    return embedded(CHINESE_NOTES)


def test_a_question_on_the_subject_loses_nothing():
    answers = found(embedded(WORK_NOTES), "who owns the export job?", dense=True)
    assert answers[0] == "The export job is owned by the platform team."


def test_an_exact_old_fact_is_found_behind_months_of_small_talk():
    talk = [row(SMALL_TALK[day % 8], age_days=240 - day) for day in range(240)]
    fact = row("The spare key is at Mrs Okafor's, flat 12", age_days=241)
    assert found([fact, *talk], "where is the spare key?")[0] == fact.id
    assert found(embedded([fact, *talk]), "where is the spare key?", dense=True)[0] == fact.id


def test_a_chinese_exact_old_fact_is_found_behind_months_of_small_talk():
    chatter = ["今天天气不错", "中午吃了面条", "公交又晚点了", "晚上看了部电影", "昨晚没睡好", "买了些苹果"]
    talk = [row(chatter[day % 6], age_days=240 - day) for day in range(240)]
    fact = row("备用钥匙放在12号的欧太太家", age_days=241)
    for query in ("备用钥匙在哪里？", "钥匙", "欧太太", "我把备用钥匙放在谁家了"):
        assert found([fact, *talk], query)[0] == fact.id
    assert found(embedded([fact, *talk]), "备用钥匙在哪里？", dense=True)[0] == fact.id


@pytest.mark.parametrize("query", ["汇率换算 在哪", "汇率", "脚本"])
def test_chinese_words_hit_without_any_embedding(query):
    rows = [row("外币汇率换算脚本放在 tools/fx 目录"), row("小林周末常去滨江公园遛狗"), row("我对花生过敏")]
    assert found(rows, query) == [rows[0].id]


@pytest.mark.parametrize("query", ["青霉素", "澄湖", "沈知夏"])
def test_chinese_names_hit_without_any_embedding(query):
    rows = [row("我叫沈知夏，在澄湖医院做护士，对青霉素过敏"), row("今天天气不错"), row("晚饭吃了面条")]
    assert found(rows, query) == [rows[0].id]


def test_a_memory_not_yet_embedded_is_found_by_its_words():
    rows = [*embedded([row("I drink tea"), row("I ride a bike")]), row("I collect stamps")]
    assert found(rows, "stamps", dense=True)[0] == "I collect stamps"
    hit = rank(UserIndex.build(rows), terms=["stamp"], vector=rows[0].vector, now=NOW, settings=SETTINGS)[0]
    assert hit.score.dense is None


def test_of_two_alike_the_newer_and_the_more_credible_come_first():
    rows = [row("tea is my drink", age_days=200), row("tea is the drink", age_days=1)]
    assert found(rows, "drink tea") == [rows[1].id, rows[0].id]
    rows = [row("tea is my drink", credibility=0.3), row("tea is the drink", credibility=1)]
    assert found(rows, "drink tea") == [rows[1].id, rows[0].id]


def test_the_asking_session_lifts_what_is_relevant_and_nothing_else():
    rows = [row("tea is my drink", session="a"), row("tea is the drink", session="b"), row("a red bike", session="b")]
    assert found(rows, "drink tea", session_id="b") == [rows[1].id, rows[0].id]
    assert found(rows, "drink tea", session_id="a") == [rows[0].id, rows[1].id]
    assert set(found(rows, "drink tea", session_id="unknown")) == {rows[0].id, rows[1].id}


def test_what_was_said_just_after_the_match_follows_it():
    question, answer = row("do you have any pets?", session="s"), row("yes, a hamster, Oscar", session="s")
    rows = embedded([question, answer, row("yes, a hamster, Oskar", session="t"), row("the bus was late", session="s")])
    assert found(rows, "which pets live here?", dense=True)[:2] == [question.id, answer.id]
    assert "the bus was late" not in found(rows, "which pets live here?", dense=True)


@pytest.mark.parametrize(("age_days", "session"), [(0.0, "other"), (0.0, None), (-1.0, "s")])
def test_another_session_or_much_later_is_no_context(age_days, session):
    rows = [row("do you have any pets?", session="s"), row("pets", age_days=age_days, session=session)]
    hits = rank(UserIndex.build(rows), terms=terms("any pets"), vector=None, now=NOW, settings=SETTINGS)
    assert [hit.score.context for hit in hits] == [0, 0]


def test_the_time_asked_about_comes_first():
    rows = [row("we watched a film", age_days=1), row("they watched a film", age_days=40)]
    then = Period(NOW - 41 * DAY, NOW - 39 * DAY)
    assert found(rows, "watched film") == [rows[0].id, rows[1].id]
    assert found(rows, "watched film", periods=[then]) == [rows[1].id, rows[0].id]


def test_categories_and_top_k_limit_the_answer():
    rows = [row("tea is my drink", category="preference"), row("tea is the drink", category="profile")]
    assert found(rows, "drink tea", categories={"profile"}) == [rows[1].id]
    assert found(rows, "drink tea", categories={"none"}) == []
    assert len(found(rows, "drink tea", top_k=1)) == 1


def test_every_part_of_a_score_is_told():
    index = UserIndex.build(embedded([row("I drink tea", credibility=0.5, age_days=10, session="s")]))
    [hit] = rank(
        index, terms=terms("tea"), vector=get_embedder().embed(["tea"])[0], now=NOW, settings=SETTINGS, session_id="s"
    )
    score = hit.score
    assert 0 < score.dense < 1
    assert score.lexical > 0
    assert score.relevance == pytest.approx((score.dense + score.lexical) / 2)
    assert score.session_bonus == SETTINGS.session_bonus
    weighed = (score.relevance + score.context) * score.decay * score.credibility
    assert score.total == pytest.approx(weighed + score.session_bonus + score.period_bonus)


def test_vectors_come_as_bytes_too_and_must_be_of_one_size():
    vector = np.array([1, 0], dtype="<f4")
    index = UserIndex.build([row("tea", vector=vector.tobytes()), row("bike", vector=vector)])
    assert np.array_equal(index.matrix, [[1, 0], [1, 0]])
    with pytest.raises(ValueError, match="different sizes"):
        UserIndex.build([row("tea", vector=vector), row("bike", vector=np.ones(3, dtype="<f4"))])


def test_a_user_without_memories_gets_no_answer():
    assert found([], "tea") == []
    assert len(UserIndex.build([])) == 0


def test_names_are_common_only_among_many_memories():
    assert UserIndex.build([row(f"Ada {number}") for number in range(5)]).common_terms == frozenset()
    assert "ada" in UserIndex.build([row(f"Ada n{number}") for number in range(20)]).common_terms
