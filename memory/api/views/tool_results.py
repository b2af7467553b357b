"""POST /tool-results: record what one call of an MCP tool gave back, cleaned and taken apart."""

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api import idempotency, incoming
from memory.api.access import body_of, check_user_id
from memory.api.answers import RecordedResultListOut, RecordedResultOut
from memory.api.parsers import ToolResultJSONParser
from memory.api.recording import record_for
from memory.api.schema import problems
from memory.api.serializers import ToolResultIn


class ToolResultsView(APIView):
    parser_classes = [ToolResultJSONParser]

    @extend_schema(
        operation_id="record_tool_result", summary="Record an MCP tool's result", tags=["events"],
        description="Secrets are masked, images and blobs become references, huge pages are cut with a note, and a "
        "failure is told from a success whatever isError says. A worker judges the main text afterwards.",
        request=ToolResultIn, parameters=[idempotency.PARAMETER],
        responses={202: RecordedResultListOut} | problems(400, 404, 409, 413, 422),
    )  # fmt: skip
    @idempotency.idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, ToolResultIn)
        check_user_id(request, body["user_id"])
        event = incoming.of_tool_result(body)
        with transaction.atomic():
            episodes = record_for(request, [event], action="events.record", now=timezone.now())
            answer = {"results": RecordedResultOut(episodes, many=True).data}
            idempotency.keep(request, answer)
        return Response(answer, status=202)
