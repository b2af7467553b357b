"""What a request names, and whether its key may name it. What it may not, answers as if it did not exist."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from memory.actor import from_key
from memory.api.errors import Problem, hinted
from memory.api.fields import Id
from memory.api.keys import may_name
from memory.audit.denied import deny
from memory.models import EndUser, Memory
from memory.models.memory import MemoryStatus


def body_of(request: Request, form: type[Serializer]) -> dict[str, Any]:
    """The validated body."""
    if request.headers.get("Transfer-Encoding"):
        raise hinted("A chunked body is not read.", "Send the body at once, with Content-Length.")
    return _valid(form(data=request.data))


def query_of(request: Request, form: type[Serializer]) -> dict[str, Any]:
    """The validated query parameters, each given once."""
    given = {}
    for name, values in request.query_params.lists():
        if len(values) != 1:
            raise hinted(f"{name[:80]} is there {len(values)} times.", "Give every parameter once.")
        given[name] = values[0]
    return _valid(form(data=given))


def valid_id(value: str, field: str) -> str:
    """An id from the path, checked as one from a body."""
    return _valid(_one_field(field)(data={field: value}))[field]


def user_of(request: Request, user_id: str, field: str = "user_id") -> EndUser | None:
    """The user of this id in the key's workspace, None when nothing was recorded of one. 404 when the key is limited
    to other users, whether or not this one exists."""
    check_user_id(request, user_id, field)
    return EndUser.objects.filter(workspace=request.auth.workspace, external_id=user_id).first()


def check_user_id(request: Request, user_id: str, field: str = "user_id") -> None:
    if not may_name(request.auth, user_id):
        _deny(request, "user", user_id)
        raise Problem(404, "There is no such user.", field=field, hint="This key is limited to certain users.")


def memory_of(request: Request, memory_id: str) -> Memory:
    """The active memory of this id. 404 for every other id; an attempt at what is somebody else's is in the audit."""
    try:
        found = Memory.objects.select_related("user__workspace", "session").filter(pk=UUID(memory_id)).first()
    except ValueError:
        found = None
    if found is not None:
        key = request.auth
        if found.workspace_id != key.workspace_id or not may_name(key, found.user.external_id):
            _deny(request, "memory", found.pk)
        elif found.status == MemoryStatus.ACTIVE:
            return found
    raise Problem(404, "There is no such memory.")


def check_sources(request: Request, body: dict[str, Any], place: str = "") -> None:
    """404 unless everything that a text was made from is an active memory of the same user."""
    wanted = body.get("derived_from", ())
    mine = Memory.objects.filter(
        workspace=request.auth.workspace, user__external_id=body["user_id"], status=MemoryStatus.ACTIVE, pk__in=wanted
    )
    found = set(mine.values_list("pk", flat=True)) if wanted else set()
    for index, source in enumerate(wanted):
        if source not in found:
            raise Problem(
                404, "There is no such memory.", field=f"{place}derived_from[{index}]",
                hint="Name memories of the same user.",
            )  # fmt: skip


def _deny(request: Request, object_type: str, object_id: object) -> None:
    key = request.auth
    deny(
        workspace=key.workspace, actor=from_key(key, request), action=f"api.{request.method.lower()}",
        now=timezone.now(), object_type=object_type, object_id=object_id, reason=request.path,
    )  # fmt: skip


def _valid(form: Serializer) -> dict[str, Any]:
    form.is_valid(raise_exception=True)
    return form.validated_data


def _one_field(field: str) -> type[Serializer]:
    return type("PathId", (Serializer,), {field: Id()})
