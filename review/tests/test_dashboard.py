"""/: the state of the workspace at a glance."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory.llm import usage
from memory.models import Episode, LlmUsage, OutboxEntry, WorkerBeat


def page(client):
    return client.get("/").content.decode()


def test_an_empty_workspace_says_what_to_expect(desk):
    content = page(desk("ada"))
    assert "Nothing waits" in content and "Nothing came in" in content


def test_what_came_in_and_why_it_was_not_kept(desk, tell):
    tell("I am allergic to penicillin.")
    tell("hello!")
    tell("What time is it?")
    content = page(desk("ada"))
    assert "Only courtesy: it adds nothing." in content and "It only asks." in content
    assert "Remembered" in content


def test_a_silent_worker_is_told(desk, people):
    WorkerBeat.objects.create(name="host", at=timezone.now() - timedelta(minutes=12))
    assert "The worker has been silent for 12" in page(desk("ada"))


def test_a_parked_event_is_told_and_leads_to_its_retry(desk, make_episode):
    Episode.objects.filter(pk=make_episode("poison").pk).update(judging="parked", attempts=3, error="Boom: no")
    assert "1 event could not be judged and is parked." in page(desk("ada"))
    parked = desk("cara").get("/intake/?outcome=PARKED").content.decode()
    assert "Boom: no" in parked and "/retry/" in parked
    assert "/retry/" not in desk("ada").get("/intake/?outcome=PARKED").content.decode()


def test_retry_puts_a_parked_event_back_in_line(desk, make_episode):
    episode = make_episode("I am allergic to penicillin.")
    Episode.objects.filter(pk=episode.pk).update(judging="parked", attempts=3, error="Boom")
    desk("cara").post(f"/intake/{episode.pk}/retry/")
    episode.refresh_from_db()
    assert (episode.judging, episode.attempts, episode.error) == ("pending", 0, "")


def test_what_the_vector_database_has_yet_to_take_over(desk, make_memory, settings):
    memory = make_memory("I live in Bergen")
    client = desk("ada")
    assert "Vector database" not in page(client)
    settings.VECTOR_DB_URL = "http://127.0.0.1:1"
    assert "up to date" in page(client)
    old = timezone.now() - timedelta(minutes=40)
    OutboxEntry.objects.create(
        memory=memory, workspace=memory.workspace, user=memory.user, version=1, next_try_at=old, created_at=old
    )
    assert "1 change waits, for 40" in page(client)


def test_tokens_of_the_language_model_are_shown_and_events_that_rules_judged_in_its_place(desk, workspace, settings):
    assert "Language model" not in page(desk("ada"))
    settings.LLM_API_BASE, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "tiny"
    assert "0 of 1000000 tokens today" in page(desk("ada")).replace(",", "")
    LlmUsage.objects.create(workspace=workspace, day=usage.today(), tokens=960, unavailable=2, over_budget=1)
    content = page(desk("ada"))
    assert "960 of" in content
    assert "Rules judged 3 events in the language model" in content and "model away 2" in content


@pytest.mark.parametrize("many", [3, 12])
def test_it_costs_the_same_queries_however_much_waits(many, desk, make_conflict, django_assert_max_num_queries):
    for n in range(many):
        make_conflict(f"I own {n} bikes", f"I own {n} cars")
    client = desk("ada")
    with django_assert_max_num_queries(26):
        client.get("/")
