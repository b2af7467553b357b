"""What recall promises whatever finds the candidates: the embedded index, and Qdrant (the client's own engine, in
process and behind HTTP, and a server at VECTOR_DB_URL where `make test-qdrant` is given one)."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actions import revise
from memory.actor import SYSTEM
from memory.index import embedded, lookup, sync
from memory.index.text import plain
from memory.models import EndUser, Memory, OutboxEntry, Recall
from memory.recall.search import search

VECTOR_DATABASES = ["qdrant", "qdrant_http", pytest.param("qdrant_server", marks=pytest.mark.qdrant)]


@pytest.fixture(params=["embedded", *VECTOR_DATABASES])
def engine(request, now):
    if request.param != "embedded":
        request.getfixturevalue(request.param)
    return request.param


@pytest.fixture
def ask(engine, workspace, now):
    """ask(question) brings the vector database up to date first and demands that it answered."""

    def ask_(query, *, user_id="u1", **more):
        while sync.drain(timezone.now()):
            pass
        assert not OutboxEntry.objects.exists()
        answer = search(
            user=EndUser.objects.get(workspace=workspace, external_id=user_id), query=query, asked_by="test", now=now,
            **more,
        )  # fmt: skip
        assert answer.degraded == []
        return [hit.memory.text for hit in answer.results]

    return ask_


def change(memory, verb=revise.revise, **fields):
    memory.refresh_from_db()
    return verb(memory=memory, actor=SYSTEM, now=memory.created_at, expected_version=memory.version, **fields)


def test_found_by_meaning(make_memory, ask):
    make_memory("I am allergic to penicillin")
    make_memory("The invoices go out on the first of the month")
    assert ask("which medicine must be avoided?")[0] == "I am allergic to penicillin"


def test_found_by_a_rare_word(make_memory, ask):
    make_memory("Ticket QX-7731 is about the broken scanner")
    make_memory("Ticket QX-1002 is about the login page")
    assert ask("QX-7731")[0].startswith("Ticket QX-7731")


def test_found_by_a_chinese_word(make_memory, ask):
    make_memory("我对青霉素过敏")
    make_memory("我住在澄湖边上")
    assert ask("青霉素")[0] == "我对青霉素过敏"


def test_a_changed_text_is_found_by_its_new_words_only(make_memory, ask):
    memory = make_memory("My bike is a blue Kestrel")
    assert ask("Kestrel") == ["My bike is a blue Kestrel"]
    change(memory, text="My bike is a red Falcon")
    assert ask("Falcon") == ["My bike is a red Falcon"]
    assert ask("Kestrel zzz") == []


def test_retracted_is_gone_and_restored_is_back(make_memory, ask):
    memory = make_memory("The alarm code is 4471")
    change(memory, revise.retract)
    assert ask("alarm code") == []
    change(memory, revise.restore, number=1)
    assert ask("alarm code") == ["The alarm code is 4471"]


def test_categories_limit_the_answer(make_memory, ask):
    make_memory("I like green tea", category="preference")
    make_memory("The tea shop opens at nine", category="knowledge")
    assert ask("tea", categories=["knowledge"]) == ["The tea shop opens at nine"]


def test_a_named_day_brings_its_memories_first(make_memory, ask, now):
    for days in range(1, 9):
        make_memory(f"Met the supplier, meeting {days}", at=now - timedelta(days=days))
    day = now - timedelta(days=5)
    assert ask(f"which meeting with the supplier was on {day:%Y-%m-%d}?")[0] == "Met the supplier, meeting 5"


def test_an_unrelated_question_gets_nothing(make_memory, ask):
    make_memory("My dentist is Dr Okonkwo")
    assert ask("sourdough hydration ratio") == []


@pytest.mark.parametrize(
    ("asked", "holds", "others"),
    [
        ("时候？", "小时候住在澄湖边上", ["我对青霉素过敏", "他说现在很忙"]),
        ("当时", "他当时在医院做护士", ["我住在澄湖边上", "当心，时间到了"]),
        ("一样", "两把钥匙一样长", ["一把钥匙，同样的锁", "我对花生过敏"]),
        ("The Who!", "Rosa's favourite band is The Who", ["The man who sold the bike", "My dentist is Dr Okonkwo"]),
        ("Over and out", "The pilots end with “over and out”", ["Out and over the hill", "My bike is blue"]),
        ("can't", "Nora says I can’t swim", ["I cannot cook", "My bike is blue"]),
    ],
)
def test_a_question_of_nothing_but_stop_words_finds_what_holds_exactly_them(make_memory, ask, asked, holds, others):
    made = [make_memory(text) for text in (*others, holds)]
    assert ask(asked)[0] == holds
    assert embedded.holding(made[0].user, plain(asked)) == {made[-1].pk}


def test_words_in_no_index_are_sought_in_the_users_own_active_texts_only(make_memory, ask, workspace):
    other = EndUser.objects.create(workspace=workspace, external_id="u2")
    make_memory("小时候住在澄湖边上", user=other)
    change(make_memory("小时候养过一只猫"), revise.retract)
    assert ask("时候") == []


def test_words_in_no_index_are_sought_among_many(make_memory, ask, monkeypatch):
    monkeypatch.setattr(lookup, "CANDIDATES", 3)
    make_memory("小时候养过一只猫")
    for n in range(12):
        make_memory(f"Walked by the lake on round {n}")
    assert ask("时候")[0] == "小时候养过一只猫"


def test_any_text_can_be_asked(make_memory, ask):
    make_memory("My dentist is Dr Okonkwo")
    for query in ("?", "\0", "\ud800", "的", "ｄｅｎｔｉｓｔ", "x" * 20_000):
        ask(query, log=False)  # what is logged was cleaned at the door; here it is raw


@pytest.mark.parametrize("engine", VECTOR_DATABASES, indirect=True)
def test_of_a_large_user_only_candidates_are_ranked(make_memory, ask, monkeypatch):
    monkeypatch.setattr(lookup, "CANDIDATES", 3)
    for n in range(30):
        make_memory(f"Walked by the lake on round {n}")
    make_memory("The spare key is under the blue pot")
    make_memory("The lake opens for swimmers in May", category="knowledge")
    assert ask("where is the spare key?")[0] == "The spare key is under the blue pot"
    assert Recall.objects.get().candidates <= 6
    assert ask("lake", categories=["knowledge"]) == ["The lake opens for swimmers in May"]


WORDS = ["kestrel", "falcon", "harbour", "lantern", "copper", "velvet", "glacier", "meadow", "saffron", "anchor"]


@pytest.mark.parametrize("seed", range(3))
def test_no_sequence_of_changes_shows_one_user_anothers_memory(seed, make_memory, workspace, ask, user):
    """Random writes, edits, retractions and restorations of three users, with the feed running at random moments."""
    dice = random.Random(seed)
    users = [user, *(EndUser.objects.create(workspace=workspace, external_id=f"u{n}") for n in (2, 3))]
    for step in range(40):
        owner = dice.choice(users)
        mine = list(Memory.objects.filter(user=owner).order_by("created_at", "pk"))
        active = [memory for memory in mine if memory.status == "active"]
        gone = [memory for memory in mine if memory.status == "retracted"]
        text = f"{owner.external_id} keeps the {dice.choice(WORDS)} by the {dice.choice(WORDS)}, note {step}"
        match dice.choice(["add", "add", "edit", "retract", "restore", "feed", "ask"]):
            case "add":
                make_memory(text, user=owner, run_id=owner.external_id)
            case "edit" if active:
                change(dice.choice(active), text=text)
            case "retract" if active:
                change(dice.choice(active), revise.retract)
            case "restore" if gone:
                change(dice.choice(gone), revise.restore, number=1)
            case "feed":
                sync.drain(timezone.now())
            case "ask":
                told = ask(f"{dice.choice(WORDS)} and {dice.choice(WORDS)}", user_id=owner.external_id)
                assert all(text.startswith(owner.external_id) for text in told)
    for owner in users:
        word = dice.choice(WORDS)
        told = ask(word, user_id=owner.external_id, top_k=50)
        expected = Memory.objects.filter(user=owner, status="active", text__contains=f" {word}")
        assert set(told) >= set(expected.values_list("text", flat=True))
        assert all(text.startswith(owner.external_id) for text in told)


@pytest.mark.parametrize("engine", VECTOR_DATABASES, indirect=True)
def test_the_answer_is_that_of_an_exact_search(make_memory, ask, settings):
    """In the same order: a small user's candidates are all of the user's memories."""
    dice = random.Random(7)
    for n in range(60):
        make_memory(f"The {dice.choice(WORDS)} {dice.choice(WORDS)} lies by the {dice.choice(WORDS)} ({n})")
    questions = [f"where is the {word} {other}?" for word, other in zip(WORDS, WORDS[3:] + WORDS[:3], strict=True)]
    found = [ask(question) for question in questions]
    settings.VECTOR_DB_URL = ""
    embedded.forget()
    assert found == [ask(question) for question in questions]
    assert any(found)
