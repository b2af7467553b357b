"""What was made from a memory is marked stale when that moves, and a person says what becomes of it."""

import pytest

from memory.actions import lineage
from memory.actions.revise import confirm, restore, retract, revise
from memory.actions.rollback import plan, rollback
from memory.actions.settle import settle
from memory.actor import Actor
from memory.history.scope import Scope
from memory.models import Change, Derivation, Memory, StaleMark
from memory.tasks import mark_dependants
from memory.tests.agent import Agent

CARA = Actor(kind="person", id="3", label="Cara")
SUMMARY = "Ada keeps a blue Kestrel bike in locker 214"


@pytest.fixture
def chain(make_memory, now):
    """chain(n): memories each made from the one before."""

    def chain_(count):
        memories = [make_memory(f"Link number {n} of it", run_id=f"r{n}") for n in range(count)]
        change = Change.objects.latest("pk")
        for source, memory in zip(memories, memories[1:], strict=False):
            lineage.link(memory, [source.pk], change=change, now=now)
        return memories

    return chain_


def stale() -> dict:
    return dict(StaleMark.objects.values_list("memory__text", "reason_code"))


def test_a_summary_keeps_what_it_was_made_from_and_counts_no_more_than_the_weakest(workspace):
    agent = Agent(workspace)
    one, two = agent.remember("My locker number is 214."), agent.remember("My bike is a blue Kestrel.")
    answer = agent.remember(SUMMARY, derived_from=[one["id"], two["id"]], infer=False)
    memory = Memory.objects.get(pk=answer["id"])
    assert (memory.source_class, memory.metadata) == ("llm_reasoning", {})
    links = Derivation.objects.filter(memory=memory).values_list("source_id", "source_version")
    assert {(str(pk), version) for pk, version in links} == {(one["id"], 1), (two["id"], 1)}


@pytest.mark.parametrize("version_of", ["edited", "retracted", "superseded", "rejected"])
def test_each_way_a_source_moves_marks_what_was_made_from_it(version_of, chain, make_conflict, people, now):
    source, summary = chain(2)
    step = {"actor": CARA, "now": now, "expected_version": 1}
    if version_of == "edited":
        revise(memory=source, text="Link number 9 of it", **step)
    elif version_of == "retracted":
        retract(memory=source, **step)
    else:
        conflict = make_conflict(None, "It is otherwise", memory=source)
        choice = {"superseded": "accept", "rejected": "reject_both"}[version_of]
        settle(conflict=conflict, choice=choice, person=people["ada"], **step)
    assert stale() == {summary.text: f"stale_{version_of}"}


def test_marks_go_through_any_number_of_memories_and_a_job_marks_the_rest(chain, now, monkeypatch):
    memories = chain(12)
    asked = []
    monkeypatch.setattr(lineage, "async_task", lambda name, *args, **more: asked.append(args))
    monkeypatch.setattr(lineage.mark, "__kwdefaults__", lineage.mark.__kwdefaults__ | {"most": 5})
    retract(memory=memories[0], actor=CARA, now=now, expected_version=1)
    assert StaleMark.objects.count() == 5
    while asked:
        mark_dependants(*asked.pop())
    assert set(stale()) == {memory.text for memory in memories[1:]}


def test_a_source_that_is_again_as_it_was_takes_its_marks_back(chain, now):
    source, *_ = chain(3)
    retract(memory=source, actor=CARA, now=now, expected_version=1)
    assert len(stale()) == 2
    source.refresh_from_db()
    restore(memory=source, number=1, actor=CARA, now=now, expected_version=2)
    assert stale() == {}


def test_a_source_that_comes_back_in_other_words_does_not(chain, now):
    source, summary = chain(2)
    source = revise(memory=source, actor=CARA, now=now, expected_version=1, text="Link number 9 of it")
    source = retract(memory=source, actor=CARA, now=now, expected_version=2)
    restore(memory=source, number=2, actor=CARA, now=now, expected_version=3)
    assert summary.text in stale()


def test_a_confirmation_is_a_version_and_takes_the_marks_away(chain, now):
    source, summary = chain(2)
    retract(memory=source, actor=CARA, now=now, expected_version=1)
    confirm(memory=summary, actor=CARA, now=now, expected_version=1, reason="asked her")
    assert stale() == {}
    version = summary.versions.get(number=2)
    assert (version.change.kind, version.reason, version.confirmed_at) == ("confirm", "asked her", now)


def test_a_rolled_back_source_marks_what_was_made_from_it(chain, workspace, now):
    source, summary = chain(2)
    scope = Scope(workspace, "session", str(source.session_id))
    rollback(scope=scope, token=plan(scope).token, actor=CARA, now=now, reason="poisoned")
    assert stale() == {summary.text: "stale_retracted"}


def test_what_an_agent_repeats_of_what_it_was_told_is_linked(workspace):
    agent = Agent(workspace)
    told = agent.remember("My locker number is 214 beside the old boiler.")
    agent.found("locker number")
    said = "Since the locker number is 214 beside the old boiler, the courier must go down to floor two."
    answer = agent.remember(said, role="assistant", infer=False)
    assert answer["event"] == "ADD"
    assert [str(pk) for pk in Derivation.objects.values_list("source_id", flat=True)] == [told["id"]]


def test_agents_see_the_mark_and_never_what_moved(workspace):
    agent = Agent(workspace)
    source = agent.remember("My locker number is 214.")
    summary = agent.remember(SUMMARY, derived_from=[source["id"]], infer=False)
    assert agent.get(f"/memories/{summary['id']}").json()["stale"] is None
    agent.delete(f"/memories/{source['id']}")
    shown = agent.get(f"/memories/{summary['id']}").json()["stale"]
    assert (shown["reason_code"], set(shown)) == ("stale_retracted", {"reason", "reason_code", "since"})
    found = agent.post("/memories/search", {"user_id": "u1", "query": "Kestrel bike locker"}).json()["results"]
    assert found[0]["stale"]["reason_code"] == "stale_retracted"
    assert agent.listed()[0]["stale"]["reason_code"] == "stale_retracted"


@pytest.mark.parametrize(
    ("sources", "more", "status", "field"),
    [
        (["00000000-0000-0000-0000-000000000000"], {}, 404, "derived_from[0]"),
        (["x"], {}, 400, "derived_from[0]"),
        ([], {}, 400, "derived_from"),
        ("all", {}, 400, "derived_from"),
        (None, {"role": "user"}, 400, "role"),
    ],
)
def test_a_source_that_is_none_is_named(sources, more, status, field, workspace):
    agent = Agent(workspace)
    known = agent.remember("My locker number is 214.")
    body = {"user_id": "u1", "memory": SUMMARY, "derived_from": [known["id"]] if sources is None else sources} | more
    answer = agent.post("/memories", body)
    assert (answer.status_code, answer.json()["field"]) == (status, field)


def test_anothers_memory_is_no_source(workspace, make_memory):
    agent = Agent(workspace)
    theirs = agent.remember("My locker number is 214.", user_id="u2")
    answer = agent.post("/memories", {"user_id": "u1", "memory": SUMMARY, "derived_from": [theirs["id"]]})
    assert answer.status_code == 404
    assert not Memory.objects.filter(user__external_id="u1").exists()


def test_metadata_cannot_name_sources(workspace):
    agent = Agent(workspace)
    known = agent.remember("My locker number is 214.")
    agent.remember(SUMMARY, metadata={"derived_from": [known["id"]]}, infer=False)
    assert not Derivation.objects.exists()
