"""/quality/: how well reviewing goes, and /quality/second-look/: decisions looked at again by somebody who does not see
how they were decided."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused, Stale
from memory.actions.settle import choices_for
from memory.actor import from_request
from memory.history import evidence
from memory.history.diff import word_diff
from memory.models import Conflict
from memory.models.episode import SourceClass
from memory.policy import policy_of
from review import quality, second_look
from review.access import Seat, seated
from review.choices import label_of
from review.models import SecondLook

USUAL = 30


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    now, days = timezone.now(), request.GET.get("days", "")
    days = int(days) if days in [str(period) for period in quality.PERIODS] else USUAL
    since = now - timedelta(days=days)
    rows = quality.rows(seat.workspace, since=since)
    backlog = quality.backlog(seat.workspace, days=days, now=now)
    context = {
        "days": days, "periods": quality.PERIODS, "figures": quality.figures(rows), "most": quality.MOST,
        "agreement": quality.agreement(seat.workspace, since=since),
        "people": quality.grouped(rows, lambda row: row.decider),
        "kinds": quality.grouped(rows, lambda row: Conflict.Kind(row.kind).label),
        "sources": quality.grouped(rows, lambda row: SourceClass(row.source_class).label),
        "backlog": backlog, "highest": max(day.open for day in backlog),
        "first_day": now.date() - timedelta(days=days - 1), "open_count": backlog[-1].open,
        "differing": second_look.differing(seat.workspace, since=since, most=quality.DIFFERING),
        "share": policy_of(seat.workspace).second_look_share,
        "looks": second_look.waiting(seat.workspace, request.user, now=now).count(),
    }  # fmt: skip
    return render(request, "review/quality.html", context)


@require_safe
@seated("decide_conflict")
def look(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _next(request, seat)


@require_POST
@seated("decide_conflict")
def answer(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    drawn = SecondLook.objects.select_related("decision__conflict__memory", "workspace")
    shown = get_object_or_404(drawn, pk=pk, workspace=seat.workspace)
    note = request.POST.get("note", "")
    try:
        agrees = second_look.answer(
            look=shown, choice=request.POST.get("choice", ""), note=note, person=request.user,
            actor=from_request(request), now=timezone.now(),
        )  # fmt: skip
    except Stale:
        lost = _("Somebody was faster, or it was undone meanwhile. Nothing of yours was written. Here is the next one.")
        return _next(request, seat, problem=lost, note=note, status=409)
    except Refused as refusal:
        return _next(request, seat, problem=str(refusal), note=note, status=422)
    if agrees:
        messages.success(request, _("Noted. The first reviewer decided the same."))
    else:
        text = _("Noted. The first reviewer decided otherwise: “%(choice)s”. Nothing was changed.")
        messages.warning(request, text % {"choice": label_of(shown.decision.choice, shown.decision.conflict)})
    return redirect("second_look")


def _next(request: HttpRequest, seat: Seat, *, problem: str = "", note: str = "", status: int = 200) -> HttpResponse:
    waiting = second_look.waiting(seat.workspace, request.user, now=timezone.now())
    drawn = waiting.select_related("decision__conflict__user", "decision__conflict__memory").first()
    conflict = drawn and drawn.decision.conflict
    context = {
        "look": drawn, "conflict": conflict, "problem": problem, "note": note, "left": waiting.count(),
        "choices": [(each, label_of(each, conflict)) for each in choices_for(conflict)] if conflict else [],
        "exhibits": evidence.of_conflict(conflict) if conflict else [],
        "diff": word_diff(drawn.decision.held_text, drawn.decision.incoming_text) if drawn else [],
    }  # fmt: skip
    return render(request, "review/second_look.html", context, status=status)
