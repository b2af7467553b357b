"""/settings/defence/: every screen of the intake, and what it does with what it finds in this workspace."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory import reasons
from memory.actions.base import Stale
from memory.actions.configure import screens_of, set_screens
from memory.actor import from_request
from memory.intake.screen import ACTIONS, SCREENS
from memory.models import Conflict
from review.access import Seat, seated
from review.forms import shown_settings

ACTION_NAMES = {
    "block": gettext_lazy("Block"), "hold": gettext_lazy("Hold for review"), "label": gettext_lazy("Keep with a label"),
}  # fmt: skip


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    wanted = {screen.id: request.POST.get(screen.id, "") for screen in SCREENS}
    try:
        shown = shown_settings(request)
        if not set(wanted.values()) <= set(ACTIONS):
            raise ValueError("not a form of this page")
        changed = set_screens(
            workspace=seat.workspace, shown=shown, wanted=wanted, actor=from_request(request), now=timezone.now()
        )
    except Stale:
        problem = _("Somebody else changed the screens meanwhile. Here is how they stand now.")
        return _page(request, seat, problem=problem, status=409)
    except ValueError:
        return _page(request, seat, problem=_("Every screen needs one of its three actions."), status=422)
    if changed:
        messages.success(request, _("Saved. It counts for every event judged from now on."))
    return redirect("defence")


def _page(request: HttpRequest, seat: Seat, *, problem: str = "", status: int = 200) -> HttpResponse:
    actions = screens_of(seat.workspace)
    context = {
        "rows": [
            (screen, reasons.render(f"about_{screen.id}"), Conflict.Kind(screen.kind).label, actions[screen.id])
            for screen in SCREENS
        ],
        "action_names": ACTION_NAMES.items(), "shown": json.dumps(actions), "problem": problem,
    }  # fmt: skip
    return render(request, "review/defence.html", context, status=status)
