"""POST /memories/search, also POST /search: what is remembered of one user that answers a query."""

from functools import partial

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory import reasons
from memory.api.access import body_of, user_of
from memory.api.answers import MemoryOut, SearchOut
from memory.api.explaining import explained
from memory.api.schema import problems
from memory.api.serializers import SearchIn
from memory.models import AgentKey, EndUser, Session
from memory.recall import past, search
from memory.recall.answer import Answer, Hit, Withheld


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
        categories=body.get("filters", {}).get("category", ()),
    )  # fmt: skip


def _shown(answer: Answer, user: EndUser, body: dict) -> dict:
    shown = {
        "recall_id": answer.recall_id,
        "results": _hits(answer.results, user),
        "withheld": [_held_back(one) for one in answer.withheld],
        "degraded": answer.degraded,
        "took_ms": answer.took_ms,
    }
    if not body["explain"]:
        return shown
    return explained(shown, answer, user, body["query"], at=body.get("reference_time"))


def _hits(hits: list[Hit], user: EndUser) -> list[dict]:
    for hit in hits:
        hit.memory.user = user
    # one serializer for all: DRF copies every field of each that is made
    shown = MemoryOut([hit.memory for hit in hits], many=True).data
    return [
        memory | {"score": hit.score, "conflicts": hit.conflicts, "contested": hit.contested}
        for memory, hit in zip(shown, hits, strict=True)
    ]


def _held_back(one: Withheld) -> dict:
    return {
        "id": one.memory.pk,
        "reason": reasons.render(one.reason.code, one.reason.params),
        "reason_code": one.reason.code,
        "outvoted_by": one.outvoted_by,
    }
