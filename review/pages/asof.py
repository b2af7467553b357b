"""/people/<id>/as-of/: what was remembered of one person at a moment, and what has changed by another."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.history import asof
from memory.models import EndUser
from review.access import Seat, seated
from review.moments import read_moment
from review.paging import Pages

PAGE = 25
SHOWN = 50  # of each kind of difference
USUAL = timedelta(days=7)  # back from now, when no moment is named


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    person = get_object_or_404(EndUser, workspace=seat.workspace, pk=pk)
    now = timezone.now()
    at = read_moment(request.GET.get("at", ""), usual=now - USUAL, now=now)
    to = read_moment(request.GET.get("to", ""), usual=now, now=now)
    earlier, later = sorted([at.moment, to.moment])
    found = asof.between(person, earlier, later)
    page = Pages(asof.versions_at(person, at.moment).order_by("-event_time", "-pk"), PAGE).get_page(
        request.GET.get("page")
    )
    parts = [("added", found.added), ("changed", found.changed), ("gone", found.gone)]
    context = {
        "person": person, "at": at, "to": to, "earlier": earlier, "later": later, "until_now": later == now,
        "versions": page, "page": page, "parts": [(kind, rows[:SHOWN], len(rows)) for kind, rows in parts],
        "latest": now,
    }  # fmt: skip
    return render(request, "review/as_of.html", context, status=400 if at.error or to.error else 200)
