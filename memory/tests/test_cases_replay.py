"""The replayable cases of a peer's users (research/hindsight-peer, R1-R10), each from event to answer in one test.

R4 and R5 stand in test_cases.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from memory import embedding
from memory.intake import run
from memory.models import Conflict, EndUser, Episode, Memory, Verdict
from memory.tests import llm_server as server
from memory.tests.agent import Agent
from memory.tests.llm_server import claim, worth

DAY1 = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def active():
    return sorted(Memory.objects.filter(status="active").values_list("text", flat=True))


@pytest.mark.parametrize("embedder", ["bundled", "none"])
def test_r1_a_chinese_note_is_found_by_its_words(workspace, monkeypatch, embedder):
    if embedder == "none":
        monkeypatch.setattr(embedding, "get_embedder", lambda: None)
    agent = Agent(workspace)
    for text in (
        "汇率换算脚本放在 tools/rates 目录",
        "我每天骑车上班",
        "我对花粉过敏",
        "周报放在 reports 目录",
        "我养了两只猫",
    ):
        agent.say(text)
    answer = agent.post("/memories/search", {"user_id": "u1", "query": "汇率换算 在哪", "explain": True}).json()
    best = answer["results"][0]
    assert best["memory"] == "汇率换算脚本放在 tools/rates 目录"
    assert best["scores"]["lexical"] > 0


def test_r2_what_was_said_in_chinese_stays_chinese_with_its_names(workspace):
    agent = Agent(workspace)
    agent.say("小林周末常去滨江公园遛狗")
    agent.say("小林周末也带狗去植物园")
    assert active() == ["小林周末也带狗去植物园", "小林周末常去滨江公园遛狗"]
    assert not Conflict.objects.exists()
    assert agent.found("小林周末去哪")[0].startswith("小林周末")


def test_r3_a_name_within_a_name_and_a_room_beside_a_room_stay_apart(workspace):
    agent = Agent(workspace)
    agent.say("Our second supplier is based in Iran")
    agent.say("Tigran joined the finance sync")
    agent.say("The projector of Room 101 is broken")
    agent.say("Room 102 has a whiteboard")
    subjects = dict(Memory.objects.values_list("text", "subject"))
    assert subjects["Tigran joined the finance sync"].lower() == "tigran"
    assert len(active()) == 4
    assert not Conflict.objects.exists()


def test_r6_a_retracted_fact_is_told_nowhere_and_comes_back_when_it_is_restored(workspace, tell):
    agent = Agent(workspace)
    agent.say("The depot code is heron-7.")
    [item] = agent.listed()
    assert agent.found("what is the depot code")
    assert agent.delete(f"/memories/{item['id']}").json() == {"deleted": 1}
    assert agent.found("what is the depot code") == []
    assert agent.listed() == []
    agent.say("The depot code is heron-7.", run_id="r2")
    assert agent.found("what is the depot code") == ["The depot code is heron-7."]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_r7_eight_writers_at_once_lose_nothing(workspace):
    agent = Agent(workspace)

    def write(n):
        try:
            body = {"user_id": "u1", "run_id": f"r{n}", "memory": f"Marker {n} is kept in drawer {n}.", "infer": False}
            return agent.post("/memories", body).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(write, range(8)))
    assert set(answers) <= {200, 202}
    run.drain(EndUser.objects.get().pk)
    assert len(active()) == 8


FJORD = "The fjord city of Bergen is where my key turns every night."
_JUDGED = worth(claim("Bergen is where my key turns", "residence", "Bergen"), adds="where the user lives")


def _events(*judged: dict) -> str:
    return json.dumps({"events": [{"event": 1} | one for one in judged]})


@pytest.mark.parametrize(
    "said",
    [
        _events(_JUDGED).removeprefix('{"events": ').removesuffix("}"),
        f"Of course, here it is:\n```json\n{_events(_JUDGED)}\n```\nAnything else?",
        _events(_JUDGED | {"adds": "PLACE"}).replace("PLACE", r"C:\new\dir"),
    ],
    ids=["a bare list", "a fence and prose", "a bad escape"],
)
def test_r8_an_answer_in_odd_clothes_is_read(llm, tell, said):
    llm.ways = [server.say(said)]
    tell(FJORD)
    assert (Memory.objects.get().attribute, Memory.objects.get().value) == ("residence", "Bergen")
    assert len(llm.asked) == 1


def test_r8_a_claim_without_its_text_is_dropped_and_counted(llm, tell):
    whole = claim("Bergen is where my key turns", "residence", "Bergen")
    llm.ways = [server.say(_events(worth(whole, {"attribute": "employer"})))]
    tell(FJORD)
    assert Memory.objects.get().value == "Bergen"


@pytest.mark.parametrize(
    "way",
    [
        server.answer(200, {"choices": None}),
        server.say(
            '{"events": [{"event": 1, "worth": true, "claims": [{"quote": "Bergen is wh', finish_reason="length"
        ),
    ],
    ids=["no choices", "cut off"],
)
def test_r8_no_answer_is_a_visible_failure_and_the_words_are_kept(llm, tell, way):
    tell("I am allergic to peanuts.")
    llm.always = way
    episode = tell(FJORD)
    assert (episode.content, episode.judging) == (FJORD, "judged")
    assert Verdict.objects.get(episode=episode).fallback == "llm_unreadable"
    assert (Memory.objects.get(attribute="allergy").status, Memory.objects.get(attribute="allergy").version) == (
        "active",
        1,
    )


@pytest.mark.parametrize("text", ["必须 " * 20000, "我们" * 30000, "go " * 9000])
def test_r9_a_text_without_end_is_turned_away_and_the_next_is_judged(tell, text):
    endless = tell(text)
    assert Verdict.objects.get(episode=endless).reason_code == "judge_degenerate"
    tell("I live in Cork.")
    assert active() == ["I live in Cork."]
    assert not Episode.objects.exclude(judging="judged").exists()


def test_r10_a_question_about_something_else_finds_next_to_nothing(workspace):
    agent = Agent(workspace)
    verbs = (
        "failed restarted stalled deployed audited paused scaled patched traced migrated tested tuned cleaned copied "
        "split archived logged mirrored sharded signed"
    )
    parts = "billing search checkout metrics reports exports mail queue ledger backup"
    notes = [
        {"user_id": "u1", "memory": f"The {part} service was {verb} yesterday.", "infer": False}
        for verb in verbs.split()
        for part in parts.split()
    ]
    for start in range(0, 200, 50):
        agent.post("/memories/batch", {"memories": notes[start : start + 50]})
    run.drain(EndUser.objects.get().pk)
    assert len(active()) == 200
    assert len(agent.found("sourdough hydration ratio", top_k=50)) <= 3
    answer = agent.post(
        "/memories/search", {"user_id": "u1", "query": "what happened to the billing service", "top_k": 50}
    ).json()
    assert len(answer["results"]) >= 20 and all("score" in hit for hit in answer["results"])
    assert all("billing" in hit["memory"] for hit in answer["results"][:20])


def test_r5_the_later_owner_stays_when_the_earlier_one_is_imported_last(tell):
    tell("Since November 2024 core-infra owns ranking.", at=DAY1 - timedelta(days=400))
    tell("In April 2024 search-guild owned ranking.", at=DAY1)
    assert not Conflict.objects.exists()
    assert "Since November 2024 core-infra owns ranking." in active()
