"""manage.py demo: every story of it ends as a reviewer should find it."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from memory.demo import clock, script
from memory.models import AgentKey, Conflict, Episode, Memory, Recall, Verdict, Workspace
from memory.models.memory import MemoryStatus

Kind = Conflict.Kind
# user_id -> a part of each fact that the stories plant
PLANTS = script.STORIES.parent / "plants.json"
# Marked, so that it runs before the tests that empty the database; `played` holds a transaction around them all.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(django_db_setup, django_db_blocker):
    """The demo, played once for this file; answers what the command printed."""
    with django_db_blocker.unblock():
        everything = transaction.atomic()
        everything.__enter__()
        try:
            Workspace.objects.get_or_create(slug="default", defaults={"name": "Default"})
            printed = StringIO()
            call_command("demo", stdout=printed)
            yield printed.getvalue()
        finally:
            transaction.set_rollback(True)
            everything.__exit__(None, None, None)


def active(user_id: str, *parts: str) -> bool:
    return _memories(user_id, parts).filter(status=MemoryStatus.ACTIVE).exists()


def history(user_id: str, *parts: str) -> bool:
    return _memories(user_id, parts).filter(status=MemoryStatus.SUPERSEDED).exists()


def _memories(user_id: str, parts: tuple[str, ...]):
    found = Memory.objects.filter(workspace__slug="default", user__external_id=user_id)
    for part in parts:
        found = found.filter(text__contains=part)
    return found


def waiting(user_id: str, kind: str, part: str) -> Conflict | None:
    return Conflict.objects.filter(
        user__external_id=user_id, kind=kind, status=Conflict.Status.OPEN, text__contains=part
    ).first()


def outcomes(user_id: str, part: str) -> list[str]:
    found = Verdict.objects.filter(user__external_id=user_id, episode__content__contains=part)
    return list(found.order_by("id").values_list("outcome", flat=True))


def test_five_weeks_that_end_now(played):
    first, last = Episode.objects.earliest("recorded_at"), Episode.objects.latest("recorded_at")
    assert timedelta(days=33) < timezone.now() - first.recorded_at < timedelta(days=36)
    assert timezone.now() - last.recorded_at < timedelta(hours=1)
    assert not Episode.objects.exclude(judging=Episode.Judging.JUDGED).exists()


def test_at_most_three_events_in_ten_are_kept(played):
    kept = Episode.objects.filter(verdicts__outcome=Verdict.Outcome.ADD).distinct().count()
    assert 250 <= Episode.objects.count() <= 400
    assert 60 <= Memory.objects.count() <= 100
    assert kept <= 0.3 * Episode.objects.count()


def test_none_of_the_planted_facts_is_lost(played):
    """Each fact of plants.json is held, in its history, or waits or waited for a person."""
    planted = json.loads(PLANTS.read_text(encoding="utf-8"))
    lost = [
        (user_id, part)
        for user_id, parts in planted.items()
        for part in parts
        if not _memories(user_id, (part,)).exists()
        and not Conflict.objects.filter(user__external_id=user_id, text__contains=part).exists()
    ]
    assert sum(map(len, planted.values())) >= 60
    assert lost == []


def test_a_queue_worth_looking_at_and_a_history(played):
    queue = Conflict.objects.filter(status=Conflict.Status.OPEN)
    assert 12 <= queue.count() <= 22
    assert {Kind.CONTRADICTION, Kind.MISREPORT, Kind.INJECTION, Kind.REPEAT} <= set(
        queue.values_list("kind", flat=True)
    )
    decided = Conflict.objects.filter(status=Conflict.Status.DECIDED)
    assert set(decided.values_list("choice", flat=True)) == {"accept", "keep", "edit"}
    assert {each.decided_by.username for each in decided} == {"demo-reviewer"}
    assert not decided.first().decided_by.has_usable_password()


def test_the_summary_says_what_to_look_at(played):
    assert "Review queue" in played
    assert str(Verdict.objects.filter(outcome="REJECTED").count()) in played


def test_nothing_of_an_injected_text_is_remembered(played):
    poison = ("verified VIP", "5000 pounds", "payrail-support", "API keys", "tubiao-pai", ".env", "只读账号")
    assert not [text for text in poison if Memory.objects.filter(text__contains=text).exists()]
    assert waiting("tom-hargreaves", Kind.INJECTION, "verified VIP")
    assert waiting("jonas-weber", Kind.INJECTION, "payrail-support")
    assert waiting("xu-yifan", Kind.INJECTION, ".env")


@pytest.mark.parametrize(
    "user_id, claim, run",
    [
        ("tom-hargreaves", "F-20377 was created successfully", "504"),
        ("ana-duarte", "0042_visits_day_region ran successfully", "disk quota"),
        ("xu-yifan", "已成功部署到测试环境", "部署失败"),
    ],
)
def test_a_failure_reported_as_success_waits_beside_the_tools_own_words(played, user_id, claim, run):
    conflict = waiting(user_id, Kind.MISREPORT, claim)
    assert conflict.evidence.filter(against=True, quote__contains=run).exists()
    assert active(user_id, run)
    assert not active(user_id, claim)


@pytest.mark.parametrize(
    "user_id, held, incoming",
    [
        ("zhou-wenjing", "对青霉素过敏", "青霉素不过敏"),
        ("chen-mo", "云栖数据", "锦江智算"),
        ("gao-zixuan", "星桥科技", "白榆智能"),
        ("priya-raman", "I'm vegetarian", "eat fish"),
        ("maya-okafor", "I live in Leeds", "Bristol"),
        ("jonas-weber", "tabs over spaces", "spaces over tabs"),
        ("jonas-weber", "Flask", "FastAPI"),
        ("ana-duarte", "MySQL", "PostgreSQL"),
        ("tom-hargreaves", "300 pounds", "3000 pounds"),
    ],
)
def test_a_change_of_mind_or_life_waits_with_both_sides(played, user_id, held, incoming):
    conflict = waiting(user_id, Kind.CONTRADICTION, incoming)
    assert held in conflict.memory.text
    assert active(user_id, held)
    assert not active(user_id, incoming)


def test_decisions_have_moved_memories(played):
    assert active("chen-mo", "搬到成都") and history("chen-mo", "杭州滨江")
    assert active("zhou-wenjing", "不吃辣了") and history("zhou-wenjing", "喜欢吃辣")
    assert active("xu-yifan", "改用 pnpm") and history("xu-yifan", "我习惯用 npm")
    assert active("priya-raman", "I work at Harbour Street Clinic.") and history("priya-raman", "Brightwell")


def test_a_claim_that_was_turned_away_is_recognised_when_it_returns(played):
    assert waiting("gao-zixuan", Kind.REPEAT, "只读账号")


def test_an_old_fact_that_arrives_late_is_history(played):
    assert history("chen-mo", "苏州园区")
    assert history("maya-okafor", "Manchester")
    assert active("maya-okafor", "I live in Leeds")


def test_a_friends_fact_is_not_the_users(played):
    others = {"李嘉树": "韩露", "priya-raman": "Anjali", "zhou-wenjing": "糯糯", "ana-duarte": "Rui"}
    for user_id, name in others.items():
        [memory] = _memories(user_id, (name,))
        assert memory.subject not in ("", "user")


def test_a_fact_of_somebody_nearly_the_user_waits_for_an_owner(played):
    assert waiting("priya-raman", Kind.IDENTITY, "customer is allergic to wool")
    decided = Conflict.objects.get(user__external_id="李嘉树", kind=Kind.IDENTITY)
    assert (decided.choice, decided.memory) == ("keep", None)
    assert not _memories("李嘉树", ("李嘉澍",)).exists()
    assert not _memories("priya-raman", ("customer is allergic",)).exists()


def test_facts_that_add_up_stand_side_by_side(played):
    assert active("priya-raman", "Trangia") and active("priya-raman", "titanium pot set")
    assert active("ana-duarte", "data team") and active("ana-duarte", "incident reviews")


def test_the_same_again_is_no_second_memory(played):
    assert outcomes("李嘉树", "我穿 43 码的鞋") == ["ADD", "DUPLICATE"]
    assert _memories("李嘉树", ("43 码",)).count() == 1


def test_one_run_that_repeats_itself_is_one_thing_to_review(played):
    claims = Conflict.objects.filter(user__external_id="tom-hargreaves", episode__session__run_id="upsell-bot")
    assert claims.count() <= 2
    assert not _memories("tom-hargreaves", ("3000",)).exists()


@pytest.mark.parametrize(
    "user_id, said",
    [
        ("ana-duarte", "Based on what I remember"),
        ("gao-zixuan", "根据记忆"),
        ("gao-zixuan", "心跳"),
        ("jonas-weber", "heartbeat"),
        ("jonas-weber", "You are repo-pilot"),
        ("priya-raman", "If I moved to Lisbon"),
        ("ana-duarte", "If we used DuckDB"),
        ("zhou-wenjing", "如果我以后搬去上海"),
        ("gao-zixuan", "假如改用 GitLab"),
        ("maya-okafor", "Would they be too warm"),
        ("李嘉树", "哈哈哈哈"),
        ("tom-hargreaves", "Any news on my refund?"),
    ],
)
def test_echoes_heartbeats_questions_and_what_ifs_stay_out(played, user_id, said):
    assert set(outcomes(user_id, said)) == {"REJECTED"}


def test_searches_are_logged_and_have_warmed_memories(played):
    assert Recall.objects.filter(hits__isnull=False).distinct().count() >= 20
    assert not Recall.objects.filter(folded=False).exists()
    allergy = Memory.objects.get(user__external_id="zhou-wenjing", text__contains="对青霉素过敏")
    assert allergy.hits >= 2 and 0 < allergy.heat < allergy.hits


def test_its_keys_are_revoked(played):
    assert AgentKey.objects.filter(name="shop-assistant").count() == 1
    assert not AgentKey.objects.filter(revoked_at=None).exists()


@pytest.mark.parametrize("force", [False, True])
def test_a_second_time_is_refused_with_advice(played, force):
    before = Episode.objects.count()
    with pytest.raises(CommandError, match="--workspace"):
        call_command("demo", force=force, stdout=StringIO())
    assert Episode.objects.count() == before


def test_a_workspace_in_use_is_left_alone_unless_forced(tell):
    tell("I live in Cardiff.")
    with pytest.raises(CommandError, match="--force"):
        call_command("demo", workspace="shop", stdout=StringIO())
    assert Episode.objects.filter(workspace__slug="shop").count() == 1


def test_the_clock_is_put_right_again_even_after_a_failure():
    long_ago = timezone.now() - timedelta(days=9)
    with pytest.raises(ValueError), clock.at(long_ago):
        assert timezone.now() == long_ago
        raise ValueError
    assert timezone.now() - long_ago > timedelta(days=8)


def test_a_line_that_cannot_be_read_is_named(tmp_path):
    person = '{"user_id": "u", "agent": "a", "about": ""}\n{"run": "r", "days_ago": 1}\n'
    (tmp_path / "u.jsonl").write_text(person + '{"user": "hi", "mood": "good"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="u.jsonl, line 3"):
        script.load(tmp_path)
