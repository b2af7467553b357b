"""POST /review/<id>/note/ and /mentions/read/: notes for colleagues, and whom they tell."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from memory.models import AuditEvent, Membership
from review.models import Mention, Note
from review.notes import mentioned


@pytest.fixture
def write(desk, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")

    def write_(text, name="ada"):
        return desk(name).post(reverse("note", args=[conflict.pk]), {"said": text})

    write_.conflict = conflict
    return write_


def dashboard(client):
    return client.get(reverse("dashboard")).content.decode()


def test_a_note_stands_on_the_conflict_and_decides_nothing(write, desk):
    assert write("她上周搬家了吗？").status_code == 302
    page = desk("eve").get(reverse("conflict", args=[write.conflict.pk])).content.decode()
    assert "她上周搬家了吗？" in page
    write.conflict.refresh_from_db()
    assert (write.conflict.status, write.conflict.version) == ("open", 1)
    assert AuditEvent.objects.filter(action="conflict.note", actor_label="ada").count() == 1


def test_who_is_named_finds_it_on_the_dashboard_until_read(write, desk):
    write("@ben please look, and @ben again")
    ben = desk("ben")
    assert "Mentioned you" in dashboard(ben) and "please look" in dashboard(ben)
    assert "Mentioned you" not in dashboard(desk("cara"))
    ben.post(reverse("mentions_read"), {"mention": Mention.objects.get().pk})
    assert "Mentioned you" not in dashboard(ben)


def test_all_are_read_at_once(write, desk):
    write("@ben one")
    write("@ben two")
    desk("ben").post(reverse("mentions_read"))
    assert not Mention.objects.filter(read_at=None).exists()


def test_nobody_reads_for_somebody_else(write, desk):
    write("@ben look")
    desk("ada").post(reverse("mentions_read"), {"mention": Mention.objects.get().pk})
    desk("ada").post(reverse("mentions_read"))
    assert Mention.objects.get().read_at is None


def test_only_members_of_this_workspace_are_told_and_never_the_author(write, people, other_workspace):
    Membership.objects.filter(person=people["cara"]).update(workspace=other_workspace)
    write("@ada @dan @cara @nobody a@ben.example @benjamin")
    assert not Mention.objects.exists() and Note.objects.count() == 1


@pytest.mark.parametrize(
    "text, named",
    [
        ("@ann.lee look", ["ann.lee"]), ("@Ann看一下", ["ann"]), ("@anna", ["anna"]), ("@annabel", []),
        ("(@ann)，@anna。", ["ann", "anna"]), ("mail@ann", []), ("@李雷请看", ["李雷"]),
    ],
)  # fmt: skip
def test_whom_a_text_names(text, named):
    people = [get_user_model()(username=name) for name in ("ann", "anna", "ann.lee", "李雷")]
    assert [person.username for person in mentioned(text, people)] == named


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001])
def test_an_empty_or_endless_note_is_refused_and_kept_in_the_form(text, write):
    answer = write(text)
    assert answer.status_code == 422 and text.strip() in answer.content.decode()
    assert not Note.objects.exists()


def test_a_note_is_shown_and_never_run(write, desk):
    write('<img src=x onerror="alert(1)"> @ben')
    assert "<img" not in desk("ben").get(reverse("conflict", args=[write.conflict.pk])).content.decode()
    assert "<img" not in dashboard(desk("ben"))


def test_an_auditor_writes_none(write):
    assert write("hello", "eve").status_code == 403
