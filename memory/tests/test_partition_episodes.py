"""`manage.py partition_episodes`: the same product on episodes by month, and months that leave."""

import re
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from memory import tasks
from memory.actions.settle import settle
from memory.actor import SYSTEM, Actor
from memory.bulk import import_episodes, import_memories
from memory.models import AuditEvent, Conflict, EndUser, Episode, Evidence, Memory, Session, Verdict
from memory.partitions import convert, months
from memory.recall.search import search
from memory.tests.agent import Agent

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
MAY = date(2026, 5, 20)
MARCH = datetime(2026, 3, 9, 12, tzinfo=UTC)


def command(*given: str) -> str:
    said = StringIO()
    call_command("partition_episodes", *given, stdout=said)
    return said.getvalue()


def commit() -> None:
    """What a commit does to constraints: they answer, and those of the next transaction wait again."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def lies_in(episode: Episode) -> str:
    [(name,)] = months.ask("SELECT tableoid::regclass::text FROM memory_episode WHERE id = %s", [episode.pk])
    return name


def layout() -> dict[str, list[tuple]]:
    """What holds of the episodes: columns, keys and checks, indexes without their primary key."""
    return {
        "columns": months.ask(
            "SELECT attname, atttypid::regtype::text, attnotnull FROM pg_attribute "
            "WHERE attrelid = 'memory_episode'::regclass AND attnum > 0 ORDER BY attname"
        ),
        "constraints": months.ask(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE conrelid = 'memory_episode'::regclass AND contype IN ('f', 'c') ORDER BY 1"
        ),
        "indexes": months.ask(
            "SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes "
            "WHERE tablename = 'memory_episode' AND indexname !~ 'pkey' ORDER BY 1"
        ),
    }


@pytest.fixture
def one_table(workspace):
    """The layout that migrations make."""
    if months.is_partitioned():
        pytest.skip("this run's database is partitioned from the start")


@pytest.fixture
def by_month(workspace):
    """Partitions from January 2026 to March 2027."""
    if not months.is_partitioned():
        convert.convert(ahead=3, today=MAY)
        commit()
    months.make_ahead(14, date(2026, 1, 1))


def test_columns_checks_keys_and_indexes_are_what_they_were(one_table):
    before = layout()
    assert len(before["indexes"]) > 8
    convert.convert(ahead=3, today=MAY)
    assert layout() == before
    assert len(months.ask("SELECT 1 FROM pg_indexes WHERE tablename = 'memory_episode_2026_05'")) == 1 + len(
        before["indexes"]
    )


def test_episodes_go_into_their_months_and_ids_go_on(one_table, make_episode):
    old = [make_episode(f"line {n}", at=MARCH + timedelta(days=30 * n)) for n in range(3)]
    found = convert.convert(ahead=1, today=MAY)
    assert [month.month for month in found.months] == [3, 4, 5, 6]
    assert list(Episode.objects.order_by("id").values_list("id", "content")) == [(one.pk, one.content) for one in old]
    assert [lies_in(one)[-7:] for one in old] == ["2026_03", "2026_04", "2026_05"]
    assert make_episode("next").pk == old[-1].pk + 1


def test_a_dry_run_tells_and_changes_nothing(one_table, make_episode):
    make_episode("line", at=MARCH)
    said = command("--dry-run")
    assert "1 episodes" in said and "2026-03 to " in said
    for table in ("conflict", "evidence", "toolresult", "verdict"):
        assert f"memory_{table}.episode_id" in said
    assert not months.is_partitioned()


def test_a_failure_leaves_everything_as_it_was(one_table, make_episode, monkeypatch):
    first, before = make_episode("line", at=MARCH), layout()
    monkeypatch.setattr(convert, "_guards", lambda found: ["SELECT 1 / 0"])
    with pytest.raises(CommandError, match="Nothing was done. division by zero"):
        command()
    assert (months.is_partitioned(), layout()) == (False, before)
    assert make_episode("next").pk == first.pk + 1


def test_the_command_converts_once_and_makes_months_ahead_after(one_table):
    assert "The worker makes more each day." in command("--ahead", "0")
    assert command("--ahead", "2").count("memory_episode_2") == 2
    assert command("--ahead", "2") == "made: nothing, all are there\n"


def test_the_worker_makes_months_ahead_only_where_there_are_any(one_table):
    assert tasks.make_partitions() == []
    convert.convert(ahead=0, today=timezone.now().date())
    assert (len(tasks.make_partitions()), tasks.make_partitions()) == (3, [])


def test_an_event_becomes_a_memory_that_is_found_contradicted_and_decided(by_month, tell, people, now):
    tell("I live in Leipzig.", now=MARCH)
    held = Memory.objects.get()
    assert [hit.memory for hit in search(user=held.user, query="Leipzig", asked_by="test", now=now).results] == [held]
    tell("I am allergic to peanuts.", now=MARCH)
    tell("I am not allergic to peanuts.", now=now)
    conflict = Conflict.objects.get()
    settle(
        conflict=conflict, choice="accept", person=people["ada"], actor=Actor(kind="person", id="1", label="Ada"),
        now=now, expected_version=1,
    )  # fmt: skip
    commit()
    assert sorted(Verdict.objects.values_list("outcome", flat=True)) == ["ADD", "ADD", "QUEUED"]
    assert {lies_in(one.episode) for one in Evidence.objects.all()} == {
        "memory_episode_2026_03", "memory_episode_2026_05",
    }  # fmt: skip


def test_an_agent_posts_and_searches_and_a_reviewer_decides_over_http(by_month, workspace, people, client):
    agent = Agent(workspace)
    agent.say("I am allergic to peanuts.")
    agent.say("I am not allergic to peanuts.", run_id="r2")
    assert agent.found("peanuts") == ["I am allergic to peanuts."]
    held = Conflict.objects.get()
    client.force_login(people["ada"])
    body = {"choice": "accept", "reason_code": "mistaken", "version": held.version}
    answer = client.post(f"/review/{held.pk}/decide/", body)
    commit()
    assert answer.status_code == 302, answer.content
    assert agent.found("peanuts") == ["I am not allergic to peanuts."]
    assert [turn["content"] for turn in agent.get("/sessions/r2/context", user_id="u1").json()["turns"]] == [
        "I am not allergic to peanuts."
    ]


def test_later_migrations_may_add_columns_and_indexes(by_month, make_episode):
    make_episode("line")
    commit()
    column = models.CharField(max_length=8, default="")
    column.set_attributes_from_name("later")
    index = models.Index(fields=["agent_id", "id"], name="episode_later")
    with connection.schema_editor() as editor:
        editor.add_field(Episode, column)
        editor.add_index(Episode, index)
        editor.remove_index(Episode, index)
        editor.remove_field(Episode, column)
    commit()
    assert Episode.objects.get().content == "line"


def test_erasing_a_user_leaves_nothing_of_them_in_any_month(by_month, tell, now):
    for at in (MARCH, now, datetime(2020, 1, 1, tzinfo=UTC)):
        tell("Hi there!", now=at)
        tell("你好！", user_id="u2", now=at)
    EndUser.objects.get(external_id="u1").delete()
    commit()
    assert (Episode.objects.count(), Verdict.objects.count()) == (3, 3)
    assert set(Episode.objects.values_list("user__external_id", flat=True)) == {"u2"}


def test_nothing_names_an_episode_that_is_not_there(by_month, make_memory):
    memory = make_memory("I live in Leipzig")
    commit()
    with pytest.raises(IntegrityError, match="is not there"), transaction.atomic():
        Evidence.objects.filter(memory=memory).update(episode_id=10**9)
        commit()
    with pytest.raises(IntegrityError, match="still named by memory_evidence.episode_id"), transaction.atomic():
        Episode.objects.all()._raw_delete("default")
        commit()


def test_imports_by_copy_come_in(by_month, workspace, now):
    rows = [{"user_id": f"u{n % 3}", "run_id": "r1", "role": "user", "content": f"line {n}"} for n in range(30)]
    import_episodes(workspace, rows, now)
    import_memories(workspace, [{"user_id": "u1", "memory": f"fact {n}"} for n in range(20)], SYSTEM, now)
    commit()
    assert (Episode.objects.count(), Evidence.objects.count(), Session.objects.count()) == (50, 20, 4)
    assert {lies_in(one) for one in Episode.objects.all()} == {"memory_episode_2026_05"}


def test_what_has_no_month_yet_lies_in_the_rest_and_moves_with_its_evidence(by_month, make_memory):
    memory = make_memory("I live in Leipzig", at=datetime(2031, 7, 31, 23, 59, tzinfo=UTC))
    other = make_memory("I work in Halle", at=datetime(2031, 8, 1, tzinfo=UTC), run_id="r2")
    commit()
    assert lies_in(memory.evidence.get().episode) == "memory_episode_rest"
    assert months.make_ahead(0, date(2031, 7, 1)) == ["memory_episode_2031_07"]
    commit()
    assert lies_in(memory.evidence.get().episode) == "memory_episode_2031_07"
    assert lies_in(other.evidence.get().episode) == "memory_episode_rest"


def test_the_list_has_every_partition_with_rows_and_bytes(by_month, make_episode):
    make_episode("line", at=MARCH)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_episode")
    lines = [line.split() for line in command("--list").splitlines()]
    assert lines[-2][0] == "memory_episode_rest"
    [march] = [line for line in lines if line[0] == "memory_episode_2026_03"]
    assert march[1:3] == ["1", "rows"] and march[4] == "bytes"


def smalltalk_of_march(tell) -> Episode:
    episode = tell("Hi there!", now=MARCH)
    assert Verdict.objects.get().outcome == "REJECTED"
    commit()
    return episode


def test_a_month_leaves_only_when_told_and_is_kept(by_month, tell):
    episode = smalltalk_of_march(tell)
    with pytest.raises(CommandError, match="Nothing was done. With --yes taken out: 2026-01, 2026-02, 2026-03"):
        command("--drop-before", "2026-04")
    assert Episode.objects.count() == 1
    said = command("--drop-before", "2026-04", "--yes")
    assert "2026-03: 1 episodes with 1 verdicts" in said
    assert "kept as memory_episode_2026_03 and memory_verdict_2026_03" in said
    assert (Episode.objects.count(), Verdict.objects.count()) == (0, 0)
    assert months.ask("SELECT id, content FROM memory_episode_2026_03") == [(episode.pk, "Hi there!")]
    assert months.ask("SELECT episode_id FROM memory_verdict_2026_03") == [(episode.pk,)]
    event = AuditEvent.objects.get(object_id="2026-03")
    assert (event.action, event.before) == ("episodes.detach", {"episodes": 1, "verdicts": 1})


def test_a_month_that_is_kept_does_not_keep_its_users_from_being_erased(by_month, tell):
    smalltalk_of_march(tell)
    command("--drop-before", "2026-04", "--yes")
    EndUser.objects.all().delete()
    commit()
    assert not EndUser.objects.exists()


def test_a_month_is_dropped_only_by_a_word_of_its_own(by_month, tell):
    smalltalk_of_march(tell)
    command("--drop-before", "2026-04", "--drop", "--yes")
    assert months.ask("SELECT to_regclass('memory_episode_2026_03'), to_regclass('memory_verdict_2026_03')") == [
        (None, None)
    ]
    assert AuditEvent.objects.filter(action="episodes.drop").count() == 3


@pytest.mark.parametrize(
    "what, reason",
    [
        ("memory", "1 memories rest on it"),
        ("conflict", "1 open conflicts are about it"),
        ("pending", "1 episodes wait to be judged or are parked"),
        ("parked", "1 episodes wait to be judged or are parked"),
    ],
)
def test_a_month_that_something_rests_on_stays(by_month, make_memory, make_conflict, make_episode, what, reason):
    if what == "memory":
        make_memory("I live in Leipzig", at=MARCH)
    elif what == "conflict":
        make_conflict(None, "I live in Graz", kind="injection", at=MARCH)
    else:
        make_episode("Hello", at=MARCH, judging=what)
    said = StringIO()
    call_command("partition_episodes", "--drop-before", "2026-04", "--drop", "--yes", stdout=said)
    assert f"must stay: {reason}" in said.getvalue()
    assert (Episode.objects.count(), "memory_episode_2026_03" in command("--list")) == (1, True)
    assert "memory_episode_2026_02" not in command("--list")


@pytest.mark.parametrize("given", ["2026-13", "last year", "2999-01"])
def test_a_month_that_is_none_or_not_over_is_refused(by_month, given):
    with pytest.raises(CommandError):
        command("--drop-before", given, "--yes")


@pytest.fixture
def a_year(by_month, workspace):
    """22,800 judged episodes of 200 users over 15 months, some in each."""
    users = EndUser.objects.bulk_create([EndUser(workspace=workspace, external_id=f"u{n}") for n in range(200)])
    at = {"started_at": MARCH, "last_event_at": MARCH}
    Session.objects.bulk_create([Session(workspace=workspace, user=user, run_id="r", **at) for user in users])
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_episode (workspace_id, user_id, session_id, agent_id, kind, role, name, status, "
            "source_class, content, metadata, event_time, recorded_at, infer, judging, attempts, error) "
            "SELECT s.workspace_id, s.user_id, s.id, '', 'message', 'user', '', 'ok', 'user_input', repeat('x', 200), "
            "'{}', t, t, true, 'judged', 0, '' FROM memory_session s, LATERAL (SELECT "
            "'2026-01-01'::timestamptz + n * interval '4 days' AS t FROM generate_series(0, 113) n) AS times"
        )
        cursor.execute("ANALYZE memory_episode")
    return Session.objects.order_by("pk")[100]


def test_a_session_a_user_and_an_id_are_found_by_index_in_every_month(a_year):
    of_user = Episode.objects.filter(user_id=a_year.user_id)
    for rows in (
        Episode.objects.filter(session=a_year).order_by("-id").values_list("recorded_at", "id")[:12],
        of_user.order_by("-event_time", "-id")[:20],
        of_user.filter(judging="pending").order_by("id"),
        Episode.objects.filter(pk=10**6),
        Episode.objects.filter(workspace_id=a_year.workspace_id).order_by("-recorded_at")[:20],
    ):
        plan = rows.explain()
        scanned = [line for line in plan.splitlines() if "Seq Scan" in line and "memory_episode_rest" not in line]
        assert (scanned, "memory_episode_2026_03" in plan) == ([], True), plan


def test_a_window_of_time_reads_its_months_only(a_year):
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)
    plan = Episode.objects.filter(session=a_year, recorded_at__gte=since, recorded_at__lt=until).explain()
    read = set(re.findall(r" on memory_episode_(\d{4}_\d\d) ", plan))
    assert read == {"2026_03", "2026_04"}
