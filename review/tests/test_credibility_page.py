"""/credibility/: what may be trusted, what is doubtful and often told, sources, and other weights before they count."""

import json
import time

import pytest
from django.urls import reverse
from django.utils import timezone
from django_q.models import OrmQ

from memory import tasks
from memory.actions.configure import set_weights, weights_of
from memory.actor import SYSTEM
from memory.models import AuditEvent, Conflict, EndUser, Memory, SourceFigure, Workspace
from memory.recall import search
from review import decisions
from review.reweigh import reckon

URL = reverse("credibility")
PHONES = "what is the phone number of my brother or sister?"


@pytest.fixture
def known(tell):
    """A person's own word, an agent's, and a tool's."""
    tell("My bike is blue.")
    tell("The user prefers tea without sugar.", role="assistant", agent_id="helper")
    Memory.objects.filter(source_class="llm_reasoning").update(heat=3)


def save(client, shown, **values):
    return client.post(reverse("credibility_save"), {**shown, **values, "shown": json.dumps(shown)})


def test_memories_are_spread_over_their_classes_by_tenths(known, desk):
    tasks.count_days()
    spreads = {each.label: each for each in desk("eve").get(URL).context["spreads"]}
    assert spreads["User's own words"].counts == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert spreads["Agent's reasoning"].counts[5] == 1 and spreads["Agent's reasoning"].doubtful == 0


def test_a_tenth_that_is_empty_by_now_is_not_shown_any_more(known, desk):
    tasks.count_days()
    Memory.objects.update(credibility=0.05)
    tasks.count_days()
    assert [each.counts for each in desk("eve").get(URL).context["spreads"]] == [[1, *[0] * 9]] * 2


def test_the_doubtful_that_are_told_often_come_first(make_memory, desk):
    for text, credibility, heat in (("a", 0.3, 2), ("b", 0.4, 9), ("c", 0.9, 50), ("d", 0.1, 0)):
        memory = make_memory(f"I own boat {text}")
        Memory.objects.filter(pk=memory.pk).update(credibility=credibility, heat=heat)
    assert [memory.text for memory in desk("eve").get(URL).context["risky"]] == ["I own boat b", "I own boat a"]


def test_a_source_shows_what_reviewers_made_of_it_and_no_person_is_one(known, desk, tell, people):
    tell("I live in Leipzig.")
    tell("The user lives in Graz.", role="assistant", agent_id="helper")
    conflict = Conflict.objects.get()
    decisions.decide(
        conflict=conflict, person=people["ada"], actor=SYSTEM, now=timezone.now(), expected_version=conflict.version,
        draft=decisions.Draft("keep", "mistaken"),
    )  # fmt: skip
    tasks.count_days()
    [source] = desk("eve").get(URL, {"kind": "agent"}).context["sources"]
    assert (source.name, source.figure.memories, source.figure.accepted, source.figure.rejected) == ("helper", 1, 0, 1)
    assert source.prior == 0.5 and source.weight == pytest.approx(10 / 21)
    assert not SourceFigure.objects.filter(source__startswith="user:").exists()


def test_a_source_without_memories_or_decisions_is_forgotten(known):
    tasks.count_days()
    assert SourceFigure.objects.count() == 1
    Memory.objects.filter(source_class="llm_reasoning").update(status="retracted")
    tasks.count_days()
    assert SourceFigure.objects.count() == 0


def test_other_weights_are_shown_before_they_count(workspace, tell, desk):
    tell("My sister's phone number is 030 1234.", role="assistant", agent_id="helper")
    tell("My brother's phone number is 040 9876.")
    user = EndUser.objects.get()
    search.search(user=user, query=PHONES, asked_by="t", now=timezone.now())
    before = workspace.settings
    page = desk("cara").get(URL, {"user_input": "0", "llm_reasoning": "1"})
    preview = page.context["preview"]
    assert (preview.known, preview.asked, preview.touched) == (1, 1, 2)
    assert (preview.changed, preview.new_firsts) == (1, 1)
    assert sorted((move.before, move.after) for move in preview.movers) == [(1, 2), (2, 1)]
    workspace.refresh_from_db()
    assert workspace.settings == before and "Save these weights" in page.content.decode()


def test_the_order_it_foretells_is_the_order_that_comes(workspace, tell):
    tell("My sister's phone number is 030 1234.", role="assistant", agent_id="helper")
    tell("My brother's phone number is 040 9876.")
    user = EndUser.objects.get()
    question = {"user": user, "query": PHONES, "asked_by": "t"}
    told = [hit.memory.pk for hit in search.search(**question, now=timezone.now()).results]
    wanted = weights_of(workspace) | {"user_input": 0.0, "llm_reasoning": 1.0}
    foretold = reckon(workspace, wanted, until=time.monotonic() + 5)
    set_weights(
        workspace=workspace, shown=weights_of(workspace), wanted=wanted, actor=SYSTEM, now=timezone.now()
    )  # fmt: skip
    tasks.rescore_all(workspace.pk)
    user.refresh_from_db()
    came = [hit.memory.pk for hit in search.search(**question, now=timezone.now()).results]
    assert came == told[::-1] and foretold.new_firsts == 1


def test_saved_weights_count_for_every_memory_and_are_in_the_audit(known, desk, workspace):
    saved = weights_of(workspace)
    assert save(desk("cara"), saved, user_input="0.9").status_code == 302
    assert [job.func() for job in OrmQ.objects.all()].count("memory.tasks.rescore_all") == 1
    tasks.rescore_all(workspace.pk)
    assert Memory.objects.get(source_class="user_input").credibility == pytest.approx(0.9)
    assert Memory.objects.get(source_class="llm_reasoning").credibility == pytest.approx(0.5)
    event = AuditEvent.objects.get(action="workspace.weights")
    assert event.before["source_weights"]["user_input"] == 1 and event.after["source_weights"]["user_input"] == 0.9


def test_a_run_that_was_lost_is_made_up_for_at_night(known, desk, workspace):
    save(desk("cara"), weights_of(workspace), user_input="0.9")
    OrmQ.objects.all().delete()
    assert tasks.rescore() == 1 and OrmQ.objects.get().func() == "memory.tasks.rescore_all"


def test_earlier_weights_are_restored(desk, workspace):
    client = desk("cara")
    save(client, weights_of(workspace), user_input="0.9")
    save(client, weights_of(Workspace.objects.get(pk=workspace.pk)), user_input="0.8")
    now, first = client.get(URL).context["earlier"]
    assert (now.is_now, first.is_now) == (True, False)
    assert first.changes == [("User's own words", "1", "0.9")]
    assert 'name="user_input" value="0.9"' in client.get(f"{URL}?{first.query}").content.decode()


def test_of_two_admins_the_later_is_told(desk, workspace):
    shown = weights_of(workspace)
    save(desk("cara"), shown, user_input="0.9")
    assert save(desk("cara"), shown, user_input="0.7").status_code == 409
    assert weights_of(Workspace.objects.get(pk=workspace.pk))["user_input"] == 0.9


@pytest.mark.parametrize("value", ["", "x", "-0.1", "1.1", "nan", "inf"])
def test_what_is_no_weight_is_marked_and_nothing_is_saved(value, desk, workspace):
    for answer in (
        save(desk("cara"), weights_of(workspace), user_input=value),
        desk("cara").get(URL, {"user_input": value}),
    ):
        assert answer.status_code == 422 and 'id="error-user_input"' in answer.content.decode()
    assert not AuditEvent.objects.filter(action="workspace.weights").exists()


def test_an_auditor_sees_the_weights_and_changes_none(desk):
    page = desk("eve").get(URL, {"user_input": "0.1"}).content.decode()
    assert "Weights of source classes" in page and "<input name=" not in page and "Save these weights" not in page
