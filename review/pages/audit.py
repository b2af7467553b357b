"""/audit/: who did what, when, why and from where, for auditors and admins; and whether the record is whole."""

import json
import time

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_q.tasks import async_task

from memory.actions.base import Stale
from memory.actions.configure import set_audit_days
from memory.actor import from_request
from memory.audit import heads, log, seal
from memory.models import AuditEvent, Change
from memory.policy import policy_of
from review import audit
from review.access import Seat, seated
from review.audit_words import fault_label, known_actions
from review.exports import download
from review.paging import Pages

PAGE = 50
SEAL_SECONDS = 5


@require_safe
@seated("export_data")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_safe
@seated("export_data")
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    mine = audit.events(seat.workspace, audit.Filters(), request.user)
    outside = audit.events(seat.workspace, audit.Filters(place=audit.OUTSIDE), request.user)
    event = mine.filter(pk=pk).first() or get_object_or_404(outside, pk=pk)
    context = {
        "event": event, "fields": audit.compared(event), "raw": json.dumps(
            {"before": event.before, "after": event.after}, ensure_ascii=False, indent=2
        ),
        "erasure": event.erased_by and AuditEvent.objects.filter(workspace=event.workspace, pk=event.erased_by).first(),
    }  # fmt: skip
    return render(request, "review/audit_event.html", context)


@require_safe
@seated("export_data")
def export(request: HttpRequest, seat: Seat, kind: str) -> StreamingHttpResponse:
    """Every event the filters name, as a file."""
    filters = audit.Filters.read(request.GET)
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="audit.export", now=timezone.now(),
        object_type="audit", after={"format": kind, "filters": filters.query},
    )  # fmt: skip
    found = audit.events(seat.workspace, filters, request.user)
    return download(audit.lines(found, kind), columns=audit.COLUMNS, kind=kind, name=f"audit-{seat.workspace.slug}")


@require_POST
@seated("export_data")
def head(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The last seal of the workspace's chain as a line of JSON, to be kept elsewhere."""
    now = timezone.now()
    seal.seal(now=now, until=time.monotonic() + SEAL_SECONDS)
    found = heads.head_of(seat.workspace.pk)
    if found is None:
        messages.info(request, _("Nothing is sealed yet. Try again in a few minutes."))
        return redirect("audit")
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="audit.heads", now=now, object_type="audit",
        after={"seal": found["seal"], "hash": found["hash"]},
    )  # fmt: skip
    name = f"audit-head-{seat.workspace.slug}-{found['seal']}.jsonl"
    return HttpResponse(
        json.dumps(found) + "\n", content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )  # fmt: skip


@require_POST
@seated("export_data")
def verify(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Lets a job verify the chain now."""
    with transaction.atomic():
        log.record(
            workspace=seat.workspace, actor=from_request(request), action="audit.verify", now=timezone.now(),
            object_type="audit",
        )  # fmt: skip
        async_task("memory.tasks.verify_chain", seat.workspace.pk, group="audit")
    messages.success(request, _("The verification has begun. Reload this page to see what it finds."))
    return redirect("audit")


@require_POST
@seated("manage_workspace")
def keep(request: HttpRequest, seat: Seat) -> HttpResponse:
    """How long events are kept."""
    typed = request.POST.get("audit_days", "").strip()[:20]
    shown = request.POST.get("shown", "")
    try:
        changed = set_audit_days(
            workspace=seat.workspace, shown=_whole(shown), wanted=_whole(typed), actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        problem = _("Somebody else changed it meanwhile. Here is how it stands now.")
        return _page(request, seat, problem=problem, status=409)
    except ValueError:
        problem = _("The days are a whole number from 0 to 36500.")
        return _page(request, seat, problem=problem, typed=typed, status=422)
    if changed:
        messages.success(request, _("Saved. It counts from the next night on."))
    return redirect("audit")


def _whole(typed: str) -> int:
    if not (typed.isascii() and typed.isdigit()):
        raise ValueError("not a whole number")
    return int(typed)


def _page(
    request: HttpRequest, seat: Seat, *, problem: str = "", typed: str = "", status: int = 200
) -> HttpResponse:  # fmt: skip
    filters = audit.Filters.read(request.GET)
    state = audit.state_of(seat.workspace)
    days = policy_of(seat.workspace).audit_days
    context = {
        "page": Pages(audit.events(seat.workspace, filters, request.user), PAGE).get_page(request.GET.get("page")),
        "filters": filters, "actors": Change.ActorKind, "actions": known_actions(filters.action),
        "state": state, "days": days, "typed": typed or days, "problem": problem, "now": timezone.now(),
        "fault": fault_label(state.check.first_code, state.check.first_id) if state.check else "",
    }  # fmt: skip
    return render(request, "review/audit.html", context, status=status)
