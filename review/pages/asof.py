"""/people/<id>/as-of/: what was remembered of one person at a moment, and what has changed by another."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory.history import asof
from memory.models import EndUser
from review.access import Seat, seated
from review.paging import Pages

PAGE = 25
SHOWN = 50  # of each kind of difference
USUAL = timedelta(days=7)  # back from now, when no moment is named


@dataclass(frozen=True, slots=True)
class Asked:
    """A moment as it was typed. `error` says why it is none; `moment` is the fallback then."""

    moment: datetime
    error: str = ""


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    person = get_object_or_404(EndUser, workspace=seat.workspace, pk=pk)
    now = timezone.now()
    at = _moment(request.GET.get("at", ""), usual=now - USUAL, now=now)
    to = _moment(request.GET.get("to", ""), usual=now, now=now)
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


def _moment(typed: str, *, usual: datetime, now: datetime) -> Asked:
    """A date or a time of the console's zone; a date alone means its end, as far as it has come."""
    typed = typed.strip()
    if not typed:
        return Asked(usual)
    try:
        moment = parse_datetime(typed) if "T" in typed or " " in typed else None
        day = parse_date(typed) if moment is None else None
        if day is not None:
            moment = min(timezone.make_aware(datetime(day.year, day.month, day.day, 23, 59, 59)), now)
            if timezone.localdate(now) < day:
                return Asked(usual, _("This moment has not come yet."))
        elif moment is not None and timezone.is_naive(moment):
            moment = timezone.make_aware(moment)
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        return Asked(usual, _("This is no date or time."))
    return Asked(usual, _("This moment has not come yet.")) if moment > now else Asked(moment)
