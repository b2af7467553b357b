"""/review/<id>/confirm/ and /send-back/: a second person answers what a first one has proposed."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided
from memory.actor import from_request
from review import decisions, forms
from review.access import Seat, seated
from review.models import Proposal
from review.pages import conflict as conflict_page


@require_POST
@seated("decide_conflict")
def confirm(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    conflict = conflict_page.find(seat, pk)
    try:
        decision = decisions.confirm(
            conflict=conflict, shown=forms.whole(request, "proposal"), person=request.user,
            actor=from_request(request), now=timezone.now(),
        )  # fmt: skip
    except Refused as refusal:
        return conflict_page.page(request, seat, pk, status=422, error=str(refusal))
    except Stale:
        return conflict_page.page(request, seat, pk, status=409, error=_("The proposal has been answered meanwhile."))
    except AlreadyDecided:
        changed = _("The conflict has changed since this was proposed. Send the proposal back and decide anew.")
        return conflict_page.page(request, seat, pk, status=409, error=changed)
    conflict_page.tell(request, conflict, decision)
    return conflict_page.back_to(request, pk)


@require_POST
@seated("decide_conflict")
def send_back(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    try:
        proposal = decisions.send_back(
            conflict=conflict_page.find(seat, pk), shown=forms.whole(request, "proposal"), person=request.user,
            actor=from_request(request), now=timezone.now(), answer=request.POST.get("answer", ""),
        )  # fmt: skip
    except Refused as refusal:
        return conflict_page.page(request, seat, pk, status=422, error=str(refusal))
    except Stale:
        return conflict_page.page(request, seat, pk, status=409, error=_("The proposal has been answered meanwhile."))
    withdrawn = proposal.status == Proposal.Status.WITHDRAWN
    messages.success(request, _("Proposal withdrawn.") if withdrawn else _("Proposal sent back."))
    return conflict_page.back_to(request, pk)
