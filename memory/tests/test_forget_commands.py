"""manage.py forget_user and export_user."""

import json
import zipfile
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from memory.models import AuditEvent, EndUser, Memory

pytestmark = pytest.mark.django_db


def run(*words, **options) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_a_user_is_erased_and_known_to_have_been(make_memory, workspace):
    make_memory("I live in Porto")
    said = run("forget_user", "u1", workspace=workspace.slug, yes=True)
    assert "memory.Memory\t1" in said and "Erased, as erasure" in said
    assert not Memory.objects.exists() and not EndUser.objects.exists()
    assert "request" in run("forget_user", "u1", workspace=workspace.slug, was_erased=True)
    assert "never" in run("forget_user", "u2", workspace=workspace.slug, was_erased=True)


def test_a_wrong_answer_erases_nothing(make_memory, workspace, monkeypatch):
    make_memory("I live in Porto")
    monkeypatch.setattr("builtins.input", lambda question: "U1")
    with pytest.raises(CommandError, match="Nothing was erased"):
        run("forget_user", "u1", workspace=workspace.slug)
    assert Memory.objects.count() == 1


@pytest.mark.parametrize("command", [("forget_user", "nobody"), ("export_user", "nobody", "/nowhere.zip")])
def test_an_unknown_user_or_workspace_is_an_error(command, workspace):
    with pytest.raises(CommandError, match="Nothing is held"):
        run(*command, workspace=workspace.slug)
    with pytest.raises(CommandError, match="no workspace"):
        run(*command, workspace="elsewhere")


def test_all_that_is_held_is_written_and_no_file_overwritten(make_memory, workspace, tmp_path):
    make_memory("我住在上海")
    file = tmp_path / "u1.zip"
    assert "rows in" in run("export_user", "u1", str(file), workspace=workspace.slug)
    with zipfile.ZipFile(file) as archive:
        assert json.loads(archive.read("memory.memory.jsonl"))["text"] == "我住在上海"
    assert AuditEvent.objects.filter(action="user.export").count() == 1
    with pytest.raises(CommandError, match="exists"):
        run("export_user", "u1", str(file), workspace=workspace.slug)
