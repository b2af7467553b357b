"""The class that talks to Qdrant, beyond what the contract asks of every index."""

import os
import threading
from uuid import UUID, uuid4

import numpy as np
import pytest
from django.utils import timezone
from qdrant_client import models

from memory import embedding
from memory.index import follower, qdrant_schema, text
from memory.index import qdrant as qdrant_module
from memory.index.base import FollowerEmpty, FollowerRefused, Point, PointsRejected
from memory.index.qdrant import Qdrant
from memory.recall.dates import Period

EVERYWHERE = ["qdrant", "qdrant_http", pytest.param("qdrant_server", marks=pytest.mark.qdrant)]


@pytest.fixture(params=EVERYWHERE)
def client(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def make(client, settings):
    """make(model_id=…, size=…) is an index as another process would make it."""

    def make_(model_id="model-a", size=4) -> Qdrant:
        url, key = settings.VECTOR_DB_URL, settings.VECTOR_DB_API_KEY
        return Qdrant(url, api_key=key, model_id=model_id, size=size, alias=follower.ALIAS, timeout=5)

    return make_


@pytest.fixture
def index(make) -> Qdrant:
    made = make()
    made.ensure()
    return made


def point(words="tea", vector=(1, 0, 0, 0), *, user_id=1, workspace_id=1, version=1, id=None, at=None, **more) -> Point:
    return Point(
        id=id or uuid4(), workspace_id=workspace_id, user_id=user_id, version=version,
        category=more.get("category", "profile"), event_time=at or timezone.now(), terms=text.counts(words),
        vector=None if vector is None else np.array(vector, dtype=np.float32),
    )  # fmt: skip


def find(index, words="", vector=None, *, user_id=1, workspace_id=1, limit=10, **more) -> list[UUID]:
    vector = None if vector is None else np.array(vector, dtype=np.float32)
    return index.candidates(
        workspace_id=workspace_id, user_id=user_id, vector=vector, terms=text.terms(words), limit=limit, **more
    )


def test_found_by_words_alone_by_meaning_alone_and_by_both(index):
    tea, boat = point("green tea", (1, 0, 0, 0)), point("a boat", (0, 1, 0, 0))
    index.upsert([tea, boat])
    assert find(index, "boat") == [boat.id]
    assert find(index, vector=(1, 0.1, 0, 0), limit=1) == [tea.id]
    assert set(find(index, "boat", (1, 0, 0, 0), limit=1)) == {tea.id, boat.id}
    assert find(index) == []


def test_each_arm_has_its_own_limit(index):
    near = [point("x", (1, 0.01 * n, 0, 0)) for n in range(5)]
    named = [point("zebra", (0, 0, 0, 1)) for _ in range(5)]
    index.upsert(near + named)
    found = find(index, "zebra", (1, 0, 0, 0), limit=3)
    assert len(found) == 6
    assert len({p.id for p in named} & set(found)) == 3


def test_the_rarer_word_counts_more(index):
    common = [point("tea cup") for _ in range(9)]
    rare = point("tea kestrel")
    index.upsert([*common, rare])
    assert find(index, "cup kestrel", limit=1) == [rare.id]


def test_a_user_sees_neither_another_user_nor_another_workspace(index):
    mine = point("tea", user_id=1, workspace_id=1)
    index.upsert([mine, point("tea", user_id=2, workspace_id=1), point("tea", user_id=1, workspace_id=2)])
    assert find(index, "tea", (1, 0, 0, 0)) == [mine.id]
    assert find(index, "tea", (1, 0, 0, 0), user_id=3) == []


def test_categories_and_periods(index):
    now = timezone.now()
    old = point("tea", at=now.replace(year=now.year - 2), category="preference")
    index.upsert([old, *(point("tea", (1, 0, 0, 0), at=now) for _ in range(5))])
    assert find(index, "tea", categories=["preference"]) == [old.id]
    then = old.event_time.timestamp()
    assert old.id in find(index, "tea", (1, 0, 0, 0), limit=2, periods=[Period(then - 60, then + 60)])


def test_a_point_without_words_and_one_without_a_vector(index):
    bare, words_only = point("", (0, 0, 1, 0)), point("kestrel", None)
    nothing = point("", None)
    index.upsert([bare, words_only, nothing])
    assert find(index, "kestrel") == [words_only.id]
    assert bare.id in find(index, vector=(0, 0, 1, 0))
    assert index.count() == 3


def test_newer_versions_replace_older_ones_and_never_the_other_way(index):
    old = point("tea", version=1)
    new = point("coffee", version=2, id=old.id)
    index.upsert([new])
    index.upsert([old])
    assert (find(index, "coffee"), find(index, "tea")) == ([old.id], [])
    index.delete({old.id: 1})
    assert index.count() == 1
    index.delete({old.id: 2, uuid4(): 9})
    assert index.count() == 0


def test_one_batch_may_hold_many_versions(index):
    points = [point("tea", version=version) for version in (3, 1, 2, 3)]
    index.upsert(points)
    assert dict(index.ids()) == {p.id: p.version for p in points}


def test_nothing_to_write_is_nothing(index):
    index.upsert([])
    index.delete({})


def test_a_vector_of_another_size_is_refused_with_the_command_that_helps(index):
    with pytest.raises(FollowerRefused, match=r"3 numbers for an index of 4.*manage\.py reindex"):
        index.upsert([point(vector=(1, 0, 0))])


def test_every_id_comes_once_over_several_pages(index, monkeypatch):
    monkeypatch.setattr(qdrant_module, "PAGE", 3)
    points = [point() for _ in range(8)]
    index.upsert(points)
    assert sorted(id for id, _ in index.ids()) == sorted(p.id for p in points)


def test_a_sample_says_whose_at_which_version_with_which_vector(index):
    held = point(user_id=7, workspace_id=3, version=5)
    index.upsert([held])
    found = index.sample([held.id, uuid4()])
    assert list(found) == [held.id]
    assert (found[held.id].user_id, found[held.id].workspace_id, found[held.id].version) == (7, 3, 5)
    assert found[held.id].vector == pytest.approx(held.vector)


def test_nothing_is_read_or_written_before_a_collection_is_there(make):
    index = make()
    assert index.check() is False
    for act in (lambda: find(index, "tea"), lambda: index.upsert([point()]), index.count):
        with pytest.raises(FollowerEmpty):
            act()


def test_making_it_again_keeps_what_is_held(index, make):
    index.upsert([point()])
    make().ensure()
    assert make().count() == 1


def test_a_process_that_loses_the_race_to_make_it_goes_on(make, monkeypatch):
    first, second = make(), make()
    real, blind = second._alias_target, iter([None])
    monkeypatch.setattr(second, "_alias_target", lambda: next(blind, real()))
    first.ensure()
    first.upsert([point()])
    second.ensure()
    assert second.count() == 1


def test_a_forked_process_makes_a_client_of_its_own(qdrant_http, db):
    parents = follower.get_follower()
    parents.ensure()
    child = os.fork()
    if child == 0:
        mine = follower.get_follower()
        os._exit(0 if mine is not parents and mine.check() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert follower.get_follower() is parents


@pytest.mark.qdrant
def test_eight_threads_make_it_at_once(qdrant_server, settings):
    made, failed = [], []

    def ensure():
        index = Qdrant(settings.VECTOR_DB_URL, model_id="m", size=4, alias=follower.ALIAS, timeout=10)
        try:
            index.ensure()
            made.append(index._readable())
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=ensure) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (failed, len(set(made))) == ([], 1)


def test_another_model_of_the_same_size_is_refused(index, make):
    other = make(model_id="model-b")
    with pytest.raises(FollowerRefused, match=r"vectors of 4 numbers by model-a.*\(model-b\).*manage\.py reindex"):
        other.check()


def test_two_models_whose_names_look_alike_do_not_share_a_collection(make):
    assert make(model_id="a/b")._family != make(model_id="a_b")._family


def test_the_schema_is_for_many_small_users(index, client):
    info = client.get_collection(index._readable())
    vectors = info.config.params.vectors[qdrant_schema.DENSE]
    assert (vectors.size, vectors.distance) == (4, models.Distance.DOT)
    assert info.config.params.sparse_vectors[qdrant_schema.WORDS].modifier == models.Modifier.IDF
    assert info.config.metadata == {"model_id": "model-a", "size": 4}


@pytest.mark.qdrant
def test_the_server_has_the_indexes_and_the_graph_settings(qdrant_server, settings):
    index = Qdrant(settings.VECTOR_DB_URL, model_id="m", size=4, alias=follower.ALIAS, timeout=10)
    index.ensure()
    info = qdrant_server.get_collection(index._readable())
    assert (info.config.hnsw_config.m, info.config.hnsw_config.payload_m) == (0, 16)
    assert info.config.quantization_config.scalar.type == models.ScalarType.INT8
    assert set(info.payload_schema) == set(qdrant_schema.payload_indexes())
    assert info.payload_schema["user"].params.is_tenant is True


def test_a_term_has_one_place_in_every_process():
    assert qdrant_schema.dimension("penicillin") == 0x01669268
    assert qdrant_schema.dimension("青霉素") != qdrant_schema.dimension("penicillin")
    qdrant_schema.dimension("\ud800")


def test_terms_of_one_place_are_added_up(monkeypatch):
    monkeypatch.setattr(qdrant_schema, "dimension", lambda term: 5)
    assert qdrant_schema.sparse_query(["a", "b"]) == models.SparseVector(indices=[5], values=[2.0])


def test_an_old_server_is_refused_by_its_version(client, make, monkeypatch):
    monkeypatch.setattr(qdrant_module, "OLDEST_SERVER", (99, 0))
    with pytest.raises(FollowerRefused, match=r"99\.0 or newer"):
        make().check()


def test_what_the_engine_rejects_is_told_apart_from_being_away(index):
    index.size = 3  # as if our own check had a hole
    with pytest.raises(PointsRejected, match=r"(?i)dimension"):
        index.upsert([point(vector=(1, 0, 0))])


def test_the_product_takes_the_size_from_its_embedder(qdrant, db):
    follower.get_follower().ensure()
    [name] = [found.name for found in qdrant.get_collections().collections]
    assert qdrant.get_collection(name).config.params.vectors[qdrant_schema.DENSE].size == embedding.get_embedder().size
