"""Who was told a memory: which recalls, sessions and agents, at which version; and the same for a key."""

from datetime import timedelta

import pytest

from memory.actions.configure import recall_log_of, set_recall_log
from memory.actions.revise import revise
from memory.actor import SYSTEM
from memory.history import blast
from memory.history.blast import Reach
from memory.models import EndUser, RecallHit, Session, UnloggedDay
from memory.recall.search import search
from memory.tests.agent import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def spread(make_memory, user, now):
    """A memory told three times by two agents, twice in the session r1; the last time reworded."""
    memory = make_memory("I live in Bergen")
    session = Session.objects.get(user=user, run_id="r1")

    def ask(asked_by, hours, **more):
        at = now + timedelta(hours=hours)
        search(user=EndUser.objects.get(pk=user.pk), query="where do I live", asked_by=asked_by, now=at, **more)

    ask("sales", 0, session=session)
    ask("sales", 1, session=session)
    revise(memory=memory, actor=SYSTEM, now=now + timedelta(hours=2), expected_version=1, text="I live in Oslo")
    ask("care", 3)
    return memory


def set_log(workspace, at, **wanted):
    shown = recall_log_of(workspace)
    set_recall_log(workspace=workspace, shown=shown, wanted=shown | wanted, actor=SYSTEM, now=at)


def test_recalls_sessions_and_callers_are_counted(spread):
    assert blast.reach(spread) == Reach(recalls=3, sessions=1, callers=2)
    assert blast.reach(spread, version=1) == Reach(recalls=2, sessions=1, callers=1)
    assert blast.reach(spread, version=2) == Reach(recalls=1, sessions=0, callers=1)


def test_each_is_told_in_the_words_of_its_version_latest_first(spread):
    assert [(hit.version, hit.wording) for hit in blast.told(spread)] == [
        (2, "I live in Oslo"), (1, "I live in Bergen"), (1, "I live in Bergen"),
    ]  # fmt: skip
    last = list(blast.lines(spread))[-1]
    assert list(last) == blast.COLUMNS
    assert (last["run_id"], last["told"], last["now"]) == ("r1", "I live in Bergen", "I live in Oslo")


def test_what_a_recall_withheld_was_told_to_nobody(spread):
    RecallHit.objects.filter(version=2).update(withheld=True)
    assert blast.reach(spread).recalls == 2


def test_a_key_reads_which_recalls_told_it_but_not_what_others_asked(workspace, spread):
    answer = Agent(workspace).get(f"/memories/{spread.pk}/recalls", limit=2).json()
    assert (answer["total"], [item["memory"] for item in answer["items"]]) == (
        3,
        ["I live in Oslo", "I live in Bergen"],
    )
    assert [item["run_id"] for item in answer["items"]] == [None, "r1"]
    assert set(answer["items"][0]) == {"recall_id", "run_id", "agent_id", "version", "memory", "at"}


def test_another_workspaces_key_and_one_limited_to_others_get_404(workspace, other_workspace, spread):
    for agent in (Agent(other_workspace), Agent(workspace, name="a2", only_users=["u2"])):
        assert agent.get(f"/memories/{spread.pk}/recalls").status_code == 404


def test_the_log_tells_its_own_gaps(workspace, user, now):
    assert not blast.gaps(workspace, now=now).any
    UnloggedDay.objects.create(workspace=workspace, day=(now - timedelta(days=3)).date(), count=4)
    UnloggedDay.objects.create(workspace=workspace, day=(now - timedelta(days=400)).date(), count=9)
    set_log(workspace, now - timedelta(days=9), recall_log_share=0.25)
    found = blast.gaps(workspace, now=now)
    assert (found.share, found.percent, found.unlogged, found.days) == (0.25, 25, 4, 365)
    set_log(workspace, now - timedelta(days=5), recall_log_share=1)
    whole_again = blast.gaps(workspace, now=now)
    assert (whole_again.share, whole_again.partial_until, whole_again.any) == (1, now - timedelta(days=5), True)


def test_an_agent_is_told_what_share_is_logged(workspace, make_memory, now):
    memory = make_memory("I live in Bergen")
    set_log(workspace, now, recall_log_share=0.5)
    assert Agent(workspace).get(f"/memories/{memory.pk}/recalls").json()["log_share"] == 0.5
