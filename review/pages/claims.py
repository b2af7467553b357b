"""What people do with a conflict short of deciding it: take it, leave it, skip it, put it off, give it away."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided
from memory.actor import from_request
from memory.models import Conflict
from review import claims, sharing
from review.access import Seat, seated
from review.filters import Filters
from review.queue import Desk, around

STOP_POLLING = 286  # htmx's own status: swap, and ask no more


def _at(permission: str) -> Callable:
    """A form on one conflict of the seat's workspace: the view gets the conflict and the step's who and when.

    What it raises is told on the page the person is led to; nothing is written then.
    """

    def decorate(view: Callable) -> Callable:
        @require_POST
        @seated(permission)
        @wraps(view)
        def wrapped(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
            found = Conflict.objects.filter(workspace=seat.workspace).select_related("workspace", "user")
            conflict = get_object_or_404(found, pk=pk)
            step = {"conflict": conflict, "actor": from_request(request), "now": timezone.now()}
            try:
                return view(request, seat, step)
            except (Refused, claims.Held) as refusal:
                messages.error(request, str(refusal))
            except (Stale, AlreadyDecided):
                messages.error(request, _("It changed meanwhile. Nothing was written; look at it again."))
            return _to(conflict, request)

        return wrapped

    return decorate


@require_POST
@seated("decide_conflict")
def take_next(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _go_on(request, seat)


@_at("decide_conflict")
def take(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    claims.take(**step, person=request.user)
    return _to(step["conflict"], request)


@_at("decide_conflict")
def release(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    claims.release(conflict=step["conflict"], person=request.user)
    return _with_filters(reverse("queue"), Filters.read(request.GET))


@_at("manage_workspace")
def take_over(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    shown = request.POST.get("holder", "")
    claims.take_over(
        **step, person=request.user, shown=int(shown) if shown.isdecimal() and len(shown) < 10 else 0,
        reason=_text(request, "reason"),
    )  # fmt: skip
    return _to(step["conflict"], request)


@_at("view_console")
def ping(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    """The open page says each minute that it is there, and learns who else is."""
    conflict, now = step["conflict"], step["now"]
    claims.ping(conflict=conflict, person=request.user, now=now)
    work = claims.work_of(conflict, seat, request.user, now)
    if conflict.status == Conflict.Status.OPEN and request.POST.get("seen") == work.seen:
        return HttpResponse(status=204)
    status = 200 if conflict.status == Conflict.Status.OPEN else STOP_POLLING
    return render(request, "review/_presence.html", {"work": work, "filters": Filters.read(request.GET)}, status=status)


@_at("view_console")
def leave(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    """Sent by the browser as the page goes away."""
    claims.leave(conflict=step["conflict"], person=request.user, now=step["now"])
    return HttpResponse(status=204)


@_at("decide_conflict")
def skip(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    following = _following(request, seat, step)
    sharing.skip(**step, person=request.user)
    messages.success(request, _("Skipped: it stays with your colleagues. “Skipped by you” in the queue lists it."))
    return _go_on(request, seat, leaving=step["conflict"], following=following)


@_at("decide_conflict")
def unskip(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    sharing.unskip(**step, person=request.user)
    return _to(step["conflict"], request)


@_at("decide_conflict")
def defer(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    following = _following(request, seat, step)
    until = sharing.defer(**step, person=request.user, day=_text(request, "day"), note=_text(request, "note"))
    messages.success(request, _("Put off: it comes back on %(day)s.") % {"day": date_format(localtime(until))})
    return _go_on(request, seat, leaving=step["conflict"], following=following)


@_at("decide_conflict")
def bring_back(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    sharing.bring_back(**step)
    return _to(step["conflict"], request)


@_at("decide_conflict")
def assign(request: HttpRequest, seat: Seat, step: dict) -> HttpResponse:
    name = sharing.assign(**step, to=_text(request, "to"), shown=_text(request, "shown"), by=request.user)
    done = _("Assigned to %(name)s.") % {"name": name} if name else _("Assigned to nobody.")
    messages.success(request, done)
    return _to(step["conflict"], request)


def _following(request: HttpRequest, seat: Seat, step: dict) -> UUID | None:
    """What comes after the conflict in the list, looked up before it leaves the list."""
    filters = Filters.read(request.GET)
    return around(step["conflict"], seat.workspace, filters, now=step["now"], person=request.user).next


def _go_on(
    request: HttpRequest, seat: Seat, *, leaving: Conflict | None = None, following: UUID | None = None
) -> HttpResponse:
    """To the next conflict: taken when the reviewer asked for one or held the one they leave, else only shown."""
    filters = Filters.read(request.GET)
    held = claims.release(conflict=leaving, person=request.user) if leaving else True
    if held:
        desk = Desk(seat.workspace, request.user, timezone.now())
        taken = claims.take_next(desk=desk, filters=filters, actor=from_request(request))
        following = taken.pk if taken else None
    if following:
        return _with_filters(reverse("conflict", args=[following]), filters)
    if held and not leaving:
        messages.info(request, _("Nothing is left to take here."))
    return _with_filters(reverse("queue"), filters)


def _to(conflict: Conflict, request: HttpRequest) -> HttpResponseRedirect:
    return _with_filters(reverse("conflict", args=[conflict.pk]), Filters.read(request.GET))


def _with_filters(address: str, filters: Filters) -> HttpResponseRedirect:
    return redirect(f"{address}?{filters.query}" if filters.query else address)


def _text(request: HttpRequest, name: str) -> str:
    """A form's text without halves of characters, which no database stores."""
    return request.POST.get(name, "").encode("utf-8", "ignore").decode()
