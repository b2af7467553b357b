"""GET /users/{user_id}/episodes: looking back, for instance at the failed tool calls of the last seven days."""

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import query_of, user_of, valid_id
from memory.api.answers import EpisodeOut, EpisodesOut
from memory.api.schema import problems
from memory.api.serializers import EpisodesQuery
from memory.api.withheld import withheld
from memory.models import Episode, Session, ToolResult


class EpisodesView(APIView):
    @extend_schema(
        operation_id="list_episodes", summary="A user's recorded events, latest first", tags=["users"],
        parameters=[EpisodesQuery], responses={200: EpisodesOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request, user_id: str) -> Response:
        user_id = valid_id(user_id, "user_id")
        query = query_of(request, EpisodesQuery)
        user = user_of(request, user_id)
        limit, offset = query["limit"], query["offset"]
        if user is None:
            return Response({"items": [], "total": 0, "limit": limit, "offset": offset})
        rows = Episode.objects.filter(workspace_id=user.workspace_id, user=user)
        if "run_id" in query:
            # looked up first: joined, PostgreSQL reads all sessions to find the one
            rows = rows.filter(session=Session.objects.filter(user=user, run_id=query["run_id"]).first())
        rows = _chosen(rows, query)
        # not joined: past a large offset PostgreSQL reads all sessions for the few that are shown
        kept = Prefetch("tool_result", ToolResult.objects.defer("result", "hidden"))
        shown = list(rows.prefetch_related("session", kept).order_by("-event_time", "-id")[offset : offset + limit])
        hidden = withheld(
            workspace_id=user.workspace_id, user_id=user.pk, episode_ids=[episode.pk for episode in shown]
        )
        for episode in shown:
            episode.withheld = episode.pk in hidden
            if episode.withheld:
                episode.content = ""
        items = EpisodeOut(shown, many=True).data
        return Response({"items": items, "total": rows.count(), "limit": limit, "offset": offset})


def _chosen(rows, query: dict):
    rows = rows.filter(**{name: query[name] for name in ("kind", "status") if name in query})
    if "since" in query:
        rows = rows.filter(event_time__gte=query["since"])
    if "until" in query:
        rows = rows.filter(event_time__lt=query["until"])
    return rows
