"""Which of a user's memories of one thing outvote the others. Pure: members in, an outcome out.

Memories of one subject and one attribute that has one value at a time are a group; equal values are one side of it.
A side's votes are the credibility of its distinct voices, each counted once and up to a cap, never its rows. What a
person has confirmed is never outvoted. Where no side outvotes clearly, all are told and marked as contested.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from memory.credibility import Support
from memory.intake.fact import FIXED, Fact, is_single
from memory.intake.relate_facts import values_agree
from memory.intake.types import Reason, SourceClass

# What one voice counts at most, whatever its credibility: one conversation weighs no more than a first-party tool, so
# that the two disagreeing is a tie for a person, and two conversations outweigh a slip in a third.
VOICE_CAP = 0.8
# So many times the votes outvote. The user's words against an agent's reasoning are 0.8 to 0.5, and so is a tool
# against it: one class apart is clear, equal classes and the steps between weak ones are not.
MARGIN = 1.5
# With so many different values each further one is a side of its own: a flood of them must not cost time.
SIDES = 12
# All agents of a workspace are one voice: they read the same memory, and a session or a name costs a caller nothing.
AGENTS = "agents"
_AGENTS_WORDS = frozenset({SourceClass.LLM_REASONING, SourceClass.LLM_SUMMARY})


class Voice(NamedTuple):
    """Who speaks for a memory, and how far they are trusted, 0 to 1."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class Member:
    """One active memory as the vote sees it. `at` is when it was said."""

    id: Hashable
    subject: str
    attribute: str
    value: str
    at: datetime
    confirmed: bool = False
    voices: tuple[Voice, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """Members of one value. `best` is its most trusted voice; `newest` when it was last said."""

    members: tuple[Member, ...]
    votes: float
    best: float
    newest: datetime
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Withheld:
    """A member that is not told: why, with the votes, and the members of the side that outvoted it."""

    id: Hashable
    reason: Reason
    outvoted_by: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A group whose sides differ. `leader` comes first in votes; `others` follow, strongest first."""

    subject: str
    attribute: str
    leader: Side
    others: tuple[Side, ...]
    withheld: tuple[Withheld, ...]
    contested: frozenset[Hashable]

    @property
    def slot(self) -> tuple[str, str]:
        return self.subject, self.attribute

    @property
    def is_open(self) -> bool:
        """False when a person has confirmed every side: then all of them are true."""
        return bool(self.withheld or self.contested)


def may_vote(subject: str, attribute: str, value: str, *, negated: bool, past: bool) -> bool:
    """True for a claim that gives the one present value of a thing that can be told apart from others.

    What is denied or was so once names no present value. Without a subject only a named thing ("the refund limit")
    is known to be the same one.
    """
    if negated or past or not value.strip() or not is_single(attribute) or subject in ("they", "it"):
        return False
    return bool(subject) or attribute.startswith("slot:")


def voice_of(support: Support) -> str:
    """Whose voice a piece of evidence is: each conversation of a person, else the tool, the site or all agents.

    Asking one tool again, another page of one site and another session of an agent are repetition.
    """
    if support.source_class in _AGENTS_WORDS:
        return AGENTS
    if support.source_class == SourceClass.USER_INPUT or not support.source:
        return support.origin
    return support.source


def groups(members: Iterable[Member]) -> list[list[list[Member]]]:
    """The groups in which values differ, each as its sides; `members` come most credible first.

    A value that cannot be compared with any has no vote, and a group with two that cannot be compared with each other
    is left out: what is not understood is not voted on.
    """
    slots: dict[tuple[str, str], list[Member]] = {}
    for member in members:
        if values_agree(_fact(member), _fact(member)):
            slots.setdefault((member.subject, member.attribute), []).append(member)
    sides = (_by_value(slot) for slot in slots.values() if len(slot) > 1)
    return [side for side in sides if side is not None and len(side) > 1]


def vote(sides: Sequence[Sequence[Member]]) -> Dispute:
    """The outcome among at least two sides of one group."""
    ordered = sorted((_side(members) for members in sides), key=_strength, reverse=True)
    leader, *others = ordered
    confirmed = [side for side in ordered if side.confirmed]
    withheld: list[Withheld] = []
    open_ones: list[Side] = []
    for side in others:
        if confirmed and not side.confirmed:
            withheld.extend(_withhold(side, confirmed, "outvoted_by_person"))
        elif not confirmed and _outvotes(leader, side):
            withheld.extend(_withhold(side, [leader], "outvoted"))
        elif not confirmed:
            open_ones.append(side)
    contested = [leader, *open_ones] if open_ones else []
    first = leader.members[0]
    return Dispute(
        subject=first.subject, attribute=first.attribute, leader=leader, others=tuple(others),
        withheld=tuple(withheld), contested=frozenset(member.id for side in contested for member in side.members),
    )  # fmt: skip


def _by_value(members: Sequence[Member]) -> list[list[Member]] | None:
    """The members by equal value; None when two values cannot be compared. Only the first SIDES grow."""
    sides: list[list[Member]] = []
    for member in members:
        answers = [values_agree(_fact(member), _fact(side[0])) for side in sides[:SIDES]]
        if None in answers:
            return None
        if True in answers:
            sides[answers.index(True)].append(member)
        else:
            sides.append([member])
    return sides


def _fact(member: Member) -> Fact:
    return Fact(member.subject, member.attribute, member.value)


def _side(members: Sequence[Member]) -> Side:
    loudest: dict[str, float] = {}
    for member in members:
        for voice in member.voices:
            loudest[voice.name] = max(voice.weight, loudest.get(voice.name, 0.0))
    return Side(
        members=tuple(members),
        votes=sum(min(weight, VOICE_CAP) for weight in loudest.values()),
        best=max(loudest.values(), default=0.0),
        newest=max(member.at for member in members),
        confirmed=any(member.confirmed for member in members),
    )


def _strength(side: Side) -> tuple:
    return side.confirmed, side.votes, side.best, side.newest


def _outvotes(leader: Side, side: Side) -> bool:
    """Clearly more votes, and not by number alone: a voice as trusted as the other side's best must be among them.
    Something newer from a voice as good may be a change, which is for a person to say."""
    if leader.votes < MARGIN * side.votes or leader.best < side.best:
        return False
    may_have_changed = side.best >= leader.best and side.newest > leader.newest
    return not may_have_changed or leader.members[0].attribute in FIXED


def _withhold(side: Side, winners: Sequence[Side], code: str) -> Iterable[Withheld]:
    by = tuple(member.id for winner in winners for member in winner.members)
    params = {
        "value": winners[0].members[0].value[:200],
        "votes": round(winners[0].votes, 2),
        "own_votes": round(side.votes, 2),
    }
    return (Withheld(member.id, Reason(code, params), by) for member in side.members)
