"""/memories and /memories/batch: add and wait for the outcome, list, and delete all of one user's."""

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.actions.revise import retract_all
from memory.actor import from_key
from memory.api import idempotency
from memory.api.access import body_of, check_sources, check_user_id, query_of, user_of
from memory.api.adding import add
from memory.api.answers import AddedBatchOut, AddedListOut, DeletedOut, ListedOut, MemoriesOut
from memory.api.pages import page
from memory.api.schema import problems
from memory.api.serializers import MemoriesIn, MemoriesQuery, MemoryIn, UserQuery
from memory.api.views.events import limit_batch
from memory.history import asof
from memory.models import Memory, StaleMark
from memory.models.memory import MemoryStatus


class MemoriesView(APIView):
    @extend_schema(
        operation_id="add_memory", summary="Remember something and be told what became of it", tags=["memories"],
        description="202 with event PENDING when it was not judged within three seconds; it will be.",
        request=MemoryIn, parameters=[idempotency.PARAMETER],
        responses={200: AddedListOut, 202: AddedListOut} | problems(400, 404, 409, 413, 422),
    )  # fmt: skip
    @idempotency.idempotent
    def post(self, request: Request) -> Response:
        limit_batch(request.data, "messages")
        body = body_of(request, MemoryIn)
        check_user_id(request, body["user_id"])
        check_sources(request, body)
        answer, status = add(request, [body], lambda items: {"results": items[0]})
        return Response(answer, status=status)

    @extend_schema(
        operation_id="list_memories", summary="A user's memories, latest first", tags=["memories"],
        parameters=[MemoriesQuery], responses={200: MemoriesOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        query = query_of(request, MemoriesQuery)
        user = user_of(request, query["user_id"])
        if user is None:
            return page(Memory.objects.none(), query, ListedOut)
        statuses = [MemoryStatus.ACTIVE] + [MemoryStatus.ARCHIVED] * query["include_archived"]
        if at := query.get("reference_time"):
            marks = Prefetch("memory__stale_marks", StaleMark.objects.filter(created_at__lte=at))
            then = asof.versions_at(user, at, statuses).select_related("memory__session", "memory__user")
            return page(
                _chosen(then.prefetch_related(marks), query, "memory__created_at"), query, ListedOut, asof.as_it_was
            )
        rows = Memory.objects.filter(workspace_id=user.workspace_id, user=user, status__in=statuses)
        rows = rows.select_related("user", "session").prefetch_related("stale_marks")
        return page(_chosen(rows, query, "created_at"), query, ListedOut)

    @extend_schema(
        operation_id="delete_memories", summary="Retract all memories of one user", tags=["memories"],
        parameters=[UserQuery], responses={200: DeletedOut} | problems(400, 404, 409),
    )  # fmt: skip
    def delete(self, request: Request) -> Response:
        user = user_of(request, query_of(request, UserQuery)["user_id"])
        if user is None:
            return Response({"deleted": 0})
        actor = from_key(request.auth, request)
        return Response({"deleted": retract_all(user=user, actor=actor, now=timezone.now())})


class MemoriesBatchView(APIView):
    @extend_schema(
        operation_id="add_memories", summary="Remember several things, stored all or none", tags=["memories"],
        description="202 when some were not judged within three seconds; those have event PENDING.",
        request=MemoriesIn, parameters=[idempotency.PARAMETER],
        responses={200: AddedBatchOut, 202: AddedBatchOut} | problems(400, 404, 409, 413, 422),
    )  # fmt: skip
    @idempotency.idempotent
    def post(self, request: Request) -> Response:
        limit_batch(request.data, "memories")
        bodies = body_of(request, MemoriesIn)["memories"]
        for place, body in enumerate(bodies):
            check_user_id(request, body["user_id"], f"memories[{place}].user_id")
            check_sources(request, body, f"memories[{place}].")
        answer, status = add(request, bodies, _batch)
        return Response(answer, status=status)


def _chosen(rows: QuerySet, query: dict, added: str) -> QuerySet:
    """Memories, or their versions, that the query asks for, the latest added first."""
    if "category" in query:
        rows = rows.filter(category=query["category"])
    if "since" in query:
        rows = rows.filter(event_time__gte=query["since"])
    if "until" in query:
        rows = rows.filter(event_time__lt=query["until"])
    return rows.order_by(f"-{added}", "pk")


def _batch(items: list[list[dict]]) -> dict:
    return {"items": [{"index": index, "results": results} for index, results in enumerate(items)]}
