"""A person or a memory is erased from the console: previewed, typed, reported; and all that is held is exported."""

import hashlib
import io
import json
import zipfile

import pytest
from django.utils import timezone

from memory import tasks
from memory.actions import forget
from memory.actor import SYSTEM
from memory.models import AuditEvent, EndUser, Erasure, Memory
from review.models import BulkRun, Decision, Note, SavedView


@pytest.fixture
def ines(make_memory, make_conflict):
    make_memory("I live in Porto")
    return make_conflict("I own a bike", "I own a car").user


def erase(client, person, **form):
    sent = {"reason": "request", "typed": person.external_id} | form
    return client.post(f"/people/{person.pk}/erase/now/", sent)


def carry_out() -> None:
    assert tasks.erase(str(Erasure.objects.get().pk)), Erasure.objects.get().error


def test_the_preview_names_what_would_go_and_erases_nothing(ines, desk):
    page = desk("cara").get(f"/people/{ines.pk}/erase/")
    counts = dict(page.context["counts"])
    assert (counts["Memories"], counts["Conflicts"]) == (2, 1)
    assert not Erasure.objects.exists() and Memory.objects.count() == 2


@pytest.mark.parametrize(
    "form", [{"typed": ""}, {"typed": "U1"}, {"typed": "u2"}, {"reason": ""}, {"reason": "because I say so"}]
)
def test_a_wrong_id_or_no_reason_erases_nothing(form, ines, desk):
    answer = erase(desk("cara"), ines, **form)
    assert answer.status_code == 422 and answer.context["error"]
    assert not Erasure.objects.exists() and EndUser.objects.get().external_id == "u1"


def test_it_begins_at_once_is_done_by_a_worker_and_leaves_a_report(ines, desk):
    client = desk("cara")
    answer = erase(client, ines)
    erasure = Erasure.objects.get()
    assert answer["Location"] == f"/erasures/{erasure.pk}/"
    assert b"Running" in client.get("/erasures/").content
    carry_out()
    report = client.get(f"/erasures/{erasure.pk}/")
    assert dict(report.context["counts"])["Memories"] == 2 and "Erased" in report.content.decode()
    assert "u1" not in client.get("/people/").content.decode().split("<main")[1]
    assert client.get(f"/people/{ines.pk}/").status_code == 404


def test_who_comes_second_is_told(ines, desk):
    client = desk("cara")
    erase(client, ines)
    ines.refresh_from_db()
    answer = erase(client, ines)
    assert answer.status_code == 409 and "already" in answer.context["error"]


def test_whether_an_id_was_erased_is_answered_and_no_id_is_listed(ines, desk):
    erase(desk("cara"), ines)
    carry_out()
    client = desk("eve")
    assert len(client.get("/erasures/", {"q": "u1"}).context["page"].object_list) == 1
    assert b"No erasure of this id" in client.get("/erasures/", {"q": "u2"}).content
    assert ">u1<" not in client.get("/erasures/").content.decode()


def test_decisions_notes_views_and_bulk_runs_lose_what_was_said(
    ines, desk, make_memory, make_conflict, workspace, people
):
    client = desk("ada")
    friend = EndUser.objects.create(workspace=workspace, external_id="u2")
    held = make_memory("I live in Graz", user=friend)
    conflict, other = ines.conflicts.get(), make_conflict(None, "I live in Linz", memory=held)
    for each in (conflict, other):
        client.post(f"/review/{each.pk}/note/", {"said": "Quillfeather called"})
        body = {"version": each.version, "choice": "accept", "reason_code": "newer", "note": "Quillfeather said so"}
        client.post(f"/review/{each.pk}/decide/", body)
    run = BulkRun.objects.create(
        workspace=workspace, kind="contradiction", choice="accept", note="Quillfeather", at=timezone.now(),
        outcomes=[{"conflict": str(each.pk), "outcome": "done"} for each in (conflict, other)],
    )  # fmt: skip
    for query in ("user=u1", "user=u2"):
        SavedView.objects.create(workspace=workspace, person=people["ada"], name=query, query=query)
    _into_bulk(run)
    erase(desk("cara"), ines)
    carry_out()
    run.refresh_from_db()
    assert (run.note, [each["conflict"] for each in run.outcomes]) == ("", [str(other.pk)])
    assert [view.query for view in SavedView.objects.all()] == ["user=u2"]
    assert Note.objects.get().conflict == Decision.objects.get().conflict == other


def _into_bulk(run: BulkRun) -> None:
    from review.redaction import erasing

    with erasing():
        Decision.objects.update(bulk=run)


def test_a_decision_and_its_undoing_go_together(ines, desk):
    client, conflict = desk("ada"), ines.conflicts.get()
    client.post(f"/review/{conflict.pk}/decide/", {"version": 1, "choice": "accept", "reason_code": "newer"})
    client.post(f"/review/{conflict.pk}/undo/", {"decision": Decision.objects.get().pk})
    assert Decision.objects.count() == 2
    erase(desk("cara"), ines)
    carry_out()
    assert not Decision.objects.exists()


def test_one_memory_is_erased_and_the_person_stays(ines, desk):
    memory = Memory.objects.get(text="I live in Porto")
    client = desk("cara")
    assert "I live in Porto" in client.get(f"/memories/{memory.pk}/erase/").content.decode()
    wrong = client.post(f"/memories/{memory.pk}/erase/now/", {"reason": "mistake", "typed": "somebody"})
    assert wrong.status_code == 422
    client.post(f"/memories/{memory.pk}/erase/now/", {"reason": "mistake", "typed": "u1"})
    carry_out()
    assert client.get(f"/memories/{memory.pk}/").status_code == 404
    assert client.get(f"/people/{ines.pk}/").status_code == 200


def test_the_export_holds_every_table_and_its_manifest_is_right(ines, desk):
    answer = desk("eve").get(f"/people/{ines.pk}/everything.zip")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["user_id"] == "u1"
    for each in manifest["files"]:
        held = archive.read(each["name"])
        assert (hashlib.sha256(held).hexdigest(), held.count(b"\n")) == (each["sha256"], each["rows"])
    texts = [json.loads(line)["text"] for line in archive.read("memory.memory.jsonl").splitlines()]
    assert sorted(texts) == ["I live in Porto", "I own a bike"]
    assert AuditEvent.objects.filter(action="user.export", object_id=str(ines.pk)).count() == 1


def test_chinese_is_exported_as_it_was_written(make_memory, desk):
    memory = make_memory("我住在上海")
    answer = desk("eve").get(f"/people/{memory.user_id}/everything.zip")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert "我住在上海" in archive.read("memory.memory.jsonl").decode()


def test_a_name_with_spaces_around_can_be_typed(make_memory, desk, workspace):
    odd = EndUser.objects.create(workspace=workspace, external_id=" odd id ")
    assert erase(desk("cara"), odd).status_code == 302


def test_an_erasure_that_cannot_reach_a_place_says_so(ines, desk):
    erasure = forget.forget_user(user=ines, actor=SYSTEM, reason_code="law", now=timezone.now())
    Erasure.objects.update(error="FollowerAway")
    page = desk("eve").get(f"/erasures/{erasure.pk}/").content.decode()
    assert "FollowerAway" in page and "each minute" in page
