"""/review/: what waits, in the order it should be looked at."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.models import Conflict
from review import queue
from review.access import Seat, seated


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    now = timezone.now()
    filters = queue.Filters.read(request.GET)
    page = queue.page(seat.workspace, filters, request.GET.get("page", "1"), now=now)
    context = {
        "page": page,
        "filters": filters,
        "counts": queue.counts(seat.workspace, now=now),
        "now": now,
        "may_bulk": filters.status == Conflict.Status.OPEN and seat.may("decide_conflict"),
        "empty": "" if page.object_list else queue.empty_state(seat.workspace, filters),
    }
    return render(request, "review/queue.html", context)
