"""POST /events: record what was said and done. It is stored when this answers; a worker judges it afterwards."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api import idempotency, incoming
from memory.api.access import body_of, check_user_id
from memory.api.answers import RecordedListOut, RecordedOut
from memory.api.errors import Problem
from memory.api.parsers import ToolResultJSONParser
from memory.api.recording import record_for
from memory.api.schema import problems
from memory.api.serializers import ConversationIn, EventIn, EventsIn
from memory.intake.record import NewEvent

_BODY = PolymorphicProxySerializer(
    component_name="EventsRequest", serializers=[EventIn, EventsIn, ConversationIn], resource_type_field_name=None
)


class EventsView(APIView):
    parser_classes = [ToolResultJSONParser]

    @extend_schema(
        operation_id="record_events", summary="Record an event, several, or a conversation's messages", tags=["events"],
        request=_BODY, parameters=[idempotency.PARAMETER],
        responses={202: RecordedListOut} | problems(400, 404, 409, 413, 422),
    )  # fmt: skip
    @idempotency.idempotent
    def post(self, request: Request) -> Response:
        events = _events_of(request)
        with transaction.atomic():
            episodes = record_for(request, events, action="events.record", now=timezone.now())
            answer = {"results": RecordedOut(episodes, many=True).data}
            idempotency.keep(request, answer)
        return Response(answer, status=202)


def limit_batch(data: Any, field: str) -> None:
    """413 when the list has more than BATCH_LIMIT entries, before any of them is looked at."""
    given = data.get(field)
    if isinstance(given, list) and len(given) > settings.BATCH_LIMIT:
        raise Problem(
            413, f"{field} has {len(given)} entries; {settings.BATCH_LIMIT} are allowed.", field=field,
            hint="Send them in several requests.",
        )  # fmt: skip


def _events_of(request: Request) -> list[NewEvent]:
    data = request.data
    if "events" in data:
        limit_batch(data, "events")
        bodies = body_of(request, EventsIn)["events"]
        for place, body in enumerate(bodies):
            check_user_id(request, body["user_id"], f"events[{place}].user_id")
        return [incoming.of_event(body) for body in bodies]
    if "messages" in data:
        limit_batch(data, "messages")
        body = body_of(request, ConversationIn)
        check_user_id(request, body["user_id"])
        return incoming.of_messages(body)
    body = body_of(request, EventIn)
    check_user_id(request, body["user_id"])
    return [incoming.of_event(body)]
