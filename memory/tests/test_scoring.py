import numpy as np
import pytest

from memory.recall import scoring
from memory.recall.scoring import RankingSettings

SETTINGS = RankingSettings()


def total(relevance=0.6, age_days=0.0, credibility=1.0, **more) -> float:
    parts = scoring.score(relevance, age_days=age_days, credibility=credibility, settings=SETTINGS, **more)
    return float(parts["total"])


def test_age_lowers_a_score_but_never_below_the_floor():
    assert total(age_days=0) > total(age_days=30) > total(age_days=3000) >= 0.6 * SETTINGS.decay_floor


def test_decay_without_a_floor_is_one_over_one_plus_a_tenth_of_the_days():
    bare = RankingSettings(decay_floor=0)
    assert scoring.decay(10.0, bare) == pytest.approx(0.5)
    assert scoring.decay(90.0, bare) == pytest.approx(0.1)


def test_what_lies_in_the_future_counts_as_now():
    assert total(age_days=-400) == total(age_days=0)


def test_an_exact_old_memory_beats_a_fresh_vague_one():
    assert total(relevance=0.9, age_days=2000) > total(relevance=0.7, age_days=0)


def test_the_newer_of_two_equally_relevant_memories_comes_first():
    assert total(age_days=1) > total(age_days=90)


def test_less_credible_sources_count_less_but_never_nothing():
    assert total(credibility=1) > total(credibility=0.3) > total(credibility=0) > 0


def test_session_and_period_are_added():
    assert total(same_session=True) == pytest.approx(total() + SETTINGS.session_bonus)
    assert total(in_period=True) == pytest.approx(total() + SETTINGS.period_bonus)


def test_the_total_is_explained_by_its_parts():
    parts = scoring.score(
        0.5, context=0.1, age_days=20, credibility=0.5, same_session=True, in_period=True, settings=SETTINGS
    )
    expected = (parts["relevance"] + parts["context"]) * parts["decay"] * parts["credibility"]
    assert parts["total"] == pytest.approx(expected + parts["session_bonus"] + parts["period_bonus"])


def test_fusing_takes_the_weighted_mean_and_ignores_opposite_meanings():
    fused = scoring.fuse(np.array([0.8, -0.5]), np.array([0.4, 0.4]), SETTINGS)
    assert fused == pytest.approx([0.6, 0.2])


def test_without_vectors_words_alone_are_the_relevance():
    words = np.array([0.4, 0.0])
    assert scoring.fuse(None, words, SETTINGS) == pytest.approx(words)
    assert scoring.fuse(np.array([np.nan, 0.2]), words, SETTINGS) == pytest.approx([0.4, 0.1])


def relevant(dense, lexical, term_count=3, in_context=0.0, settings=SETTINGS) -> bool:
    return bool(
        scoring.is_relevant(
            None if dense is None else np.array([dense]),
            np.array([lexical]),
            in_context=np.array([in_context]),
            line=scoring.line(term_count, settings),
        )[0]
    )


def test_meaning_or_words_alone_make_a_memory_relevant():
    assert relevant(0.5, 0.0)
    assert relevant(0.0, 0.5)
    assert relevant(None, 0.5)
    assert relevant(np.nan, 0.5)


def test_context_carries_what_is_nearly_near_enough_and_nothing_else():
    assert relevant(0.22, 0.0, in_context=0.5)
    assert not relevant(0.1, 0.0, in_context=0.5)
    assert not relevant(None, 0.0, in_context=0.5)


def test_a_little_of_each_is_not_enough():
    assert not relevant(0.2, 0.2, in_context=0.2)
    assert not relevant(np.nan, 0.2)
    assert not relevant(None, 0.0)


def test_less_is_asked_of_a_chatty_question():
    assert not relevant(None, 0.08, term_count=5)
    assert relevant(None, 0.08, term_count=20)
    assert not relevant(0.23, 0.0, term_count=5)
    assert relevant(0.23, 0.0, term_count=20)


def test_a_floor_of_zero_lets_everything_through_that_has_a_direction():
    assert relevant(0.01, 0.0, settings=RankingSettings(min_relevance=0))


@pytest.mark.parametrize(
    ("field", "value"),
    [("decay_rate", -0.1), ("min_relevance", 1.5), ("session_bonus", "0.2"), ("decay_floor", True),
     ("dense_weight", float("nan")), ("period_bonus", None)],
)  # fmt: skip
def test_a_setting_out_of_range_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        RankingSettings(**{field: value})


def test_one_arm_must_have_a_weight():
    with pytest.raises(ValueError, match="dense_weight"):
        RankingSettings(dense_weight=0, lexical_weight=0)
