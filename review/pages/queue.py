"""/review/: what waits, in the order it should be looked at."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from memory.models import Conflict
from memory.models.memory import Category
from memory.policy import policy_of
from review import queue, saved_views, sharing
from review.access import Seat, seated
from review.filters import Filters
from review.tally import EMPTY_HELD, empty_state, holders, progress, tally

SHOWN_NAMES = {
    "held": _("Held by others"), "mine": _("Held by me"), "deferred": _("Put off"), "skipped": _("Skipped by me"),
    "all": _("All of these"),
}  # fmt: skip


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    views = saved_views.of(seat.workspace, request.user)
    default = next((view for view in views if view.is_default), None)
    if default and not request.GET:
        return redirect(f"{request.path}?{default.query}")
    desk = queue.Desk(seat.workspace, request.user, timezone.now())
    filters = Filters.read(request.GET)
    counts = tally(desk, filters) if filters.is_open else None
    page = queue.page(desk, filters, request.GET.get("page", "1"), counts and counts.known)
    empty = "" if page.object_list else empty_state(desk, filters, counts)
    mine = progress(desk, counts)
    context = {
        "may_bulk": filters.is_open and seat.may("decide_conflict"),
        "page": page, "filters": filters, "now": desk.now, "empty": empty, "views": views,
        "view": next((view for view in views if view.query == saved_views.address(filters)), None),
        "counts": counts, "left_out": counts and counts.left_out, "progress": mine, "open_count": mine["open"],
        "holders": holders(desk, filters) if empty == EMPTY_HELD else [],
        "categories": Category.choices, "colleagues": sharing.colleagues(seat.workspace),
        "policy": policy_of(seat.workspace), "searched": queue.SEARCHED if desk.searched_until(filters) else None,
        "bands": Conflict.Band.choices, "shown": SHOWN_NAMES.items(),
    }  # fmt: skip
    return render(request, "review/queue.html", context)
