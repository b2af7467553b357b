"""What may happen to people's memories, one function each. Add one here, and the test of isolation does it too.

An operation gets the world, the person who acts, somebody else, and a number to choose by. It asserts only what the
answer says beyond markers and ids, which `Person.heard` checks in every answer that is handed to it.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from memory.actions.archive import archive
from memory.actor import SYSTEM
from memory.graph import lead
from memory.graph.read import graph_of
from memory.index import sync
from memory.models import AuditEvent, Conflict, Entity, Episode, Memory, MemoryVersion, Recall, RecallHit
from memory.models.memory import MemoryStatus
from memory.recall.keeping import Limits
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
def decide_together(world: World, me: Person, other: Person, number: int) -> None:
    """A reviewer writes a note, marks open conflicts of all people, and decides those of this one together."""
    conflicts = list(Conflict.objects.filter(user=me.user, status=Conflict.Status.OPEN).order_by("opened_at")[:3])
    if me.user is None or not conflicts:
        return
    note = {"said": f"{me.marker} @nobody"}
    me.heard(me.reviewer.post(f"/review/{conflicts[0].pk}/note/", note, follow=True), whole_workspace=True)
    everybodys = [str(pk) for pk in Conflict.objects.filter(kind=conflicts[0].kind).values_list("pk", flat=True)[:50]]
    me.heard(me.reviewer.post("/review/bulk/", {"pick": everybodys}, follow=True), whole_workspace=True)
    items = [f"{conflict.pk}:{conflict.version}" for conflict in conflicts if conflict.kind == conflicts[0].kind]
    body = {"item": items, "choice": "keep", "reason_code": "other"}
    me.heard(me.reviewer.post("/review/bulk/now/", body, follow=True), whole_workspace=True)


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


@operation
def search_the_archive_too(world: World, me: Person, other: Person, number: int) -> None:
    """With what went cold, and what was said around each result: all of it one's own, and nothing turned away."""
    _archive_one(me, number)
    body = {"user_id": me.name, "query": _one(QUERIES, number), "top_k": 50, "include_archived": True}
    answer = me.heard(me.key(number).post("/memories/search", body | {"context_window": number % 6})).json()
    beside = [each["id"] for hit in answer["results"] for each in hit.get("neighbours", [])]
    told = {hit["id"] for hit in answer["results"]}
    own = dict(Memory.objects.filter(workspace=me.workspace, user__external_id=me.name).values_list("pk", "status"))
    assert {own[UUID(id)] for id in told} <= {MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED}
    assert {own[UUID(id)] for id in beside} <= {MemoryStatus.ACTIVE}
    if answer["recall_id"]:
        logged = RecallHit.objects.filter(recall_id=answer["recall_id"], withheld=False)
        assert {str(hit.memory_id) for hit in logged} == told | set(beside)


def _archive_one(me: Person, number: int) -> None:
    """The workspace's night took one of this person's memories, whatever its age."""
    memory = Memory.objects.filter(workspace=me.workspace, user__external_id=me.name, status=MemoryStatus.ACTIVE)
    if number % 4 == 0 and (cold := memory.order_by("created_at").first()):
        late = timezone.now() + timedelta(days=400)
        archive(user=cold.user, ids=[cold.pk], limits=Limits(1000, 1, 30), actor=SYSTEM, now=late)


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


@operation
def graph(world: World, me: Person, other: Person, number: int) -> None:
    found = me.heard(me.key(number).get(f"/users/{me.name}/graph", limit=200)).json()
    assert {id for edge in found["edges"] for id in edge["memory_ids"]} <= {str(pk) for pk in _of(me, Memory)}
    if node := _one(found["nodes"], number):
        near = me.heard(me.key(number).get(f"/users/{me.name}/graph", entity=node["id"], hops=2)).json()
        assert {each["id"] for each in near["nodes"]} <= {each["id"] for each in found["nodes"]}


@operation
def difference(world: World, me: Person, other: Person, number: int) -> None:
    query = {"since": "2020-01-01T00:00:00Z", "limit": 500}
    found = me.heard(me.key(number).get(f"/users/{me.name}/difference", **query)).json()
    assert {row["id"] for row in found["added"]} <= {str(pk) for pk in _of(me, Memory)}


@operation
def what_the_graph_leads_to(world: World, me: Person, other: Person, number: int) -> None:
    """Whom and what this person's memories speak of, and where a question leads there that names somebody else's."""
    if me.user is None:
        return
    found = graph_of(me.user, limit=100)
    told = " ".join(name for node in found.nodes for name in (node.name, *node.aliases))
    strangers = [person.marker.lower() for person in world.others(me)]
    assert not any(marker in told.lower() for marker in strangers)
    mine, nodes = set(_of(me, Memory)), {node.id for node in found.nodes}
    assert {memory for edge in found.edges for memory in edge.memory_ids} <= mine
    assert {end for edge in found.edges for end in (edge.source, edge.target)} <= nodes
    assert not Entity.objects.filter(pk__in=nodes).exclude(workspace=me.workspace, user=me.user).exists()
    for question in (f"what is in {other.marker}burg", f"我在{me.marker}城做什么", "where does my sister live"):
        assert set(lead.reach(me.user, question)) <= mine


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
        lambda: me.bound().get(f"/users/{other.name}/graph"),
        lambda: me.bound().get(f"/users/{other.name}/difference", since="2020-01-01T00:00:00Z"),
        lambda: me.bound().get("/conflicts", user_id=other.name),
        lambda: me.bound().post("/memories", {"user_id": other.name, "memory": me.text(number)}),
    )
    assert me.heard(calls[number % 8]()).status_code == 404


# ── what the team sees ──


@operation
def look_at_the_pages(world: World, me: Person, other: Person, number: int) -> None:
    if me.user is None:
        return
    pages = ("/", "/review/", "/people/", "/intake/")
    me.heard(me.reviewer.get(pages[number % 4]), whole_workspace=True)
    me.heard(me.reviewer.get(f"/people/{me.user.pk}/"))
    me.heard(me.reviewer.get(f"/people/{me.user.pk}/graph/"))


@operation
def run_the_lab(world: World, me: Person, other: Person, number: int) -> None:
    """A search laid open, in both settings, tells of this one user only; so does what was logged of one."""
    if me.user is None:
        return
    asked = {"user": me.name, "q": _one(QUERIES, number), "b_min_relevance": "0", "top_k": "50"}
    if number % 2:
        asked["at"] = timezone.now().isoformat()
    assert me.heard(me.reviewer.get("/lab/", asked)).status_code == 200
    recall = Recall.objects.filter(user=me.user).exclude(query__regex=r"Zorvik\d").first()
    if recall:
        page = me.reviewer.get(f"/recalls/{recall.pk}/")
        assert me.heard(page, named=str(recall.pk)).status_code == 200
        assert me.heard(me.reviewer.get("/lab/", {"recall": recall.pk}), named=str(recall.pk)).status_code == 200


@operation
def run_a_strangers_recall(world: World, me: Person, other: Person, number: int) -> None:
    recall = Recall.objects.filter(user=other.user).first() if other.user else None
    if other.workspace == me.workspace or recall is None:
        return
    for page in (f"/recalls/{recall.pk}/", f"/lab/?recall={recall.pk}"):
        assert me.heard(me.reviewer.get(page), whole_workspace=True, named=page).status_code == 404


@operation
def preview_the_ranking(world: World, me: Person, other: Person, number: int) -> None:
    """The workspace's questions asked again by other settings. A question may name a stranger; no answer does."""
    if number % 3:
        return
    page = me.reviewer.get("/settings/ranking/", {"min_relevance": str(number % 10 / 10)})
    found = page.context["preview"]
    moves = [*found.movers, *(move for answer in found.answers for move in [*answer.entered, *answer.left])]
    assert {move.recall.workspace_id for move in moves} <= {me.workspace.pk}
    assert all(move.memory.user_id == move.recall.user_id for move in moves)


@operation
def look_at_a_strangers_pages(world: World, me: Person, other: Person, number: int) -> None:
    if other.workspace == me.workspace or other.user is None:
        return
    pages = [f"/people/{other.user.pk}/", f"/people/{other.user.pk}/graph/"]
    pages += [f"/memories/{id}/" for id in other.memories[:1]] + [f"/review/{id}/" for id in other.conflicts[:1]]
    for page in pages:
        assert me.heard(me.reviewer.get(page), whole_workspace=True, named=page).status_code == 404


@operation
def look_at_the_audit(world: World, me: Person, other: Person, number: int) -> None:
    """The list or one event of the own workspace; an event of another workspace does not exist.

    A refusal repeats the id that somebody of this workspace had named.
    """
    mine = AuditEvent.objects.filter(workspace=me.workspace)
    named = " ".join(f"{id} {path}" for id, path in mine.filter(denied=True).values_list("object_id", "reason"))
    event = mine.order_by("-pk").first()
    page = f"/audit/{event.pk}/" if event and number % 2 else "/audit/"
    me.heard(me.reviewer.get(page), whole_workspace=True, named=named)
    theirs = AuditEvent.objects.filter(workspace=other.workspace).exclude(workspace=me.workspace).first()
    if theirs is not None:
        assert me.heard(me.reviewer.get(f"/audit/{theirs.pk}/"), whole_workspace=True).status_code == 404


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
