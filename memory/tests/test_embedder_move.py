"""`manage.py reindex` after a change of the embedder: the old vectors answer until all the new ones are made."""

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from memory import embedding
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.embedding import api
from memory.index import embedded, follower, heal, move, rebuild, serving, state, sync
from memory.models import EndUser, IndexEntry, Memory, NextVector, ServedEmbedder
from memory.recall.search import search
from memory.tests.embed_server import EmbedServer
from memory.tests.llm_server import fail

TEXTS = ("I like tea", "I own a boat", "My bike is red", "我住在澄湖", "I sing")
BUNDLED = "multilingual-e5-small-q4/query-centred-1"


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(move, "SETTLED", 0)
    monkeypatch.setattr(rebuild, "PAGE", 2)
    monkeypatch.setattr(api, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(api, "mean_texts", lambda: [])  # so that cosines can be foretold


@pytest.fixture(params=["embedded", "qdrant"])
def engine(request):
    """With a vector database and without."""
    return request.getfixturevalue("qdrant") if request.param == "qdrant" else None


@pytest.fixture
def servers():
    made = []

    def make(size: int) -> EmbedServer:
        made.append(EmbedServer(size))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.fixture
def use(settings):
    """use(server) names it in the settings, as after a new start of every process; use(None) the bundled model."""

    def use_(server: EmbedServer | None, *, name: str = "tiny", previous: EmbedServer | None = None) -> None:
        settings.EMBED_API_BASE, settings.EMBED_MODEL = (server.url, name) if server else ("", "")
        before = {"base": previous.url, "model": "tiny"} if previous else {}
        settings.EMBED_PREVIOUS = dict.fromkeys(settings.EMBED_PREVIOUS, "") | before
        for module in (embedding, serving, embedded, follower):
            module.forget()

    return use_


@pytest.fixture
def memories(engine, make_memory):
    made = [make_memory(text) for text in TEXTS]
    sync.drain(timezone.now())
    return made


@pytest.fixture
def ask(user, now):
    """ask("boat") answers (text, cosine, degraded) of the first hit."""

    def ask_(query: str) -> tuple:
        answer = search(user=EndUser.objects.get(pk=user.pk), query=query, asked_by="test", now=now, log=False)
        hit = answer.results[0] if answer.results else None
        return (hit and hit.memory.text, hit and hit.scores["dense"], answer.degraded)

    return ask_


@pytest.fixture
def to_server(memories, servers, use):
    """Memories by the bundled model, and settings that name a server."""
    server = servers(64)
    use(server)
    return server


def cosine(server: EmbedServer, query: str, text: str):
    one, other = (np.array(server.vector(each)) for each in (query, text))
    return pytest.approx(float(one @ other / np.linalg.norm(one) / np.linalg.norm(other)), abs=1e-4)


def during(monkeypatch, act) -> None:
    """Has `act(how often so far)` done after each page of new vectors."""
    keep, turns = move._keep, []

    def keep_and_act(*args):
        made = keep(*args)
        turns.append(made)
        act(len(turns))
        return made

    monkeypatch.setattr(move, "_keep", keep_and_act)


def no_difference(capsys) -> bool:
    capsys.readouterr()
    call_command("verify_index")
    return "no difference" in capsys.readouterr().out


def test_the_old_vectors_answer_until_all_are_made_and_then_the_new_ones_at_once(
    to_server, ask, monkeypatch, capsys, engine
):
    before = ask("a boat")
    assert (before[0], before[2]) == ("I own a boat", [])
    meanwhile = []
    during(monkeypatch, lambda turn: meanwhile.append(ask("a boat")))
    call_command("reindex")
    assert len(meanwhile) >= 3
    assert set(map(str, meanwhile)) == {str(before)}
    assert ask("a boat") == ("I own a boat", cosine(to_server, "a boat", "I own a boat"), [])
    assert no_difference(capsys)
    assert NextVector.objects.count() == 0
    assert not IndexEntry.objects.exclude(model_id=f"api:tiny/{api.CENTRED}/64").exists()
    if engine:
        [alias] = engine.get_aliases().aliases
        assert [found.name for found in engine.get_collections().collections] == [alias.collection_name]
        assert engine.count(alias.collection_name).count == len(TEXTS)


def test_the_new_vectors_answer_before_they_are_moved_into_the_entries(to_server, ask, monkeypatch):
    monkeypatch.setattr(move, "settle", lambda *_: 0)
    call_command("reindex")
    assert IndexEntry.objects.filter(model_id=BUNDLED).count() == len(TEXTS)
    assert ask("a boat")[1] == cosine(to_server, "a boat", "I own a boat")


def test_what_is_written_edited_and_retracted_meanwhile_is_right_afterwards(
    to_server, memories, make_memory, ask, now, monkeypatch, capsys
):
    def write(turn: int) -> None:
        if turn == 2:
            make_memory("I have a parrot")
            revise(memory=memories[0], actor=SYSTEM, now=now, expected_version=1, text="I like coffee")
            retract(memory=memories[1], actor=SYSTEM, now=now, expected_version=1)

    during(monkeypatch, write)
    call_command("reindex")
    sync.drain(timezone.now())
    assert (ask("parrot")[0], ask("coffee")[0], ask("boat")[0]) == ("I have a parrot", "I like coffee", None)
    assert no_difference(capsys)


def test_what_an_old_process_writes_after_the_switch_gets_its_new_vector(to_server, make_memory, monkeypatch, capsys):
    switch = serving.switch_to

    def switch_late(embedder, *, now):
        old = serving.get_embedder()
        switch(embedder, now=now)
        with monkeypatch.context() as unaware:
            unaware.setattr(serving, "get_embedder", lambda: old)
            make_memory("I have a parrot")
        assert IndexEntry.objects.get(memory__text="I have a parrot").model_id == BUNDLED

    monkeypatch.setattr(serving, "switch_to", switch_late)
    call_command("reindex")
    sync.drain(timezone.now())
    assert no_difference(capsys)


@pytest.mark.parametrize("after", [1, 2, 3, "filled", "switched", "settled"])
def test_killed_anywhere_it_goes_on_and_the_old_vectors_answered(to_server, ask, monkeypatch, capsys, after):
    before = ask("a boat")

    class Killed(BaseException):
        pass

    def die(*_, **__):
        raise Killed

    with monkeypatch.context() as kill:
        if after == "filled":
            kill.setattr(serving, "switch_to", die)
        elif after == "switched":
            kill.setattr(rebuild, "refresh_entries", die)
        elif after == "settled":
            kill.setattr(move, "settle", lambda *args: (rebuild.refresh_entries(args[0], everything=False,
                                                                               progress=args[1]), die()))  # fmt: skip
        else:
            during(kill, lambda turn: turn == after and die())
        with pytest.raises(Killed):
            call_command("reindex")
    if after not in ("switched", "settled"):
        assert ask("a boat") == before
    call_command("reindex")
    texts = [text for text in to_server.sent() if text in TEXTS]
    assert sorted(texts) == sorted(TEXTS), "each text is embedded once"
    assert ask("a boat") == ("I own a boat", cosine(to_server, "a boat", "I own a boat"), [])
    assert no_difference(capsys)


def test_a_server_that_goes_away_meanwhile_leaves_the_old_in_use(to_server, ask, monkeypatch, capsys):
    before = ask("a boat")
    with monkeypatch.context() as away:
        during(away, lambda turn: turn == 2 and setattr(to_server, "always", fail(503)))
        with pytest.raises(CommandError, match="run it again to go on"):
            call_command("reindex")
    assert (ask("a boat"), ServedEmbedder.objects.count()) == (before, 0)
    to_server.always = None
    call_command("reindex")
    assert no_difference(capsys)


def test_a_server_that_is_away_from_the_start_changes_nothing(memories, servers, use, ask):
    before = ask("a boat")
    server = servers(64)
    server.always = fail(503)
    use(server)
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("reindex")
    assert ask("a boat") == before


def test_until_then_writes_go_on_by_the_old_one_and_an_operator_is_told(to_server, make_memory):
    make_memory("I have a parrot")
    assert set(IndexEntry.objects.values_list("model_id", flat=True)) == {BUNDLED}
    assert serving.problem() == ""
    said = state.stored_vectors()
    assert "answered by the vectors of 384 numbers" in said
    assert "64 by api:tiny" in said
    assert "manage.py reindex" in said


def test_from_one_server_to_another_the_previous_one_answers_where_it_is_named(
    servers, use, make_memory, ask, monkeypatch, capsys
):
    old, new = servers(32), servers(48)
    use(old)
    make_memory("I own a boat")
    use(new, name="large")
    assert ask("boat") == ("I own a boat", None, ["no_embedder"])
    assert "is not set up here" in serving.problem()
    assert "manage.py reindex" in serving.problem()
    use(new, name="large", previous=old)
    meanwhile = []
    during(monkeypatch, lambda turn: meanwhile.append(ask("boat")))
    call_command("reindex")
    assert meanwhile
    assert all(each == ("I own a boat", cosine(old, "boat", "I own a boat"), []) for each in meanwhile)
    assert ask("boat") == ("I own a boat", cosine(new, "boat", "I own a boat"), [])
    assert no_difference(capsys)


def test_and_back_to_the_bundled_model(to_server, use, ask, capsys):
    call_command("reindex")
    use(None)
    assert ask("boat")[2] == ["no_embedder"]
    call_command("reindex")
    assert ask("boat")[2] == []
    assert set(IndexEntry.objects.values_list("model_id", flat=True)) == {BUNDLED}
    assert no_difference(capsys)


def test_a_model_of_another_size_under_the_same_name_is_moved_to(servers, use, make_memory, ask, capsys):
    server = servers(32)
    use(server)
    make_memory("I own a boat")
    server.size = 40
    use(server)
    assert ask("boat") == ("I own a boat", None, ["no_embedder"])
    assert "40 numbers, those stored have 32. Run: manage.py reindex" in serving.problem()
    use(server)  # the command is a process of its own
    call_command("reindex")
    assert ask("boat") == ("I own a boat", cosine(server, "boat", "I own a boat"), [])
    assert no_difference(capsys)


def test_all_makes_the_new_vectors_anew(to_server, memories):
    wrong = {"version": 1, "model_id": embedding.get_embedder().model_id, "vector": b"\0" * 256}
    NextVector.objects.create(
        memory=memories[0], workspace_id=memories[0].workspace_id, user_id=memories[0].user_id, **wrong
    )
    call_command("reindex", all=True)
    assert any(bytes(IndexEntry.objects.get(pk=memories[0].pk).vector))


def test_without_the_server_writes_go_on_and_searches_answer_by_words(servers, use, make_memory, ask):
    server = servers(64)
    server.always = fail(503)
    use(server)
    make_memory("I own a boat")
    assert IndexEntry.objects.get().vector is None
    assert ask("boat") == ("I own a boat", None, ["no_embedder"])
    assert "HTTP 503" in serving.problem()
    server.always = None
    embedding.forget()
    assert heal.embed_missing(until=float("inf")) == (1, False)
    assert ask("boat") == ("I own a boat", cosine(server, "boat", "I own a boat"), [])
    assert serving.problem() == ""


def test_a_server_lost_after_it_answered_is_no_embedder_either(servers, use, make_memory, ask):
    server = servers(64)
    use(server)
    make_memory("I own a boat")
    server.always = fail(503)
    assert ask("boat") == ("I own a boat", None, ["no_embedder"])
    make_memory("I have a parrot")
    assert IndexEntry.objects.get(vector=None).model_id == ""
    assert Memory.objects.count() == 2


def test_a_text_that_the_server_refuses_does_not_keep_the_others_waiting(servers, use, make_memory):
    server = servers(64)
    use(server)
    server.always = fail(503)
    for text in ("I like tea", "forbidden words", "I own a boat"):
        make_memory(text)
    server.always = lambda handler: (
        fail(400)(handler) if any("forbidden" in text for text in handler.body["input"]) else server.usual(handler)
    )
    embedding.forget()
    assert heal.embed_missing(until=float("inf")) == (2, False)
