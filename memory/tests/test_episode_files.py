"""Events of long ago in files: whole before the rows go, checked, brought back as they were, and erased from."""

import gzip
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from memory import tasks
from memory.actions import forget
from memory.actor import SYSTEM
from memory.erasure import export
from memory.files import checking, line, moving, personal, shelf
from memory.models import AuditEvent, EndUser, Episode, EpisodeFile, EpisodeFileUser, Memory, ToolResult, Verdict
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
MARCH = datetime(2025, 3, 14, 9, 26, 53, 589793, tzinfo=UTC)


@pytest.fixture(autouse=True)
def disk(settings, tmp_path, workspace):
    settings.DATA_DIR = tmp_path
    workspace.settings = {"episode_days": 365}
    workspace.save()
    return tmp_path / "episodes"


@pytest.fixture
def said(make_episode):
    """said("text", user=…, at=…) is one judged event of March 2025."""
    return lambda text, *, at=MARCH, **fields: make_episode(text, at=at, **fields)


@pytest.fixture
def other(workspace):
    return EndUser.objects.create(workspace=workspace, external_id="u2")


def row(episode):
    return {field.attname: getattr(episode, field.attname) for field in episode._meta.concrete_fields}


def file_all(workspace):
    files = []
    while file := moving.file_next(workspace, now=NOW):
        files.append(file)
    return files


# moving


def test_a_month_goes_to_a_file_with_its_digest_and_the_audit_has_it_too(said, workspace, disk):
    first, second = said("Good morning."), said("What time is it?", at=MARCH + timedelta(days=9))
    [file] = file_all(workspace)
    assert not Episode.objects.exists()
    assert (file.month.isoformat(), file.part, file.episodes) == ("2025-03-01", 1, 2)
    path = disk / file.name
    assert path.stat().st_size == file.bytes and path.stat().st_mode & 0o077 == 0
    lines = [json.loads(each) for each in gzip.decompress(path.read_bytes()).splitlines()]
    assert [each["episode"]["id"] for each in lines] == [first.pk, second.pk]
    assert lines[0]["episode"]["recorded_at"] == "2025-03-14T09:26:53.589793+00:00"
    event = AuditEvent.objects.get(action="episodes.file")
    assert event.after == {"file": file.name, "episodes": 2, "sha256": file.sha256}


def test_each_month_has_files_of_its_own_the_oldest_first(said, workspace, monkeypatch):
    monkeypatch.setattr(moving, "MOST", 2)
    for day in (1, 2, 3):
        said(f"march {day}", at=MARCH.replace(day=day))
    said("february", at=MARCH.replace(month=2))
    said("the very end", at=datetime(2025, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
    assert [(f"{file.month:%Y-%m}", file.part, file.episodes) for file in file_all(workspace)] == [
        ("2025-02", 1, 1), ("2025-03", 1, 2), ("2025-03", 2, 1),
    ]  # fmt: skip
    assert Episode.objects.get().content == "the very end"


def test_what_something_rests_on_what_waits_and_what_is_young_stays(said, make_memory, make_conflict, workspace):
    make_memory("My bike is blue", at=MARCH)
    make_conflict(None, "I live in Graz", at=MARCH)
    said("Not judged yet", judging="pending")
    said("Gave up", judging="parked")
    said("In its last month", at=datetime(2025, 5, 1, tzinfo=UTC))
    assert file_all(workspace) == [] and Episode.objects.count() == 5


def test_without_the_setting_nothing_moves(said, workspace):
    said("Good morning.")
    workspace.settings = {}
    workspace.save()
    assert file_all(workspace) == []


def test_another_workspaces_events_stay(said, other_workspace):
    said("Good morning.")
    other_workspace.settings = {"episode_days": 365}
    assert file_all(other_workspace) == []


def test_what_comes_to_rest_on_an_event_meanwhile_keeps_it(said, workspace, monkeypatch, disk):
    said("Good morning.")
    real = shelf.write

    def write(name, lines):
        real(name, lines)
        raise IntegrityError("evidence came")

    monkeypatch.setattr(shelf, "write", write)
    assert moving.file_next(workspace, now=NOW) is None
    assert Episode.objects.count() == 1 and not EpisodeFile.objects.exists()
    # the file that was written for nothing goes with the next run
    assert len(list(disk.rglob("*.gz"))) == 1
    shelf.sweep(workspace.pk)
    assert list(disk.rglob("*.gz")) == []


def test_a_full_disk_loses_nothing(said, workspace, monkeypatch):
    said("Good morning.")

    def full(_name, _lines):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shelf, "write", full)
    with pytest.raises(OSError, match="No space"):
        moving.file_next(workspace, now=NOW)
    assert Episode.objects.count() == 1


def test_the_nights_job_moves_them_and_goes_on_until_they_are_gone(said, workspace, monkeypatch):
    said("Good morning.")
    assert tasks.file_episodes() == 0
    assert tasks.file_episodes_of(workspace.pk) == 1 and not Episode.objects.exists()


# and back


def test_it_comes_back_as_it_was_with_its_tool_result_and_its_verdicts(workspace, disk):
    agent = Agent(workspace)
    agent.post(
        "/tool-results",
        {
            "user_id": "u1", "run_id": "r1", "tool": {"name": "crm"},
            "result": {"content": [{"type": "text", "text": "No order 订单"}], "structuredContent": {"found": [1.5]}},
        },
    )  # fmt: skip
    agent.post(
        "/events", {"user_id": "u1", "run_id": "r1", "role": "user", "content": "Good morning. 早上好 \U0001f600"}
    )
    tasks.judge_user(EndUser.objects.get().pk)
    Memory.objects.all().delete()
    Episode.objects.update(recorded_at=MARCH)
    tables = (Episode, ToolResult, Verdict)
    before = [[row(each) for each in table.objects.order_by("pk")] for table in tables]
    assert all(before)
    [file] = file_all(workspace)
    assert not any(table.objects.exists() for table in tables)
    moving.bring_back(file, actor=SYSTEM, now=NOW)
    assert [[row(each) for each in table.objects.order_by("pk")] for table in tables] == before
    assert not EpisodeFile.objects.exists() and AuditEvent.objects.filter(action="episodes.bring_back").count() == 1


def test_twice_is_once(said, workspace):
    said("Good morning.")
    [file] = file_all(workspace)
    back = [moving.bring_back(file, actor=SYSTEM, now=NOW) for _ in range(2)]
    assert back == [1, 0] and Episode.objects.count() == 1


def test_what_belonged_to_somebody_who_is_gone_stays_away(said, workspace, other):
    said("Good morning.")
    said("Good evening.", user=other, run_id="r9")
    [file] = file_all(workspace)
    EndUser.objects.filter(pk=other.pk).delete()
    assert moving.bring_back(file, actor=SYSTEM, now=NOW) == 1
    assert Episode.objects.get().content == "Good morning."


def test_every_column_survives_a_line(said):
    episode = said("\U0001f600 ü", metadata={"a": [1, None, {"b": "c"}]}, name="crm", error="", agent_id="bot")
    [one] = line.lines([episode])
    again, beside = line.rows_of(one)
    assert row(again) == row(Episode.objects.get()) and beside == []


@pytest.mark.parametrize(
    "broken", [b"{}\n", b"[]\n", b"null\n", b"{", b'{"episode": 1, "tool_results": [], "verdicts": []}']
)
def test_a_line_of_another_shape_is_refused(broken):
    with pytest.raises(ValueError, match=r"."):
        line.rows_of(broken)


# checking


@pytest.mark.parametrize(
    ("harm", "fault"), [("gone", "missing"), ("a byte", "altered"), ("cut", "altered"), ("none", "")]
)
def test_a_file_that_is_not_as_it_was_written_is_named_and_brings_nothing_back(harm, fault, said, workspace, disk):
    said("Good morning.")
    [file] = file_all(workspace)
    path = disk / file.name
    if harm == "gone":
        path.unlink()
    elif harm != "none":
        whole = path.read_bytes()
        path.write_bytes(whole[:-1] if harm == "cut" else whole[:-1] + bytes([whole[-1] ^ 1]))
    assert checking.check(file, now=NOW) == fault
    out = io.StringIO()
    if not fault:
        call_command("episode_files", check=True, stdout=out)
        assert "2025-03.1" in out.getvalue()
        return
    with pytest.raises(CommandError, match="1 files are not"):
        call_command("episode_files", check=True, stdout=out)
    with pytest.raises(CommandError, match=fault):
        call_command("episode_files", bring_back=file.pk)
    assert EpisodeFile.objects.get().fault == fault and not Episode.objects.exists()


def test_files_are_checked_once_a_week_the_longest_ago_first(said, workspace, disk):
    said("Good morning.")
    [file] = file_all(workspace)
    (disk / file.name).unlink()
    assert checking.check_due(now=NOW + timedelta(days=6), until=float("inf")) == 0
    assert checking.check_due(now=NOW + timedelta(days=8), until=float("inf")) == 1
    assert EpisodeFile.objects.get().fault == "missing"


# erasing


def found_in(disk, text):
    return [path for path in disk.rglob("*") if path.is_file() and text.encode() in gzip.decompress(path.read_bytes())]


def test_an_erased_person_is_in_no_file_and_others_are(said, workspace, user, other, disk):
    said("Mine is 4711.")
    said("Theirs is 0815.", user=other, run_id="r9")
    said("Mine alone is 4712.", at=MARCH.replace(month=2))
    file_all(workspace)
    assert (personal.count(user.pk), personal.count(other.pk)) == (2, 1)
    erasure = forget.forget_user(user=user, reason_code="law", actor=SYSTEM, now=timezone.now())
    tasks.erase(str(erasure.pk))
    erasure.refresh_from_db()
    assert erasure.finished_at is not None
    assert found_in(disk, "4711") == found_in(disk, "4712") == []
    [file] = EpisodeFile.objects.all()
    assert found_in(disk, "0815") == [disk / file.name]
    assert (file.episodes, checking.check(file, now=NOW)) == (1, "")
    assert list(EpisodeFileUser.objects.values_list("user_pk", "episodes")) == [(other.pk, 1)]


def test_an_erasure_that_was_cut_off_between_the_files_is_ended_by_the_next(
    said, workspace, user, other, disk, monkeypatch
):
    said("Mine is 4711.")
    said("Theirs is 0815.", user=other, run_id="r9")
    file_all(workspace)
    with monkeypatch.context() as patch:
        patch.setattr(shelf, "sweep", lambda _pk: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            personal.erase(workspace.pk, user.pk)
    # the old file is on the disk still
    assert len(found_in(disk, "4711")) == 1
    personal.erase(workspace.pk, user.pk)
    assert found_in(disk, "4711") == [] and len(found_in(disk, "0815")) == 1


def test_what_nobody_can_read_holds_an_erasure_up_and_what_is_gone_does_not(said, workspace, user, disk):
    said("Mine is 4711.")
    [file] = file_all(workspace)
    path = disk / file.name
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(shelf.Faulty):
        personal.erase(workspace.pk, user.pk)
    path.unlink()
    personal.erase(workspace.pk, user.pk)
    assert not EpisodeFile.objects.exists()


def test_an_export_has_what_is_in_the_files(said, workspace, user, other):
    said("Mine is 4711.")
    said("Theirs is 0815.", user=other, run_id="r9")
    file_all(workspace)
    out = io.BytesIO()
    manifest = export.write(user, out, now=NOW)
    [named] = [each for each in manifest["files"] if each["name"] == "episode_files.jsonl"]
    text = zipfile.ZipFile(out).read("episode_files.jsonl")
    assert named["rows"] == 1 and b"4711" in text and b"0815" not in text


def test_a_persons_page_says_how_many_events_are_in_files(said, workspace, user, client, people):
    said("Good morning.")
    file_all(workspace)
    client.force_login(people["ada"])
    assert "1 older event is in a file" in client.get(f"/people/{user.pk}/?tab=episodes").content.decode()
