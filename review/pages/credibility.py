"""/credibility/: how far memories may be trusted, the doubtful ones told often, sources, and the weights of classes."""

import json
import time
from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Stale
from memory.actions.configure import set_weights, weights_of
from memory.actor import from_request
from review import trust
from review.access import Seat, seated
from review.forms import shown_settings
from review.reweigh import Reckoning, reckon
from review.tuning import shown

RECKON_SECONDS = 4


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The figures; with weights in the address what they would change, for those who may save them."""
    typed = {name: request.GET[name].strip() for name in trust.NAMES if name in request.GET}
    if not typed or not seat.may("manage_workspace"):
        return _page(request, seat)
    saved = weights_of(seat.workspace)
    typed = {name: shown(value) for name, value in saved.items()} | typed
    values, errors = trust.read(typed)
    if errors:
        return _page(request, seat, typed=typed, errors=errors, status=422)
    found = None
    if values != saved:
        found = reckon(seat.workspace, values, until=time.monotonic() + RECKON_SECONDS)
    return _page(request, seat, typed=typed, preview=found)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    typed = {name: request.POST.get(name, "").strip() for name in trust.NAMES}
    wanted, errors = trust.read(typed)
    if errors:
        return _page(request, seat, typed=typed, errors=errors, status=422)
    try:
        changed = set_weights(
            workspace=seat.workspace,
            shown=shown_settings(request),
            wanted=wanted,
            actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        problem = _("Somebody else changed the settings meanwhile. Here is how they stand now.")
        return _page(request, seat, problem=problem, status=409)
    except ValueError:
        return _page(request, seat, problem=_("This was not a form of this page. Nothing was saved."), status=422)
    if changed:
        messages.success(request, _("Saved. Every memory's credibility is counted anew; a worker begins at once."))
    return redirect("credibility")


def _page(
    request: HttpRequest, seat: Seat, *, typed: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None, preview: Reckoning | None = None, problem: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    saved = weights_of(seat.workspace)
    kind, order = request.GET.get("kind", ""), request.GET.get("order", "")
    kind, order = kind if kind in trust.KINDS else "", order if order in trust.ORDERS else ""
    context = {
        "spreads": trust.spreads(seat.workspace), "risky": trust.risky(seat.workspace), "doubtful": trust.DOUBTFUL,
        "sources": trust.sources(seat.workspace, kind=kind, order=order, weights=saved), "kind": kind, "order": order,
        "kinds": trust.KINDS, "weights": trust.weights(saved, typed or {}, errors or {}), "shown": json.dumps(saved),
        "typed": typed, "errors": errors, "preview": preview, "earlier": trust.earlier(seat.workspace, saved),
        "problem": problem, "may_save": seat.may("manage_workspace"),
    }  # fmt: skip
    return render(request, "review/credibility.html", context, status=status)
