"""What happened to a conflict, as one list on its page."""

import pytest
from django.urls import reverse

from memory.models import AuditEvent, Change
from review import timeline
from review.models import Decision


@pytest.fixture
def conflict(make_conflict):
    return make_conflict("I live in Leipzig", "I live in Graz")


def titles(conflict):
    conflict.refresh_from_db()
    return [entry.title for entry in timeline.of(conflict)]


def decide(client, conflict, **form):
    conflict.refresh_from_db()
    form = {"version": conflict.version, "choice": "accept", "reason_code": "newer"} | form
    return client.post(reverse("decide", args=[conflict.pk]), form)


def test_filed_noted_decided_undone_in_order(conflict, desk):
    ada = desk("ada")
    ada.post(reverse("note", args=[conflict.pk]), {"said": "look"})
    decide(ada, conflict, note="asked her")
    ada.post(reverse("undo", args=[conflict.pk]), {"decision": Decision.objects.get().pk})
    assert titles(conflict) == ["Filed: Contradiction", "Note", "Accept incoming", "Undone: Accept incoming"]


def test_what_was_said_again_is_told(tell, user):
    tell("I live in Leipzig.")
    tell("I live in Graz now.", run_id="r2")
    tell("I live in Graz now.", run_id="r3")
    conflict = user.conflicts.get()
    assert "Said again" in titles(conflict)
    assert [entry.detail for entry in timeline.of(conflict) if entry.title == "Said again"] == ["r3"]


def test_a_rollback_is_told_and_the_decision_is_not_called_in_force(conflict, desk):
    decide(desk("ada"), conflict)
    change = Change.objects.get(kind="settle")
    cara = desk("cara")
    page = cara.get(reverse("rollback"), {"kind": "change", "value": change.pk})
    form = {"kind": "change", "value": change.pk, "since": "", "token": page.context["plan"].token, "reason": "test"}
    assert cara.post(reverse("rollback_now"), form).status_code == 302
    assert titles(conflict)[-1] == "Rolled back: Accept incoming"
    assert not any(entry.state == "now" for entry in timeline.of(conflict))


def test_putting_off_is_told(conflict, now):
    AuditEvent.objects.create(
        workspace=conflict.workspace, at=now, actor_kind="person", actor_id="1", actor_label="Ada",
        action="conflict.defer", object_type="conflict", object_id=str(conflict.pk),
        after={"due_at": "2026-06-01T10:00:00+00:00"},
    )  # fmt: skip
    assert any(title.startswith("Put off, due") for title in titles(conflict))


def test_it_costs_the_same_queries_however_much_happened(conflict, desk, django_assert_num_queries):
    for n in range(4):
        desk("ada").post(reverse("note", args=[conflict.pk]), {"said": f"note {n}"})
    with django_assert_num_queries(5):
        timeline.of(conflict)
