"""/review/bulk/: one choice on many conflicts: told first, then done, then undone as a whole."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused
from memory.actor import from_request
from memory.models import Conflict
from review import bulk, decisions, forms
from review.access import Seat, seated
from review.choices import label_of, usual_reason
from review.models import BulkRun, Decision


@require_POST
@seated("decide_conflict")
def preview(request: HttpRequest, seat: Seat) -> HttpResponse:
    try:
        conflicts = bulk.picked(seat.workspace, request.POST.getlist("pick"))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("queue")
    return _preview(request, conflicts)


@require_POST
@seated("decide_conflict")
def run(request: HttpRequest, seat: Seat) -> HttpResponse:
    shown = forms.shown_items(request)
    try:
        draft = forms.draft_of(request)
        made = bulk.decide_many(
            workspace=seat.workspace, shown=shown, person=request.user, actor=from_request(request),
            now=timezone.now(), draft=draft,
        )  # fmt: skip
    except Refused as refusal:
        return _again(request, seat, [id for id, _version in shown], str(refusal))
    return redirect("bulk_run", made.pk)


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    return _show(request, seat, _run(seat, pk))


@require_POST
@seated("decide_conflict")
def undo(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    made = _run(seat, pk)
    left = bulk.undo_all(made, seat=seat, person=request.user, actor=from_request(request), now=timezone.now())
    if left:
        text = ngettext("%(n)d decision could not be undone.", "%(n)d decisions could not be undone.", len(left))
        messages.warning(request, text % {"n": len(left)})
    else:
        messages.success(request, _("All undone. The conflicts are open again."))
    return redirect("bulk_run", pk)


def _run(seat: Seat, pk: UUID) -> BulkRun:
    return get_object_or_404(
        BulkRun.objects.filter(workspace=seat.workspace).select_related("person", "workspace"), pk=pk
    )


def _again(request: HttpRequest, seat: Seat, ids: list[str], error: str) -> HttpResponse:
    try:
        return _preview(request, bulk.picked(seat.workspace, ids), error=error, status=422)
    except Refused:
        messages.error(request, error)
        return redirect("queue")


def _preview(request: HttpRequest, conflicts: list[Conflict], *, error: str = "", status: int = 200) -> HttpResponse:
    choices = bulk.choices_of(conflicts)
    choice = request.POST.get("choice", "")
    choice = choice if choice in choices else choices[0]
    items = bulk.plan(conflicts, choice)
    context = {
        "items": items,
        "ready": [item for item in items if not item.obstacle],
        "kind": conflicts[0],
        "choice": choice,
        "choices": [(each, label_of(each, conflicts[0])) for each in choices],
        "reason_codes": Decision.ReasonCode,
        "reason_code": request.POST.get("reason_code") or usual_reason(choice, conflicts[0].kind),
        "seconds": bulk.waits_for_second(conflicts),
        "note": request.POST.get("note", ""),
        "error": error,
    }
    return render(request, "review/bulk_preview.html", context, status=status)


def _show(request: HttpRequest, seat: Seat, made: BulkRun) -> HttpResponse:
    in_force = list(made.decisions.filter(undoes=None, undone_by=None).order_by("pk"))
    rows = bulk.results(made)
    context = {
        "run": made,
        "rows": rows,
        "choice": label_of(made.choice, rows[0][0]) if rows and rows[0][0] else made.get_choice_display(),
        "done": sum(outcome["outcome"] == "done" for _conflict, _words, outcome in rows),
        "may_undo": bool(in_force) and decisions.may_undo(in_force[0], seat, request.user, now=timezone.now()),
        "now": timezone.now(),
    }
    return render(request, "review/bulk_run.html", context)
