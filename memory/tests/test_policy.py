"""A workspace's settings: defaults filled in, nonsense refused by name."""

import pytest
from pydantic import ValidationError

from memory.policy import Policy, policy_of


def test_what_is_not_set_has_its_default(workspace):
    policy = policy_of(workspace)
    assert (policy.working_turns, policy.source_weights["user_input"], policy.due_hours(1)) == (12, 1.0, 4)


def test_one_changed_weight_leaves_the_others(workspace):
    workspace.settings = {"source_weights": {"tool_return": 0.6}}
    weights = policy_of(workspace).source_weights
    assert (weights["tool_return"], weights["external_content"]) == (0.6, 0.3)


@pytest.mark.parametrize(
    "given, field",
    [
        ({"working_turns": 1}, "working_turns"),
        ({"working_tunrs": 5}, "working_tunrs"),
        ({"source_weights": {"user_input": 1.5}}, "source_weights"),
        ({"source_weights": {"gossip": 0.5}}, "source_weights"),
        ({"ranking": {"session_bonus": 7}}, "ranking"),
        ({"ranking": {"sesion_bonus": 0.2}}, "ranking"),
    ],
)
def test_a_bad_setting_is_refused_with_its_name(given, field):
    with pytest.raises(ValidationError, match=field):
        Policy(**given)


def test_a_stored_bad_setting_is_an_error_and_no_silent_default(workspace):
    workspace.settings = {"working_turns": "many"}
    with pytest.raises(ValueError, match="shop"):
        policy_of(workspace)
