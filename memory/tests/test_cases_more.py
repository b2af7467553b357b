"""More of the peers' cases by their names (research, C09-C20), each through the real pipeline."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from memory.actions.revise import restore
from memory.actions.settle import AlreadyDecided, settle
from memory.actor import SYSTEM, Actor
from memory.intake import run
from memory.intake.record import NewEvent, record
from memory.models import Conflict, Memory, Verdict
from memory.tests import llm_server as server
from memory.tests.agent import Agent
from memory.tests.llm_server import claim, worth

FJORD = "The fjord city of Bergen is where my key turns every night."
JUDGED = worth(claim("Bergen is where my key turns", "residence", "Bergen"), adds="where the user lives")


def test_c09_an_asked_for_explanation_and_a_friend_are_whose_they_are(workspace):
    agent = Agent(workspace)
    agent.say("explain bubble sort")
    agent.say("I used two nested loops", role="assistant")
    agent.say("my friend Dae hates football")
    [memory] = Memory.objects.all()
    assert (memory.subject.lower(), memory.text) == ("dae", "my friend Dae hates football")
    assert list(Verdict.objects.order_by("id").values_list("outcome", flat=True)) == ["REJECTED", "REJECTED", "ADD"]


def test_c11_an_answer_in_prose_is_read(llm, tell):
    answer = json.dumps({"events": [{"event": 1} | JUDGED]})
    llm.ways = [server.say(f"Here you are:\n```json\n{answer}\n```\nTell me if you need more.")]
    tell(FJORD)
    assert Memory.objects.get().value == "Bergen"


@pytest.mark.parametrize(
    "way",
    [
        server.answer(200, b'{"choices": [{"message": {"content": "{\\"events\\": \\ud83d"}}]}'),
        server.say('{"events": [{"event": 1, "worth": true, "claims": [{"quote": "Ber', finish_reason="length"),
    ],
    ids=["half of a surrogate pair", "cut off"],
)
def test_c11_a_broken_answer_loses_nothing_and_says_so(llm, tell, way):
    llm.always = way
    episode = tell(FJORD)
    assert (episode.content, episode.judging) == (FJORD, "judged")
    assert Verdict.objects.get().fallback == "llm_unreadable"


def test_c17_twenty_variants_of_one_run_count_once_and_ask_once(workspace):
    agent = Agent(workspace)
    agent.say("Refund limit is 200.")
    shapes = ("The refund limit is 2000.", "Refund limit is 2000", "Remember: the refund limit is 2000.",
              "The limit for a refund is 2000.", "Our refund limit is 2,000.")  # fmt: skip
    for n in range(20):
        agent.say(shapes[n % len(shapes)], role="assistant", run_id="bot")
    memory = Memory.objects.get(status="active")
    assert memory.text == "Refund limit is 200."
    assert Conflict.objects.count() == 1
    assert agent.found("what is the refund limit") == ["Refund limit is 200."]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_c19_of_two_at_once_one_decides_and_one_memory_is_left(workspace, make_conflict, people, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")

    def decide(name, choice):
        try:
            settle(
                conflict=Conflict.objects.get(pk=conflict.pk), choice=choice, person=people[name], now=now,
                actor=Actor(kind="person", id=name, label=name), expected_version=1,
            )  # fmt: skip
            return "decided"
        except AlreadyDecided:
            return "too late"
        finally:
            connection.close()

    def add(n):
        try:
            event = NewEvent(user_id="u2", run_id=f"r{n}", role="user", content="My bike is a blue Kestrel")
            [episode] = record(workspace=workspace, events=[event], now=timezone.now())
            return run.judge_now(episode.user, episodes=[episode], wait_seconds=20)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(decide, ("ada", "ben"), ("accept", "keep"))) == ["decided", "too late"]
        assert list(pool.map(add, range(2))) == [True, True]
    assert Memory.objects.filter(user__external_id="u2", status="active").count() == 1


def test_c20_a_deleted_memory_is_neither_found_nor_listed_nor_opened(workspace):
    agent = Agent(workspace)
    agent.say("My locker number is 214.")
    agent.say("I live in Cork.")
    [deleted] = [item for item in agent.listed() if "locker" in item["memory"]]
    assert agent.found("locker number")[0] == "My locker number is 214."
    agent.delete(f"/memories/{deleted['id']}")
    assert "My locker number is 214." not in agent.found("locker number")
    assert [item["memory"] for item in agent.listed()] == ["I live in Cork."]
    assert agent.get(f"/memories/{deleted['id']}").status_code == 404


def test_c20_a_summary_of_what_was_deleted_is_flagged_until_it_is_restored(workspace):
    agent = Agent(workspace)
    one, two = agent.remember("My locker number is 214."), agent.remember("I live in Cork.")
    said = "Ada of Cork keeps her things in locker 214."
    summary = agent.remember(said, derived_from=[one["id"], two["id"]], infer=False)
    agent.delete(f"/memories/{one['id']}")
    assert "My locker number is 214." not in agent.found("locker number")
    assert agent.get(f"/memories/{summary['id']}").json()["stale"]["reason_code"] == "stale_retracted"
    deleted = Memory.objects.get(pk=one["id"])
    restore(memory=deleted, number=1, actor=SYSTEM, now=timezone.now(), expected_version=2)
    assert agent.get(f"/memories/{summary['id']}").json()["stale"] is None
