"""What may happen to people's memories, one function each. Add one here, and the test of isolation does it too.

An operation gets the world, the person who acts, somebody else, and a number to choose by. It asserts only what the
answer says beyond markers and ids, which `Person.heard` checks in every answer that is handed to it.
"""

from collections.abc import Callable

from django.utils import timezone

from memory.index import sync
from memory.models import Conflict, Episode, Memory, MemoryVersion, Recall, RecallHit
from memory.models.memory import MemoryStatus
from memory.tests.isolation.world import Person, World

Operation = Callable[[World, Person, Person, int], None]
OPERATIONS: list[Operation] = []
QUERIES = ("where do I live", "locker number", "favourite tea", "我住在哪里", "dog", "what do you know about Zorvik")


def operation(act: Operation) -> Operation:
    OPERATIONS.append(act)
    return act


def _run(number: int) -> str:
    return f"r{number % 2}"


def _one(of: list, number: int):
    return of[number % len(of)] if of else None


# ── writing ──


@operation
def say(world: World, me: Person, other: Person, number: int) -> None:
    body = {"user_id": me.name, "run_id": _run(number), "role": "user", "content": me.text(number)}
    if number % 5 == 0:
        body |= {"role": "tool", "name": "crm", "task_state": {"step": f"{me.marker} step"}}
    me.heard(me.key(number).post("/events", body))
    me.judge()


@operation
def remember(world: World, me: Person, other: Person, number: int) -> None:
    body = {"user_id": me.name, "memory": me.text(number), "infer": number % 3 == 0}
    results = me.heard(me.key(number).post("/memories", body)).json()["results"]
    me.memories += [result["id"] for result in results if result["id"]]
    me.conflicts += [result["conflict_id"] for result in results if result["conflict_id"]]


@operation
def edit(world: World, me: Person, other: Person, number: int) -> None:
    if id := _one(me.memories, number):
        me.heard(me.key(number).patch(f"/memories/{id}", {"memory": me.text(number)}))


@operation
def retract(world: World, me: Person, other: Person, number: int) -> None:
    if number % 3 == 0 and (id := _one(me.memories, number)):
        me.heard(me.key(number).delete(f"/memories/{id}"))


@operation
def decide(world: World, me: Person, other: Person, number: int) -> None:
    """A reviewer of the workspace settles an open conflict of this person."""
    conflict = Conflict.objects.filter(user=me.user, status=Conflict.Status.OPEN).order_by("opened_at").first()
    if me.user is None or conflict is None:
        return
    me.heard(me.reviewer.get(f"/review/{conflict.pk}/"), whole_workspace=True)
    body = {
        "choice": ("keep", "accept", "keep_both")[number % 3], "reason_code": "newer", "version": conflict.version,
        "note": "", "text": "",
    }  # fmt: skip
    me.heard(me.reviewer.post(f"/review/{conflict.pk}/decide/", body), whole_workspace=True)


@operation
def follow(world: World, me: Person, other: Person, number: int) -> None:
    """The vector database, where there is one, hears of what happened."""
    sync.drain(timezone.now())


# ── reading ──


@operation
def search(world: World, me: Person, other: Person, number: int) -> None:
    query = f"{_one(QUERIES, number)} {other.marker if number % 4 == 0 else ''}"
    body = {"user_id": me.name, "query": query, "top_k": 50, "explain": number % 2 == 0}
    if number % 3 == 0:
        body["run_id"] = _run(number)
    answer = me.heard(me.key(number).post("/memories/search", body)).json()
    told = {hit["id"] for hit in [*answer["results"], *answer.get("withheld", [])]}
    assert told <= {str(pk) for pk in _of(me, Memory)}
    if me.user is not None:
        _check_trace(me, told)


def _check_trace(me: Person, told: set[str]) -> None:
    recall = Recall.objects.filter(user=me.user).order_by("-created_at").first()
    assert (recall.workspace_id, recall.user.external_id) == (me.workspace.pk, me.name)
    assert {str(hit.memory_id) for hit in RecallHit.objects.filter(recall=recall)} == told
    active = Memory.objects.filter(
        workspace_id=me.workspace.pk, user__external_id=me.name, status=MemoryStatus.ACTIVE
    ).count()
    assert recall.candidates <= active


@operation
def list_memories(world: World, me: Person, other: Person, number: int) -> None:
    page = me.heard(me.key(number).get("/memories", user_id=me.name, limit=100)).json()
    active = Memory.objects.filter(workspace=me.workspace, user__external_id=me.name, status=MemoryStatus.ACTIVE)
    assert page["total"] == len(page["items"]) == active.count()
    assert all(item["user_id"] == me.name for item in page["items"])


@operation
def read_one(world: World, me: Person, other: Person, number: int) -> None:
    if id := _one(me.memories, number):
        me.heard(me.key(number).get(f"/memories/{id}"))
        me.heard(me.key(number).get(f"/memories/{id}/history"))


@operation
def context(world: World, me: Person, other: Person, number: int) -> None:
    answer = me.heard(me.key(number).get(f"/sessions/{_run(number)}/context", user_id=me.name))
    assert answer.status_code == 200


@operation
def episodes(world: World, me: Person, other: Person, number: int) -> None:
    page = me.heard(me.key(number).get(f"/users/{me.name}/episodes", limit=100)).json()
    mine = Episode.objects.filter(workspace=me.workspace, user__external_id=me.name)
    assert page["total"] == mine.count()
    assert {item["id"] for item in page["items"]} <= set(mine.values_list("pk", flat=True))


@operation
def conflicts(world: World, me: Person, other: Person, number: int) -> None:
    page = me.heard(me.key(number).get("/conflicts", user_id=me.name, limit=100)).json()
    assert page["total"] == Conflict.objects.filter(workspace=me.workspace, user__external_id=me.name).count()


# ── what is somebody else's ──


@operation
def reach_for_a_strangers_memory(world: World, me: Person, other: Person, number: int) -> None:
    """By a key of one's own: nothing is told, nothing is changed, and it looks as if it did not exist."""
    if not (id := _one(other.memories, number)):
        return
    before = MemoryVersion.objects.filter(memory_id=id).count()
    calls = (
        lambda: me.bound().get(f"/memories/{id}"),
        lambda: me.bound().get(f"/memories/{id}/history"),
        lambda: me.bound().patch(f"/memories/{id}", {"memory": me.text(number)}),
        lambda: me.bound().delete(f"/memories/{id}"),
    )
    assert me.heard(calls[number % 4](), named=id).status_code == 404
    assert MemoryVersion.objects.filter(memory_id=id).count() == before


@operation
def name_another_user(world: World, me: Person, other: Person, number: int) -> None:
    """A bound key that names another user of any workspace is refused, whether or not there is one."""
    if other.name == me.name:
        return
    calls = (
        lambda: me.bound().post("/memories/search", {"user_id": other.name, "query": "where"}),
        lambda: me.bound().get("/memories", user_id=other.name),
        lambda: me.bound().get(f"/sessions/{_run(number)}/context", user_id=other.name),
        lambda: me.bound().get(f"/users/{other.name}/episodes"),
        lambda: me.bound().get("/conflicts", user_id=other.name),
        lambda: me.bound().post("/memories", {"user_id": other.name, "memory": me.text(number)}),
    )
    assert me.heard(calls[number % 6]()).status_code == 404


# ── what the team sees ──


@operation
def look_at_the_pages(world: World, me: Person, other: Person, number: int) -> None:
    if me.user is None:
        return
    pages = ("/", "/review/", "/people/", "/intake/")
    me.heard(me.reviewer.get(pages[number % 4]), whole_workspace=True)
    me.heard(me.reviewer.get(f"/people/{me.user.pk}/"))


@operation
def look_at_a_strangers_pages(world: World, me: Person, other: Person, number: int) -> None:
    if other.workspace == me.workspace or other.user is None:
        return
    pages = [f"/people/{other.user.pk}/"]
    pages += [f"/memories/{id}/" for id in other.memories[:1]] + [f"/review/{id}/" for id in other.conflicts[:1]]
    for page in pages:
        assert me.heard(me.reviewer.get(page), whole_workspace=True, named=page).status_code == 404


@operation
def work_on_what_waits(world: World, me: Person, other: Person, number: int) -> None:
    """Take, share and put off: one's own workspace's, and never a stranger's."""
    forms = ("take", "skip", "unskip", "release", "assign", "ping", "leave", "bring-back", "take-over", "defer")
    form = forms[number % len(forms)]
    for id in me.conflicts[:1]:
        me.heard(me.reviewer.post(f"/review/{id}/{form}/"), whole_workspace=True)
    me.heard(me.reviewer.post("/review/next/", follow=True), whole_workspace=True)
    if other.workspace != me.workspace:
        for id in other.conflicts[:1]:
            page = f"/review/{id}/{form}/"
            assert me.heard(me.reviewer.post(page), whole_workspace=True, named=page).status_code == 404


def _of(me: Person, model):
    return model.objects.filter(workspace=me.workspace, user__external_id=me.name).values_list("pk", flat=True)
