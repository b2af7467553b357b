"""/memories/{id} and its history. Only active memories exist here: what waits or went away is 404."""

import re

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.actions.revise import retract, revise
from memory.actor import from_key
from memory.api.access import body_of, memory_of, query_of
from memory.api.answers import DeletedOut, HistoryOut, MemoryOut, ToldListOut, ToldOut, VersionOut
from memory.api.errors import Problem
from memory.api.pages import page
from memory.api.schema import problems
from memory.api.serializers import MemoryChange, PageQuery
from memory.history import blast
from memory.models import Memory, MemoryVersion
from memory.policy import policy_of

_IF_MATCH = OpenApiParameter(
    "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description='The ETag last read, such as "3".'
)
# what a version's before and after may tell
_TOLD = ("text", "category", "metadata", "status", "credibility")


class MemoryView(APIView):
    @extend_schema(
        operation_id="get_memory", summary="One memory", tags=["memories"],
        responses={200: MemoryOut} | problems(404),
    )  # fmt: skip
    def get(self, request: Request, memory_id: str) -> Response:
        return _shown(memory_of(request, memory_id))

    @extend_schema(
        operation_id="update_memory", summary="Change a memory's text or metadata, as a new version",
        tags=["memories"], request=MemoryChange, parameters=[_IF_MATCH],
        responses={200: MemoryOut} | problems(400, 404, 409),
    )  # fmt: skip
    def patch(self, request: Request, memory_id: str) -> Response:
        memory = memory_of(request, memory_id)
        change = body_of(request, MemoryChange)
        memory = revise(
            memory=memory, actor=from_key(request.auth, request), now=timezone.now(), reason=change["reason"],
            expected_version=change["version"] or _if_match(request) or memory.version, **change["fields"],
        )  # fmt: skip
        return _shown(memory)

    @extend_schema(
        operation_id="delete_memory", summary="Retract a memory", tags=["memories"], parameters=[_IF_MATCH],
        description="No agent sees it any more. Its history stays with the team, which can restore it.",
        responses={200: DeletedOut} | problems(404, 409),
    )  # fmt: skip
    def delete(self, request: Request, memory_id: str) -> Response:
        memory = memory_of(request, memory_id)
        expected = _if_match(request) or memory.version
        retract(memory=memory, actor=from_key(request.auth, request), now=timezone.now(), expected_version=expected)
        return Response({"deleted": 1})


class HistoryView(APIView):
    @extend_schema(
        operation_id="get_memory_history", summary="Every version of a memory, oldest first", tags=["memories"],
        responses={200: HistoryOut} | problems(404),
    )  # fmt: skip
    def get(self, request: Request, memory_id: str) -> Response:
        memory = memory_of(request, memory_id)
        versions = list(memory.versions.select_related("change").order_by("number"))
        for earlier, version in zip([None, *versions], versions, strict=False):
            version.before, version.after = _difference(earlier, version)
        return Response({"items": VersionOut(versions, many=True).data})


class RecallsView(APIView):
    @extend_schema(
        operation_id="list_memory_recalls", summary="Which recalls told a memory, latest first", tags=["memories"],
        description="The wording is that of the version told. What others asked, and under which key, is not shown.",
        parameters=[PageQuery], responses={200: ToldListOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request, memory_id: str) -> Response:
        answer = page(blast.told(memory_of(request, memory_id)), query_of(request, PageQuery), ToldOut)
        answer.data["log_share"] = policy_of(request.auth.workspace).recall_log_share
        return answer


def _shown(memory: Memory) -> Response:
    return Response(MemoryOut(memory).data, headers={"ETag": f'"{memory.version}"'})


def _if_match(request: Request) -> int | None:
    given = request.headers.get("If-Match")
    if given is None or given == "*":
        return None
    found = re.fullmatch(r'(?:W/)?"?(\d{1,9})"?', given)
    if not found:
        raise Problem(
            400, "If-Match must be one version.", field="If-Match", hint='Send the ETag last read, such as "3".'
        )
    return int(found[1])


def _difference(earlier: MemoryVersion | None, version: MemoryVersion) -> tuple[dict, dict]:
    """What this version changed: the values before and after, `memory` for the text. The first has no before."""
    changed = [name for name in _TOLD if earlier is None or getattr(earlier, name) != getattr(version, name)]
    shown = {name: "memory" if name == "text" else name for name in changed}
    before = {} if earlier is None else {shown[name]: getattr(earlier, name) for name in changed}
    return before, {shown[name]: getattr(version, name) for name in changed}
