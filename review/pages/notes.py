"""/review/<id>/note/ and /mentions/read/: writing to colleagues, and having read what they wrote."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory.actions.base import Refused
from memory.actor import from_request
from review import forms, notes
from review.access import Seat, seated
from review.pages import conflict as conflict_page


@require_POST
@seated("decide_conflict")
def write(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    try:
        note = notes.write(
            conflict=conflict_page.find(seat, pk), author=request.user, actor=from_request(request),
            text=request.POST.get("said", ""), now=timezone.now(),
        )  # fmt: skip
    except Refused as refusal:
        return conflict_page.page(request, seat, pk, status=422, error=str(refusal))
    named = ", ".join(str(each.person) for each in note.mentions.select_related("person"))
    messages.success(
        request, _("Note written; %(names)s will see it.") % {"names": named} if named else _("Note written.")
    )
    return conflict_page.back_to(request, pk)


@require_POST
@seated()
def read(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Marks the mention that the form names as read, or all of them when it names none."""
    mention = forms.whole(request, "mention") if "mention" in request.POST else None
    notes.read(workspace=seat.workspace, person=request.user, now=timezone.now(), mention=mention)
    return redirect("dashboard")
