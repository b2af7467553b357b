"""Erasure of a person and of a memory: nothing of theirs is left in any place, and others keep what is theirs."""

import json
import logging
import time
from datetime import timedelta
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.utils import timezone
from django_q.models import OrmQ, Task
from structlog.stdlib import ProcessorFormatter

from memory import tasks
from memory.actions import forget
from memory.actions.base import Refused, Stale
from memory.actions.revise import retract, revise
from memory.actions.rollback import plan, rollback
from memory.actor import SYSTEM, Actor
from memory.audit import check, seal
from memory.erasure import rows
from memory.erasure.places import Scope, places, without_words
from memory.history.scope import Scope as Changes
from memory.index import sync
from memory.models import (
    AgentKey,
    AuditEvent,
    Change,
    Conflict,
    EndUser,
    Erasure,
    IdempotencyKey,
    Memory,
    Session,
    Verdict,
)  # fmt: skip
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db
CARA = Actor(kind="person", id="1", label="Cara", address="192.0.2.7")
WORDS = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.GenericIPAddressField)
# a marker of each language, in words that only Ines says
SECRETS = ("Quillfeather", "鹤岗路九十九号", "ines-4711")


@pytest.fixture
def ines(workspace):
    """A person with something in every place, and a friend who says the same things of other places."""
    agent = Agent(workspace, name="a1")
    for user in ("ines-4711", "friend"):
        street = "Quillfeather" if user == "ines-4711" else "Otterburn"
        road = "鹤岗路九十九号" if user == "ines-4711" else "松花江路一号"
        for text in (f"I live at {street} Lane in Porto.", f"我住在{road}。", f"My sister Ana works at {street} Ltd."):
            agent.say(text, user_id=user, metadata={"note": street})
        agent.say(f"I live in {street}ton now.", user_id=user)
        tool = {"user_id": user, "run_id": "r1", "tool": {"name": "crm", "server": street}}
        agent.post("/tool-results", tool | {"result": {"content": [{"type": "text", "text": f"{street} owes 3"}]}})
        event = {"user_id": user, "run_id": "r1", "role": "user", "content": street}
        assert agent.post("/events", event, Idempotency_Key=f"k-{user}").status_code == 202
        for query in (f"where is {street}", f"{road}在哪里"):
            answer = agent.post("/memories/search", {"user_id": user, "query": query, "run_id": "r1"})
            assert answer.status_code == 200
        agent.get("/sessions/r1/context", user_id=user)
    return agent


def erase(user_id: str = "ines-4711") -> Erasure:
    user = EndUser.objects.get(external_id=user_id)
    erasure = forget.forget_user(user=user, actor=CARA, reason_code="request", now=timezone.now())
    assert tasks.erase(str(erasure.pk)), Erasure.objects.get(pk=erasure.pk).error
    return Erasure.objects.get(pk=erasure.pk)


def everything() -> str:
    """Every row of every table as text, as an administrator of the database could read it."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                cells = (bytes(cell).decode("utf-8", "replace") if isinstance(cell, bytes | memoryview) else cell
                         for cell in row)  # fmt: skip
                found.append(f"{table}: {' | '.join(str(cell) for cell in cells)}")
    # SQLite keeps JSON with every character beyond ASCII escaped
    return "\n".join([*found, *(line.encode().decode("unicode_escape", "replace") for line in found if "\\u" in line)])


def lines_with(secret: str) -> list[str]:
    return [line[:160] for line in everything().splitlines() if secret.lower() in line.lower()]


def test_every_column_of_text_is_a_place_or_has_a_reason_not_to_be_one():
    named = {place.model for place in places()} | set(without_words())
    worded = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy
        and any(isinstance(field, WORDS) and not field.choices for field in model._meta.concrete_fields
                if not field.primary_key)
    }  # fmt: skip
    assert worded - named == set()


def test_every_table_that_leads_to_a_user_is_a_place():
    """A new table with a key to a person's rows would be left behind, or keep the person from going."""
    theirs = {place.model for place in places()}
    pointing = {
        model._meta.label
        for model in apps.get_models()
        if any(field.is_relation and field.related_model._meta.label in theirs for field in model._meta.concrete_fields)
    }
    assert pointing - theirs == set()


def test_nothing_of_an_erased_person_is_left_in_the_database(ines):
    assert all(lines_with(secret) for secret in SECRETS)
    erasure = erase()
    assert {secret: lines_with(secret) for secret in SECRETS} == {secret: [] for secret in SECRETS}
    assert erasure.finished_at and erasure.counts["memory.Episode"] == 6
    assert erasure.counts["memory.EndUser"] == 1


def test_a_friend_keeps_everything(ines):
    friend = EndUser.objects.get(external_id="friend")
    before = rows.count(Scope(friend.workspace_id, friend.pk))
    erase()
    assert rows.count(Scope(friend.workspace_id, friend.pk)) == before
    found = ines.post("/memories/search", {"user_id": "friend", "query": "where do I live"}).json()["results"]
    assert any("Otterburn" in hit["memory"] for hit in found)


def test_the_id_is_free_at_once_and_begins_as_somebody_nobody_has_heard_of(ines):
    user = EndUser.objects.get(external_id="ines-4711")
    erasure = forget.forget_user(user=user, actor=CARA, reason_code="request", now=timezone.now())
    assert ines.get("/memories", user_id="ines-4711").json()["total"] == 0
    ines.say("I live in Graz.", user_id="ines-4711")
    assert tasks.erase(str(erasure.pk))
    [kept] = ines.get("/memories", user_id="ines-4711").json()["items"]
    assert kept["memory"] == "I live in Graz."


def test_who_asks_second_is_told(ines):
    user = EndUser.objects.get(external_id="ines-4711")
    forget.forget_user(user=user, actor=CARA, reason_code="request", now=timezone.now())
    with pytest.raises(Stale):
        forget.forget_user(user=user, actor=CARA, reason_code="law", now=timezone.now())
    assert Erasure.objects.count() == 1


def test_the_audit_keeps_who_did_what_and_its_chain_verifies(ines, workspace):
    seal.seal(now=timezone.now(), until=time.monotonic() + 5)
    actions = sorted(AuditEvent.objects.values_list("action", flat=True))
    erase()
    left = sorted(AuditEvent.objects.exclude(action__contains="eras").exclude(action="user.forget")
                  .values_list("action", flat=True))  # fmt: skip
    assert left == actions
    seal.seal(now=timezone.now(), until=time.monotonic() + 5)
    check.go_on(workspace.pk, after=0, found={}, now=timezone.now(), until=time.monotonic() + 5)
    call_command("verify_audit")
    [asked] = AuditEvent.objects.filter(action="user.forget")
    assert (asked.actor_label, asked.address, asked.after) == ("Cara", "192.0.2.7", {"reason": "request"})
    [done] = AuditEvent.objects.filter(action="erasure.finish")
    assert done.after["rows"]["memory.Episode"] == 6


def test_edited_retracted_and_rolled_back_leave_nothing_either(ines, workspace):
    memory = Memory.objects.filter(user__external_id="ines-4711", text__contains="Porto").get()
    memory = revise(memory=memory, actor=CARA, now=timezone.now(), reason="Quillfeather was wrong",
                    expected_version=1, text="I live at Quillfeather Row")  # fmt: skip
    scope = Changes(workspace, "change", str(memory.versions.last().change_id))
    rollback(scope=scope, token=plan(scope).token, actor=CARA, now=timezone.now(), reason="Quillfeather again")
    other = Memory.objects.filter(user__external_id="ines-4711", text__contains="Ana").get()
    retract(memory=other, actor=CARA, now=timezone.now(), expected_version=other.version)
    erase()
    assert {secret: lines_with(secret) for secret in SECRETS} == {secret: [] for secret in SECRETS}


def test_a_killed_run_goes_on_where_it_stopped(ines, monkeypatch):
    user = EndUser.objects.get(external_id="ines-4711")
    erasure = forget.forget_user(user=user, actor=CARA, reason_code="request", now=timezone.now())
    monkeypatch.setattr(rows, "BATCH", 2)
    runs = 0
    while not forget.carry_out(Erasure.objects.select_related("workspace").get(pk=erasure.pk), now=timezone.now(),
                               until=time.monotonic()):  # fmt: skip
        runs += 1
        assert runs < 200
        if runs > 25:  # no time at all finishes nothing: the last step wants some
            assert tasks.erase(str(erasure.pk))
            break
    finished = Erasure.objects.get(pk=erasure.pk)
    assert runs > 5 and finished.finished_at
    assert finished.counts["memory.Episode"] == 6
    assert not EndUser.objects.filter(pk=user.pk).exists()


def test_a_key_for_this_user_alone_is_revoked_and_not_opened_to_all(workspace, ines):
    only = Agent(workspace, name="only", only_users=["ines-4711"])
    both = Agent(workspace, name="both", only_users=["ines-4711", "friend"])
    erase()
    keys = {key.name: key for key in AgentKey.objects.filter(pk__in=[only.key.pk, both.key.pk])}
    assert keys["only"].revoked_at and keys["only"].only_users == [forget.CLOSED]
    assert keys["both"].revoked_at is None and keys["both"].only_users == ["friend"]


def test_kept_answers_and_jobs_of_the_user_go_and_others_stay(ines):
    user, friend = (EndUser.objects.get(external_id=name) for name in ("ines-4711", "friend"))
    for owner in (user, friend):
        Task.objects.create(id=f"{owner.pk:032}", name="n", func="memory.tasks.open_dispute",
                            args=(owner.pk, "Quillfeather", "home"), started=timezone.now(), stopped=timezone.now(),
                            success=True)  # fmt: skip
    assert IdempotencyKey.objects.count() == 2
    waiting = OrmQ.objects.count()
    assert waiting
    erase()
    assert IdempotencyKey.objects.get().response["results"][0]["user_id"] == "friend"
    assert [task.args[0] for task in Task.objects.all()] == [friend.pk]
    assert {row.task["args"][0] for row in OrmQ.objects.all() if row.task["func"] == "memory.tasks.judge_user"} == {
        friend.pk
    }


def test_vectors_go_and_a_vector_database_that_is_away_only_delays_it(ines, qdrant_http, settings):
    from memory.index import follower

    ids = {str(pk) for pk in Memory.objects.filter(user__external_id="ines-4711").values_list("pk", flat=True)}
    sync.drain(timezone.now())
    held = {str(id) for id, _version in follower.ask(lambda there: list(there.ids()))}
    assert ids & held
    url, settings.VECTOR_DB_URL = settings.VECTOR_DB_URL, "http://127.0.0.1:1"
    follower.forget()
    user = EndUser.objects.get(external_id="ines-4711")
    erasure = forget.forget_user(user=user, actor=CARA, reason_code="request", now=timezone.now())
    assert not tasks.erase(str(erasure.pk))
    erasure.refresh_from_db()
    assert erasure.error == "FollowerAway" and erasure.finished_at is None
    settings.VECTOR_DB_URL = url
    follower.forget()
    Erasure.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    assert tasks.erase_waiting() == 1
    assert tasks.erase(str(erasure.pk))
    left = {str(id) for id, _version in follower.ask(lambda there: list(there.ids()))}
    assert not ids & left and left == held - ids


def test_logs_at_the_default_level_do_not_hold_it(ines, settings):
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(ProcessorFormatter(
        processors=settings.LOGGING["formatters"]["structured"]["processors"],
        foreign_pre_chain=settings.LOGGING["formatters"]["structured"]["foreign_pre_chain"],
    ))  # fmt: skip
    logging.getLogger().addHandler(handler)
    try:
        ines.say("Quillfeather", user_id="ines-4711")
        ines.get("/users/ines-4711/graph", entity="Quillfeather")
        ines.get("/users/ines-4711/nothing")
        ines.get("/sessions/ines-4711/context", user_id="ines-4711")
        erase()
    finally:
        logging.getLogger().removeHandler(handler)
    assert "/api/v1/users/…" in written.getvalue()
    assert not [secret for secret in SECRETS if secret in written.getvalue()], written.getvalue()


def test_whether_a_known_id_was_erased_can_be_answered_and_no_id_read(ines, workspace):
    erasure = erase()
    assert erasure.name == "" and erasure.name_digest == forget.digest_of(workspace, "ines-4711")
    assert erasure.name_digest != forget.digest_of(workspace, "friend")


# ── one memory ──


def forget_one(text: str) -> Memory:
    memory = Memory.objects.get(user__external_id="ines-4711", text__contains=text)
    erasure = forget.forget_memory(memory=memory, actor=CARA, reason_code="mistake", now=timezone.now())
    assert tasks.erase(str(erasure.pk)), Erasure.objects.get(pk=erasure.pk).error
    return memory


def test_one_memory_goes_with_its_versions_conflicts_and_what_was_told_of_it(ines):
    memory = Memory.objects.get(user__external_id="ines-4711", text__contains="Porto")
    revise(memory=memory, actor=CARA, now=timezone.now(), reason="Quillfeather Row", expected_version=memory.version,
           text="I live at Quillfeather Row in Porto")  # fmt: skip
    others = Memory.objects.exclude(pk=memory.pk).count()
    forget_one("Porto")
    assert not Memory.objects.filter(pk=memory.pk).exists() and Memory.objects.count() == others
    assert not Conflict.objects.filter(user__external_id="ines-4711", memory=memory.pk).exists()
    told = [line for line in lines_with("Quillfeather Row") + lines_with("Quillfeather Lane in Porto")
            if not line.startswith(("memory_episode", "memory_workingturn"))]  # fmt: skip
    assert told == []
    assert Session.objects.filter(user__external_id="ines-4711").exists()


def test_the_change_of_an_erased_memory_has_no_words_left(ines):
    memory = forget_one("Porto")
    assert not Change.objects.exclude(reason="").filter(user=memory.user, reason__contains="Quill").exists()
    assert not Verdict.objects.filter(text__contains="Quillfeather Lane").exists()


def test_asking_twice_for_one_memory_is_refused(ines):
    memory = Memory.objects.get(user__external_id="ines-4711", text__contains="Porto")
    forget.forget_memory(memory=memory, actor=SYSTEM, reason_code="mistake", now=timezone.now())
    with pytest.raises(Refused):
        forget.forget_memory(memory=memory, actor=SYSTEM, reason_code="mistake", now=timezone.now())


def test_report_is_json(ines):
    assert json.dumps(erase().counts)
