"""Where the workspace wants it, a first person proposes and another one confirms or sends back."""

import pytest
from django.urls import reverse

from memory.models import AuditEvent, Conflict, Memory
from review.models import Decision, Proposal

FORM = {"version": 1, "choice": "accept", "reason_code": "newer", "note": "asked her"}


@pytest.fixture(autouse=True)
def always(workspace):
    workspace.settings = {"second_person": "always"}
    workspace.save()


@pytest.fixture
def conflict(make_conflict):
    return make_conflict("I live in Leipzig", "I live in Graz")


@pytest.fixture
def propose(desk, conflict):
    def propose_(name="ada", **form):
        return desk(name).post(reverse("decide", args=[conflict.pk]), FORM | form)

    return propose_


@pytest.fixture
def answer(desk, conflict):
    def answer_(verb, name="ben", **form):
        form = {"proposal": Proposal.objects.last().pk} | form
        return desk(name).post(reverse(verb, args=[conflict.pk]), form)

    return answer_


def test_a_proposal_changes_nothing_and_shows_on_the_page_and_in_the_queue(propose, conflict, desk):
    assert propose().status_code == 302
    conflict.refresh_from_db()
    assert (conflict.status, conflict.version) == ("open", 2)
    assert Memory.objects.get().text == "I live in Leipzig" and not Decision.objects.exists()
    page = desk("ben").get(reverse("conflict", args=[conflict.pk])).content.decode()
    assert "Accept incoming" in page and "asked her" in page and reverse("confirm", args=[conflict.pk]) in page
    assert 'name="choice"' not in page
    assert "Proposed" in desk("ben").get(reverse("queue")).content.decode()


def test_a_second_person_confirms_and_both_are_named(propose, answer, people):
    propose()
    assert answer("confirm").status_code == 302
    decision = Decision.objects.get()
    assert (decision.decider, decision.proposer, decision.note) == (people["ben"], people["ada"], "asked her")
    assert Memory.objects.get(status="active").text == "I live in Graz"
    assert Proposal.objects.get().status == "confirmed"


@pytest.mark.parametrize("name", ["ada", "cara"])
def test_nobody_confirms_their_own_proposal_an_admin_neither(name, propose, answer, conflict, desk):
    propose(name)
    assert reverse("confirm", args=[conflict.pk]) not in desk(name).get(f"/review/{conflict.pk}/").content.decode()
    assert answer("confirm", name).status_code == 422
    assert Conflict.objects.get().status == "open" and Proposal.objects.get().status == "open"


def test_it_is_sent_back_with_a_word_why_and_can_be_proposed_anew(propose, answer, conflict, desk):
    propose()
    assert answer("send_back", answer=" ").status_code == 422
    assert answer("send_back", answer="ask the user first").status_code == 302
    assert "ask the user first" in desk("ada").get(f"/review/{conflict.pk}/").content.decode()
    assert propose(version=2).status_code == 302
    assert Proposal.objects.filter(status="open").count() == 1


def test_who_proposed_may_withdraw(propose, answer):
    propose()
    assert answer("send_back", "ada").status_code == 302
    assert Proposal.objects.get().status == "withdrawn"


def test_while_a_proposal_waits_nobody_decides_past_it(propose, conflict, desk, workspace):
    propose()
    workspace.settings = {}
    workspace.save()
    assert propose("ben", version=2).status_code == 422
    assert Conflict.objects.get().status == "open" and not Decision.objects.exists()


def test_who_had_the_conflict_open_when_it_was_proposed_is_told(propose):
    propose()
    assert propose("ben").status_code == 422
    Proposal.objects.update(status="withdrawn", answered_at="2026-05-04T10:00Z")
    assert propose("ben").status_code == 409


def test_a_conflict_that_changed_since_it_was_proposed_is_not_decided(propose, answer):
    propose()
    Conflict.objects.update(version=9)
    assert answer("confirm").status_code == 409
    assert Conflict.objects.get().status == "open" and Proposal.objects.get().status == "open"


@pytest.mark.parametrize("verb", ["confirm", "send_back"])
@pytest.mark.parametrize("shown", ["", "x", "99999999999", "0"])
def test_a_form_that_names_no_open_proposal_answers_none(verb, shown, propose, answer):
    propose()
    assert answer(verb, proposal=shown, answer="why").status_code == 409
    assert Proposal.objects.get().status == "open"


def test_only_high_urgency_waits_where_that_is_set(propose, workspace, conflict):
    workspace.settings = {"second_person": "high"}
    workspace.save()
    Conflict.objects.update(band=1)
    propose()
    assert Proposal.objects.count() == 1 and Conflict.objects.get().status == "open"
    Proposal.objects.all().delete()
    Conflict.objects.update(band=2, version=1)
    propose()
    assert Conflict.objects.get().status == "decided" and not Proposal.objects.exists()


def test_scopes_and_wording_go_along_with_the_proposal(propose, answer):
    propose(choice="keep_both", held_scope="on weekdays", both_text="In summer I live in Graz")
    answer("confirm")
    assert Memory.objects.get(text="I live in Leipzig").metadata == {"scope": "on weekdays"}
    assert Memory.objects.filter(text="In summer I live in Graz", status="active").exists()


def test_proposing_and_sending_back_are_in_the_audit(propose, answer):
    propose()
    answer("send_back", answer="ask first")
    actions = AuditEvent.objects.filter(object_type="conflict").order_by("id").values_list("action", "actor_label")
    assert list(actions)[-2:] == [("conflict.propose", "ada"), ("conflict.send_back", "ben")]
