"""/archive/: what would go is told before it goes; admins archive and set limits, reviewers restore."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actions.configure import archiving_of
from memory.actions.revise import pin
from memory.actor import SYSTEM
from memory.models import AuditEvent, Change, EndUser, Memory

PAGE = "/archive/"


@pytest.fixture
def old(make_memory):
    def make(text="My bike is a blue Kestrel", **fields):
        return make_memory(text, at=timezone.now() - timedelta(days=200), **fields)

    return make


@pytest.fixture
def archived(old):
    memory = old()
    Memory.objects.filter(pk=memory.pk).update(status="archived")
    memory.refresh_from_db()
    return memory


@pytest.fixture
def run(desk, workspace):
    def run_(name="cara", shown=None):
        return desk(name).post(f"{PAGE}now/", {"shown": shown or json.dumps(archiving_of(workspace))})

    return run_


@pytest.fixture
def save(desk, workspace):
    def save_(name="cara", shown=None, **wanted):
        form = {"archive_on": "1", "archive_below": "0.1", "archive_days": "90"} | wanted
        answer = desk(name).post(f"{PAGE}settings/", form | {"shown": json.dumps(shown or archiving_of(workspace))})
        workspace.refresh_from_db()
        return answer

    return save_


def restore(client, memory, version=None):
    return client.post(f"{PAGE}{memory.pk}/restore/", {"version": version or memory.version})


@pytest.mark.parametrize(("name", "status"), [("ada", 200), ("cara", 200), ("eve", 200), ("dan", 403)])
def test_every_role_sees_it(name, status, desk, old):
    old()
    assert desk(name).get(PAGE).status_code == status


@pytest.mark.parametrize(("name", "status"), [("ada", 403), ("eve", 403), ("cara", 302)])
def test_only_an_admin_archives_and_sets_limits(name, status, run, save, old):
    old()
    assert run(name).status_code == status
    assert Memory.objects.filter(status="archived").exists() == (status == 302)
    assert save(name).status_code == status


@pytest.mark.parametrize(("name", "status"), [("eve", 403), ("ada", 302), ("cara", 302)])
def test_reviewers_and_admins_restore(name, status, desk, archived):
    assert restore(desk(name), archived).status_code == status
    archived.refresh_from_db()
    assert (archived.status == "active") == (status == 302)


def test_what_the_preview_counts_is_what_goes(desk, old, make_memory, run):
    cold = [old(), old("I have two cats")]
    pinned = old("I am allergic to nuts")
    pin(memory=pinned, pinned=True, actor=SYSTEM, now=timezone.now() - timedelta(days=199), expected_version=1)
    make_memory("I like tea", at=timezone.now())
    preview = desk("cara").get(PAGE).context["preview"]
    assert (preview.active, preview.going, preview.whole) == (4, 2, True)
    assert {reason: count for reason, count in preview.spared if count} == {"pinned": 1, "recent": 1}
    assert {memory.pk for memory, _heat in preview.first} == {memory.pk for memory in cold}
    assert run().status_code == 302
    assert set(Memory.objects.filter(status="archived").values_list("pk", flat=True)) == {each.pk for each in cold}
    assert Change.objects.get(kind="archive").actor_label == "cara"


def test_looking_writes_nothing_and_other_limits_can_be_tried(desk, old):
    old()
    client = desk("eve")
    assert client.get(PAGE, {"archive_days": "300"}).context["preview"].going == 0
    assert client.get(PAGE, {"archive_days": "1"}).context["preview"].going == 1
    assert not Memory.objects.filter(status="archived").exists()


def test_a_count_of_the_first_says_so(desk, old, monkeypatch):
    monkeypatch.setattr("review.archive.MOST", 2)
    monkeypatch.setattr("review.archive.BATCH", 1)
    for n in range(3):
        old(f"I own {n} boats")
    answer = desk("ada").get(PAGE)
    assert (answer.context["preview"].going, answer.context["preview"].whole) == (2, False)


BAD = [("archive_below", "0"), ("archive_below", "nan"), ("archive_below", ""), ("archive_days", "1.5"),
       ("archive_days", "9" * 5000), ("archive_days", "soon")]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_limit_gets_a_message_and_is_not_saved(name, value, desk, save, workspace):
    answer = desk("ada").get(PAGE, {name: value})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert save(**{name: value}).status_code == 422
    assert not workspace.settings


def test_saved_limits_are_audited_and_the_slower_admin_is_told(save, workspace):
    before = archiving_of(workspace)
    assert save(archive_days="30").status_code == 302
    assert archiving_of(workspace) == {"archive_on": True, "archive_below": 0.1, "archive_days": 30}
    assert AuditEvent.objects.get(action="workspace.archiving").before == {"archive_on": False, "archive_days": 90}
    assert save(shown=before, archive_days="60").status_code == 409
    assert workspace.settings["archive_days"] == 30


def test_nothing_is_archived_at_limits_nobody_saw(run, save, workspace, old):
    old()
    shown = json.dumps(archiving_of(workspace))
    save(archive_days="30")
    assert run(shown=shown).status_code == 409
    assert not Memory.objects.filter(status="archived").exists()


def test_a_second_restore_and_a_stale_one_are_told(desk, archived):
    client = desk("ada")
    assert restore(client, archived, version=7).status_code == 409
    assert restore(client, archived).status_code == 302
    assert restore(client, archived).status_code == 409
    archived.refresh_from_db()
    assert archived.version == 2


def test_another_workspaces_memories_are_neither_shown_nor_taken_nor_restored(desk, old, run, other_workspace):
    theirs = old("I sail a yawl", user=EndUser.objects.create(workspace=other_workspace, external_id="x"))
    assert desk("cara").get(PAGE).context["preview"].active == 0
    run()
    theirs.refresh_from_db()
    assert theirs.status == "active"
    Memory.objects.filter(pk=theirs.pk).update(status="archived")
    assert "yawl" not in desk("cara").get(PAGE).content.decode()
    assert restore(desk("cara"), theirs).status_code == 404


def test_the_archive_is_searched_by_text_and_user(desk, archived):
    client = desk("eve")
    found = [len(client.get(PAGE, {"q": words}).context["page"]) for words in ("kestrel", "u1", "nothing like it")]
    assert found == [1, 1, 0]
