"""The views a reviewer keeps of the queue."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from memory.actions.base import Refused
from review import saved_views
from review.access import Seat, seated
from review.models import SavedView


@require_POST
@seated()
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    query = request.POST.get("query", "")
    try:
        view = saved_views.save(
            workspace=seat.workspace, person=request.user, name=request.POST.get("name", ""), query=query
        )
        query = view.query
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(f"{reverse('queue')}?{query}")


@require_POST
@seated()
def act(request: HttpRequest, seat: Seat, pk: int, verb: str) -> HttpResponse:
    """rename, delete, default or plain (no longer the default)."""
    view = get_object_or_404(SavedView, pk=pk, workspace=seat.workspace, person=request.user)
    try:
        if verb == "rename":
            saved_views.rename(view, name=request.POST.get("name", ""))
        elif verb == "delete":
            saved_views.delete(view)
        else:
            saved_views.make_default(view, on=verb == "default")
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect(f"{reverse('queue')}?{view.query}")
