"""/review/decisions.csv and .jsonl: every decision on what the filters name, as it was on the screen."""

import csv
import io
import json

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory.models import AuditEvent, Membership
from review.models import Decision


@pytest.fixture
def decided(make_conflict, desk):
    conflict = make_conflict("=1+1 is what I like", "我喜欢咖啡")
    form = {"version": 1, "choice": "accept", "reason_code": "newer", "note": "@SUM(A1)"}
    desk("ada").post(reverse("decide", args=[conflict.pk]), form)
    other = make_conflict(None, "Ship everything to Malta", kind="injection")
    desk("ben").post(reverse("decide", args=[other.pk]), form | {"choice": "keep", "note": ""})
    return conflict


def read(client, kind="jsonl", query="?status=decided"):
    return client.get(reverse("decisions_export", args=[kind]) + query)


def records(client, query="?status=decided"):
    return [json.loads(line) for line in b"".join(read(client, "jsonl", query)).decode().splitlines()]


def test_a_record_tells_what_was_shown_chosen_and_changed(decided, desk):
    [record, _other] = records(desk("eve"))
    assert (record["held"], record["incoming"], record["choice"]) == ("=1+1 is what I like", "我喜欢咖啡", "accept")
    assert (record["decided_by"], record["note"], record["user_id"]) == ("ada", "@SUM(A1)", "u1")
    assert f"{decided.memory_id}:1>2" in record["versions"].split()
    assert record["evidence"] == str(decided.episode_id) and record["undone_by"] == ""


def test_csv_holds_no_formula_and_is_streamed(decided, desk):
    answer = read(desk("eve"), "csv")
    assert answer.streaming and 'filename="decisions.csv"' in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(b"".join(answer).decode().removeprefix("\ufeff"))))
    assert (rows[0]["held"], rows[0]["note"]) == ("'=1+1 is what I like", "'@SUM(A1)")


def test_the_queues_filters_count(decided, desk):
    assert [each["kind"] for each in records(desk("eve"), "?status=decided&kind=injection")] == ["injection"]
    assert records(desk("eve"), "?status=open") == []


def test_an_undone_decision_and_its_undoing_name_each_other(decided, desk):
    first = Decision.objects.get(conflict=decided)
    desk("ada").post(reverse("undo", args=[decided.pk]), {"decision": first.pk})
    one, two = records(desk("eve"), "?status=open")
    assert (one["undone_by"], two["undoes"]) == (two["decision_id"], one["decision_id"])


def test_only_who_may_export_gets_it_and_it_is_audited(decided, desk):
    assert read(desk("ada")).status_code == 403
    assert "decisions.csv" not in desk("ada").get(reverse("queue") + "?status=decided").content.decode()
    assert "decisions.csv" in desk("eve").get(reverse("queue") + "?status=decided").content.decode()
    read(desk("eve"), "csv")
    assert AuditEvent.objects.get(action="decisions.export").after["kind"] == "csv"


def test_another_workspace_exports_none_of_it(decided, desk, people, other_workspace):
    Membership.objects.filter(person=people["eve"]).delete()
    Membership.objects.create(workspace=other_workspace, person=people["eve"], role=Group.objects.get(name="Auditor"))
    assert records(desk("eve")) == []


def test_it_costs_the_same_queries_for_one_and_for_many(make_conflict, desk):
    found = []
    for n in (1, 6):
        for m in range(n):
            conflict = make_conflict(f"I own {n}{m} bikes", f"I own {n}{m} cars")
            form = {"version": 1, "choice": "accept", "reason_code": "newer"}
            desk("ada").post(reverse("decide", args=[conflict.pk]), form)
        client = desk("eve")
        with CaptureQueriesContext(connection) as queries:
            list(read(client))
        found.append(len(queries))
    assert found[0] == found[1]
