"""Every reason the rules give has a sentence, and showing one never fails."""

import re
from pathlib import Path

import pytest

from memory import intake
from memory.intake.judge_rules import RULES
from memory.intake.order_patterns import ORDERS
from memory.intake.screen import SCREENS
from memory.reasons import REASONS, render

CODES = re.compile(r'Reason\(\s*"([a-z_]+)"')


def test_every_reason_named_in_intake_has_a_sentence():
    folder = Path(intake.__file__).parent
    named = {code for path in folder.glob("*.py") for code in CODES.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert named <= set(REASONS)
    assert {rule.reason for rule in RULES} <= set(REASONS)
    assert {f"about_{screen.id}" for screen in SCREENS} <= set(REASONS)
    assert {f"screen_{id_}" for id_, _ in ORDERS} <= set(REASONS)


def test_a_sentence_is_filled_with_its_parameters():
    shown = render("value_changed", {"held": "Leeds", "new": "Bristol"})
    assert "Leeds" in shown and "Bristol" in shown


@pytest.mark.parametrize(
    "params", [None, {}, {"held": None}, {"held": {"a": 1}, "new": ["x"]}, {"held": "{new} {0} %s"}, "odd", 7]
)
def test_missing_or_odd_parameters_never_fail(params):
    assert render("value_changed", params)


def test_an_unknown_code_shows_as_itself():
    assert render("from_the_future", {"a": 1}) == "from_the_future"
