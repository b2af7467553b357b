"""Every route that changes something leaves an audit row with who, what and from where: pages, sign-in and the API.

A new route that takes a POST, PATCH, PUT or DELETE fails here until it has its line in SCENARIOS or, with a reason, in
NOTHING_TO_AUDIT.
"""

import json
import re

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from memory.actions.configure import (
    archiving_of,
    ranking_of,
    recall_log_of,
    retention_of,
    reviewing_of,
    screens_of,
    weights_of,
)
from memory.actions.revise import pin
from memory.actor import SYSTEM
from memory.api import keys
from memory.intake.screen import SCREENS
from memory.models import AuditEvent, Conflict, Episode, EpisodeFile, Membership, Memory, Workspace
from memory.tests.agent import Agent
from review import claims, decisions
from review.models import AutoRule, BulkRun, Decision
from review.notices import webhooks
from review.rules.proposing import ALIKE
from review.tests.drawn import drawn

PASSWORD = "correct horse battery"
NOTHING_TO_AUDIT = {
    "choose_theme": "how a person's own pages look", "set_language": "how a person's own pages look",
    "choose_zone": "how a person's own pages look", "choose_workspace": "which of a person's own seats they look from",
    "choose_digest": "what a person is mailed",
    "choose_keys": "how a person's own pages work", "mentions_read": "what a person has read of what is said to them",
    "view_save": "a person's own list", "view_act": "a person's own list",
    "ping": "says that a page is open", "leave": "says that a page is closed",
    "release": "a lease that runs out by itself was let go; that it was taken is told",
    "bulk": "a preview",
    "api-search": "the recall is its own record", "api-search-alias": "the recall is its own record",
    "api-tool-schemas": "it answers and stores nothing",
}  # fmt: skip
# something for each part of an address, only to ask which methods a route takes
ANY = {"pk": 1, "kind": "csv", "verb": "edit", "memory_id": "1", "run_id": "1", "user_id": "1"}
ANY_UUID = ANY | {"pk": "00000000-0000-4000-8000-000000000000"}
CHANGING = ("post", "put", "patch", "delete")
SCENARIOS = {}


def scenario(*names):
    def register(act):
        SCENARIOS.update(dict.fromkeys(names, act))
        return act

    return register


class Desk:
    """What the scenarios need: a browser with an admin in it, and the makers of test data."""

    def __init__(self, client, workspace, make_memory, make_conflict, make_episode):
        self.client, self.workspace = client, workspace
        self.memory, self.conflict, self.episode = make_memory, make_conflict, make_episode

    def member(self, name):
        return Membership.objects.get(workspace=self.workspace, person__username=name).person

    def post(self, route, *args, **form):
        return self.client.post(reverse(route, args=args), form)


@pytest.fixture
def cara(desk, workspace, make_memory, make_conflict, make_episode):
    return Desk(desk("cara"), workspace, make_memory, make_conflict, make_episode)


@scenario("decide")
def decide(desk):
    conflict = desk.conflict("I live in Leipzig", "I live in Graz")
    return desk.post("decide", conflict.pk, version=1, choice="accept", reason_code="newer")


@scenario("undo")
def undo(desk):
    decide(desk)
    decision = Decision.objects.get()
    return desk.post("undo", decision.conflict_id, decision=decision.pk)


@scenario(*(f"memory_act {verb}" for verb in ("edit", "restore", "retract", "confirm", "pin", "unpin")))
def act(desk, verb):
    memory = desk.memory("My bike is blue")
    if verb == "unpin":
        pin(memory=memory, actor=SYSTEM, now=timezone.now(), expected_version=1, pinned=True)
    if verb == "restore":
        desk.post("memory_act", memory.pk, "edit", version=1, text="My bike is red")
    version = Memory.objects.get(pk=memory.pk).version
    return desk.post("memory_act", memory.pk, verb, version=version, text="My bike is green", number=1)


@scenario("rollback_now")
def roll_back(desk):
    memory = desk.memory("My bike is blue")
    scope = {"kind": "change", "value": memory.versions.get().change_id}
    page = desk.client.get(reverse("rollback"), scope).content.decode()
    token = re.search(r'name="token" value="([0-9a-f]+)"', page)[1]
    return desk.post("rollback_now", token=token, reason="poisoned", **scope)


@scenario("webhook_add", "webhook_save", "webhook_secret", "webhook_test", "webhook_remove", "delivery_again")
def webhook(desk, name):
    events = ["conflict.queued"]
    if name == "webhook_add":
        return desk.post(name, url="https://hooks.example.com/", events=events)
    hook = webhooks.add(
        workspace=desk.workspace, url="https://hooks.example.com/", events=events, person=desk.member("cara"),
        actor=SYSTEM, now=timezone.now(),
    )  # fmt: skip
    shown, now = json.dumps(webhooks.state_of(hook)), timezone.now()
    given_up = hook.deliveries.create(
        event="test", about=now, next_at=now, created_at=now, state="given_up", ended_at=now
    )
    if name == "delivery_again":
        return desk.post(name, given_up.pk)
    return desk.post(name, hook.pk, url="https://other.example.com/", events=events, shown=shown)


@scenario("credibility_save")
def reweigh(desk):
    saved = weights_of(desk.workspace)
    return desk.post("credibility_save", shown=json.dumps(saved), **saved | {"llm_summary": 0.2})


@scenario("rule_make", "rule_off", "rule_undo")
def rule(desk, name):
    about = {"kind": "contradiction", "why": "value_changed", "category": "profile", "source_class": "user_input"}
    if name == "rule_make":
        for number in range(ALIKE):
            conflict = desk.conflict(f"My code is A{number}", f"My code is B{number}")
            decisions.decide(
                conflict=conflict, person=desk.member("ada" if number % 2 else "ben"), actor=SYSTEM,
                now=timezone.now(), draft=decisions.Draft("accept", "newer"), expected_version=1,
            )  # fmt: skip
        return desk.post(name, **about, choice="accept", check_share="0.1", per_hour="60")
    made = AutoRule.objects.create(
        workspace=desk.workspace, **about, choice="accept", reason_code="newer", check_share=0.1, per_hour=60,
        rests_on=20, made_at=timezone.now(),
    )  # fmt: skip
    return desk.post(name, made.pk)


@scenario("retention_save", "retention_check", "retention_back")
def retain(desk, name):
    if name == "retention_save":
        return desk.post(name, shown=json.dumps(retention_of(desk.workspace)), episode_days="365")
    file = EpisodeFile.objects.create(
        workspace=desk.workspace, month="2025-03-01", part=1, name="gone.jsonl.gz", episodes=1, bytes=1, sha256="0",
        written_at=timezone.now(),
    )  # fmt: skip
    return desk.post(name, file.pk)


@scenario("retry_all")
def retry_all(desk):
    desk.episode("My bike is blue", judging=Episode.Judging.PARKED)
    return desk.post("retry_all")


@scenario("erase_now")
def erase_person(desk):
    memory = desk.memory("My bike is blue")
    return desk.post("erase_now", memory.user_id, reason="request", typed=memory.user.external_id)


@scenario("memory_erase_now")
def erase_memory(desk):
    memory = desk.memory("My bike is blue")
    return desk.post("memory_erase_now", memory.pk, reason="mistake", typed=memory.user.external_id)


@scenario("archive_save")
def save_archive(desk):
    shown = json.dumps(archiving_of(desk.workspace))
    return desk.post("archive_save", shown=shown, archive_on="1", archive_below="0.2", archive_days="30")


def cold(desk):
    return desk.memory("My boat is old", at=timezone.now() - timezone.timedelta(days=300))


@scenario("archive_run")
def run_archive(desk):
    cold(desk)
    return desk.post("archive_run", shown=json.dumps(archiving_of(desk.workspace)))


@scenario("archive_restore")
def restore_archived(desk):
    memory = cold(desk)
    desk.post("archive_run", shown=json.dumps(archiving_of(desk.workspace)))
    return desk.post("archive_restore", memory.pk, version=2)


@scenario("retry")
def retry(desk):
    episode = desk.episode("My bike is blue", judging=Episode.Judging.PARKED)
    return desk.post("retry", episode.pk)


@scenario("defence_save")
def save_defence(desk):
    actions = screens_of(desk.workspace)
    wanted = actions | {SCREENS[0].id: "label" if actions[SCREENS[0].id] != "label" else "hold"}
    return desk.post("defence_save", shown=json.dumps(actions), **wanted)


@scenario("take", "skip", "assign", "defer")
def share(desk, name):
    conflict, cara = desk.conflict("I live in Leipzig", "I live in Graz"), desk.member("cara")
    tomorrow = (timezone.now() + timezone.timedelta(days=2)).date()
    return desk.post(name, conflict.pk, to=cara.pk, shown="", day=tomorrow)


@scenario("unskip", "bring_back")
def take_back_sharing(desk, name):
    first = {"unskip": "skip", "bring_back": "defer"}[name]
    share(desk, first)
    return desk.post(name, Conflict.objects.get().pk)


@scenario("take_next")
def take_next(desk):
    desk.conflict("I live in Leipzig", "I live in Graz")
    return desk.post("take_next")


@scenario("take_over")
def take_over(desk):
    conflict, ben = desk.conflict("I live in Leipzig", "I live in Graz"), desk.member("ben")
    claims.take(conflict=conflict, person=ben, actor=SYSTEM, now=timezone.now())
    return desk.post("take_over", conflict.pk, holder=ben.pk, reason="ben is on leave")


@scenario("note")
def write_note(desk):
    return desk.post("note", desk.conflict("I live in Leipzig", "I live in Graz").pk, said="which one?")


@scenario("bulk_now")
def decide_together(desk):
    conflict = desk.conflict("I live in Leipzig", "I live in Graz")
    return desk.post("bulk_now", item=f"{conflict.pk}:1", choice="keep", reason_code="mistaken")


@scenario("bulk_undo")
def undo_together(desk):
    decide_together(desk)
    return desk.post("bulk_undo", BulkRun.objects.get().pk)


@scenario("confirm", "send_back")
def answer_proposal(desk, name):
    Workspace.objects.update(settings={"second_person": "always"})
    conflict = desk.conflict("I live in Leipzig", "I live in Graz")
    proposal = decisions.decide(
        conflict=conflict, person=desk.member("ben"), actor=SYSTEM, now=timezone.now(), expected_version=1,
        draft=decisions.Draft("accept", "newer"),
    )  # fmt: skip
    return desk.post(name, conflict.pk, proposal=proposal.pk, answer="look again")


@scenario("ranking_save")
def save_ranking(desk):
    shown = ranking_of(desk.workspace)
    return desk.post("ranking_save", shown=json.dumps(shown), **(shown | {"min_relevance": 0.4}))


@scenario("ranking_log")
def save_log(desk):
    shown = json.dumps(recall_log_of(desk.workspace))
    return desk.post("ranking_log", shown=shown, recall_log_share="0.5", recall_days="30")


@scenario("reviewing_save")
def save_reviewing(desk):
    shown = json.dumps(reviewing_of(desk.workspace))
    return desk.post("reviewing_save", shown=shown, second_person="high", undo_minutes="15", second_look_share="0.1")


@scenario("second_look_answer")
def look_again(desk):
    look = drawn(desk.conflict(None, "I play the cello"))
    return desk.post("second_look_answer", look.pk, choice="keep")


@scenario("key_create")
def create_key(desk):
    return desk.post("key_create", name="night shift", write="on")


@scenario("key_revoke")
def revoke_key(desk):
    key, _ = keys.issue(workspace=desk.workspace, name="k", scopes=["read"], actor=SYSTEM, now=timezone.now())
    return desk.post("key_revoke", key.pk)


@scenario("audit_keep")
def keep_audit(desk):
    return desk.post("audit_keep", shown="0", audit_days="365")


@scenario("audit_head", "audit_verify")
def head_or_verify(desk, name):
    desk.memory("My bike is blue")
    return desk.post(name)


@scenario("login", "logout")
def sign(desk, name):
    desk.client = desk.client if name == "logout" else Client()
    return desk.post(name, username="cara", password=PASSWORD)


@scenario(
    "api-events POST", "api-tool-results POST", "api-memories POST", "api-memories DELETE", "api-memories-batch POST",
    "api-memory PATCH", "api-memory DELETE",
)  # fmt: skip
def call(desk, name):
    agent = Agent(desk.workspace)
    made = agent.remember("My bike is blue", infer=False) if "POST" not in name else None
    said = {"user_id": "u1", "run_id": "r1"}
    return {
        "api-events POST": lambda: agent.post("/events", said | {"role": "user", "content": "My bike is blue"}),
        "api-tool-results POST": lambda: agent.post(
            "/tool-results", said | {"tool": {"name": "crm"}, "result": {"content": [{"type": "text", "text": "ok"}]}}
        ),
        "api-memories POST": lambda: agent.post("/memories", {"user_id": "u1", "memory": "My bike is blue"}),
        "api-memories DELETE": lambda: agent.delete("/memories?user_id=u1"),
        "api-memories-batch POST": lambda: agent.post(
            "/memories/batch", {"memories": [{"user_id": "u1", "memory": "I own a kayak"}]}
        ),
        "api-memory PATCH": lambda: agent.patch(f"/memories/{made['id']}", {"memory": "My bike is green"}),
        "api-memory DELETE": lambda: agent.delete(f"/memories/{made['id']}"),
    }[name]()


# what only reads, and is told all the same because it takes data out of the house
@scenario("person_export")
def export_person(desk):
    return desk.client.get(reverse("person_export", args=[desk.memory("My bike is blue").user_id]))


@scenario("memory_recalls", "audit_export", "decisions_export")
def export(desk, name):
    args = [desk.memory("My bike is blue").pk, "csv"] if name == "memory_recalls" else ["csv"]
    return desk.client.get(reverse(name, args=args))


def routes() -> list[URLPattern]:
    """Every route but those of Django's own admin, which hindsight_site/admin.py audits by model."""
    found, below = [], [get_resolver()]
    while below:
        part = below.pop()
        if isinstance(part, URLPattern):
            found.append(part)
        elif not part.namespace:
            below += part.url_patterns
    return found


def changing() -> set[str]:
    """The names of the routes that take more than GET; those of the API with their methods."""
    names, client = set(), Client()
    for route in routes():
        if view := getattr(route.callback, "cls", None):
            names |= {
                f"{route.name} {verb.upper()}" for verb in ("post", "put", "patch", "delete") if hasattr(view, verb)
            }
            continue
        given = ANY_UUID if "uuid" in str(route.pattern) or "[0-9a-f]{8}" in str(route.pattern) else ANY
        wanted = route.pattern.regex.groupindex
        given = given | {"verb": "rename"} if route.name == "view_act" else given
        address = reverse(route.name, kwargs={name: given[name] for name in wanted})
        if client.post(address).status_code != 405:
            names.add(route.name)
    return names


@pytest.mark.django_db
def test_every_route_that_changes_something_is_walked(people):
    walked = set(SCENARIOS) | {name.partition(" ")[0] for name in SCENARIOS}
    missing = {name for name in changing() if name not in walked and name.partition(" ")[0] not in NOTHING_TO_AUDIT}
    assert missing == set()


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_change_leaves_an_audit_row_that_says_who_what_and_from_where(name, cara):
    act, words = SCENARIOS[name], name.split(" ")
    given = [] if act.__code__.co_argcount == 1 else [words[1] if act.__name__ == "act" else name]
    answer = act(cara, *given)
    assert answer.status_code < 400, answer.content
    event = AuditEvent.objects.exclude(actor_kind="system").order_by("pk").last()
    assert event is not None
    assert event.actor_label in ("cara", "a1") and event.actor_id
    assert (event.denied, event.address) == (False, "127.0.0.1")
    assert event.action and event.object_type
    assert event.request_id == answer["X-Request-ID"]
