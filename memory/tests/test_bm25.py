import numpy as np
import pytest

from memory.index.bm25 import BM25

DOCS = [["tea", "green"], ["tea", "tea", "black"], ["coffee"], []]


def test_scores_follow_the_documents_and_are_zero_where_nothing_matches():
    scores = BM25.build(DOCS).scores(["tea"])
    assert scores.dtype == np.float32
    assert scores.shape == (4,)
    assert scores[2] == scores[3] == 0
    assert scores[1] > scores[0] > 0


def test_a_rare_term_is_worth_more_than_a_common_one():
    index = BM25.build(DOCS)
    assert index.scores(["coffee"]).max() > index.scores(["tea"]).max()
    assert index.rarity("unseen") > index.rarity("coffee") > index.rarity("tea") > 0


def test_repeating_a_query_term_changes_nothing():
    index = BM25.build(DOCS)
    assert np.array_equal(index.scores(["tea", "tea"]), index.scores(["tea"]))


def test_a_long_document_is_worth_a_little_less():
    scores = BM25.build([["tea"], ["tea", *"abcdefgh"]]).scores(["tea"])
    assert scores[0] > scores[1] > scores[0] / 2


def test_shares_say_how_much_of_the_query_is_there():
    index = BM25.build([["tea", "green"], ["tea", "black"], ["coffee", "black"]])
    whole, half, none = index.shares(["tea", "green"])
    assert whole == pytest.approx(1, abs=0.02)
    assert 0 < half < 0.5
    assert none == 0


def test_terms_nobody_holds_make_every_share_small():
    index = BM25.build([["note", f"n{number}"] for number in range(200)])
    assert index.shares(["note", "sourdough", "hydration"]).max() < 0.01


def test_common_terms_are_those_of_many_documents():
    index = BM25.build([["ada", f"n{number}"] for number in range(20)])
    assert index.common_terms(0.1) == {"ada"}


@pytest.mark.parametrize("docs", [[], [[]], [[], []]])
def test_an_index_without_terms_answers_zeros(docs):
    index = BM25.build(docs)
    assert index.scores(["tea"]).tolist() == index.shares(["tea"]).tolist() == [0.0] * len(docs)


def test_an_empty_query_answers_zeros():
    assert BM25.build(DOCS).shares([]).tolist() == [0.0] * 4
