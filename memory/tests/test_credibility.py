"""Credibility: independent origins count, repetition does not, derived text is no better than its worst source."""

import pytest

from memory.credibility import credibility
from memory.policy import SOURCE_WEIGHTS


def score(*support, confirmed=False):
    return credibility(support, weights=SOURCE_WEIGHTS, confirmed=confirmed)


def test_one_source_gives_its_weight():
    assert score(("session:1", "tool_return")).value == 0.8


def test_the_same_origin_again_adds_nothing():
    assert score(*[("session:1", "llm_reasoning")] * 20).value == 0.5


def test_an_independent_origin_adds_a_part_of_what_is_missing():
    assert score(("session:1", "llm_reasoning"), ("session:2", "llm_reasoning")).value == pytest.approx(0.575)


def test_text_from_two_classes_of_one_origin_has_the_lower():
    assert score(("session:1", "user_input"), ("session:1", "external_content")).value == 0.3


def test_a_persons_confirmation_adds_most_of_what_is_missing():
    assert score(("doc:1", "external_content"), confirmed=True).value == pytest.approx(0.79)


def test_nothing_known_counts_as_unknown():
    assert score().value == 0.4


def test_no_support_however_wide_goes_above_one():
    assert score(*[(f"session:{n}", "user_input") for n in range(50)], confirmed=True).value == 1.0


def test_the_addends_sum_to_the_value_and_name_their_reasons():
    result = score(("tool:1", "tool_return"), ("doc:1", "external_content"), confirmed=True)
    assert sum(addend.amount for addend in result.addends) == pytest.approx(result.value)
    assert [addend.reason.code for addend in result.addends] == [
        "credibility_source", "credibility_corroborated", "credibility_confirmed",
    ]  # fmt: skip
