"""/settings/notices/ as an admin uses it."""

import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from memory.actor import SYSTEM
from memory.models import AuditEvent
from review.models import Webhook
from review.notices import webhooks

URL = "https://hooks.example.com/in"
QUEUED = "conflict.queued"


@pytest.fixture
def hook(workspace, people):
    return webhooks.add(
        workspace=workspace, url=URL, events=[QUEUED], person=people["cara"], actor=SYSTEM, now=timezone.now()
    )


def form(hook, **values):
    return {"url": hook.url, "events": hook.events, "on": "on", "shown": json.dumps(webhooks.state_of(hook))} | values


def test_the_secret_is_shown_when_it_is_made_and_never_again(desk, people):
    made = desk("cara").post(reverse("webhook_add"), {"url": URL, "events": [QUEUED]}).content.decode()
    hook = Webhook.objects.get()
    assert hook.secret in made and re.fullmatch(r"whsec_[A-Za-z0-9+/]{32}", hook.secret)
    assert hook.secret not in desk("cara").get(reverse("webhook", args=[hook.pk])).content.decode()
    assert hook.secret not in json.dumps([event.after for event in AuditEvent.objects.all()])


def test_a_new_secret_takes_the_place_of_the_old(desk, hook):
    shown = desk("cara").post(reverse("webhook_secret", args=[hook.pk])).content.decode()
    renewed = Webhook.objects.get().secret
    assert renewed in shown and renewed != hook.secret


@pytest.mark.parametrize(
    ("url", "events"),
    [("http://hooks.example.com/", [QUEUED]), ("https://10.0.0.1/", [QUEUED]), (URL, []), (URL, ["x"])],
)
def test_what_cannot_be_is_refused_and_what_was_typed_stays(url, events, desk):
    answer = desk("cara").post(reverse("webhook_add"), {"url": url, "events": events})
    assert (answer.status_code, Webhook.objects.count()) == (422, 0)
    assert f'value="{url}"' in answer.content.decode() and 'role="alert"' in answer.content.decode()


def test_there_are_twenty_at_most(desk, hook, workspace):
    for _ in range(webhooks.MOST - 1):
        desk("cara").post(reverse("webhook_add"), {"url": URL, "events": [QUEUED]})
    assert desk("cara").post(reverse("webhook_add"), {"url": URL, "events": [QUEUED]}).status_code == 422
    assert Webhook.objects.count() == webhooks.MOST


def test_it_is_changed_and_switched_off(desk, hook):
    wanted = {"url": "https://other.example.com/", "events": ["conflict.decided"]}
    desk("cara").post(reverse("webhook_save", args=[hook.pk]), form(hook, on="", **wanted))
    assert webhooks.state_of(Webhook.objects.get()) == wanted | {"off": "admin"}
    event = AuditEvent.objects.get(action="webhook.change")
    assert event.before["url"] == URL and event.after["off"] == "admin"


def test_of_two_admins_the_later_is_told(desk, hook):
    late = form(hook, url="https://late.example.com/")
    desk("cara").post(reverse("webhook_save", args=[hook.pk]), form(hook, url="https://early.example.com/"))
    answer = desk("cara").post(reverse("webhook_save", args=[hook.pk]), late)
    assert (answer.status_code, Webhook.objects.get().url) == (409, "https://early.example.com/")


@pytest.mark.parametrize("shown", ["", "{", "[]", "null"])
def test_a_form_that_is_not_whole_changes_nothing(shown, desk, hook):
    answer = desk("cara").post(
        reverse("webhook_save", args=[hook.pk]), form(hook, url="https://x.example/", shown=shown)
    )
    assert answer.status_code in (409, 422) and Webhook.objects.get().url == URL


def test_the_log_says_what_became_of_each_and_sends_again_what_was_given_up(desk, hook):
    now = timezone.now()
    values = {"event": "test", "about": now, "next_at": now, "created_at": now}
    hook.deliveries.create(**values, state="delivered", status=204, attempts=1, ended_at=now)
    lost = hook.deliveries.create(**values, state="given_up", error="private", attempts=7, ended_at=now)
    page = desk("cara").get(reverse("webhook", args=[hook.pk])).content.decode()
    assert "HTTP 204 · 1 attempt" in page and "the name leads into a private network · 7 attempts" in page
    desk("cara").post(reverse("delivery_again", args=[lost.pk]))
    lost.refresh_from_db()
    assert (lost.state, lost.attempts, lost.ended_at) == ("pending", 0, None)


def test_removed_it_is_gone_with_its_log(desk, hook):
    desk("cara").post(reverse("webhook_test", args=[hook.pk]))
    desk("cara").post(reverse("webhook_remove", args=[hook.pk]))
    assert not Webhook.objects.exists()
    assert AuditEvent.objects.get(action="webhook.remove").before["url"] == URL
