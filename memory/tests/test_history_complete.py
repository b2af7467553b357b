"""C13: whatever moved a memory, its history is 1..n, each with its change, actor, reason and time."""

from datetime import timedelta

from django.utils import timezone

from memory.actions.archive import archive
from memory.actions.revise import confirm, pin, restore, retract, retract_all, revise
from memory.actions.rollback import plan, rollback
from memory.actions.settle import settle
from memory.actions.undo import undo
from memory.actor import SYSTEM, Actor
from memory.bulk import import_memories
from memory.history.scope import Scope
from memory.models import Change, Memory, MemoryVersion
from memory.recall.keeping import Limits
from memory.tests.agent import Agent

ADA = Actor(kind="person", id="1", label="Ada")


def test_every_verb_leaves_a_gapless_history_with_actor_and_reason(workspace, make_conflict, people, tell, now):
    agent = Agent(workspace)
    agent.say("My locker number is 214.")
    agent.say("My locker number is 214.", role="assistant", run_id="r2")  # supports or is turned away
    memory = Memory.objects.get()
    agent.patch(f"/memories/{memory.pk}", {"metadata": {"team": "red"}, "reason": "a2 sorted it"})
    step = {"actor": ADA, "now": now, "reason": "because"}

    def on(act, **more):
        memory.refresh_from_db()
        return act(memory=memory, expected_version=memory.version, **step, **more)

    on(revise, text="My locker number is 215.")
    on(pin, pinned=True)
    on(confirm)
    on(retract)
    on(restore, number=1)
    conflict = make_conflict(None, "My locker number is 300.", memory=memory)
    settle(conflict=conflict, choice="accept", person=people["ada"], expected_version=1, **step)
    undo(conflict=conflict, expected_version=2, **step)
    scope = Scope(workspace, "change", str(Change.objects.latest("pk").pk))
    rollback(scope=scope, token=plan(scope).token, **step)
    import_memories(workspace, [{"user_id": "u1", "memory": "I own a canoe"}], SYSTEM, timezone.now())
    canoe = Memory.objects.get(text="I own a canoe")
    late = {**step, "now": timezone.now() + timedelta(days=400)}
    archive(user=canoe.user, ids=[canoe.pk], limits=Limits(below=0.1, days=90, half_life_days=30), **late)
    retract_all(user=memory.user, **step)
    agent.delete(f"/memories/{memory.pk}")

    kinds = set(MemoryVersion.objects.values_list("change__kind", flat=True))
    missing = set(Change.Kind.values) - kinds - {Change.Kind.SUPPORT}
    assert not missing
    for each in Memory.objects.all():
        versions = list(each.versions.select_related("change").order_by("created_at", "number"))
        assert sorted(v.number for v in versions) == list(range(1, each.version + 1))
        assert all(v.change.actor_label and v.created_at and v.change.workspace_id == workspace.pk for v in versions)
        people_s = [v for v in versions if v.change.actor_kind == Change.ActorKind.PERSON]
        assert all(v.reason == v.change.reason == "because" for v in people_s)
    first = memory.versions.get(number=1)
    assert (first.change.kind, first.change.source) == ("remember", "user:u1")
    assert memory.versions.get(change__kind="revise", metadata={"team": "red"}, text="My locker number is 214.")
