"""/review/<id>/: one conflict on one screen, its decision, and the taking back of it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided
from memory.actor import from_request
from memory.history import evidence
from memory.history.diff import word_diff
from memory.models import Conflict
from review import claims, decisions, queue
from review.access import Seat, seated
from review.filters import Filters
from review.models import Decision

RIVALS = 20  # shown


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    return _page(request, seat, _conflict(seat, pk))


@require_POST
@seated("decide_conflict")
def decide(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    conflict = _conflict(seat, pk)
    filters = Filters.read(request.GET)
    # Looked up before the conflict leaves the list: the reviewer goes on from here, not from its head.
    following = queue.around(conflict, seat.workspace, filters, now=timezone.now(), person=request.user).next
    try:
        decision, _settlement = decisions.decide(
            conflict=conflict, seat=seat, person=request.user, actor=from_request(request), now=timezone.now(),
            choice=request.POST.get("choice", ""), reason_code=request.POST.get("reason_code", ""),
            note=request.POST.get("note", ""), text=request.POST.get("text", ""),
            expected_version=_whole(request, "version"),
        )  # fmt: skip
    except claims.Held as held:
        return _page(request, seat, _conflict(seat, pk), status=409, error=str(held))
    except AlreadyDecided as lost:
        if lost.conflict.status == Conflict.Status.DECIDED:
            return _page(request, seat, _conflict(seat, pk), status=409, lost=True)
        changed = _("The conflict changed while you looked at it. Nothing was written; look at it again.")
        return _page(request, seat, _conflict(seat, pk), status=409, error=changed)
    except Refused as refusal:
        return _page(request, seat, _conflict(seat, pk), status=422, error=str(refusal))
    messages.success(
        request,
        _("%(choice)s: %(text)s")
        % {"choice": decisions.label_of(decision.choice, conflict), "text": conflict.text[:80]},
        extra_tags=f"undo:{conflict.pk}:{decision.pk}",
    )
    where = redirect("conflict", following) if following else redirect("queue")
    return _keep_filters(where, filters)


@require_POST
@seated("decide_conflict")
def undo(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    conflict = _conflict(seat, pk)
    try:
        decisions.take_back(
            conflict=conflict, shown=_whole(request, "decision"), seat=seat, person=request.user,
            actor=from_request(request), now=timezone.now(),
        )  # fmt: skip
    except Refused as refusal:
        return _page(request, seat, _conflict(seat, pk), status=409, error=str(refusal))
    except (Stale, AlreadyDecided):
        changed = _("What this decision changed has changed again since. Nothing was undone.")
        return _page(request, seat, _conflict(seat, pk), status=409, error=changed)
    messages.success(request, _("Decision undone. The conflict is open again."))
    return redirect("conflict", pk)


def _conflict(seat: Seat, pk: UUID) -> Conflict:
    found = Conflict.objects.filter(workspace=seat.workspace)
    return get_object_or_404(found.select_related("user", "memory", "episode__session", "decided_by", "change"), pk=pk)


def _whole(request: HttpRequest, name: str) -> int:
    """A number the form carries; 0, which nothing has, for anything else."""
    number = request.POST.get(name, "")
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def _keep_filters(response: HttpResponse, filters: Filters) -> HttpResponse:
    if filters.query:
        response["Location"] += f"?{filters.query}"
    return response


def _page(
    request: HttpRequest, seat: Seat, conflict: Conflict, *, status: int = 200, lost: bool = False, error: str = ""
) -> HttpResponse:
    now = timezone.now()
    filters = Filters.read(request.GET)
    decision = decisions.last_decision(conflict)
    held_credibility, incoming_credibility = evidence.credibility_of_sides(conflict)
    rivals = list(conflict.rivals.order_by("-credibility", "-event_time")[:RIVALS])
    context = {
        "conflict": conflict,
        "filters": filters,
        "around": queue.around(conflict, seat.workspace, filters, now=now, person=request.user),
        "work": claims.work_of(conflict, seat, request.user, now),
        "diff": word_diff(conflict.memory.text, conflict.text) if conflict.memory else [],
        "held_evidence": evidence.of_memory(conflict.memory) if conflict.memory else [],
        "incoming_evidence": evidence.of_conflict(conflict),
        "held_credibility": held_credibility,
        "incoming_credibility": incoming_credibility,
        "rivals": [rival for rival in rivals if rival.fingerprint != conflict.fingerprint],
        "already_told": decisions.already_told(conflict),
        "options": decisions.options(conflict, seat, among_rivals=bool(rivals)),
        "reason_codes": Decision.ReasonCode,
        "decision": decision,
        "may_undo": decisions.may_undo(decision, seat, request.user, now=now),
        "timeline": conflict.decisions.select_related("decider", "undoes"),
        "lost": lost,
        "error": error,
        # what the reviewer had typed survives a lost race
        "typed": {name: request.POST.get(name, "") for name in ("note", "text", "reason_code", "choice")},
        "now": now,
    }
    return render(request, "review/conflict.html", context, status=status)
