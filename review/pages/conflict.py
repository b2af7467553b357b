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
from memory.models import Conflict
from review import bulk, casefile, claims, decisions, forms, queue
from review.access import Seat, seated
from review.choices import label_of
from review.filters import Filters
from review.models import Decision, Proposal


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    return page(request, seat, pk)


@require_POST
@seated("decide_conflict")
def decide(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    conflict = find(seat, pk)
    filters = Filters.read(request.GET)
    # Looked up before the conflict leaves the list: the reviewer goes on from here, not from its head.
    following = queue.around(conflict, seat.workspace, filters, now=timezone.now(), person=request.user).next
    try:
        draft = forms.draft_of(request, conflict)
        if request.POST.get("whole") and draft.choice in bulk.CHOICES:
            return _decide_flood(request, seat, conflict, draft)
        made = decisions.decide(
            conflict=conflict, person=request.user, actor=from_request(request), now=timezone.now(), draft=draft,
            expected_version=forms.whole(request, "version"),
        )  # fmt: skip
    except AlreadyDecided as lost:
        return page(request, seat, pk, status=409, **_lost(lost))
    except Refused as refusal:
        return page(request, seat, pk, status=422, error=str(refusal))
    tell(request, conflict, made)
    return _keep_filters(redirect("conflict", following) if following else redirect("queue"), filters)


def _decide_flood(request: HttpRequest, seat: Seat, conflict: Conflict, draft: decisions.Draft) -> HttpResponse:
    """Decides every conflict of the flood that the page showed, as one bulk."""
    mine = (str(conflict.pk), forms.whole(request, "version"))
    run = bulk.decide_many(
        workspace=seat.workspace, shown=[mine, *forms.shown_items(request)], person=request.user,
        actor=from_request(request), now=timezone.now(), draft=draft,
    )  # fmt: skip
    return redirect("bulk_run", run.pk)


@require_POST
@seated("decide_conflict")
def undo(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    try:
        decisions.take_back(
            conflict=find(seat, pk), shown=forms.whole(request, "decision"), seat=seat, person=request.user,
            actor=from_request(request), now=timezone.now(),
        )  # fmt: skip
    except Refused as refusal:
        return page(request, seat, pk, status=409, error=str(refusal))
    except (Stale, AlreadyDecided):
        changed = _("What this decision changed has changed again since. Nothing was undone.")
        return page(request, seat, pk, status=409, error=changed)
    messages.success(request, _("Decision undone. The conflict is open again."))
    return back_to(request, pk)


def find(seat: Seat, pk: UUID) -> Conflict:
    found = Conflict.objects.filter(workspace=seat.workspace).select_related(
        "user", "workspace", "memory", "episode__session", "decided_by", "change"
    )
    return get_object_or_404(found, pk=pk)


def back_to(request: HttpRequest, pk: UUID) -> HttpResponse:
    """To the conflict's page, in the list that the reviewer came through."""
    return _keep_filters(redirect("conflict", pk), Filters.read(request.GET))


def tell(request: HttpRequest, conflict: Conflict, made: Decision | Proposal) -> None:
    """A message that says what the button said, with the way back where there is one."""
    words = {"choice": label_of(made.choice, conflict), "text": conflict.text[:80]}
    if isinstance(made, Proposal):
        messages.info(request, _("Proposed, a second person has to confirm it. %(choice)s: %(text)s") % words)
    else:
        messages.success(request, _("%(choice)s: %(text)s") % words, extra_tags=f"undo:{conflict.pk}:{made.pk}")


def page(
    request: HttpRequest, seat: Seat, pk: UUID, *, status: int = 200, lost: bool = False, error: str = ""
) -> HttpResponse:
    """The conflict as it is now; what the reviewer had typed survives a refusal."""
    filters = Filters.read(request.GET)
    context = casefile.of(find(seat, pk), seat=seat, person=request.user, filters=filters, now=timezone.now())
    context |= {"lost": lost, "error": error, "typed": forms.typed(request)}
    return render(request, "review/conflict.html", context, status=status)


def _lost(lost: AlreadyDecided) -> dict:
    if isinstance(lost, claims.Held):
        return {"error": str(lost)}
    if lost.conflict.status == Conflict.Status.DECIDED:
        return {"lost": True}
    return {"error": _("The conflict changed while you looked at it. Nothing was written; look at it again.")}


def _keep_filters(response: HttpResponse, filters: Filters) -> HttpResponse:
    if filters.query:
        response["Location"] += f"?{filters.query}"
    return response
