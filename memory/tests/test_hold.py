"""Opening a conflict: refused when it would be none."""

import pytest

from memory.actions.base import Refused
from memory.actions.hold import hold
from memory.actions.source import Source
from memory.actor import SYSTEM
from memory.intake.types import Category, Claim, Reason
from memory.models import Conflict, EndUser, Memory


@pytest.fixture
def open_conflict(tell, now):
    """Holds the text back against the only memory of the user; answers the conflict."""
    tell("I live in Oslo.")

    def open_(text: str, *, quote: str | None = None, user: EndUser | None = None) -> Conflict:
        memory = Memory.objects.get()
        claim = Claim(text=text, quote=text, category=Category.PROFILE)
        episode = memory.evidence.get().episode
        return hold(
            user=user or memory.user, kind=Conflict.Kind.CONTRADICTION, claim=claim, memory=memory, actor=SYSTEM,
            source=Source(episode, text if quote is None else quote, episode.source_class), now=now,
            reason=Reason("value_differs", {"held": "Oslo", "new": "Bergen"}), suggestion="accept",
            suggestion_reason=Reason("advice_newer", {"days": 3}),
        )  # fmt: skip

    return open_


def test_the_advice_is_stored_with_its_reason(open_conflict):
    conflict = Conflict.objects.get(pk=open_conflict("I live in Bergen.").pk)
    assert conflict.suggestion == "accept"
    assert (conflict.suggestion_code, conflict.suggestion_params) == ("advice_newer", {"days": 3})


@pytest.mark.parametrize("text", ["I live in Oslo.", "i live in OSLO", "I  live in Oslo!"])
def test_two_sides_that_are_equal_once_normalised_are_refused(open_conflict, text):
    with pytest.raises(Refused):
        open_conflict(text)
    assert not Conflict.objects.exists()


def test_a_conflict_without_evidence_is_refused(open_conflict):
    with pytest.raises(Refused):
        open_conflict("I live in Bergen.", quote="  ")
    assert not Conflict.objects.exists()


def test_two_peoples_facts_are_no_conflict(open_conflict, workspace):
    other = EndUser.objects.create(workspace=workspace, external_id="someone-else")
    with pytest.raises(Refused):
        open_conflict("I live in Bergen.", user=other)
    assert not Conflict.objects.exists()
