"""/: the state of the workspace at a glance."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.models import EndUser, Memory
from memory.models.memory import MemoryStatus
from review import figures, notes, queue
from review.access import Seat, seated
from review.filters import Filters
from review.tally import tally


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat) -> HttpResponse:
    now = timezone.now()
    desk = queue.Desk(seat.workspace, request.user, now)
    days = figures.days(seat.workspace, now=now)
    mentions = notes.unread(seat.workspace, request.user)
    context = {
        "now": now,
        "mentions": mentions[: notes.UNREAD_SHOWN],
        "mentions_count": mentions.count(),
        "counts": tally(desk, Filters(show="all")),
        "first": queue.Listing(desk, Filters()).rows(0, 6),
        "days": days,
        "highest": max((day.total for day in days), default=0),
        "totals": {name: sum(getattr(day, name) for day in days) for name in ("added", "known", "queued", "rejected")},
        "why": figures.why_rejected(seat.workspace, now=now),
        "machinery": figures.machinery(seat.workspace, now=now),
        "memories": Memory.objects.filter(workspace=seat.workspace, status=MemoryStatus.ACTIVE).count(),
        "people": EndUser.objects.filter(workspace=seat.workspace).count(),
    }
    return render(request, "review/dashboard.html", context)
