"""GET /users/{user_id}/difference: what became of a user's memories between two moments."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import query_of, user_of, valid_id
from memory.api.fields import Moment, Object
from memory.api.schema import problems
from memory.api.serializers import DifferenceQuery
from memory.history import asof
from memory.models.memory import Category


class ThenOut(serializers.Serializer):
    """A memory in the words and the version of one moment."""

    id = serializers.UUIDField(source="memory_id")
    memory = serializers.CharField(source="text")
    category = serializers.ChoiceField(choices=Category.choices)
    metadata = Object()
    credibility = serializers.FloatField(min_value=0, max_value=1)
    version = serializers.IntegerField(source="number")
    event_time = Moment()
    updated_at = Moment(source="created_at", help_text="When this version was made.")


class BothOut(serializers.Serializer):
    """A memory that both moments have, at different versions."""

    before = ThenOut(source="earlier")
    after = ThenOut(source="later")


class TotalsOut(serializers.Serializer):
    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    gone = serializers.IntegerField()


class DifferenceOut(serializers.Serializer):
    since = Moment()
    until = Moment()
    limit = serializers.IntegerField()
    totals = TotalsOut(help_text="How many there are, answered or not.")
    added = ThenOut(many=True, help_text="Only the later moment has these.")
    changed = BothOut(many=True)
    gone = ThenOut(many=True, help_text="Only the earlier moment has these: retracted, superseded, archived since.")


class DifferenceView(APIView):
    @extend_schema(
        operation_id="get_difference", summary="What became of a user's memories between two moments", tags=["users"],
        description="Oldest event first. What the team had erased is in neither moment.",
        parameters=[DifferenceQuery], responses={200: DifferenceOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request, user_id: str) -> Response:
        user_id = valid_id(user_id, "user_id")
        query = query_of(request, DifferenceQuery)
        user = user_of(request, user_id)
        since, until, limit = query["since"], query.get("until") or timezone.now(), query["limit"]
        found = asof.Difference([], [], []) if user is None else asof.between(user, since, until)
        kinds = {"added": found.added, "changed": found.changed, "gone": found.gone}
        answer = {"since": since, "until": until, "limit": limit}
        answer["totals"] = {kind: len(rows) for kind, rows in kinds.items()}
        return Response(DifferenceOut(answer | {kind: rows[:limit] for kind, rows in kinds.items()}).data)
