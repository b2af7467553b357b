"""/memory-health/: what came in and what became of it, and whether the machinery runs."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule

from memory import schedules, tasks
from memory.models import AuditEvent, DayFigure, Episode, JobRun
from memory.upkeep import days, jobs


@pytest.fixture
def told(tell):
    tell("I live in Porto.")
    tell("I live in Porto.", run_id="r2")
    tell("Ok.")
    tell("I live in Graz now.")


def test_what_came_in_is_counted_by_day_and_outcome(told, desk):
    tasks.count_days()
    found = desk("eve").get("/memory-health/?days=7").context["flow"]
    assert len(found.days) == 7 and found.totals["events"] == 4
    today = found.days[-1]
    assert (today.events, today.added, today.known, today.queued, today.rejected) == (4, 1, 1, 1, 1)
    assert (found.kept_share, found.conflict_share, found.known_share) == (0.25, 0.25, 0.25)
    assert (found.totals["opened"], found.totals["decided"]) == (1, 0)


def test_counting_twice_changes_nothing_and_a_later_count_of_the_day_replaces_it(told, tell, workspace):
    now = timezone.now()
    assert days.count(workspace, now=now) == days.BACK
    first = list(DayFigure.objects.order_by("day", "figure").values_list("day", "figure", "count"))
    assert days.count(workspace, now=now) == 2
    assert list(DayFigure.objects.order_by("day", "figure").values_list("day", "figure", "count")) == first
    tell("I work at Northwind.")
    days.count(workspace, now=now)
    assert DayFigure.objects.get(figure="events", count__gt=0).count == 5


def test_a_day_that_ended_since_is_counted_to_its_end(make_episode, workspace):
    noon = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0)
    make_episode("one", at=noon - timedelta(days=3, hours=1))
    days.count(workspace, now=noon - timedelta(days=3))
    make_episode("two", at=noon - timedelta(days=3, hours=-6))
    days.count(workspace, now=noon)
    day = (noon - timedelta(days=3)).date()
    assert DayFigure.objects.get(figure="events", day=day).count == 2


def test_age_and_heat_of_what_is_remembered(make_memory, workspace):
    now = timezone.now()
    for age in (1, 10, 60, 200, 900):
        make_memory(f"I own boat {age}", at=now - timedelta(days=age))
    days.count(workspace, now=now)
    found, at = days.state(workspace)
    assert [found[f"age_{low}"] for low in (0, 7, 30, 90, 365)] == [1, 1, 1, 1, 1]
    assert (found["active"], found["archived"], at) == (5, 0, now)
    assert sum(found[f"heat_{low}"] for low in (0, *days.HEATS)) == 5


def test_another_workspace_is_not_counted(told, other_workspace):
    tasks.count_days()
    assert not DayFigure.objects.filter(workspace=other_workspace, count__gt=0).exists()


def test_before_the_first_count_the_page_says_so(desk, workspace):
    page = desk("ada").get("/memory-health/?days=x").content.decode()
    assert "Not counted yet" in page and "Nothing was judged in these days" in page


# ── jobs of the clock ──


@pytest.fixture
def scheduled(db):
    schedules.install()


def test_a_job_says_when_it_ran(scheduled):
    tasks.beat()
    [beat] = [job for job in jobs.jobs(timezone.now()) if job.name == "memory.tasks.beat"]
    assert beat.is_well and beat.finished_at


def test_a_job_that_fails_is_named_with_its_error(scheduled, monkeypatch, desk):
    monkeypatch.setattr("memory.upkeep.days.count", lambda *a, **k: 1 / 0)
    from memory.models import Workspace

    assert Workspace.objects.exists() or Workspace.objects.create(slug="w", name="W")
    with pytest.raises(ZeroDivisionError):
        tasks.count_days()
    first = jobs.jobs(timezone.now())[0]
    assert (first.name, first.failed, first.is_well) == ("memory.tasks.count_days", "ZeroDivisionError", False)
    page = desk("ada").get("/memory-health/").content.decode()
    assert "memory.tasks.count_days ended with ZeroDivisionError" in page


def test_a_job_that_recovers_is_well_again(scheduled):
    JobRun.objects.create(name="memory.tasks.beat", started_at=timezone.now(), error="OSError")
    tasks.beat()
    assert [job for job in jobs.jobs(timezone.now()) if job.name == "memory.tasks.beat"][0].is_well


def test_a_job_that_did_not_end_for_two_turns_is_late_also_one_that_never_ran(scheduled):
    now = timezone.now()
    assert not [job for job in jobs.jobs(now) if job.is_late]
    tasks.beat()
    late = {job.name for job in jobs.jobs(now + timedelta(hours=3)) if job.is_late}
    assert {"memory.tasks.beat", "memory.tasks.sweep", "memory.tasks.count_days"} <= late
    assert "memory.tasks.archive_cold" not in late


def test_every_scheduled_job_is_kept(scheduled):
    from importlib import import_module

    for name in Schedule.objects.values_list("func", flat=True):
        module, _dot, function = name.rpartition(".")
        assert hasattr(getattr(import_module(module), function), "__wrapped__"), name


# ── parked events ──


def test_all_parked_events_go_back_in_line_with_one_audit_row(make_episode, desk):
    for number in range(3):
        make_episode(f"boat {number}", judging="parked", attempts=3, error="TimeoutError")
    client = desk("cara")
    assert "Judge all parked again" in client.get("/memory-health/").content.decode()
    client.post("/memory-health/retry-all/")
    assert Episode.objects.filter(judging="pending", attempts=0, error="").count() == 3
    assert AuditEvent.objects.get(action="episode.retry_all").after == {"episodes": 3}
    client.post("/memory-health/retry-all/")
    assert AuditEvent.objects.filter(action="episode.retry_all").count() == 1


def test_the_parked_of_another_workspace_stay(make_episode, desk, people, other_workspace):
    from memory.models import Membership

    make_episode("boat", judging="parked")
    Membership.objects.filter(person=people["cara"]).update(workspace=other_workspace)
    desk("cara").post("/memory-health/retry-all/")
    assert Episode.objects.get().judging == "parked"
