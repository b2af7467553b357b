"""/audit/: for auditors and admins, filtered by the address, exported, and honest about the chain."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from django_q.models import OrmQ

from memory.actor import SYSTEM, Actor
from memory.api import keys
from memory.audit import guard, log, remove, seal
from memory.models import AuditEvent, Workspace
from memory.tasks import verify_chain
from review import audit

PAGE = "/audit/"
ADA = Actor(kind="person", id="41", label="Ada Lovelace", address="192.0.2.7", request_id="req-1")
BOT = Actor(kind="agent", id="abc", label="bot", address="192.0.2.8", request_id="req-2")


@pytest.fixture
def write(workspace):
    def write_(action="memory.revise", *, actor=ADA, at=None, place=workspace, **fields):
        return log.record(workspace=place, actor=actor, action=action, now=at or timezone.now(), **fields)

    return write_


def rows(answer) -> list[str]:
    return [event.action for event in answer.context["page"]]


@pytest.mark.parametrize(("name", "status"), [("ada", 403), ("cara", 200), ("eve", 200), ("dan", 403)])
def test_auditors_and_admins_read_it(name, status, desk, write):
    event = write()
    for path in (PAGE, f"{PAGE}{event.pk}/", f"{PAGE}export.csv"):
        assert desk(name).get(path).status_code == status


def test_who_may_not_is_in_the_audit(desk, workspace):
    desk("ada").get(PAGE)
    event = AuditEvent.objects.get(denied=True)
    assert (event.workspace, event.action, event.object_id, event.actor_label) == (
        workspace, "denied.export_data", PAGE, "ada",
    )  # fmt: skip


def test_filters_stand_in_the_address(desk, write):
    long_ago = timezone.now() - timedelta(days=400)
    write("memory.pin", object_type="memory", object_id="m-1")
    write("memory.revise", actor=BOT, object_type="memory", object_id="m-2")
    write("api.get", actor=BOT, denied=True, object_type="user", object_id="u 9")
    write("key.issue", at=long_ago)
    eve = desk("eve")

    def found(**query):
        return rows(eve.get(PAGE, query))

    assert found() == ["api.get", "memory.revise", "memory.pin", "key.issue"]
    assert found(action="memory.pin") == ["memory.pin"]
    assert found(actor="agent") == ["api.get", "memory.revise"]
    assert found(actor="person:41") == ["memory.pin", "key.issue"]
    assert found(object="memory:m-2") == found(object="m-2") == ["memory.revise"]
    assert found(object="user:u 9") == ["api.get"]
    assert found(denied="1") == ["api.get"]
    assert found(request="req-2") == ["api.get", "memory.revise"]
    day = (timezone.now() - timedelta(days=300)).date().isoformat()
    assert found(until=day) == ["key.issue"]
    assert found(since=day, actor="person") == ["memory.pin"]
    assert found(action="memory.pin", denied="1") == []


@pytest.mark.parametrize("query", ["actor=%00", "since=tomorrow", "page=x", "actor=god:1", "denied=maybe", "place=x"])
def test_an_address_that_means_nothing_still_opens(desk, write, query):
    write()
    answer = desk("eve").get(f"{PAGE}?{query}")
    assert answer.status_code == (400 if "%00" in query else 200)


def test_another_workspaces_events_do_not_exist(desk, write, other_workspace):
    theirs = write("memory.retract", place=other_workspace)
    eve = desk("eve")
    assert rows(eve.get(PAGE)) == []
    assert eve.get(f"{PAGE}{theirs.pk}/").status_code == 404
    assert b"memory.retract" not in b"".join(eve.get(f"{PAGE}export.jsonl").streaming_content)


def test_outside_of_workspaces_an_auditor_sees_the_sign_ins_of_members_only(desk, write, people, django_user_model):
    stranger = django_user_model.objects.create_user("zoe")
    mine = write("signin.failed", place=None, denied=True, object_type="account", object_id=people["ada"].pk)
    theirs = write("signin", place=None, object_type="account", object_id=stranger.pk)
    unknown = write("key.unknown", place=None, denied=True, object_type="agent_key")
    eve = desk("eve")
    assert [event.pk for event in eve.get(PAGE, {"place": "outside"}).context["page"]] == [mine.pk]
    assert [eve.get(f"{PAGE}{each.pk}/").status_code for each in (mine, theirs, unknown)] == [200, 404, 404]
    django_user_model.objects.filter(username="eve").update(is_superuser=True)
    assert len(desk("eve").get(PAGE, {"place": "outside"}).context["page"]) == 3


def test_an_event_shows_before_and_after(desk, write):
    event = write(
        before={"text": "I live in Graz", "pinned": False}, after={"text": "I live in Oslo", "pinned": True},
        reason="newer: she said so", object_type="memory", object_id="0b1f0000-0000-4000-8000-000000000000",
    )  # fmt: skip
    body = desk("eve").get(f"{PAGE}{event.pk}/").content.decode()
    assert "<del>Graz</del>" in body and "<ins>Oslo</ins>" in body
    assert "192.0.2.7" in body and "req-1" in body and "she said so" in body


@pytest.mark.parametrize("id", ["0b1f0000-0000-4000-8000-000000000000", "no id at all", ""])
def test_an_object_is_linked_where_its_id_is_one(desk, write, id):
    event = write(object_type="memory", object_id=id)
    body = desk("eve").get(f"{PAGE}{event.pk}/").content.decode()
    assert (f'href="/memories/{id}/"' in body) is id.startswith("0b1f")


def test_markup_in_an_event_is_text(desk, write):
    event = write(after={"<b>name</b>": "<script>1</script>"}, reason="<i>why</i>")
    for path in (PAGE, f"{PAGE}{event.pk}/"):
        body = desk("eve").get(path).content.decode()
        assert "<script>1" not in body and "<i>why" not in body and "<b>name" not in body


def test_an_export_has_every_row_is_safe_in_a_spreadsheet_and_is_in_the_audit(desk, write):
    for n in range(30):
        write(reason=f"=HYPERLINK({n})", after={"text": "我住在格拉茨"})
    eve = desk("eve")
    text = b"".join(eve.get(f"{PAGE}export.csv", {"actor": "person:41"}).streaming_content).decode("utf-8-sig")
    records = list(csv.DictReader(io.StringIO(text)))
    assert len(records) == 30
    assert records[0]["reason"] == "'=HYPERLINK(29)" and records[0]["after"] == '{"text": "我住在格拉茨"}'
    lines = b"".join(eve.get(f"{PAGE}export.jsonl").streaming_content).decode().splitlines()
    assert json.loads(lines[-1])["after"] == {"text": "我住在格拉茨"}
    exports = AuditEvent.objects.filter(action="audit.export").order_by("pk")
    assert [event.after for event in exports] == [
        {"format": "csv", "filters": {"actor": "person:41"}}, {"format": "jsonl", "filters": {}},
    ]  # fmt: skip
    assert exports[0].actor_label == "eve"


def test_an_export_in_pieces_has_every_row_once_also_those_of_one_moment(desk, write, monkeypatch):
    monkeypatch.setattr(audit, "CHUNK", 3)
    moments = [timezone.now() - timedelta(days=n // 5) for n in range(20)]
    ids = [write(at=at.replace(microsecond=0)).pk for at in moments]
    lines = b"".join(desk("eve").get(f"{PAGE}export.jsonl", {"actor": "person:41"}).streaming_content).splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == sorted(ids)


def test_the_state_of_the_chain_is_told_in_words(desk, write, workspace):
    write(), write()
    eve = desk("eve")
    assert b"Not verified yet" in eve.get(PAGE).content
    seal.seal(now=timezone.now())
    write()
    verify_chain(workspace.pk)
    body = eve.get(PAGE).content.decode()
    assert "2 events, the last by seal 1" in body and "1 event is not sealed yet" in body
    assert "all 2 sealed events are as they were" in body


def test_a_broken_chain_is_an_alarm_that_names_the_event(desk, write, workspace):
    event = write()
    seal.seal(now=timezone.now())
    act = write("test.act")
    with transaction.atomic(), guard.opened(act):
        AuditEvent.objects.filter(pk=event.pk).update(reason="never")
    verify_chain(workspace.pk)
    assert f"Event {event.pk} was edited after it was sealed." in desk("eve").get(PAGE).content.decode()


def test_erased_text_is_told_with_who_erased_it(desk, write, workspace):
    event = write(reason="my secret")
    remove.erase_text(
        workspace=workspace, events=AuditEvent.objects.filter(pk=event.pk), actor=SYSTEM, now=timezone.now(), reason=""
    )
    body = desk("eve").get(f"{PAGE}{event.pk}/").content.decode()
    assert "was erased" in body and "my secret" not in body


def test_the_last_seal_is_downloaded_to_be_kept_and_that_is_in_the_audit(desk, write):
    write()
    answer = desk("eve").post(f"{PAGE}head/")
    assert json.loads(answer.content)["seal"] == 1
    assert AuditEvent.objects.get(action="audit.heads").after["seal"] == 1


def test_before_the_first_seal_there_is_nothing_to_download(desk, workspace):
    assert desk("eve").post(f"{PAGE}head/").status_code == 302


def test_a_verification_is_handed_to_a_job(desk, workspace):
    assert desk("eve").post(f"{PAGE}verify/").status_code == 302
    assert OrmQ.objects.count() == 1
    assert AuditEvent.objects.filter(action="audit.verify").count() == 1


def test_an_admin_sets_how_long_events_are_kept(desk, workspace):
    cara = desk("cara")
    assert cara.post(f"{PAGE}keep/", {"shown": "0", "audit_days": "365"}).status_code == 302
    assert Workspace.objects.get(pk=workspace.pk).settings == {"audit_days": 365}
    event = AuditEvent.objects.get(action="workspace.audit")
    assert (event.before, event.after) == ({"audit_days": 0}, {"audit_days": 365})
    assert cara.post(f"{PAGE}keep/", {"shown": "0", "audit_days": "10"}).status_code == 409
    assert desk("eve").post(f"{PAGE}keep/", {"shown": "365", "audit_days": "1"}).status_code == 403


@pytest.mark.parametrize("days", ["", "-1", "1.5", "99999", "x", "１", "1_0"])
def test_days_that_are_none_are_refused_and_stay_in_the_form(desk, workspace, days):
    answer = desk("cara").post(f"{PAGE}keep/", {"shown": "0", "audit_days": days})
    assert answer.status_code == 422
    assert Workspace.objects.get(pk=workspace.pk).settings == {}


def test_the_page_asks_as_many_queries_for_fifty_rows_as_for_one(desk, write, django_assert_max_num_queries):
    eve = desk("eve")
    for n in range(60):
        write("key.issue", object_type="agent_key", object_id=n)
    with django_assert_max_num_queries(14):
        assert len(eve.get(PAGE).context["page"]) == 50


def test_a_key_of_the_workspace_is_told_with_its_name(desk, workspace):
    keys.issue(workspace=workspace, name="night shift", scopes=["read"], actor=ADA, now=timezone.now())
    assert "Key made" in desk("eve").get(PAGE).content.decode()
