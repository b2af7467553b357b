"""GET /sessions/{run_id}/context: the working memory of one conversation."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import query_of, user_of, valid_id
from memory.api.answers import ContextOut
from memory.api.schema import problems
from memory.api.serializers import UserQuery
from memory.api.withheld import withheld
from memory.models import EndUser, Episode, Session
from memory.policy import policy_of
from memory.working import get_working

# What the two speakers said to each other in this very run is the conversation itself, not a claim about it.
_SPEAKERS = (Episode.Role.USER, Episode.Role.ASSISTANT)


class ContextView(APIView):
    @extend_schema(
        operation_id="get_context", summary="The last turns of a run, oldest first, and its task state",
        tags=["sessions"], parameters=[UserQuery], responses={200: ContextOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request, run_id: str) -> Response:
        run_id = valid_id(run_id, "run_id")
        query = query_of(request, UserQuery)
        user = user_of(request, query["user_id"])
        session = Session.objects.filter(user=user, run_id=run_id).first() if user else None
        return Response(
            {
                "user_id": query["user_id"],
                "run_id": run_id,
                "task_state": session.task_state if session else {},
                "turns": _turns(request, user, session) if session else [],
            }
        )


def _turns(request: Request, user: EndUser, session: Session) -> list[dict]:
    policy = policy_of(request.auth.workspace)
    turns = get_working().context(session, policy=policy, now=timezone.now())
    others = [turn["episode_id"] for turn in turns if turn["role"] not in _SPEAKERS]
    hidden = withheld(workspace_id=user.workspace_id, user_id=user.pk, episode_ids=others) if others else set()
    return [
        turn | ({"content": "", "withheld": True} if turn["episode_id"] in hidden else {"withheld": False})
        for turn in turns
    ]
