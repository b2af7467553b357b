"""Bulk import of events: the same rows as POST /events takes, all or none, and judged like any other."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from memory import tasks
from memory.api import incoming
from memory.api.serializers import EventIn
from memory.bulk import BadRows, import_episodes, rows
from memory.models import EndUser, Episode, Memory, Session
from memory.policy import policy_of
from memory.working import get_working


def row(content="I live in Leipzig.", **more):
    return {"user_id": "u1", "run_id": "r1", "role": "user", "content": content} | more


def test_rows_become_episodes_in_order(workspace, now):
    given = [row(f"line {n}", event_time=f"2024-03-01T10:0{n}:00Z") for n in range(5)]
    done = import_episodes(workspace, given, now)
    episodes = list(Episode.objects.order_by("id"))
    assert (done.count, done.users, [episode.content for episode in episodes]) == (
        5,
        1,
        [f"line {n}" for n in range(5)],
    )
    first = episodes[0]
    assert (first.event_time.isoformat(), first.recorded_at) == ("2024-03-01T10:00:00+00:00", now)
    assert (first.judging, first.source_class, first.kind, first.infer) == ("pending", "user_input", "message", True)


def test_an_imported_event_is_what_a_posted_one_is(workspace, now):
    """Rows with something unusual take the way of the API's own checks; both ways must agree."""
    tool = row("{}", role="tool", name="orders.lookup", metadata={"ok": 1}, agent_id="a 1", status="error")
    import_episodes(workspace, [tool, row(role="assistant", kind="message", name=None, infer=False)], now)
    first, second = Episode.objects.order_by("id")
    assert (first.kind, first.source_class, first.name, first.metadata) == (
        "tool_result", "tool_return", "orders.lookup", {"ok": 1},
    )  # fmt: skip
    assert (first.agent_id, first.status) == ("a 1", "error")
    assert (second.kind, second.source_class, second.name, second.infer) == ("message", "llm_reasoning", "", False)


@pytest.mark.parametrize(
    "bad, field",
    [
        ({"content": " \n"}, "content"), ({"content": "a\0b"}, "content"), ({"content": "\udc00"}, "content"),
        ({"content": None}, "content"), ({"user_id": "*"}, "user_id"), ({"user_id": ""}, "user_id"),
        ({"user_id": "x" * 201}, "user_id"), ({"user_id": 7}, "user_id"), ({"role": "boss"}, "role"),
        ({"kind": "rumour"}, "kind"), ({"status": "fine"}, "status"), ({"infer": 1}, "infer"),
        ({"event_time": "2024-03-01"}, "event_time"), ({"event_time": "2999-01-01T00:00:00Z"}, "event_time"),
        ({"event_time": "2024-03-01T10:00:00"}, "event_time"), ({"metadata": []}, "metadata"),
        ({"metadata": {"k": ["\0"]}}, "metadata"), ({"source_class": "user_input"}, "source_class"),
        ({"content": "x" * 200_001}, "content"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_line_and_field_and_nothing_is_written(workspace, now, bad, field):
    with pytest.raises(BadRows) as caught:
        import_episodes(workspace, [row(), None, row(**bad)], now)
    assert [(one.line, one.field) for one in caught.value.rows] == [(3, field)]
    assert not (Episode.objects.exists() or EndUser.objects.exists())


ODD = [None, "", " ", "*", "x", "a b", "ok", "message", "tool", "2024-03-01T10:00:00Z", "0001-01-01T00:00:00+14:00"]
ODD += [0, 1, True, 1.5, [], [1], {}, {"a": 1}, "é", "\u200b", "\0", "\ud800", "x" * 201]


@pytest.mark.parametrize("field", sorted(rows._EVENT_FIELDS))
def test_the_quick_way_never_differs_from_the_apis_checks(field, now):
    quick = 0
    for odd in ODD:
        given = row(event_time="2024-03-01T10:00:00Z") | {field: odd}
        if plain := rows._plain_event(given, now):
            assert plain == incoming.of_event(EventIn().run_validation(given)), odd
            quick += 1
    assert quick or field in ("role", "task_state", "result", "tool")


def test_bad_rows_can_be_left_out(workspace, now):
    done = import_episodes(workspace, [row("a"), row(""), row("b")], now, skip_bad=True)
    assert (done.count, [one.line for one in done.bad], Episode.objects.count()) == (2, [2], 2)


def test_text_and_metadata_come_out_as_they_went_in(workspace, now):
    texts = [
        "我叫沈知夏，\r\n在澄湖医院做护士　😀 ﬁ",
        "tab\there \\N \\. back\\slash",
        '"q", {}',
        "\\x00",
        "y" * 200_000,
    ]
    import_episodes(workspace, [row(text, metadata={"k": text[:99], "键": None}) for text in texts], now)
    found = Episode.objects.order_by("id")
    assert [episode.content for episode in found] == texts
    assert [episode.metadata for episode in found] == [{"k": text[:99], "键": None} for text in texts]


def test_sessions_begin_and_end_with_their_events(workspace, make_episode, now):
    make_episode("before", at=now - timedelta(days=9))
    times = ["2026-05-01T00:00:00Z", "2026-04-01T00:00:00Z"]
    import_episodes(workspace, [row(event_time=at, run_id=run) for run in ("r1", "r2") for at in times], now)
    known, new = Session.objects.order_by("run_id")
    assert (known.last_event_at.day, known.started_at) == (1, now - timedelta(days=9))
    assert (new.started_at.month, new.last_event_at.month) == (4, 5)
    import_episodes(workspace, [row(event_time="2020-01-01T00:00:00Z", task_state={"step": 2})], now)
    known.refresh_from_db()
    assert (known.last_event_at.month, known.task_state) == (5, {"step": 2})


def test_a_workspace_never_gets_anothers_user(workspace, other_workspace, now):
    import_episodes(workspace, [row()], now)
    import_episodes(other_workspace, [row()], now)
    assert EndUser.objects.filter(external_id="u1").count() == 2
    assert set(Episode.objects.values_list("workspace_id", "user__workspace_id", "session__workspace_id")) == {
        (workspace.pk,) * 3, (other_workspace.pk,) * 3,
    }  # fmt: skip


def test_many_users_and_sessions(workspace, now):
    given = [row(f"line {n}", user_id=f"u{n % 700}", run_id=f"r{n % 3}") for n in range(2100)]
    done = import_episodes(workspace, given, now)
    assert (done.count, done.users, Session.objects.count()) == (2100, 700, 2100)
    assert all(
        (user, run) == (f"u{int(text[5:]) % 700}", f"r{int(text[5:]) % 3}")
        for text, user, run in Episode.objects.values_list("content", "user__external_id", "session__run_id")
    )


def test_the_worker_judges_them(workspace, django_capture_on_commit_callbacks):
    import_episodes(workspace, [row("I live in Leipzig.", event_time="2024-03-01T10:00:00Z")], timezone.now())
    Episode.objects.update(recorded_at=timezone.now() - timedelta(minutes=1))
    assert (tasks.sweep(), OrmQ.objects.count()) == (1, 1)
    tasks.judge_user(EndUser.objects.get().pk)
    assert Memory.objects.get().text == "I live in Leipzig."


def test_only_what_is_fresh_comes_into_working_memory(workspace, now, django_capture_on_commit_callbacks):
    fresh = (now - timedelta(hours=1)).isoformat()
    with django_capture_on_commit_callbacks(execute=True):
        given = [row(f"turn {n}", event_time=fresh) for n in range(20)]
        import_episodes(workspace, [*given, row("old", run_id="r2", event_time="2020-01-01T00:00:00Z")], now)
    policy = policy_of(workspace)
    read = get_working().context
    turns = read(Session.objects.get(run_id="r1"), policy=policy, now=now)
    assert [turn["content"] for turn in turns] == [f"turn {n}" for n in range(8, 20)]


def test_a_failure_on_the_way_leaves_nothing_behind(workspace, now, monkeypatch):
    monkeypatch.setattr("memory.bulk.episodes._keep_at_hand", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_episodes(workspace, [row()], now)
    assert not (Episode.objects.exists() or EndUser.objects.exists() or Session.objects.exists())


def test_tools_results_are_read_as_posted_ones_and_stand_beside_their_episodes(workspace, now):
    tool = {"role": "tool", "kind": "tool_result", "name": "refund"}
    flagged = '{"content": [{"type": "text", "text": "card expired"}], "isError": true}'
    posted = {"user_id": "u1", "run_id": "r1", "role": "tool", "name": "stock", "result": {"left": "4\0"}}
    given = [row("Hello."), row(flagged, **tool), row("Error: no such order", **tool), posted, row("Bye.")]
    import_episodes(workspace, given, now)
    kept = [(e.content, e.status, getattr(e, "tool_result", None)) for e in Episode.objects.order_by("id")]
    assert [(content, status, found and found.failure) for content, status, found in kept] == [
        ("Hello.", "ok", None), ("card expired", "error", "is_error"), ("Error: no such order", "error", None),
        ("left: 4", "ok", ""), ("Bye.", "ok", None),
    ]  # fmt: skip
