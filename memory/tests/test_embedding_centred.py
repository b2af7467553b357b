"""A server's raw vectors point nearly the same way, as most models' do; what they have in common is taken off."""

import pytest

from memory.embedding import api
from memory.embedding.api import ApiEmbedder
from memory.embedding.base import EmbedderUnavailable, mean_texts
from memory.embedding.bundled import BundledEmbedder
from memory.tests.embed_server import EmbedServer
from memory.tests.llm_server import fail


class RealModel(EmbedServer):
    """The bundled model's own vectors, nothing taken off, as a server of that model would answer."""

    def __init__(self) -> None:
        super().__init__()
        try:
            self._model = BundledEmbedder()
        except EmbedderUnavailable as error:
            pytest.skip(str(error))

    def vector(self, text: str) -> list[float]:
        return self._model.raw(text).tolist()


@pytest.fixture(scope="module")
def server():
    made = RealModel()
    yield made
    made.close()


@pytest.fixture
def embedder(server):
    return ApiEmbedder(server.url, "e5", seconds=60)


def test_the_unrelated_is_far_and_the_related_near(embedder, server):
    texts = ["My flat is on the third floor.", "Which floor do I live on?", "The export job runs at night."]
    flat, asked, job = embedder.embed(texts)
    raw = [server._model.raw(text) for text in texts]
    assert float(raw[0] @ raw[2]) > 0.7, "this model's raw vectors tell nothing"
    assert abs(float(flat @ job)) < 0.2
    assert float(flat @ asked) > float(flat @ job) + 0.2


def test_they_are_the_vectors_of_the_bundled_embedder_of_the_same_model(embedder):
    text = "I sold my boat in Bergen"
    assert float(embedder.embed([text])[0] @ BundledEmbedder().embed([text])[0]) > 0.999


def test_the_mean_is_asked_for_once(embedder, server):
    embedder.embed(["one text"])
    server.asked.clear()
    embedder.embed(["another"])
    embedder.embed_query("and a question")
    assert server.sent() == ["another", "and a question"]


def test_each_prefix_has_a_mean_of_its_own(server):
    embedder = ApiEmbedder(server.url, "e5", query_prefix="query: ", text_prefix="passage: ", seconds=60)
    server.asked.clear()
    embedder.embed(["a text"])
    embedder.embed_query("a question")
    assert len(server.sent()) == 2 * len(mean_texts()) + 2
    assert server.sent().count(f"query: {mean_texts()[0]}") == 1


def test_while_the_mean_cannot_be_had_there_are_no_vectors(embedder, server, monkeypatch):
    monkeypatch.setattr(api, "FIRST_WAIT", 0.001)
    server.ways.append(server.usual)
    server.ways += [fail(503)] * 10
    with pytest.raises(EmbedderUnavailable):
        embedder.embed(["one text"])
    server.ways.clear()
