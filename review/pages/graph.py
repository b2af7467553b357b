"""/people/<id>/graph/: who and what a person's memories speak of, as a picture, an entity's card, and tables."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from memory.graph import around
from memory.graph.read import MOST, Graph, Node, graph_of
from memory.models import Conflict, EndUser, EntityMention, Memory
from memory.models.graph import EntityKind
from memory.models.memory import MemoryStatus
from review.access import Seat, seated
from review.graph_picture import WIDTH, draw
from review.pages.people import TABS
from review.relations import relation_label

NARROW = 640  # width of a picture beside an entity's card
MEMORIES = 20  # of one entity


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: a kind or "", an entity's id or name or "", and 0 to 2 relations around it."""

    kind: str
    entity: str
    hops: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One relation in words: `one` `words` `other`; `memories` say it."""

    one: Node
    words: str
    other: Node
    memories: int


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    person = get_object_or_404(EndUser, workspace=seat.workspace, pk=pk)
    asked = _asked(request)
    whole = graph_of(person, limit=around.EVERY)
    chosen = around.found(whole, asked.entity) if asked.entity else None
    shown, around_it = _part(whole, asked, chosen), bool(chosen and asked.hops)
    picture = draw(
        shown, words=relation_label, chosen=chosen.id if chosen else None, middle=around_it,
        width=NARROW if around_it else WIDTH,
    )  # fmt: skip
    context = {
        "person": person, "tab": "graph", "tabs": TABS, "asked": asked, "graph": shown, "picture": picture,
        "kinds": _kinds(whole, asked), "names": sorted({node.name for node in whole.nodes})[:MOST],
        # what every link within the graph begins with
        "rest": f"?kind={asked.kind}&" if asked.kind else "?",
        "sentences": list(_sentences(shown)), "aliased": any(node.aliases for node in shown.nodes),
        "active": person.memories.filter(status=MemoryStatus.ACTIVE).count(),
        "waiting": person.conflicts.filter(status=Conflict.Status.OPEN).count(),
    }  # fmt: skip
    if chosen:
        context |= _card(person, whole, chosen)
    return render(request, "review/graph.html", context, status=404 if asked.entity and not chosen else 200)


def _card(person: EndUser, whole: Graph, chosen: Node) -> dict[str, Any]:
    near = around.around(whole, chosen.id, hops=1)
    return {
        "chosen": chosen,
        "about": list(_sentences(near, chosen)),
        "memories": _memories(person, chosen)[:MEMORIES],
    }


def _kinds(whole: Graph, asked: Asked) -> list[tuple[EntityKind, int]]:
    """Each kind that is there, or asked for, and how many there are of it."""
    counts = Counter(node.kind for node in whole.nodes)
    return [(kind, counts[kind]) for kind in EntityKind if counts[kind] or kind == asked.kind]


def _asked(request: HttpRequest) -> Asked:
    kind, hops = request.GET.get("kind", ""), request.GET.get("hops", "")
    return Asked(
        kind=kind if kind in EntityKind.values else "",
        entity=request.GET.get("entity", "").strip()[:200],
        hops=int(hops) if hops in ("1", "2") else 0,
    )


def _part(whole: Graph, asked: Asked, chosen: Node | None) -> Graph:
    """What the picture shows: of one kind beside the user and the chosen one, around it, and no more than fit in."""
    stays = {chosen.id} if chosen else set()
    part = around.around(whole, chosen.id, hops=asked.hops) if chosen and asked.hops else whole
    if asked.kind:
        ids = {node.id for node in part.nodes if node.kind == asked.kind or node.is_self}
        part = around.kept(part, ids | stays)
    return around.first(part, MOST, always=stays)


def _sentences(graph: Graph, of: Node | None = None) -> Iterator[Sentence]:
    """The relations of a graph, or those of one of its nodes, as sentences."""
    nodes = {node.id: node for node in graph.nodes}
    for edge in graph.edges:
        if of is None or of.id in (edge.source, edge.target):
            words = relation_label(edge.predicate)
            yield Sentence(nodes[edge.source], words, nodes[edge.target], len(edge.memory_ids))


def _memories(person: EndUser, entity: Node) -> QuerySet[Memory]:
    """The active memories that speak of it, the latest said first."""
    mentions = EntityMention.objects.filter(entity=entity.id, entity__user=person).values("memory")
    active = Memory.objects.filter(user=person, status=MemoryStatus.ACTIVE, pk__in=mentions)
    return active.order_by("-event_time", "-pk")
