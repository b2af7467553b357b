"""The vote among memories of one thing: distinct voices count, a person's word stands, ties are nobody's win."""

import random
import time
from datetime import UTC, datetime, timedelta

import pytest

from memory.credibility import Support
from memory.recall.consensus import AGENTS, MARGIN, Member, Voice, groups, may_vote, voice_of, vote

START = datetime(2026, 1, 1, tzinfo=UTC)


def member(id, value, *voices, day=0, attribute="residence", **fields):
    """A member whose voices are pairs of name and weight."""
    fields = {"subject": "user", "at": START + timedelta(days=day)} | fields
    return Member(id=id, attribute=attribute, value=value, voices=tuple(Voice(*each) for each in voices), **fields)


def outcome(*members):
    [sides] = groups(members)
    return vote(sides)


def held_back(dispute):
    return {each.id for each in dispute.withheld}


USER, AGENT, PAGE = ("session:1", 1.0), (AGENTS, 0.5), ("site:a.example", 0.3)


def test_the_users_words_outvote_an_agents_reasoning():
    dispute = outcome(member(1, "Lyon", USER), member(2, "Oslo", AGENT))
    [out] = dispute.withheld
    assert (out.id, out.outvoted_by, out.reason.code) == (2, (1,), "outvoted")
    # capped at 0.8
    assert out.reason.params == {"value": "Lyon", "votes": 0.8, "own_votes": 0.5}
    assert dispute.contested == frozenset()


def test_fifty_rows_of_one_voice_are_one_vote():
    lies = [member(n, "Oslo", AGENT) for n in range(10, 60)]
    dispute = outcome(member(1, "Lyon", USER), *lies)
    assert held_back(dispute) == set(range(10, 60))


def test_no_number_of_weaker_voices_outvotes_a_better_one():
    pages = [member(n, "Oslo", (f"site:{n}.example", 0.3)) for n in range(10, 60)]
    dispute = outcome(member(1, "Lyon", USER), *pages)
    assert not dispute.withheld
    assert dispute.contested == {1, *range(10, 60)}


def test_two_conversations_outvote_a_third():
    sides = [member(1, "Lyon", USER, day=2), member(2, "Lyon", ("session:2", 1.0), day=3)]
    assert held_back(outcome(*sides, member(3, "Oslo", ("session:3", 1.0), day=1))) == {3}


def test_what_a_voice_as_good_said_later_may_be_a_change():
    old = [member(n, "Lyon", (f"session:{n}", 1.0)) for n in range(5)]
    dispute = outcome(*old, member(9, "Oslo", ("session:9", 1.0), day=30))
    assert not dispute.withheld and 9 in dispute.contested


def test_what_never_changes_is_outvoted_however_new():
    old = [member(n, "3 May", (f"session:{n}", 1.0), attribute="birthday") for n in range(2)]
    new = member(9, "4 June", ("session:9", 1.0), attribute="birthday", day=30)
    assert held_back(outcome(*old, new)) == {9}


def test_equals_are_both_told_as_contested():
    dispute = outcome(member(1, "Lyon", USER), member(2, "Oslo", ("tool:crm", 0.8)))
    assert not dispute.withheld and dispute.contested == {1, 2} and dispute.is_open


def test_the_margin_is_reached_by_exactly_so_many_votes():
    def of(votes):
        return outcome(member(1, "Lyon", ("tool:a", votes)), member(2, "Oslo", ("tool:b", 0.4)))

    assert held_back(of(0.4 * MARGIN)) == {2}
    assert not held_back(of(0.4 * MARGIN - 0.01))


def test_what_a_person_confirmed_outvotes_and_is_never_outvoted():
    crowd = [member(n, "Oslo", (f"session:{n}", 1.0), day=9) for n in range(10, 30)]
    dispute = outcome(member(1, "Lyon", PAGE, confirmed=True), *crowd)
    assert held_back(dispute) == set(range(10, 30))
    assert {each.reason.code for each in dispute.withheld} == {"outvoted_by_person"}


def test_two_that_a_person_confirmed_are_both_true():
    dispute = outcome(member(1, "Lyon", USER, confirmed=True), member(2, "Oslo", USER, confirmed=True))
    assert not dispute.is_open and not dispute.contested


def test_a_third_side_may_be_outvoted_while_two_are_contested():
    tool, page = member(2, "Oslo", ("tool:crm", 0.8)), member(3, "Rome", PAGE)
    dispute = outcome(member(1, "Lyon", USER), tool, page)
    assert held_back(dispute) == {3} and dispute.contested == {1, 2}


@pytest.mark.parametrize(
    ("one", "other"), [("Lyon", "lyon"), ("New York", "New York City"), ("西安", "西安市"), ("200元", "200 元")]
)
def test_equal_values_are_one_side(one, other):
    assert groups([member(1, one), member(2, other)]) == []


def test_values_that_cannot_be_compared_are_not_voted_on():
    assert groups([member(1, "mornings", attribute="schedule"), member(2, "3pm", attribute="schedule")]) == []


def test_a_value_nobody_can_compare_does_not_silence_the_vote():
    vague = member(1, "mornings", USER, attribute="schedule")
    dispute = outcome(
        vague, member(2, "3pm", USER, attribute="schedule"), member(3, "5pm", AGENT, attribute="schedule")
    )
    assert held_back(dispute) == {3}


def test_a_flood_of_different_values_is_outvoted_in_no_time():
    flood = [member(n, f"Town number {n}", AGENT) for n in range(10, 1010)]
    started = time.perf_counter()
    dispute = outcome(member(1, "Lyon", USER), *flood)
    assert held_back(dispute) == set(range(10, 1010))
    assert time.perf_counter() - started < 5


def test_another_subject_or_attribute_is_another_group():
    members = [member(1, "Lyon"), member(2, "Oslo", subject="ana"), member(3, "Rome", attribute="hometown")]
    assert groups(members) == []


@pytest.mark.parametrize(
    ("claim", "votes"),
    [
        (("user", "residence", "Lyon"), True),
        (("user", "likes", "tea"), False),
        (("user", "language", "French"), False),
        (("user", "", "Lyon"), False),
        (("user", "residence", " "), False),
        (("they", "residence", "Lyon"), False),
        (("", "residence", "Lyon"), False),
        (("", "slot:limit refund", "200"), True),
    ],
)
def test_only_one_valued_things_that_are_named_vote(claim, votes):
    assert may_vote(*claim, negated=False, past=False) is votes
    assert not may_vote(*claim, negated=True, past=False)
    assert not may_vote(*claim, negated=False, past=True)


@pytest.mark.parametrize(
    ("support", "voice"),
    [
        (Support("session:1", "user_input", "user:u1"), "session:1"),
        (Support("session:1", "llm_reasoning", "agent:a"), AGENTS),
        (Support("session:2", "llm_summary", "agent:b"), AGENTS),
        (Support("tool:7", "tool_return", "tool:crm"), "tool:crm"),
        (Support("doc:ab", "external_content", "site:a.example"), "site:a.example"),
        (Support("session:3", "unknown", ""), "session:3"),
    ],
)
def test_whose_voice_it_is(support, voice):
    assert voice_of(support) == voice


def test_whatever_the_members_the_leader_is_told_and_no_confirmed_one_is_withheld():
    chance = random.Random(7)
    for _ in range(400):
        members = [
            member(
                n, chance.choice(["Lyon", "Oslo", "Rome"]), *((f"v{chance.randrange(6)}", chance.random()),) * 2,
                day=chance.randrange(9), confirmed=chance.random() < 0.1,
            )
            for n in range(chance.randrange(2, 12))
        ]  # fmt: skip
        for sides in groups(members):
            dispute = vote(sides)
            out = held_back(dispute)
            assert not out & {each.id for each in members if each.confirmed}
            assert not out & {each.id for each in dispute.leader.members}
            assert not out & dispute.contested
            # saying it all again in further rows changes nothing
            again = [member(f"{each.id}b", each.value, *each.voices, at=each.at) for each in members]
            [twice] = groups([*members, *again]) or [None]
            assert twice is None or held_back(vote(twice)) >= out
