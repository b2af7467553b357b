"""The morning's mail: to whom, when, in whose language and zone, and never twice."""

import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.urls import reverse

from hindsight_site import env
from memory.models import Conflict, Workspace
from review.models import Assignment, ReviewerSettings
from review.notices import digest

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def late(make_conflict, settings, people):
    """An overdue conflict, and Ada with an address."""
    settings.EMAIL_URL = "smtp://mail.example.com"
    people["ada"].email = "ada@example.com"
    people["ada"].save()
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    Conflict.objects.update(due_at=MORNING - timedelta(hours=20))
    return conflict


def wish(person, **values):
    ReviewerSettings.objects.update_or_create(person=person, defaults=values)


def test_it_says_what_is_overdue_and_where_and_no_word_of_it(late, settings, people):
    settings.BASE_URL = "https://console.example.com"
    Assignment.objects.create(conflict=late, person=people["ada"], at=MORNING)
    assert digest.run(now=MORNING) == 1
    [letter] = mail.outbox
    assert (letter.subject, letter.to) == ("1 conflict is overdue", ["ada@example.com"])
    assert "Shop assistant: 1 conflict is overdue (since May 3, 2026, 1:30 p.m.). 1 is assigned to you." in letter.body
    assert f"https://console.example.com/review/{late.pk}/" in letter.body
    assert "https://console.example.com/preferences/" in letter.body
    assert "Leipzig" not in letter.body and "Graz" not in letter.body


def test_it_comes_once_a_day_at_eight_in_the_readers_zone(late, people):
    wish(people["ada"], time_zone="Asia/Shanghai")
    at = datetime(2026, 5, 3, 23, 50, tzinfo=UTC)  # ten to eight on the 4th in Shanghai
    Conflict.objects.update(due_at=at - timedelta(days=1))
    steps = [timedelta(), timedelta(minutes=15), timedelta(minutes=30), timedelta(hours=23), timedelta(hours=24.3)]
    assert [digest.run(now=at + step) for step in steps] == [0, 1, 0, 0, 1]


def test_it_is_in_the_readers_language(late, people):
    wish(people["ada"], language="zh-hans")
    digest.run(now=MORNING)
    assert mail.outbox[0].subject == "1 条冲突已逾期"
    assert "2026年5月3日" in mail.outbox[0].body


def test_nothing_overdue_is_no_mail(late):
    Conflict.objects.update(due_at=MORNING + timedelta(hours=1))
    assert (digest.run(now=MORNING), mail.outbox) == (0, [])


def test_whoever_said_no_may_not_decide_or_has_no_address_gets_none(late, people):
    wish(people["ada"], digest=False)
    people["eve"].email = "eve@example.com"
    people["eve"].save()
    assert digest.run(now=MORNING) == 0


def test_somebody_elses_workspace_is_not_in_it(late, people):
    Conflict.objects.update(workspace=Workspace.objects.create(slug="theirs", name="Theirs"))
    assert digest.run(now=MORNING) == 0


def test_a_mail_server_that_is_away_is_asked_again(late, monkeypatch):
    def away(*_arguments):
        raise smtplib.SMTPServerDisconnected("gone")

    with monkeypatch.context() as patch:
        patch.setattr(digest.EmailMessage, "send", away)
        assert digest.run(now=MORNING) == 0
    assert digest.run(now=MORNING + timedelta(minutes=15)) == 1


def test_without_a_mail_server_nobody_is_asked(late, settings):
    settings.EMAIL_URL = ""
    assert digest.run(now=MORNING) == 0


def test_a_person_switches_it_off_for_themselves(late, desk, people):
    assert 'name="digest"' in desk("ada").get(reverse("preferences")).content.decode()
    desk("ada").post(reverse("choose_digest"))
    assert digest.run(now=MORNING) == 0
    desk("ada").post(reverse("choose_digest"), {"digest": "on"})
    assert digest.run(now=MORNING) == 1


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", ("", 25, "", "", False, False)),
        ("smtp://mail.example.com", ("mail.example.com", 25, "", "", False, False)),
        ("smtp+tls://ada:p%40ss@mail.example.com", ("mail.example.com", 587, "ada", "p@ss", True, False)),
        ("smtps://mail.example.com:4650", ("mail.example.com", 4650, "", "", False, True)),
    ],
)
def test_the_mail_server_is_read_from_its_url(url, expected):
    assert tuple(env.mail(url).values()) == expected
