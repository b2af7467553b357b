"""GET /conflicts: an agent may know that something waits, not what it says, and cannot decide it."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import query_of, user_of
from memory.api.answers import ConflictOut, ConflictsOut
from memory.api.pages import page
from memory.api.schema import problems
from memory.api.serializers import ConflictsQuery
from memory.models import Conflict


class ConflictsView(APIView):
    @extend_schema(
        operation_id="list_conflicts", summary="A user's conflicts, latest first", tags=["conflicts"],
        parameters=[ConflictsQuery], responses={200: ConflictsOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        query = query_of(request, ConflictsQuery)
        user = user_of(request, query["user_id"])
        rows = Conflict.objects.filter(workspace=request.auth.workspace, user=user) if user else Conflict.objects.none()
        if "status" in query:
            rows = rows.filter(status=query["status"])
        return page(rows.order_by("-opened_at", "id"), query, ConflictOut)
