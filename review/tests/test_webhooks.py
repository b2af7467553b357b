"""What webhooks are told: every event once, signed, again until it is received, and nothing of what is remembered."""

import base64
import hashlib
import hmac
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from memory.actor import SYSTEM
from memory.models import AuditEvent, Conflict, Episode
from review import decisions
from review.access import Seat
from review.models import Delivery, Webhook
from review.notices import delivering, filing, webhooks
from review.tasks import notify
from review.tests.receiver import receiver

pytestmark = pytest.mark.django_db
ALL = [event.value for event in webhooks.EVENTS]
HOUR = timedelta(hours=1)


@pytest.fixture
def server(settings):
    settings.WEBHOOK_PRIVATE = True
    with receiver() as found:
        yield found


@pytest.fixture
def make_hook(workspace, people):
    def make(url="https://hooks.example.com/", events=ALL, at=None, workspace=workspace) -> Webhook:
        return webhooks.add(
            workspace=workspace, url=url, events=events, person=people["cara"], actor=SYSTEM,
            now=at or timezone.now() - HOUR,
        )  # fmt: skip

    return make


def told(hook) -> list[tuple[str, object]]:
    return sorted((each.event, each.conflict_id) for each in hook.deliveries.all())


def decide(conflict, person, **values):
    return decisions.decide(
        conflict=conflict, person=person, actor=SYSTEM, now=timezone.now(), expected_version=conflict.version,
        draft=decisions.Draft(choice="accept", reason_code="newer", **values),
    )  # fmt: skip


def open_now(make_conflict, first="I live in Leipzig", second="I live in Graz") -> Conflict:
    conflict = make_conflict(first, second)
    Conflict.objects.filter(pk=conflict.pk).update(opened_at=timezone.now(), due_at=timezone.now() + HOUR)
    conflict.refresh_from_db()
    return conflict


# which events


def test_what_waits_is_told_once_however_often_it_is_looked_for(make_hook, make_conflict):
    conflict, hook = open_now(make_conflict), make_hook()
    for _ in range(3):
        filing.file_new(hook, now=timezone.now())
    assert told(hook) == [("conflict.queued", conflict.pk)]


def test_a_decision_and_its_taking_back_are_told(make_hook, make_conflict, people):
    conflict, hook = open_now(make_conflict), make_hook()
    decision = decide(conflict, people["ada"])
    filing.file_new(hook, now=timezone.now())
    assert told(hook) == [("conflict.decided", conflict.pk)]
    conflict.refresh_from_db()
    decisions.take_back(
        conflict=conflict, shown=decision.pk, seat=Seat(conflict.workspace, "Admin", frozenset({"decide_conflict"})),
        person=people["ada"], actor=SYSTEM, now=timezone.now(),
    )  # fmt: skip
    filing.file_new(hook, now=timezone.now())
    # filed first, and back from its decision
    assert told(hook) == [
        ("conflict.decided", conflict.pk), ("conflict.queued", conflict.pk), ("conflict.queued", conflict.pk),
    ]  # fmt: skip


def test_what_falls_due_is_told_then_and_again_when_it_was_put_off(make_hook, make_conflict):
    conflict, hook = open_now(make_conflict), make_hook(events=["conflict.overdue"])
    filing.file_new(hook, now=timezone.now())
    assert told(hook) == []
    filing.file_new(hook, now=conflict.due_at + timedelta(seconds=1))
    filing.file_new(hook, now=conflict.due_at + timedelta(seconds=9))
    assert told(hook) == [("conflict.overdue", conflict.pk)]
    Conflict.objects.filter(pk=conflict.pk).update(due_at=conflict.due_at + HOUR)
    filing.file_new(hook, now=conflict.due_at + 2 * HOUR)
    assert len(told(hook)) == 2


def test_what_was_before_the_webhook_and_what_is_elsewhere_is_not_told(make_hook, make_conflict, other_workspace):
    open_now(make_conflict)
    late, elsewhere = make_hook(at=timezone.now()), make_hook(workspace=other_workspace)
    for hook in (late, elsewhere):
        assert filing.file_new(hook, now=timezone.now() + timedelta(seconds=1)) == 0


def test_a_conflict_whose_job_committed_late_is_found(make_hook, make_conflict):
    hook = make_hook()
    filing.file_new(hook, now=timezone.now())
    conflict = open_now(make_conflict)
    Conflict.objects.filter(pk=conflict.pk).update(opened_at=timezone.now() - timedelta(minutes=10))
    filing.file_new(hook, now=timezone.now())
    assert told(hook) == [("conflict.queued", conflict.pk)]


def test_a_thousand_at_once_are_all_told_in_turns(make_hook, make_conflict, monkeypatch):
    monkeypatch.setattr(filing, "MOST", 2)
    hook = make_hook(events=["conflict.queued"])
    for city in ("Graz", "Linz", "Bern", "Rom", "Oslo"):
        open_now(make_conflict, f"I live near {city}", f"I live in {city}")
    assert [filing.file_new(hook, now=timezone.now()) for _ in range(4)] == [2, 2, 1, 0]


def test_only_what_was_chosen_is_told(make_hook, make_conflict):
    open_now(make_conflict)
    assert filing.file_new(make_hook(events=["conflict.decided"]), now=timezone.now()) == 0


# how it is sent


def test_it_is_signed_and_says_nothing_that_is_remembered(make_hook, make_conflict, server, settings):
    settings.BASE_URL = "https://console.example.com"
    conflict, hook = open_now(make_conflict), make_hook(server.url)
    assert notify() == 1
    [(path, headers, body)] = server.had
    key = base64.b64decode(hook.secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert path == "/hook?team=7" and headers["Host"] == f"127.0.0.1:{server.port}"
    event = json.loads(body)
    assert (event["type"], event["data"]["conflict_id"]) == ("conflict.queued", str(conflict.pk))
    assert event["data"]["url"] == f"https://console.example.com/review/{conflict.pk}/"
    assert event["data"]["user_id"] == "u1" and event["data"]["kind"] == "contradiction"
    assert b"Leipzig" not in body and b"Graz" not in body
    assert Delivery.objects.get().state == "delivered"


@pytest.mark.parametrize("status", [500, 404, 302])
def test_what_is_not_received_is_sent_again_later_each_time_and_not_for_ever(status, make_hook, server):
    hook = make_hook(server.url)
    server.answers = [status] * 20
    webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())
    waits = []
    while (delivery := Delivery.objects.get()).state == "pending":
        at = timezone.now()
        notify()
        delivery.refresh_from_db()
        waits.append(round((delivery.next_at - at) / timedelta(minutes=1)))
        Delivery.objects.filter(state="pending").update(next_at=timezone.now())
    assert waits[:-1] == [1, 5, 30, 120, 480, 1440]
    assert (delivery.state, delivery.attempts, delivery.status) == ("given_up", 7, status)
    # one and the same id, so that a receiver knows what it has had
    assert len({headers["webhook-id"] for _path, headers, _body in server.had}) == 1 and len(server.had) == 7


def test_it_is_received_once_and_the_failure_forgotten(make_hook, server):
    hook = make_hook(server.url)
    server.answers = [503]
    webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())
    notify()
    assert Webhook.objects.get().failing_since is not None
    Delivery.objects.update(next_at=timezone.now())
    assert (notify(), notify()) == (1, 0)
    assert len(server.had) == 2 and Webhook.objects.get().failing_since is None


def test_an_attempt_counts_before_it_is_made(make_hook, server, monkeypatch):
    """The worker is killed while it waits for the answer: the event is neither lost nor sent without end."""
    hook = make_hook(server.url)
    webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())

    def killed(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(delivering, "post", killed)
    with pytest.raises(KeyboardInterrupt):
        delivering.run()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts) == ("pending", 1)
    assert delivery.next_at > timezone.now()


def test_a_receiver_that_hangs_does_not_hold_up_another(make_hook, server, monkeypatch):
    monkeypatch.setattr(delivering, "PATIENCE", 0.3)
    with receiver() as deaf:
        deaf.hangs = True
        slow, quick = make_hook(deaf.url), make_hook(server.url)
        for hook in (slow, slow, slow, quick):
            webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())
        assert notify() == 1
    assert len(deaf.had) == 1 and len(server.had) == 1
    assert [each.error for each in slow.deliveries.filter(attempts=1)] == ["slow"]


def test_a_receiver_that_is_gone_is_not_asked_again(make_hook, server):
    hook = make_hook(server.url)
    server.answers = [410]
    for _ in range(2):
        webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())
    notify()
    notify()
    assert Webhook.objects.get().off == "gone" and len(server.had) == 1
    assert AuditEvent.objects.get(action="webhook.off").actor_kind == "system"


def test_one_that_took_nothing_for_days_is_switched_off(make_hook, server):
    hook = make_hook(server.url)
    server.answers = [500]
    Webhook.objects.update(failing_since=timezone.now() - delivering.HOPELESS - HOUR)
    webhooks.send_test(webhook=hook, actor=SYSTEM, now=timezone.now())
    notify()
    assert Webhook.objects.get().off == "failing"


def test_switched_on_again_it_is_not_told_what_happened_meanwhile(make_hook, make_conflict, server):
    hook = make_hook(server.url)
    Webhook.objects.update(off="failing", failing_since=timezone.now() - 9 * HOUR)
    open_now(make_conflict)
    hook.refresh_from_db()
    webhooks.change(
        webhook=hook, shown=webhooks.state_of(hook), url=hook.url, events=ALL, on=True, actor=SYSTEM,
        now=timezone.now(),
    )  # fmt: skip
    notify()
    hook.refresh_from_db()
    assert (hook.off, hook.failing_since, server.had) == ("", None, [])


def test_an_erased_conflict_is_not_told_of(make_hook, make_conflict, server):
    conflict, hook = open_now(make_conflict), make_hook(server.url)
    filing.file_new(hook, now=timezone.now())
    Episode.objects.filter(pk=conflict.episode_id).delete()
    assert (notify(), server.had) == (0, [])


def test_what_ended_a_month_ago_is_dropped(make_hook):
    hook, now = make_hook(), timezone.now()
    for days, state in ((31, "delivered"), (31, "pending"), (3, "given_up")):
        at = now - timedelta(days=days)
        hook.deliveries.create(
            event="test", about=at, created_at=at, next_at=at, state=state, ended_at=None if state == "pending" else at
        )
    filing.drop_old(now=now)
    assert sorted(each.state for each in hook.deliveries.all()) == ["given_up", "pending"]
