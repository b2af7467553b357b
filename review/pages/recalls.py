"""/recalls/: the log of what agents asked, and one recall with what it told."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from memory.models import Recall
from memory.models.memory import Category
from review.access import Seat, seated
from review.paging import Pages
from review.recalls import LOOKED, Filters, counts, recalls, told_by

PAGE = 25
CATEGORIES = dict(Category.choices)


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    filters = Filters.read(request.GET)
    page = Pages(recalls(seat.workspace, filters), PAGE).get_page(request.GET.get("page"))
    told = counts(page.object_list)
    rows = [(recall, *told.get(recall.pk, (0, 0))) for recall in page]
    return render(request, "review/recalls.html", {"page": page, "rows": rows, "filters": filters, "looked": LOOKED})


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    found = Recall.objects.filter(workspace=seat.workspace).select_related("user", "session")
    recall = get_object_or_404(found, pk=pk)
    rows = told_by(recall)
    context = {
        "recall": recall, "told": [row for row in rows if not row.hit.withheld],
        "withheld": [row for row in rows if row.hit.withheld],
        "reference": parse_datetime(recall.params.get("reference_time") or ""),
        "categories": [CATEGORIES.get(each, each) for each in recall.params.get("categories", [])],
        "most": max((row.hit.score for row in rows), default=0),
    }  # fmt: skip
    return render(request, "review/recall.html", context)
