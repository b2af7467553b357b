"""Who sits where: the workspace a person looks at, and what their role there allows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from memory.actor import from_request
from memory.audit.denied import deny
from memory.models import Membership, Workspace

SESSION_KEY = "workspace"
ADMIN = "Admin"


@dataclass(frozen=True, slots=True)
class Seat:
    """A person's place in one workspace: its role's name and the codenames of its permissions."""

    workspace: Workspace
    role: str
    permissions: frozenset[str]

    def may(self, permission: str) -> bool:
        return permission in self.permissions


def seat_of(request: HttpRequest) -> Seat | None:
    """The seat in the workspace chosen last, else in the first; None for a person without any."""
    if not hasattr(request, "_seat"):
        request._seat = _find(request)
    return request._seat


def workspaces_of(person) -> list[Workspace]:
    """Every workspace the person may open; a superuser sits in all of them."""
    if person.is_superuser:
        return list(Workspace.objects.all())
    return list(Workspace.objects.filter(memberships__person=person))


def seated(permission: str = "view_console") -> Callable:
    """Gives the view a Seat as its second argument, or answers 403: to people without a seat or the permission.

    What is refused is written to the audit, and so is every id that the workspace does not have.
    """

    def decorate(view: Callable) -> Callable:
        @wraps(view)
        @login_required
        def wrapped(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            seat = seat_of(request)
            if seat is None or not seat.may(permission):
                _deny(request, seat, permission)
                raise PermissionDenied
            try:
                return view(request, seat, *args, **kwargs)
            except Http404:
                # an id of another workspace looks like one that never was: both are told
                _deny(request, seat, "unknown_object")
                raise

        return wrapped

    return decorate


def _deny(request: HttpRequest, seat: Seat | None, what: str) -> None:
    deny(
        workspace=seat and seat.workspace, actor=from_request(request), action=f"denied.{what}", now=timezone.now(),
        object_type="page", object_id=request.path, reason=request.method,
    )  # fmt: skip


def _find(request: HttpRequest) -> Seat | None:
    chosen = request.session.get(SESSION_KEY)
    workspaces = workspaces_of(request.user)
    workspace = next((each for each in workspaces if each.pk == chosen), workspaces[0] if workspaces else None)
    if workspace is None:
        return None
    if request.user.is_superuser:
        role = Group.objects.get(name=ADMIN)
    else:
        role = Membership.objects.select_related("role").get(workspace=workspace, person=request.user).role
    codenames = role.permissions.filter(content_type__app_label="memory").values_list("codename", flat=True)
    return Seat(workspace=workspace, role=role.name, permissions=frozenset(codenames))
