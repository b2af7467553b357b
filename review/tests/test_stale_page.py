"""/stale/: what rests on something that moved, and the word of a person on it."""

import pytest
from django.urls import reverse

from memory.actions import lineage
from memory.actions.revise import retract
from memory.actor import SYSTEM
from memory.models import Change, StaleMark


@pytest.fixture
def summary(make_memory, now):
    source = make_memory("My locker is 214")
    memory = make_memory("Her bike is in locker 214", run_id="r2", source="llm_summary")
    lineage.link(memory, [source.pk], change=Change.objects.latest("pk"), now=now)
    retract(memory=source, actor=SYSTEM, now=now, expected_version=1)
    return memory


def test_it_names_the_memory_why_and_what_moved(summary, desk):
    page = desk("eve").get(reverse("stale")).content.decode()
    assert summary.text in page and "My locker is 214" in page and "was retracted" in page
    assert "It still holds" not in page


def test_a_reviewer_confirms_it_and_it_leaves_the_list(summary, desk):
    client = desk("ada")
    assert "It still holds" in client.get(reverse("memory", args=[summary.pk])).content.decode()
    client.post(reverse("memory_act", args=[summary.pk, "confirm"]), {"version": 1})
    assert summary.text not in client.get(reverse("stale")).content.decode()
    assert not StaleMark.objects.exists()


def test_an_auditor_may_not(summary, desk):
    answer = desk("eve").post(reverse("memory_act", args=[summary.pk, "confirm"]), {"version": 1})
    assert (answer.status_code, StaleMark.objects.count()) == (403, 1)


def test_another_workspace_has_its_own(summary, desk, other_workspace):
    StaleMark.objects.update(workspace=other_workspace)
    assert summary.text not in desk("ada").get(reverse("stale")).content.decode()


def test_any_two_versions_are_compared(summary, desk):
    client = desk("ada")
    for number, text in ((1, "Her bike is in locker 9"), (2, "Her car is in locker 9")):
        client.post(reverse("memory_act", args=[summary.pk, "edit"]), {"version": number, "text": text})
    page = client.get(reverse("memory", args=[summary.pk]), {"from": "1", "to": "3"}).content.decode()
    assert "<del>bike</del><ins>car</ins>" in page and "<del>214</del><ins>9</ins>" in page
    assert client.get(reverse("memory", args=[summary.pk]), {"from": "x", "to": "99"}).status_code == 200
