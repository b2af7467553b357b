"""Two people at the same page at once, on PostgreSQL: one of them wins and the other is told."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.urls import reverse

from memory.models import Conflict, Memory
from review.models import BulkRun, Decision

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(*posts):
    """Sends every (client, address, form) from a thread of its own, none before all are ready; answers in order."""
    ready = Barrier(len(posts))

    def one(post):
        client, address, form = post
        try:
            ready.wait(timeout=10)
            return client.post(address, form)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(posts)) as pool:
        return list(pool.map(one, posts))


def form(choice, **more):
    return {"version": 1, "choice": choice, "reason_code": "newer"} | more


def test_two_reviewers_decide_at_once_and_one_of_them_is_told_who_was_faster(make_conflict, desk):
    ada, ben = desk("ada"), desk("ben")
    for n in range(12):
        conflict = make_conflict(f"I own {n} bikes", f"I own {n} cars")
        address = reverse("decide", args=[conflict.pk])
        answers = at_once((ada, address, form("accept", note="ada's")), (ben, address, form("keep", note="ben's")))
        assert sorted(answer.status_code for answer in answers) == [302, 409]
        decision = Decision.objects.get(conflict=conflict)
        lost = next(answer for answer in answers if answer.status_code == 409).content.decode()
        assert f"{decision.decider} was faster" in lost and decision.get_choice_display() in lost
        assert f"{'ben' if decision.decider.username == 'ada' else 'ada'}&#x27;s" in lost
        conflict.refresh_from_db()
        assert (conflict.choice, conflict.decided_by) == (decision.choice, decision.decider)


def test_two_tabs_undo_at_once_and_it_is_undone_once(make_conflict, desk):
    ada, cara = desk("ada"), desk("cara")
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    assert ada.post(reverse("decide", args=[conflict.pk]), form("accept")).status_code == 302
    address = reverse("undo", args=[conflict.pk])
    shown = {"decision": Decision.objects.get().pk}
    answers = at_once((ada, address, shown), (cara, address, shown))
    assert sorted(answer.status_code for answer in answers) == [302, 409]
    assert Decision.objects.count() == 2 and Conflict.objects.get().status == "open"
    assert Memory.objects.get(status="active").text == "I live in Leipzig"


@pytest.fixture
def second_person(workspace):
    workspace.settings = {"second_person": "always"}
    workspace.save()


def test_two_propose_at_once_and_one_proposal_waits(make_conflict, desk, second_person):
    ada, ben = desk("ada"), desk("ben")
    for n in range(8):
        conflict = make_conflict(f"I own {n} bikes", f"I own {n} cars")
        address = reverse("decide", args=[conflict.pk])
        answers = at_once((ada, address, form("accept")), (ben, address, form("keep")))
        assert sorted(answer.status_code for answer in answers)[0] == 302
        assert sorted(answer.status_code for answer in answers)[1] in (409, 422)
        assert conflict.proposals.count() == 1
        conflict.refresh_from_db()
        assert (conflict.status, conflict.version) == ("open", 2)


def test_confirmed_and_sent_back_at_once_only_one_counts(make_conflict, desk, second_person):
    ada, ben, cara = desk("ada"), desk("ben"), desk("cara")
    for n in range(8):
        conflict = make_conflict(f"I own {n} bikes", f"I own {n} cars")
        ada.post(reverse("decide", args=[conflict.pk]), form("accept"))
        shown = {"proposal": conflict.proposals.get().pk, "answer": "ask first"}
        answers = at_once(
            (ben, reverse("confirm", args=[conflict.pk]), shown),
            (cara, reverse("send_back", args=[conflict.pk]), shown),
        )
        assert sorted(answer.status_code for answer in answers) == [302, 409]
        conflict.refresh_from_db()
        outcome = (conflict.proposals.get().status, conflict.status, Decision.objects.filter(conflict=conflict).count())
        assert outcome in (("confirmed", "decided", 1), ("sent_back", "open", 0))


def test_two_confirm_at_once_and_it_is_decided_once(make_conflict, desk, second_person):
    ada, ben, cara = desk("ada"), desk("ben"), desk("cara")
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    ada.post(reverse("decide", args=[conflict.pk]), form("accept"))
    shown, address = {"proposal": conflict.proposals.get().pk}, reverse("confirm", args=[conflict.pk])
    assert sorted(each.status_code for each in at_once((ben, address, shown), (cara, address, shown))) == [302, 409]
    assert Decision.objects.count() == 1 and Memory.objects.filter(status="active").count() == 1


def test_two_bulks_over_the_same_conflicts_decide_each_once(make_conflict, desk):
    conflicts = [make_conflict(f"I own {n} bikes", f"I own {n} cars") for n in range(12)]
    items = [f"{conflict.pk}:1" for conflict in conflicts]
    posts = [
        (desk("ada"), reverse("bulk_now"), form("accept", item=items)),
        (desk("ben"), reverse("bulk_now"), form("keep", item=items[::-1])),
    ]
    assert [answer.status_code for answer in at_once(*posts)] == [302, 302]
    assert Decision.objects.count() == 12 and not Conflict.objects.filter(status="open").exists()
    outcomes = [each["outcome"] for run in BulkRun.objects.all() for each in run.outcomes]
    assert (outcomes.count("done"), outcomes.count("decided")) == (12, 12)


def test_two_edits_of_one_version_at_once_write_one(make_memory, desk):
    memory = make_memory("My bike is blue")
    address = reverse("memory_act", args=[memory.pk, "edit"])
    posts = [(desk(name), address, {"version": 1, "text": f"My bike is {name}'s"}) for name in ("ada", "ben")]
    assert sorted(answer.status_code for answer in at_once(*posts)) == [302, 409]
    memory.refresh_from_db()
    assert (memory.version, memory.versions.count()) == (2, 2)
