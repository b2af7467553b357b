"""/settings/reviewing/: whether a decision waits for a second person, how long its decider may undo it, and how many
are looked at twice."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Stale
from memory.actions.configure import REVIEWING, reviewing_of, set_reviewing
from memory.actor import from_request
from review.access import Seat, seated
from review.forms import shown_settings

SECOND = {
    "off": gettext_lazy("One person decides"),
    "high": gettext_lazy("Conflicts of high urgency wait for a second person"),
    "always": gettext_lazy("Every decision waits for a second person"),
}


@require_safe
@seated("manage_workspace")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    typed = {name: request.POST.get(name, "") for name in REVIEWING}
    try:
        changed = set_reviewing(
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
        problem = _("Choose one of the three, whole minutes from 1 to 1440, and a share from 0 to 1.")
        return _page(request, seat, problem=problem, typed=typed, status=422)
    if changed:
        messages.success(request, _("Saved. It counts for every decision from now on."))
    return redirect("reviewing")


def _page(request: HttpRequest, seat: Seat, *, problem: str = "", typed=None, status: int = 200) -> HttpResponse:
    saved = reviewing_of(seat.workspace)
    context = {
        "seconds": SECOND.items(), "typed": saved | (typed or {}), "shown": json.dumps(saved), "problem": problem,
    }  # fmt: skip
    return render(request, "review/reviewing.html", context, status=status)
