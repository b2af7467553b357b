"""/intake/: what came in and what became of it, with the reason; parked events and their retry."""

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actor import from_request
from memory.audit import log
from memory.intake.run import retry_parked
from memory.models import Episode, Verdict
from review.access import Seat, seated
from review.paging import Pages

PAGE = 50
PARKED = "PARKED"


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    outcome = request.GET.get("outcome", "")
    if outcome == PARKED:
        found = Episode.objects.filter(workspace=seat.workspace, judging=Episode.Judging.PARKED)
        rows = found.select_related("user", "session").order_by("-recorded_at")
    else:
        outcome = outcome if outcome in Verdict.Outcome.values else ""
        found = Verdict.objects.filter(workspace=seat.workspace, **({"outcome": outcome} if outcome else {}))
        rows = found.select_related("user", "episode__session", "memory", "conflict").order_by("-created_at", "-id")
    context = {
        "page": Pages(rows, PAGE).get_page(request.GET.get("page")),
        "outcome": outcome, "outcomes": Verdict.Outcome, "parked": outcome == PARKED,
    }  # fmt: skip
    return render(request, "review/intake.html", context)


@require_POST
@seated("manage_workspace")
def retry(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    episode = get_object_or_404(Episode, workspace=seat.workspace, pk=pk)
    with transaction.atomic():
        is_back = retry_parked(episode)
        if is_back:
            log.record(
                workspace=seat.workspace, actor=from_request(request), action="episode.retry", now=timezone.now(),
                object_type="episode", object_id=pk,
            )  # fmt: skip
    if is_back:
        messages.success(request, _("Back in line. It will be judged within seconds."))
    else:
        messages.info(request, _("This event is not parked any more."))
    return redirect("dashboard")
