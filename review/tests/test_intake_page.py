"""/intake/: what came in, what became of it, why; parked events and who may try them again."""

import pytest
from django.urls import reverse

from memory.models import AuditEvent, Episode, Verdict

COURTESY = "hello!"
FACT = "I am allergic to penicillin."


@pytest.fixture
def judged(tell):
    """One event of each outcome that needs no conflict: remembered, known already, not kept."""
    tell(FACT)
    tell(FACT, run_id="r2")
    tell(COURTESY)


def outcomes(answer):
    return sorted(row.outcome for row in answer.context["page"])


@pytest.mark.parametrize(
    "query, found",
    [
        ("", ["ADD", "DUPLICATE", "REJECTED"]),
        ("?outcome=ADD", ["ADD"]),
        ("?outcome=DUPLICATE", ["DUPLICATE"]),
        ("?outcome=REJECTED", ["REJECTED"]),
        ("?outcome=QUEUED", []),
        ("?outcome=burnt", ["ADD", "DUPLICATE", "REJECTED"]),
    ],
)
def test_outcomes_are_filtered_by_the_address(query, found, judged, desk):
    assert outcomes(desk("ada").get(f"/intake/{query}")) == found


def test_a_verdict_by_rules_in_a_model_s_place_says_so(judged, desk):
    rejected = Verdict.objects.get(outcome="REJECTED")
    Verdict.objects.filter(pk=rejected.pk).update(fallback="llm_unavailable", rejudged_at=rejected.created_at)
    content = desk("ada").get("/intake/").content.decode()
    assert (
        content.count("Rules judged in the model&#x27;s place: The model was away.")
        + content.count("Rules judged in the model's place: The model was away.")
        == 1
    )
    assert "Handed to the model again at" in content


def test_what_waits_leads_to_its_conflict_and_what_entered_to_its_memory(tell, desk):
    kept = tell("I live in Leipzig").verdicts.get()
    waiting = tell("I live in Graz", run_id="r2").verdicts.get()
    content = desk("ada").get("/intake/").content.decode()
    assert reverse("memory", args=[kept.memory_id]) in content
    assert reverse("conflict", args=[waiting.conflict_id]) in content


def test_an_empty_list_says_what_to_expect(desk, people):
    assert "Verdicts appear here seconds after" in desk("ada").get("/intake/").content.decode()
    assert "Every event could be judged." in desk("ada").get("/intake/?outcome=PARKED").content.decode()


def test_a_retry_is_in_the_audit(desk, make_episode):
    episode = make_episode(FACT)
    Episode.objects.filter(pk=episode.pk).update(judging="parked", attempts=3, error="Boom")
    assert desk("cara").post(reverse("retry", args=[episode.pk]))["Location"] == "/"
    audited = AuditEvent.objects.get(action="episode.retry")
    assert (audited.actor_label, audited.object_id) == ("cara", str(episode.pk))


def test_what_is_not_parked_any_more_is_left_alone(desk, make_episode):
    episode = make_episode(FACT)
    answer = desk("cara").post(reverse("retry", args=[episode.pk]), follow=True)
    assert "not parked any more" in answer.content.decode()
    episode.refresh_from_db()
    assert episode.judging == "judged" and not AuditEvent.objects.filter(action="episode.retry").exists()


@pytest.mark.parametrize("name", ["ada", "eve"])
def test_only_an_admin_may_retry(name, desk, make_episode):
    episode = make_episode(FACT)
    Episode.objects.filter(pk=episode.pk).update(judging="parked", attempts=3, error="Boom")
    assert desk(name).post(reverse("retry", args=[episode.pk])).status_code == 403
    episode.refresh_from_db()
    assert episode.judging == "parked"


def test_a_list_costs_the_same_queries_however_long_it_is(tell, desk, django_assert_max_num_queries):
    for n in range(12):
        tell(FACT, user_id=f"u{n}")
    client = desk("ada")
    with django_assert_max_num_queries(11):
        client.get("/intake/")
