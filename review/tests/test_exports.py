"""/memories/<id>/recalls.csv and .jsonl: what a spreadsheet cannot run, who may, and that it is audited."""

import csv
import io
import json

import pytest
from django.urls import reverse

from memory.models import AuditEvent, Memory
from memory.recall.search import search
from review.exports import download


@pytest.fixture
def told(make_memory, user, now):
    memory = make_memory('=HYPERLINK("http://x.test") is where I live, 卑尔根')
    search(user=user, query="@where 卑尔根 live", asked_by="sales", now=now)
    return memory


def read(client, memory, kind):
    return client.get(reverse("memory_recalls", args=[memory.pk, kind]))


def test_csv_holds_every_recall_and_no_formula(told, desk):
    answer = read(desk("eve"), told, "csv")
    assert answer.streaming and answer["Content-Disposition"].endswith('.csv"')
    text = b"".join(answer).decode()
    [row] = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert (row["query"], row["told"]) == ("'@where 卑尔根 live", f"'{told.text}")


def test_jsonl_keeps_every_text_as_it_is(told, desk):
    [line] = b"".join(read(desk("eve"), told, "jsonl")).decode().splitlines()
    assert (json.loads(line)["query"], json.loads(line)["now"]) == ("@where 卑尔根 live", told.text)


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\n=1", "＝1"])
def test_a_cell_that_a_spreadsheet_would_run_is_a_text(cell):
    body = b"".join(download([{"a": cell}], columns=["a"], kind="csv", name="x")).decode()
    assert next(csv.DictReader(io.StringIO(body.removeprefix("\ufeff"), newline="")))["a"] == f"'{cell}"


def test_numbers_stay_numbers():
    assert b"".join(download([{"a": -1.5}], columns=["a"], kind="csv", name="x")).endswith(b"-1.5\r\n")


def test_only_who_may_export_gets_it_and_it_is_audited(told, desk):
    assert read(desk("ada"), told, "csv").status_code == 403
    assert not AuditEvent.objects.filter(action="recalls.export").exists()
    read(desk("eve"), told, "csv")
    event = AuditEvent.objects.get(action="recalls.export")
    assert (event.object_id, event.actor_label) == (str(told.pk), "eve")


def test_a_memory_of_another_workspace_is_404(told, desk, other_workspace):
    Memory.objects.filter(pk=told.pk).update(workspace=other_workspace)
    assert read(desk("eve"), told, "csv").status_code == 404
