"""The index of a process that reads only what changed is the index of one that reads everything."""

import random
from datetime import timedelta
from unittest import mock

import numpy as np
import pytest

from memory.actions import rescore, revise
from memory.actions.archive import unarchive
from memory.actions.base import take_turn
from memory.actor import SYSTEM
from memory.index import embedded, heal, serving
from memory.index.embedded import load, rows
from memory.models import EndUser, IndexEntry, Memory, NextVector
from memory.recall import ranking
from memory.recall.advance import advanced
from memory.recall.ranking import IndexRow, UserIndex
from memory.recall.scoring import RankingSettings

WORDS = ["river", "lamp", "piano", "Nora", "Graz", "coffee", "walnut", "QX-7", "青霉素", "医院", "澄湖", "自行车"]
CATEGORIES = ["preference", "knowledge", "profile"]


def same(found: UserIndex, fresh: UserIndex) -> None:
    """Every field that a search or the consensus reads, whatever the numbers inside."""
    assert found.ids == fresh.ids
    for name in ("event_times", "made_times", "credibilities", "categories", "has_vector", "previous"):
        assert np.array_equal(getattr(found, name), getattr(fresh, name)), name
    assert (found.matrix is None) == (fresh.matrix is None)
    assert found.matrix is None or np.array_equal(found.matrix, fresh.matrix)
    assert (found.common_terms, found.shared_slots) == (fresh.common_terms, fresh.shared_slots)
    assert [found.ids[row] for row in np.argsort(found.row_numbers)] == sorted(found.ids, key=found.numbers.get)
    assert sorted(found.numbers.values()) == sorted(found.row_numbers.tolist())
    assert found.words.total == fresh.words.total
    assert np.array_equal(found.words.documents, fresh.words.documents)
    for one, other in ((found, fresh), (fresh, found)):
        for session, number in one.session_numbers.items():
            there = other.sessions == other.session_numbers.get(session, -2)
            assert np.array_equal(one.sessions == number, there)


def told(index: UserIndex, terms: list[str], vector, session) -> list[tuple]:
    hits = ranking.rank(
        index, terms=terms, vector=vector, now=2e9, settings=RankingSettings(min_relevance=0), top_k=50,
        session_id=session,
    )  # fmt: skip
    return [(hit.id, hit.score) for hit in hits]


def random_row(chance: random.Random, id: int, size: int = 8) -> IndexRow:
    vector = np.array([chance.gauss(0, 1) for _ in range(size)], dtype=np.float32)
    return IndexRow(
        id=id, terms=chance.choices(WORDS, k=chance.randrange(9)), vector=None if chance.random() < 0.2 else vector,
        event_time=chance.randrange(20) * 600.0, credibility=chance.random(), category=chance.choice(CATEGORIES),
        session_id=chance.choice([None, "a", "b", "c"]), slot=(chance.choice("uv"), chance.choice(["", "job", "home"])),
        made_at=float(chance.randrange(3)),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_any_series_of_changes_gives_the_fresh_index_and_leaves_the_old_one_alone(seed):
    chance = random.Random(seed)
    held: dict[int, IndexRow] = {}
    index = UserIndex.build([])
    for step in range(60):
        gone = chance.sample(sorted(held), min(len(held), chance.choice([0, 0, 1, 2, len(held) // 2])))
        ids = {chance.randrange(40) for _ in range(chance.choice([0, 1, 1, 3, 12]))} - set(gone)
        changed = [random_row(chance, id) for id in ids]
        before = told(index, WORDS, np.ones(8), "a")
        following = advanced(index, changed, gone)
        assert told(index, WORDS, np.ones(8), "a") == before
        held = {id: row for id, row in held.items() if id not in gone} | {row.id: row for row in changed}
        fresh = UserIndex.build(sorted(held.values(), key=lambda row: (row.event_time, row.made_at, row.id)))
        same(following, fresh)
        terms, vector = chance.choices(WORDS, k=4), np.array([chance.gauss(0, 1) for _ in range(8)])
        assert told(following, terms, vector, "b") == told(fresh, terms, vector, "b"), step
        index = following


def test_vectors_of_another_size_or_an_index_of_candidates_call_for_a_new_one():
    chance = random.Random(1)
    index = UserIndex.build([random_row(chance, id) for id in range(9)])
    other = random_row(chance, 50, size=4)
    other.vector = np.ones(4, dtype=np.float32)
    assert advanced(index, [other]) is None
    assert advanced(UserIndex.build([random_row(chance, 1)], total=400), []) is None


def test_an_index_worn_by_what_has_gone_is_built_anew():
    index = UserIndex.build([])
    for number in range(2000):
        row = IndexRow(id=1, terms=[f"word{number}"], vector=None, event_time=0.0, credibility=1.0, category="profile")
        following = advanced(index, [row])
        if following is None:
            break
        index = following
    assert 1000 < number < 1100


@pytest.fixture
def caches():
    """Two processes: each call of `of(n)` looks through the cache of process n."""

    class Caches:
        def __init__(self):
            self.held = [embedded.OrderedDict(), embedded.OrderedDict()]

        def of(self, number: int, user: EndUser, **more) -> UserIndex:
            with mock.patch.object(embedded, "_cache", self.held[number]):
                return load(EndUser.objects.get(pk=user.pk), **more)

    return Caches()


@pytest.mark.parametrize("seed", range(3))
def test_two_processes_follow_random_writes(seed, user, make_memory, caches, now):
    chance = random.Random(seed)
    # while nobody has a vector no model is served, and the first one would have all read anew
    make_memory("a neighbour's", user=EndUser.objects.create(workspace=user.workspace, external_id="u2"))

    def add():
        at = now - timedelta(minutes=chance.randrange(50))
        run_id = chance.choice(["r1", "r2"])
        make_memory(f"note {chance.random()} {' '.join(chance.sample(WORDS, 3))}", at=at, run_id=run_id)

    def moved(verb, status, **fields):
        found = list(Memory.objects.filter(user=user, status=status).order_by("text"))
        if found:
            memory = chance.choice(found)
            verb(memory=memory, actor=SYSTEM, now=now, expected_version=memory.version, **fields)

    def archived():
        memory = Memory.objects.filter(user=user, status="active").first()
        if memory:
            take_turn(user)
            Memory.objects.filter(pk=memory.pk).update(status="archived")
            memory.refresh_from_db()
            embedded.follow(memory)

    def nothing():
        take_turn(user)

    verbs = [
        add, add, add, nothing, archived,
        lambda: moved(revise.revise, "active", text=f"now {chance.random()} {chance.choice(WORDS)}"),
        lambda: moved(revise.retract, "active"),
        lambda: moved(revise.restore, "retracted", number=1),
        lambda: moved(unarchive, "archived"),
    ]  # fmt: skip
    full = mock.Mock(wraps=UserIndex.build)
    with mock.patch.object(embedded.UserIndex, "build", full):
        for _ in range(40):
            for _ in range(chance.choice([1, 1, 3])):
                chance.choice(verbs)()
            caches.of(chance.randrange(2), user)
    assert full.call_count == 2  # each process once, at its first reading
    for number in (0, 1):
        found = caches.of(number, user)
        fresh = UserIndex.build(rows(user))
        same(found, fresh)
        vector = serving.get_embedder().embed(["coffee in Graz"])[0]
        assert told(found, ["coffee", "graz", "now"], vector, None) == told(
            fresh, ["coffee", "graz", "now"], vector, None
        )


def reads(run) -> int:
    """How many rows with their texts and vectors a call reads."""
    with mock.patch.object(embedded, "rows", wraps=embedded.rows) as read:
        seen = []
        read.side_effect = lambda *args, **more: seen.append(found := rows(*args, **more)) or found
        run()
    return sum(map(len, seen))


def test_only_what_changed_is_read(user, make_memory, caches, now):
    made = [make_memory(f"note {number}") for number in range(20)]
    assert reads(lambda: caches.of(0, user)) == 20
    assert reads(lambda: caches.of(0, user)) == 0
    revise.revise(memory=made[3], actor=SYSTEM, now=now, expected_version=1, text="another note")
    make_memory("one more")
    assert reads(lambda: caches.of(0, user)) == 2
    revise.retract(memory=made[5], actor=SYSTEM, now=now, expected_version=1)
    assert reads(lambda: caches.of(0, user)) == 0
    assert len(caches.of(0, user)) == 20


def test_a_vector_that_arrives_later_is_seen(user, make_memory, caches, now):
    memory = make_memory("Nora plays the piano")
    IndexEntry.objects.filter(memory=memory).update(vector=None, model_id="")
    make_memory("a second one", at=now + timedelta(minutes=1))
    assert list(caches.of(0, user).has_vector) == [False, True]
    heal.embed_missing(until=float("inf"))
    assert list(caches.of(0, user).has_vector) == [True, True]


def test_a_credibility_counted_anew_is_seen(user, make_memory, caches, now):
    memory = make_memory("Nora plays the piano")
    caches.of(0, user)
    Memory.objects.filter(pk=memory.pk).update(credibility=0.1)
    source = memory.evidence.get().source
    assert reads(lambda: rescore.rescore(workspace=user.workspace, source=source, after="", now=now)) == 0
    assert caches.of(0, user).credibilities[0] == pytest.approx(1.0)


def test_another_model_is_read_whole(user, make_memory, caches):
    memory = make_memory("Nora plays the piano")
    caches.of(0, user)
    NextVector.objects.create(
        memory=memory, workspace=user.workspace, user=user, version=1, model_id="next", vector=b"\0" * 16
    )
    assert caches.of(0, user, model_id="next").matrix.shape == (1, 4)


def test_many_changes_are_read_whole(user, make_memory, caches, monkeypatch):
    make_memory("the first")
    caches.of(0, user)
    monkeypatch.setattr(embedded, "MOST_CHANGED", 3)
    for number in range(4):
        make_memory(f"note {number}")
    assert reads(lambda: caches.of(0, user)) == 4 + 5


def test_a_write_between_the_readings_is_read_again(user, make_memory, caches, now):
    """One memory goes before and one comes between reading the changes and counting: the count alone would agree."""
    gone = make_memory("the first")
    make_memory("the second")
    caches.of(0, user)
    revise.retract(memory=gone, actor=SYSTEM, now=now, expected_version=1)
    late = iter([lambda: make_memory("the third")])

    def read(*args, **more):
        found = rows(*args, **more)
        next(late, lambda: None)()
        return found

    with mock.patch.object(embedded, "rows", read):
        index = caches.of(0, user)
    same(index, UserIndex.build(rows(user)))
    assert len(index) == 2


def test_a_database_that_went_back_is_read_whole(user, make_memory, caches):
    make_memory("the first")
    caches.of(0, user)
    IndexEntry.objects.all().update(terms="restored", revision=0)
    EndUser.objects.filter(pk=user.pk).update(revision=0)
    assert "restored" in caches.of(0, user).words.vocabulary
