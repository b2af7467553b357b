"""The embedder on a server: batches, the cache, and whatever a server may answer (a real one, scripted)."""

import json
import time

import numpy as np
import pytest

from memory.embedding import api, embed_each
from memory.embedding.api import ApiEmbedder
from memory.embedding.base import EmbedderUnavailable, TextRefused
from memory.tests import llm_server
from memory.tests.embed_server import EmbedServer, embeddings, tell
from memory.tests.llm_server import answer, fail


@pytest.fixture(autouse=True)
def _as_they_come(monkeypatch):
    """Nothing is taken off the vectors; test_embedding_centred.py tests that."""
    monkeypatch.setattr(api, "mean_texts", lambda: [])


@pytest.fixture
def server():
    made = EmbedServer(size=8)
    yield made
    made.close()


@pytest.fixture
def embedder(server):
    return ApiEmbedder(server.url, "tiny", seconds=1)


def test_vectors_are_unit_float32_rows_in_order(embedder, server):
    vectors = embedder.embed(["red bike", "green tea", "red bike"])
    assert (vectors.shape, vectors.dtype, embedder.size) == ((3, 8), np.float32, 8)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    expected = np.array(server.vector("green tea"))
    assert np.allclose(vectors[1], expected / np.linalg.norm(expected))
    assert np.array_equal(vectors[0], vectors[2])


def test_the_key_and_the_model_are_sent(server):
    seen = []
    server.ways.append(lambda handler: (seen.append(handler.headers["Authorization"]), server.usual(handler)))
    ApiEmbedder(server.url, "tiny", "s3cret").embed(["tea"])
    assert (seen, server.asked) == (["Bearer s3cret"], [{"model": "tiny", "input": ["tea"]}])


def test_no_text_asks_for_nothing_but_the_size(embedder, server):
    assert embedder.embed([]).shape == (0, 8)
    assert server.sent() == [api.PROBE]


def test_many_texts_go_in_batches_each_once(embedder, server):
    texts = [f"text {number}" for number in range(2 * api.BATCH + 1)]
    embedder.embed([*texts, *texts])
    assert [len(body["input"]) for body in server.asked] == [api.BATCH, api.BATCH, 1]
    assert server.sent() == texts


def test_what_is_known_is_not_asked_again_and_the_memory_of_it_is_bounded(embedder, server):
    embedder._cache.limit = 2
    embedder.embed(["one", "two", "three"])
    embedder.embed(["two", "three"])
    assert (server.sent(), len(embedder._cache)) == (["one", "two", "three"], 2)
    embedder.embed(["one"])
    assert server.sent()[3:] == ["one"]


def test_a_query_and_a_text_have_their_prefixes(server):
    embedder = ApiEmbedder(server.url, "e5", query_prefix="query: ", text_prefix="passage: ")
    embedder.embed_query("tea?")
    embedder.embed(["I like tea"])
    assert server.sent() == ["query: tea?", "passage: I like tea"]


def test_other_prefixes_and_models_and_sizes_are_other_vectors(server):
    made = [
        ApiEmbedder(server.url, "tiny"), ApiEmbedder(server.url, "other"),
        ApiEmbedder(server.url, "tiny", query_prefix="query: "), ApiEmbedder(server.url, "m" * 300),
        ApiEmbedder(server.url, "m" * 299 + "n"),
    ]  # fmt: skip
    ids = {embedder.model_id for embedder in made}
    server.size = 9
    ids.add(ApiEmbedder(server.url, "tiny").model_id)
    assert len(ids) == 6
    assert max(map(len, ids)) <= 120


def test_the_index_says_which_text_a_vector_is_of(embedder, server):
    said = embeddings([[1, 0], [0, 1]])
    said["data"].reverse()
    server.ways.append(answer(200, said))
    assert embedder.embed(["first", "second"]).tolist() == [[1, 0], [0, 1]]


def test_without_an_index_the_order_counts(embedder, server):
    server.ways.append(answer(200, {"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}))
    assert embedder.embed(["first", "second"]).tolist() == [[1, 0], [0, 1]]


def said_twice(handler) -> None:
    said = embeddings([[1, 0], [0, 1]])
    said["data"][1]["index"] = 0
    llm_server.respond(handler, 200, said)


def named(places: list) -> llm_server.Way:
    return answer(200, {"data": [{"index": place, "embedding": [1, 0]} for place in places]})


NOT_VECTORS = {
    "too few": tell([1, 0]),
    "too many": tell([1, 0], [0, 1], [1, 1]),
    "one text twice": said_twice,
    "an index out of range": named([0, 2]),
    "an index that is none": named(["0", "1"]),
    "an index that is true": named([False, True]),
    "NaN": tell([1, float("nan")], [0, 1]),
    "infinity": tell([1, float("inf")], [0, 1]),
    "a norm beyond all numbers": tell([1e300, 0], [0, 1]),
    "only zeros": tell([0, 0], [0, 1]),
    "two sizes": tell([1, 0], [0, 1, 0]),
    "no numbers": tell([], []),
    "null": tell(None, None),
    "words": tell(["a", "b"], ["c", "d"]),
    "nested": tell([[1], [0]], [[0], [1]]),
    "no data": answer(200, {"object": "list"}),
    "data that is no list": answer(200, {"data": "none"}),
    "entries that are no objects": answer(200, {"data": [1, 2]}),
    "a list": answer(200, []),
    "nothing": answer(200, b""),
    "a page": answer(200, b"<html><body>It works!</body></html>"),
    "half of it": answer(200, json.dumps(embeddings([[1, 0], [0, 1]])).encode()[:-20]),
    "a line that breaks": llm_server.drop,
    "a redirect": answer(302, b"", Location="http://127.0.0.1:9/"),
    "an error": fail(500),
    "a wrong key": fail(401),
    "no such model": fail(404),
}


@pytest.mark.parametrize("way", NOT_VECTORS.values(), ids=NOT_VECTORS)
def test_an_answer_that_is_none_is_an_embedder_that_is_away(embedder, server, way):
    server.always = way
    with pytest.raises(EmbedderUnavailable):
        embedder.embed(["first", "second"])
    assert embedder.trouble


@pytest.mark.parametrize(
    "way", [llm_server.hang, llm_server.drip_headers, llm_server.drip_body, llm_server.send_a_flood]
)
def test_no_server_keeps_us_longer_than_agreed(embedder, server, way, monkeypatch):
    monkeypatch.setattr(api, "LARGEST", 100_000)
    server.always, started = way, time.monotonic()
    with pytest.raises(EmbedderUnavailable):
        embedder.embed(["first", "second"])
    assert time.monotonic() - started < 3


@pytest.mark.parametrize(
    "way", [fail(500), fail(503), fail(429), llm_server.drop], ids=["500", "503", "429", "dropped"]
)
def test_what_may_pass_is_tried_again(embedder, server, way):
    server.ways += [way, way]
    assert embedder.embed(["tea"]).shape == (1, 8)
    assert (len(server.asked), embedder.trouble) == (3, "")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_will_not_pass_is_not(embedder, server, status):
    server.always = fail(status)
    with pytest.raises(EmbedderUnavailable, match=f"HTTP {status}"):
        embedder.embed(["tea"])
    assert len(server.asked) == 1


def test_it_waits_as_long_as_the_server_asks(embedder, server):
    server.ways.append(fail(429, Retry_After="1"))
    started = time.monotonic()
    embedder.embed(["tea"])
    assert 1 <= time.monotonic() - started < 2


def test_what_asks_for_more_time_than_there_is_is_left_alone_as_long(embedder, server):
    server.ways.append(fail(503, Retry_After="30"))
    started = time.monotonic()
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable):
            embedder.embed(["tea"])
    assert (len(server.asked), time.monotonic() - started < 1) == (1, True)
    with pytest.raises(EmbedderUnavailable, match="asked again in (29|30) s"):
        embedder.embed(["tea"])


def test_a_server_that_is_away_is_not_asked_at_every_search(server):
    embedder = ApiEmbedder("http://127.0.0.1:9/v1", "tiny")
    with pytest.raises(EmbedderUnavailable, match="ConnectError"):
        embedder.embed_query("tea")
    started = time.monotonic()
    for _ in range(20):
        with pytest.raises(EmbedderUnavailable):
            embedder.embed_query("tea")
    assert time.monotonic() - started < 0.5


def test_a_command_sits_out_a_busy_server(embedder, server):
    server.ways += [fail(503)] * 4
    patient = embedder.patiently()
    assert patient.embed(["a b", "c d"]).shape == (2, 8)
    assert len(server.asked) == 5


def test_too_large_a_batch_is_split(embedder, server):
    server.most = 3
    texts = [f"word{number}" for number in range(10)]
    vectors = embedder.embed(texts)
    assert [int(np.argmax(vector)) for vector in vectors] == [int(np.argmax(server.vector(text))) for text in texts]
    assert embedder.trouble == ""


def test_too_long_a_text_is_embedded_by_its_beginning(embedder, server):
    server.longest = 600
    long = "start " + "word " * 400
    assert embedder.embed(["tea", long]).shape == (2, 8)
    assert all(len(text) <= 600 for text in server.sent()[-1:])
    assert server.sent()[-1].startswith("start word")


def test_one_text_that_is_refused_does_not_take_the_others_with_it(embedder, server):
    def particular(handler):
        if any("forbidden" in text for text in handler.body["input"]):
            return fail(400)(handler)
        return server.usual(handler)

    server.always = particular
    with pytest.raises(TextRefused):
        embedder.embed(["tea", "forbidden"])
    found = embed_each(embedder, ["tea", "forbidden", "bike"])
    assert [vector is None for vector in found] == [False, True, False]


def test_a_server_that_refuses_everything_is_not_asked_for_each_text(embedder, server):
    server.always = fail(400)
    with pytest.raises(EmbedderUnavailable):
        embed_each(embedder, [f"text {number}" for number in range(50)])
    assert len(server.asked) < 50


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud83d", "😀", "字" * 50_000])
def test_any_text_can_be_sent(embedder, server, text):
    [vector] = embedder.embed([text])
    assert np.isfinite(vector).all()
    assert server.sent()[-1].strip()


def test_a_model_that_changes_its_size_is_refused_with_the_command_that_helps(embedder, server):
    embedder.embed(["tea"])
    server.size = 16
    with pytest.raises(EmbedderUnavailable, match=r"16 numbers, those stored have 8.*manage\.py reindex"):
        embedder.embed(["coffee"])


def test_stored_vectors_tell_the_size_and_no_server_is_asked(embedder, server):
    assert embedder.made(f"{embedder.name}/8")
    assert not embedder.made(f"api:other/{api.CENTRED}/8")
    assert not embedder.made(f"{embedder.name}/x")
    assert (embedder.size, embedder.model_id, server.asked) == (8, f"{embedder.name}/8", [])
