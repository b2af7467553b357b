"""POST /memories/search, also POST /search: what is remembered of one user that answers a query."""

from functools import partial

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory import reasons
from memory.api.access import body_of, user_of
from memory.api.answers import ListedOut, MemoryOut, SearchOut
from memory.api.explaining import explained
from memory.api.schema import problems
from memory.api.serializers import SearchIn
from memory.models import AgentKey, EndUser, Memory, Session
from memory.recall import past, search
from memory.recall.answer import Answer, Neighbour, Withheld


class SearchView(APIView):
    scope = AgentKey.READ

    @extend_schema(
        operation_id="search_memories", summary="Search one user's memories", tags=["memories"],
        request=SearchIn, responses={200: SearchOut} | problems(400, 404),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        body = body_of(request, SearchIn)
        user = user_of(request, body["user_id"])
        if user is None:
            return Response({"recall_id": None, "results": [], "withheld": [], "degraded": [], "took_ms": 0.0})
        user.workspace = request.auth.workspace
        return Response(_shown(_ask(request, user, body), user, body))


class SearchAliasView(SearchView):
    """The same under the shorter path that some clients use."""

    @extend_schema(
        operation_id="search_memories_alias", summary="The same as /memories/search", tags=["memories"],
        request=SearchIn, responses={200: SearchOut} | problems(400, 404),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        return super().post(request)


def _ask(request: Request, user: EndUser, body: dict) -> Answer:
    run_id, at = body.get("run_id"), body.get("reference_time")
    ask = search.search if at is None else partial(past.search_at, at=at)
    return ask(
        user=user, query=body["query"], asked_by=request.auth.name, now=timezone.now(), top_k=body["top_k"],
        threshold=body.get("threshold"), agent_id=body.get("agent_id") or "",
        session=Session.objects.filter(user=user, run_id=run_id).first() if run_id else None,
        categories=body.get("filters", {}).get("category", ()), include_archived=body["include_archived"],
        context_window=body["context_window"],
    )  # fmt: skip


def _shown(answer: Answer, user: EndUser, body: dict) -> dict:
    shown = {
        "recall_id": answer.recall_id,
        "results": _results(answer, user, beside=body["context_window"] > 0),
        "withheld": [_held_back(one) for one in answer.withheld],
        "degraded": answer.degraded,
        "took_ms": answer.took_ms,
    }
    if not body["explain"]:
        return shown
    return explained(shown, answer, user, body["query"], at=body.get("reference_time"))


def _results(answer: Answer, user: EndUser, *, beside: bool) -> list[dict]:
    # one serializer for all of a kind: DRF copies every field of each that is made
    shown = ListedOut([_of(user, hit.memory) for hit in answer.results], many=True).data
    told = [
        memory | {"score": hit.score, "conflicts": hit.conflicts, "contested": hit.contested}
        for memory, hit in zip(shown, answer.results, strict=True)
    ]
    if not beside:
        return told
    around = {hit.memory.pk: answer.found.neighbours.get(hit.memory.pk, []) for hit in answer.results}
    memories = {each.memory.pk: each.memory for found in around.values() for each in found}
    texts = MemoryOut([_of(user, memory) for memory in memories.values()], many=True).data
    by_id = dict(zip(memories, texts, strict=True))
    return [
        memory | {"neighbours": [by_id[each.memory.pk] | _beside(each) for each in around[hit.memory.pk]]}
        for memory, hit in zip(told, answer.results, strict=True)
    ]


def _of(user: EndUser, memory: Memory) -> Memory:
    memory.user = user
    return memory


def _beside(each: Neighbour) -> dict:
    return {"place": each.place, "conflicts": each.conflicts, "contested": each.contested}


def _held_back(one: Withheld) -> dict:
    return {
        "id": one.memory.pk,
        "reason": reasons.render(one.reason.code, one.reason.params),
        "reason_code": one.reason.code,
        "outvoted_by": one.outvoted_by,
    }
