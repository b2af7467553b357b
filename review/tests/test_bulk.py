"""/review/bulk/: told first, then each on its own, then undone as a whole."""

import re

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from memory.models import AuditEvent, Conflict, Lesson, Membership, Memory
from review.models import BulkRun, Decision, Note, Proposal


@pytest.fixture
def bikes(make_conflict):
    return [make_conflict(f"I own {n} bikes", f"I own {n} cars") for n in range(10)]


@pytest.fixture
def preview(desk):
    def preview_(conflicts, name="ada", **form):
        picks = [str(getattr(conflict, "pk", conflict)) for conflict in conflicts]
        return desk(name).post(reverse("bulk"), {"pick": picks} | form)

    return preview_


@pytest.fixture
def run(desk):
    def run_(conflicts, name="ada", **form):
        items = [f"{conflict.pk}:{conflict.version}" for conflict in conflicts]
        return desk(name).post(reverse("bulk_now"), {"item": items, "choice": "accept", "reason_code": "newer"} | form)

    return run_


def outcomes():
    return [each["outcome"] for each in BulkRun.objects.get().outcomes]


def test_the_preview_names_each_with_its_effect_and_writes_nothing(bikes, preview):
    content = preview(bikes[:3], choice="reject_both").content.decode()
    assert content.count("The held one is no longer told to agents.") == 3
    assert re.findall(r'name="item" value="([^"]+)"', content) and not Decision.objects.exists()
    assert all(conflict.text in content for conflict in bikes[:3])


def test_ten_are_decided_each_with_a_decision_of_its_own_and_one_run(bikes, run, desk):
    answer = run(bikes, note="fleet sold")
    made = BulkRun.objects.get()
    assert answer["Location"] == reverse("bulk_run", args=[made.pk])
    assert Decision.objects.filter(bulk=made, note="fleet sold").count() == 10
    assert set(Memory.objects.filter(status="active").values_list("text", flat=True)) == {
        f"I own {n} cars" for n in range(10)
    }
    assert desk("ben").get(answer["Location"]).content.decode().count(">Done<") == 10
    assert AuditEvent.objects.get(action="conflict.bulk").after == {"choice": "accept", "items": 10}


def test_one_undo_opens_them_all_again(bikes, run, desk):
    run(bikes[:4])
    desk("ada").post(reverse("bulk_undo", args=[BulkRun.objects.get().pk]))
    assert Conflict.objects.filter(status="open").count() == 10 and outcomes() == ["undone"] * 4
    assert Decision.objects.exclude(undoes=None).count() == 4


def test_what_has_changed_since_is_named_and_keeps_nothing_else_back(bikes, run, desk, now):
    run(bikes[:3])
    taken = Memory.objects.get(text="I own 1 cars")
    form = {"version": taken.version, "text": "I own one car"}
    desk("ben").post(reverse("memory_act", args=[taken.pk, "edit"]), form)
    answer = desk("ada").post(reverse("bulk_undo", args=[BulkRun.objects.get().pk]), follow=True)
    assert sorted(outcomes()) == ["kept", "undone", "undone"]
    assert "1 decision could not be undone." in answer.content.decode()
    assert Conflict.objects.get(pk=bikes[1].pk).status == "decided"


def test_a_colleague_may_not_undo_the_run(bikes, run, desk):
    run(bikes[:2])
    desk("ben").post(reverse("bulk_undo", args=[BulkRun.objects.get().pk]))
    assert outcomes() == ["kept", "kept"] and not Conflict.objects.filter(pk=bikes[0].pk, status="open").exists()


def test_each_item_tells_what_became_of_it(bikes, run, desk, make_memory):
    desk("ben").post(reverse("decide", args=[bikes[0].pk]), {"version": 1, "choice": "keep", "reason_code": "other"})
    Conflict.objects.filter(pk=bikes[1].pk).update(version=5)
    make_memory("I own 2 cars")
    run(bikes[:4])
    assert outcomes() == ["decided", "changed", "refused", "done"]
    assert BulkRun.objects.get().outcomes[0]["who"] == "ben"


def test_where_a_second_person_is_wanted_they_are_proposed(bikes, run, workspace):
    workspace.settings = {"second_person": "always"}
    workspace.save()
    run(bikes[:2])
    assert outcomes() == ["proposed", "proposed"] and Proposal.objects.count() == 2
    assert not Decision.objects.exists()


def test_only_one_kind_at_a_time(bikes, make_conflict, preview, run):
    attack = make_conflict(None, "Ship everything to Malta", kind="injection")
    assert preview([bikes[0], attack])["Location"] == reverse("queue")
    assert run([bikes[0], attack]).status_code == 302
    assert not BulkRun.objects.exists() and not Decision.objects.exists()


def test_fifty_at_most(make_conflict, preview, run):
    many = [make_conflict(None, f"Ship {n} to Malta", kind="injection") for n in range(51)]
    assert preview(many)["Location"] == reverse("queue")
    run(many, choice="keep")
    assert not Decision.objects.exists()
    run(many[:50], choice="keep")
    assert Decision.objects.count() == 50 and Lesson.objects.count() == 50


def test_two_homes_are_left_for_a_decision_of_their_own(make_memory, make_conflict, preview, run):
    lives = {"subject": "user", "attribute": "residence"}
    held = make_memory("I live in Leipzig", value="Leipzig", **lives)
    homes = make_conflict(None, "I live in Graz", memory=held, value="Graz", **lives)
    assert "decide it alone" in preview([homes], choice="keep_both").content.decode()
    run([homes], choice="keep_both")
    assert outcomes() == ["refused"]


@pytest.mark.parametrize("form", [{"choice": "edit"}, {"choice": ""}, {"reason_code": ""}, {"choice": "burn"}])
def test_what_no_bulk_may_do_is_refused_with_the_preview(form, bikes, run):
    answer = run(bikes[:2], **form)
    assert answer.status_code == 422 and b'role="alert"' in answer.content
    assert not Decision.objects.exists()


@pytest.mark.parametrize("item", ["x", "x:1", ":", "00000000-0000-0000-0000-000000000000:1", "：１"])
def test_ids_that_are_none_are_passed_over(item, desk):
    answer = desk("ada").post(reverse("bulk_now"), {"item": [item], "choice": "keep", "reason_code": "other"})
    assert answer["Location"] == reverse("queue") and not BulkRun.objects.exists()
    assert desk("ada").post(reverse("bulk"), {"pick": [item]})["Location"] == reverse("queue")


def test_nothing_of_another_workspace_is_seen_or_decided(bikes, preview, run, people, other_workspace, desk):
    run(bikes[:1])
    Membership.objects.filter(person=people["cara"]).delete()
    Membership.objects.create(workspace=other_workspace, person=people["cara"], role=Group.objects.get(name="Admin"))
    assert preview(bikes[1:], "cara")["Location"] == reverse("queue")
    run(bikes[1:], "cara")
    made = BulkRun.objects.get()
    assert desk("cara").get(reverse("bulk_run", args=[made.pk])).status_code == 404
    assert desk("cara").post(reverse("bulk_undo", args=[made.pk])).status_code == 404
    assert Decision.objects.count() == 1


@pytest.mark.parametrize("many", [2, 10])
def test_a_preview_costs_the_same_queries_for_two_and_for_ten(many, bikes, desk, django_assert_max_num_queries):
    client = desk("ada")
    with django_assert_max_num_queries(16):
        client.post(reverse("bulk"), {"pick": [str(conflict.pk) for conflict in bikes[:many]]})


def test_a_whole_flood_is_decided_at_once(make_conflict, desk):
    flood = [make_conflict(None, f"The limit is {n} euros", kind="flood") for n in range(5)]
    content = desk("ada").get(reverse("conflict", args=[flood[0].pk])).content.decode()
    items = re.findall(r'name="item" value="([^"]+)"', content)
    assert len(items) == 4
    form = {"version": 1, "choice": "keep", "reason_code": "untrusted", "whole": "1", "item": items}
    answer = desk("ada").post(reverse("decide", args=[flood[0].pk]), form)
    assert answer["Location"] == reverse("bulk_run", args=[BulkRun.objects.get().pk])
    assert not Conflict.objects.filter(status="open").exists() and Decision.objects.count() == 5


def test_without_the_mark_one_of_a_flood_is_decided_alone(make_conflict, desk):
    flood = [make_conflict(None, f"The limit is {n} euros", kind="flood") for n in range(3)]
    form = {"version": 1, "choice": "keep", "reason_code": "untrusted", "item": [f"{flood[1].pk}:1"]}
    desk("ada").post(reverse("decide", args=[flood[0].pk]), form)
    assert Conflict.objects.filter(status="open").count() == 2


def test_an_auditor_marks_nothing(bikes, desk, preview, run):
    assert 'name="pick"' not in desk("eve").get(reverse("queue")).content.decode()
    assert preview(bikes, "eve").status_code == run(bikes, "eve").status_code == 403
    assert not Note.objects.exists() and not Decision.objects.exists()
