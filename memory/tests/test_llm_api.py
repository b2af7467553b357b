"""/api/v1/memories where a language model is configured: only workers ask it, and the caller waits or is told to."""

import threading
import time

import pytest
from django.db import connection

from memory.intake import run
from memory.models import EndUser, Verdict
from memory.tests import llm_server as server
from memory.tests.agent import Agent
from memory.tests.llm_server import claim, worth

TEXT = "The fjord city of Bergen is where my key turns every night."


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


@pytest.mark.django_db
def test_what_no_worker_judged_in_time_is_pending(llm, agent, monkeypatch):
    monkeypatch.setattr("memory.api.adding.WAIT_SECONDS", 0.2)
    answer = agent.post("/memories", {"user_id": "u1", "memory": TEXT})
    assert answer.status_code == 202
    assert [(result["event"], result["judge"]) for result in answer.json()["results"]] == [("PENDING", "")]
    assert llm.asked == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_a_worker_judges_in_time_is_told_with_its_judge(llm, agent):
    llm.knows["fjord"] = worth(claim("Bergen is where my key turns", "residence", "Bergen"))

    def work():
        while not EndUser.objects.exists() or not run.drain(EndUser.objects.get().pk):
            time.sleep(0.05)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    result = agent.remember(TEXT)
    worker.join()
    assert (result["event"], result["judge"], result["fallback"]) == ("ADD", "llm:tiny:1b@judge-en-1", "")


@pytest.mark.django_db
def test_a_verdict_by_rules_in_the_model_s_place_says_why(llm, agent):
    llm.always = server.fail(503)
    agent.say(TEXT)
    assert Verdict.objects.get().fallback == "llm_unavailable"
