"""Credibility: independent origins count, repetition does not, derived text is no better than its worst source."""

import random

import pytest

from memory.credibility import Record, Support, credibility, track_record
from memory.policy import SOURCE_WEIGHTS


def score(*support, confirmed=False):
    return credibility([Support(*each) for each in support], weights=SOURCE_WEIGHTS, confirmed=confirmed)


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


def recorded(source_class, accepted, rejected):
    support = [Support("session:1", source_class, "tool:crm")]
    return credibility(support, weights=SOURCE_WEIGHTS, records={"tool:crm": Record(accepted, rejected)})


def test_five_rejections_take_a_tool_from_080_to_064():
    assert recorded("tool_return", 0, 5).value == pytest.approx((20 * 0.8) / 25)


def test_a_record_is_the_mean_of_a_beta_whose_prior_is_the_table():
    assert track_record(0.5, Record(3, 1)) == pytest.approx((20 * 0.5 + 3) / 24)
    assert track_record(0.5, Record()) == 0.5


def test_good_decisions_raise_a_source_only_so_far():
    assert recorded("external_content", 1000, 0).value == pytest.approx(0.5)


def test_the_record_of_another_source_says_nothing():
    support = [Support("session:1", "tool_return", "tool:crm")]
    records = {"tool:shop": Record(0, 50)}
    assert credibility(support, weights=SOURCE_WEIGHTS, records=records).value == 0.8


def test_a_record_is_an_addend_with_its_figures():
    source, record = recorded("tool_return", 1, 4).addends
    assert source.amount == 0.8
    assert record.amount == pytest.approx(17 / 25 - 0.8)
    assert (record.reason.code, record.reason.params) == (
        "credibility_record", {"source": "tool:crm", "accepted": 1, "rejected": 4},
    )  # fmt: skip


def test_what_was_inherited_is_an_addend():
    source, inherited = score(("session:1", "user_input"), ("session:1", "llm_summary")).addends
    assert (source.amount, source.reason.params) == (1.0, {"source_class": "user_input"})
    assert inherited.amount == pytest.approx(-0.7)
    assert inherited.reason.code == "credibility_inherited"


def test_many_cheap_origins_add_at_most_half_of_what_is_missing():
    result = score(*[(f"doc:{n}", "external_content") for n in range(200)])
    assert result.value == pytest.approx(0.3 + 0.7 / 2)
    assert [addend.reason.code for addend in result.addends] == ["credibility_source", "credibility_corroborated_often"]


def test_whatever_the_support_the_value_is_a_share_and_the_sum_of_its_addends():
    chance = random.Random(5)
    for _ in range(500):
        support = [
            Support(f"o{chance.randrange(5)}", chance.choice(list(SOURCE_WEIGHTS)), f"s{chance.randrange(3)}")
            for _ in range(chance.randrange(8))
        ]
        records = {f"s{n}": Record(chance.randrange(40), chance.randrange(40)) for n in range(2)}
        given = {"weights": SOURCE_WEIGHTS, "records": records}
        alone, confirmed = credibility(support, **given), credibility(support, **given, confirmed=True)
        assert 0 <= alone.value <= confirmed.value <= 1
        assert sum(addend.amount for addend in alone.addends) == pytest.approx(alone.value)
        # repetition of what an origin said changes nothing
        assert credibility(support + support, **given).value == pytest.approx(alone.value)
