"""Workers beside each other with a language model, on PostgreSQL: budget, places and second judgements count once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.intake import rejudge, run
from memory.intake.record import NewEvent, record
from memory.llm import client, usage
from memory.llm.client import Unavailable
from memory.llm.places import place
from memory.models import Episode, LlmPlace, LlmUsage, Memory, Verdict
from memory.tests import llm_server as server
from memory.tests.llm_server import claim, worth
from memory.tests.test_races import together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def record_for(workspace, user_id: str, *texts: str) -> Episode:
    events = [NewEvent(user_id=user_id, run_id="r1", role="user", content=text) for text in texts]
    return record(workspace=workspace, events=events, now=timezone.now())[0]


def test_a_budget_is_never_overdrawn_by_workers_at_once(workspace):
    day = usage.today()
    took = together(*(lambda: usage.set_aside(workspace, day=day, tokens=300, budget=1000) for _ in range(8)))
    assert sorted(took) == [False] * 5 + [True] * 3
    assert LlmUsage.objects.get().tokens == 900
    used = {"calls": 1, "prompt_tokens": 90, "answer_tokens": 10}
    together(*(lambda: usage.settle(workspace, day=day, aside=300, **used) for _ in "abc"))
    counts = LlmUsage.objects.get()
    assert (counts.tokens, counts.calls, counts.prompt_tokens, counts.answer_tokens) == (300, 3, 270, 30)


def test_no_more_calls_at_once_than_there_are_places(llm, workspace, settings):
    settings.LLM_CONCURRENCY = 2
    settings.LLM_TIMEOUT = 20
    llm.always = server.in_company(2)
    firsts = [record_for(workspace, f"u{n}", f"The fjord has {n} islands in view.") for n in range(6)]
    together(*(lambda pk=first.user_id: run.drain(pk) for first in firsts))
    assert (len(llm.asked), llm.most_at_once) == (6, 2)
    assert set(Verdict.objects.values_list("judge", flat=True)) == {"llm:tiny:1b@judge-en-1"}
    assert not LlmPlace.objects.exclude(until=None).exists()


def test_a_place_that_a_killed_worker_held_runs_out(settings, workspace):
    settings.LLM_CONCURRENCY = 1
    soon = timezone.now() + timedelta(seconds=0.5)
    LlmPlace.objects.create(number=0, until=soon)
    with pytest.raises(Unavailable, match="All 1 places"), place(wait=0.1, hold=5):
        pass
    with place(wait=2, hold=5):
        assert timezone.now() > soon


def test_many_workers_on_one_user_ask_the_model_once_about_each_event(llm, workspace):
    texts = [f"The fjord has {number} islands where my boat sleeps." for number in range(8)]
    user_pk = record_for(workspace, "u1", *texts).user_id
    assert sum(together(*(lambda: run.drain(user_pk) for _ in range(5)))) == 8
    assert sorted(llm.texts()) == sorted(texts)
    assert Verdict.objects.count() == 8


def test_what_was_lost_is_handed_back_once_by_schedules_at_once(llm, workspace, now):
    text = "It is Bergen where the key turns each night, as ever"
    llm.always = server.fail(503)
    first = record_for(workspace, "u1", *(f"{text}, {n}" for n in range(10)))
    run.drain(first.user_id)
    llm.always = None
    client.forget()
    llm.knows["key turns"] = worth(claim("Bergen where the key turns", "residence", "Bergen"))
    assert sum(together(*(lambda: rejudge.hand_back(now) for _ in range(4)))) == 10
    together(*(lambda: run.drain(first.user_id) for _ in range(4)))
    assert Episode.objects.exclude(judging="judged").count() == 0
    assert Verdict.objects.filter(judge="rules", rejudged_at__isnull=False).count() == 10
    assert Verdict.objects.filter(judge__startswith="llm:").count() == 10
    assert Memory.objects.filter(attribute="residence").count() == 1
