"""Somebody is erased while agents write and reviewers decide about them, on PostgreSQL and Redis."""

import os

import pytest
import redis
from django.core.cache import cache
from django.utils import timezone

from memory import tasks, working
from memory.actions import forget
from memory.actions.base import Stale
from memory.actions.settle import settle
from memory.actor import SYSTEM, Actor
from memory.erasure import rows
from memory.erasure.places import Scope
from memory.models import Conflict, EndUser, Episode, Erasure
from memory.tests.agent import Agent
from memory.tests.test_races import together

REDIS = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


def begin(user: EndUser) -> Erasure:
    return forget.forget_user(user=user, actor=SYSTEM, reason_code="request", now=timezone.now())


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_agents_write_meanwhile_goes_with_the_person_or_begins_anew(workspace):
    agent = Agent(workspace)
    agent.say("I live in Porto.")
    old = EndUser.objects.get(external_id="u1")

    def write(number):
        writer = Agent(workspace, name=f"w{number}")
        answers = []
        for turn in range(12):
            body = {"user_id": "u1", "run_id": f"r{number}", "role": "user", "content": f"I own boat {number}-{turn}"}
            answers.append(writer.post("/events", body).status_code)
            answers.append(writer.post("/memories", {"user_id": "u1", "memory": f"My van is {turn}"}).status_code)
        return answers

    def erase():
        erasure = begin(old)
        while not tasks.erase(str(erasure.pk)):
            assert not Erasure.objects.get(pk=erasure.pk).error
        return []

    answers = together(lambda: write(1), lambda: write(2), erase)
    assert not [each for each in answers if isinstance(each, Exception)], answers
    assert {status for each in answers for status in each} <= {200, 202, 409, 503}, answers
    assert rows.count(Scope(workspace.pk, old.pk)) == {}
    new = EndUser.objects.get(external_id="u1")
    assert new.pk != old.pk
    assert set(Episode.objects.values_list("user_id", flat=True)) <= {new.pk}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_admins_at_once_erase_once_and_one_is_told(make_memory):
    user = make_memory("I live in Porto").user
    answers = together(*[lambda: begin(EndUser.objects.get(pk=user.pk))] * 4)
    assert sum(isinstance(each, Erasure) for each in answers) == 1
    assert sum(isinstance(each, Stale) for each in answers) == 3
    assert Erasure.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_decision_meanwhile_is_refused_or_erased(make_conflict, people, workspace):
    conflicts = [make_conflict(f"I own {number} bikes", f"I own {number} cars") for number in range(12)]
    user = conflicts[0].user

    def decide():
        for conflict in conflicts:
            try:
                settle(
                    conflict=Conflict.objects.get(pk=conflict.pk), choice="accept", person=people["ada"],
                    actor=Actor(kind="person", id="1", label="ada"), now=timezone.now(), expected_version=1,
                )  # fmt: skip
            except (Conflict.DoesNotExist, Stale):
                return "told"
        return "all"

    def erase():
        erasure = begin(user)
        while not tasks.erase(str(erasure.pk)):
            assert not Erasure.objects.get(pk=erasure.pk).error

    answers = together(decide, erase)
    assert answers[0] in ("told", "all") and answers[1] is None, answers
    assert rows.count(Scope(workspace.pk, user.pk)) == {}


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_in_redis(workspace, settings):
    settings.REDIS_URL, settings.REDIS_PREFIX = REDIS, f"forget-{os.getpid()}"
    working._redis.cache_clear()
    server = redis.Redis.from_url(REDIS)
    try:
        agent = Agent(workspace)
        for user, street in (("ines-4711", "Quillfeather"), ("friend", "Otterburn")):
            agent.say(f"I live at {street} Lane.", user_id=user, run_id="r1")
        held = _dump(server, settings.REDIS_PREFIX)
        assert "Quillfeather" in held and "Otterburn" in held
        erasure = begin(EndUser.objects.get(external_id="ines-4711"))
        assert tasks.erase(str(erasure.pk))
        held = _dump(server, settings.REDIS_PREFIX)
        assert "Quillfeather" not in held and "Otterburn" in held
    finally:
        for key in server.scan_iter(f"{settings.REDIS_PREFIX}*"):
            server.delete(key)
        working._redis.cache_clear()
        cache.close()


def _dump(server: redis.Redis, prefix: str) -> str:
    keys = list(server.scan_iter(f"*{prefix}*"))
    return "\n".join(part.decode() for key in keys for part in server.lrange(key, 0, -1))
