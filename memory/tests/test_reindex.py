"""`reindex` and `verify_index`: the index made anew while it serves, and told apart from a wrong one."""

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from memory import embedding
from memory.actions.revise import retract, revise
from memory.actor import SYSTEM
from memory.embedding.bundled import BundledEmbedder
from memory.index import embedded, follower, move, serving, sync
from memory.index.base import FollowerAway, FollowerRefused
from memory.models import EndUser, IndexEntry
from memory.recall.search import search


class OtherEmbedder:
    """Vectors of another model and size: a text's words, each in one of 16 places."""

    model_id = "words-in-16"
    size = 16
    trouble = ""

    def embed_query(self, text):
        return self.embed([text])[0]

    def embed(self, texts):
        vectors = np.zeros((len(texts), self.size), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, sum(word.encode()) % self.size] += 1
            vectors[row] /= np.linalg.norm(vectors[row])
        return vectors


@pytest.fixture
def switch_embedder(monkeypatch):
    def switch(embedder):
        monkeypatch.setattr(embedding, "get_embedder", lambda: embedder)
        for module in (follower, embedded, serving):
            module.forget()

    monkeypatch.setattr(move, "SETTLED", 0)
    return switch


@pytest.fixture
def followed(qdrant, make_memory):
    """Five memories, brought over to the vector database."""
    made = [make_memory(text) for text in ("I like tea", "I own a boat", "My bike is red", "我住在澄湖", "I sing")]
    sync.drain(timezone.now())
    return made


def differences(capsys, **options) -> list[str]:
    """What verify_index finds; the exit code follows from it."""
    capsys.readouterr()
    try:
        call_command("verify_index", **options)
    except CommandError as error:
        assert error.returncode == 1
    lines = capsys.readouterr().out.splitlines()
    found = [line.removeprefix("DIFFERENT: ").rsplit(" (", 1)[0] for line in lines if line.startswith("DIFFERENT")]
    assert bool(found) != ("no difference" in lines)
    return found


def served(client) -> str:
    return client.get_aliases().aliases[0].collection_name


def test_a_followed_index_has_no_difference(followed, capsys):
    assert differences(capsys) == []


def test_what_waits_in_the_outbox_is_no_difference(followed, capsys, make_memory, now):
    make_memory("I have a parrot")
    retract(memory=followed[0], actor=SYSTEM, now=now, expected_version=1)
    revise(memory=followed[1], actor=SYSTEM, now=now, expected_version=1, text="I own two boats")
    assert differences(capsys) == []


def test_points_lost_there_are_named(followed, capsys, qdrant):
    qdrant.delete(served(qdrant), [str(followed[0].pk)])
    assert differences(capsys) == ["active memory missing in the vector database: 1"]


def test_points_that_no_memory_stands_behind_are_named(followed, capsys):
    IndexEntry.objects.filter(pk=followed[0].pk).delete()
    followed[0].__class__.objects.filter(pk=followed[0].pk).update(status="retracted")
    assert differences(capsys) == ["orphan in the vector database: 1"]


def test_another_vector_there_is_named(followed, capsys):
    point = embedded.points([followed[0].pk])[0]
    wrong = embedded.points([followed[1].pk])[0].vector
    follower.get_follower().upsert([type(point)(**{f: getattr(point, f) for f in point.__slots__} | {"vector": wrong})])
    assert differences(capsys) == ["other vector in the vector database: 1"]


def test_a_vector_of_another_text_in_the_database_is_named(followed, capsys):
    other = IndexEntry.objects.get(pk=followed[1].pk).vector
    IndexEntry.objects.filter(pk=followed[0].pk).update(vector=other)
    assert "vector that is not the text's: 1" in differences(capsys)


def test_lost_entries_are_named_and_made_again(followed, capsys):
    IndexEntry.objects.filter(pk=followed[0].pk).delete()
    assert differences(capsys) == ["active memory without an entry: 1"]
    call_command("reindex")
    assert differences(capsys) == []


def test_without_a_vector_database_the_entries_are_renewed(make_memory, capsys):
    memory = make_memory("I like tea")
    IndexEntry.objects.update(terms="wrong", vector=None)
    assert differences(capsys) == ["entry without a vector: 1"]
    call_command("reindex")
    assert "1 entries renewed" in capsys.readouterr().out
    assert IndexEntry.objects.get(pk=memory.pk).terms == "tea"
    assert differences(capsys) == []


def test_renewing_is_seen_by_other_processes_caches(make_memory, user):
    make_memory("I like tea")
    IndexEntry.objects.update(vector=None)
    before = EndUser.objects.get(pk=user.pk)
    assert embedded.load(before).matrix is None
    call_command("reindex")
    after = EndUser.objects.get(pk=user.pk)
    assert after.revision > before.revision
    assert embedded.load(after).matrix is not None


def test_an_embedder_of_another_size_is_refused_with_the_command_that_helps(followed, switch_embedder, user, now):
    switch_embedder(OtherEmbedder())
    # the entries are the new embedder's already, the vector database is not: a reindex was killed between the two
    serving.switch_to(OtherEmbedder(), now=now)
    with pytest.raises(FollowerRefused, match=r"vectors of 384 numbers.*makes 16.*manage\.py reindex"):
        follower.ask(lambda there: there.check())
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert [hit.memory.text for hit in answer.results] == ["I own a boat"]
    assert answer.degraded == ["vector_db_away"]


def test_vectors_of_another_embedder_are_named(make_memory, switch_embedder, capsys, now):
    make_memory("I like tea")
    switch_embedder(OtherEmbedder())
    serving.switch_to(OtherEmbedder(), now=now)
    assert differences(capsys) == ["vector of another embedder: 1"]


def test_another_embedder_is_taken_over_by_reindex(followed, switch_embedder, capsys, qdrant, user, now):
    switch_embedder(OtherEmbedder())
    call_command("reindex")
    assert differences(capsys) == []
    assert [found.name for found in qdrant.get_collections().collections] == [served(qdrant)]
    user.refresh_from_db()
    answer = search(user=user, query="boat", asked_by="test", now=now)
    assert answer.results[0].memory.text == "I own a boat"
    assert answer.degraded == []


def test_a_process_of_the_old_embedder_reads_nothing_of_the_new_collection(followed, switch_embedder, user, now):
    old = follower.get_follower()
    old.check()
    switch_embedder(OtherEmbedder())
    call_command("reindex")
    vector = BundledEmbedder().embed(["boat"])[0]
    with pytest.raises(FollowerAway):
        old.candidates(workspace_id=user.workspace_id, user_id=user.pk, vector=vector, terms=["boat"], limit=5)


def test_reindex_goes_on_where_it_stopped(followed, qdrant, monkeypatch, capsys):
    there = follower.get_follower()
    old = served(qdrant)
    begun = there.building()
    there.upsert(embedded.points([memory.pk for memory in followed[:3]]), into=begun)
    sent = []
    upsert = type(there).upsert
    monkeypatch.setattr(
        type(there), "upsert", lambda self, points, **more: (sent.extend(points), upsert(self, points, **more))
    )
    call_command("reindex")
    assert {point.id for point in sent} == {memory.pk for memory in followed[3:]}
    assert served(qdrant) == begun != old
    assert differences(capsys) == []


def test_all_begins_anew(followed, qdrant):
    there = follower.get_follower()
    begun = there.building()
    there.upsert(embedded.points([followed[0].pk]), into=begun)
    call_command("reindex", all=True)
    assert qdrant.count(served(qdrant)).count == 5


def test_what_changes_while_a_collection_is_filled_is_in_it(followed, qdrant, make_memory, now):
    there = follower.get_follower()
    begun = there.building()
    added = make_memory("I have a parrot")
    retract(memory=followed[0], actor=SYSTEM, now=now, expected_version=1)
    sync.drain(timezone.now())
    assert set(there.sample([added.pk, followed[0].pk], of=begun)) == {added.pk}
    there.swap(begun)
    assert (served(qdrant), [id for id, _ in there.ids()]) == (begun, [added.pk])


def test_a_memory_changed_while_it_was_embedded_keeps_its_newer_entry(make_memory, now, monkeypatch):
    memory = make_memory("I like tea")
    IndexEntry.objects.update(vector=None)
    real = embedding.get_embedder()

    class Slow:
        model_id, size, trouble = real.model_id, real.size, ""

        def embed(self, texts):
            if texts == ["I like tea"]:
                revise(memory=memory, actor=SYSTEM, now=now, expected_version=1, text="I like coffee")
            return real.embed(texts)

    monkeypatch.setattr(embedding, "get_embedder", lambda: Slow())
    call_command("reindex")
    entry = IndexEntry.objects.get(pk=memory.pk)
    assert (entry.version, entry.terms) == (2, "coffe")


def test_a_vector_database_that_is_away_stops_the_command_after_the_database(make_memory, settings):
    settings.VECTOR_DB_URL = "http://127.0.0.1:9"
    make_memory("I like tea")
    IndexEntry.objects.update(vector=None)
    with pytest.raises(CommandError, match="run it again to go on"):
        call_command("reindex")
    assert IndexEntry.objects.get().vector is not None
