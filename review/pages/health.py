"""/memory-health/: what came in and became of it, how old and warm memories are, and whether the machinery runs."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memory.actor import from_request
from memory.audit import log
from memory.intake.run import retry_all_parked
from memory.upkeep import jobs
from review import figures, health
from review.access import Seat, seated

PERIODS = (7, 30, 90)
USUAL = 30


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    now, days = timezone.now(), request.GET.get("days", "")
    days = int(days) if days in [str(period) for period in PERIODS] else USUAL
    found = health.flow(seat.workspace, days=days, now=now)
    context = {
        "days": days, "periods": PERIODS, "now": now, "flow": found,
        "highest": max((day.total for day in found.days), default=0), "state": health.state(seat.workspace),
        "machinery": figures.machinery(seat.workspace, now=now), "llm": health.llm(seat.workspace, days=days, now=now),
        "jobs": jobs.jobs(now),
    }  # fmt: skip
    return render(request, "review/health.html", context)


@require_POST
@seated("manage_workspace")
def retry_all(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Puts every parked event back in line."""
    with transaction.atomic():
        back = retry_all_parked(seat.workspace)
        if back:
            log.record(
                workspace=seat.workspace, actor=from_request(request), action="episode.retry_all", now=timezone.now(),
                object_type="workspace", object_id=seat.workspace.pk, after={"episodes": back},
            )  # fmt: skip
    if back:
        said = ngettext("%(n)d event is back in line.", "%(n)d events are back in line.", back) % {"n": back}
        messages.success(request, said)
    else:
        messages.info(request, _("Nothing is parked any more."))
    return redirect("health")
