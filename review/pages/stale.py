"""/stale/: memories made from others that have moved since; a person says of each whether it still holds."""

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import reasons
from memory.history import blast
from memory.models import Memory, StaleMark
from memory.models.memory import MemoryStatus
from review.access import Seat, seated
from review.paging import Pages

PAGE = 25


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    # from the marks, which are few, to their memories, which are many
    marked = StaleMark.objects.filter(workspace=seat.workspace).values("memory")
    rows = Memory.objects.filter(pk__in=marked, workspace=seat.workspace, status=MemoryStatus.ACTIVE)
    marks = StaleMark.objects.select_related("source", "change").order_by("created_at")
    rows = rows.select_related("user").prefetch_related(Prefetch("stale_marks", marks)).order_by("updated_at", "id")
    page = Pages(rows, PAGE).get_page(request.GET.get("page"))
    shown = [
        (memory, [(mark, reasons.render(mark.reason_code)) for mark in memory.stale_marks.all()]) for memory in page
    ]
    gaps = blast.gaps(seat.workspace, now=timezone.now())
    return render(request, "review/stale.html", {"page": page, "rows": shown, "gaps": gaps})
