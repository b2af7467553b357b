"""/settings/retention/: how long events stay in the database, and the files that older ones have gone to."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_q.tasks import async_task

from memory.actions.base import Stale
from memory.actions.configure import RETENTION, retention_of, set_retention
from memory.actor import from_request
from memory.audit import log
from memory.files import checking
from memory.models import EpisodeFile
from review.access import Seat, seated
from review.forms import shown_settings
from review.paging import Pages

PAGE = 50


@require_safe
@seated("manage_workspace")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    typed = {name: request.POST.get(name, "").strip()[:20] for name in RETENTION}
    try:
        changed = set_retention(
            workspace=seat.workspace,
            shown=shown_settings(request),
            wanted=typed,
            actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        problem = _("Somebody else changed these settings meanwhile. Here is how they stand now.")
        return _page(request, seat, problem=problem, status=409)
    except ValueError:
        return _page(request, seat, problem=_("0, or whole days from 90 to 36500."), typed=typed, status=422)
    if changed:
        messages.success(request, _("Saved. It counts from the next night on."))
    return redirect("retention")


@require_POST
@seated("manage_workspace")
def check(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    file = get_object_or_404(EpisodeFile, workspace=seat.workspace, pk=pk)
    fault = checking.check(file, now=timezone.now())
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="episodes.check", now=timezone.now(),
        object_type="month", object_id=f"{file.month:%Y-%m}", after={"file": file.name, "fault": fault},
    )  # fmt: skip
    if fault:
        messages.error(request, _("The file is not as it was written."))
    else:
        messages.success(request, _("The file is as it was written."))
    return redirect("retention")


@require_POST
@seated("manage_workspace")
def bring_back(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    file = get_object_or_404(EpisodeFile, workspace=seat.workspace, pk=pk)
    actor = from_request(request)
    log.record(
        workspace=seat.workspace, actor=actor, action="episodes.ask_back", now=timezone.now(), object_type="month",
        object_id=f"{file.month:%Y-%m}", after={"file": file.name},
    )  # fmt: skip
    async_task("memory.tasks.bring_back_episodes", file.pk, actor.id, actor.label, group="files")
    messages.success(request, _("A worker puts the events back. The file goes when it is done."))
    return redirect("retention")


def _page(request: HttpRequest, seat: Seat, *, problem: str = "", typed=None, status: int = 200) -> HttpResponse:
    saved = retention_of(seat.workspace)
    files = EpisodeFile.objects.filter(workspace=seat.workspace)
    context = {
        "typed": saved | (typed or {}), "shown": json.dumps(saved), "problem": problem,
        "page": Pages(files, PAGE).get_page(request.GET.get("page")), "faulty": files.exclude(fault="").count(),
    }  # fmt: skip
    return render(request, "review/retention.html", context, status=status)
