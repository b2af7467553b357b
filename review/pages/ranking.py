"""/settings/ranking/: how recall ranks, what other settings would change, those saved before, the log of recalls."""

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
from memory.actions.configure import RECALL_LOG, ranking_of, recall_log_of, set_ranking, set_recall_log
from memory.actor import from_request
from memory.recall.scoring import RankingSettings
from review.access import Seat, seated
from review.forms import shown_settings
from review.ranking import DEFAULTS, NAMES, earlier, read, rows
from review.replay import Replay, replay
from review.tuning import shown

REPLAY_SECONDS = 3


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The settings; with values in the address what they would change, for those who may save them."""
    saved = ranking_of(seat.workspace)
    typed = {name: request.GET[name].strip() for name in NAMES if name in request.GET}
    reset = request.GET.get("reset", "")
    typed |= {name: shown(DEFAULTS[name]) for name in NAMES if reset in (name, "all")}
    if not typed or not seat.may("manage_workspace"):
        return _page(request, seat)
    typed = {name: shown(value) for name, value in saved.items()} | typed
    values, errors = read(typed)
    if errors:
        return _page(request, seat, typed=typed, errors=errors, status=422)
    found = None
    if values != saved:
        found = replay(
            seat.workspace, present=RankingSettings(**saved), wanted=RankingSettings(**values), now=timezone.now(),
            until=time.monotonic() + REPLAY_SECONDS,
        )  # fmt: skip
    return _page(request, seat, typed=typed, preview=found)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    typed = {name: request.POST.get(name, "").strip() for name in NAMES}
    wanted, errors = read(typed)
    if errors:
        return _page(request, seat, typed=typed, errors=errors, status=422)
    try:
        changed = set_ranking(
            workspace=seat.workspace, shown=shown_settings(request), wanted=wanted, actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        return _page(request, seat, problem=_moved(), status=409)
    except ValueError:
        return _page(request, seat, problem=_("This was not a form of this page. Nothing was saved."), status=422)
    if changed:
        messages.success(request, _("Saved. It counts from the next search on."))
    return redirect("ranking")


@require_POST
@seated("manage_workspace")
def save_log(request: HttpRequest, seat: Seat) -> HttpResponse:
    wanted = {name: request.POST.get(name, "").strip() for name in RECALL_LOG}
    try:
        changed = set_recall_log(
            workspace=seat.workspace, shown=shown_settings(request), wanted=wanted, actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        return _page(request, seat, problem=_moved(), status=409)
    except ValueError:
        problem = _("The share is a number from 0 to 1; the days are a whole number from 1 to 3650.")
        return _page(request, seat, log=wanted, problem=problem, status=422)
    if changed:
        messages.success(request, _("Saved. It counts from the next search on."))
    return redirect("ranking")


def _moved() -> str:
    return _("Somebody else changed the settings meanwhile. Here is how they stand now.")


def _page(
    request: HttpRequest, seat: Seat, *, typed: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None, preview: Replay | None = None, log: Mapping[str, str] | None = None,
    problem: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    saved, kept = ranking_of(seat.workspace), recall_log_of(seat.workspace)
    context = {
        "rows": rows(saved, typed or {}, errors or {}), "shown": json.dumps(saved), "typed": typed, "errors": errors,
        "preview": preview, "earlier": earlier(seat.workspace, saved), "problem": problem,
        "may_save": seat.may("manage_workspace"), "log_shown": json.dumps(kept),
        "log": kept | {"recall_log_share": shown(kept["recall_log_share"])} | (log or {}),
        "has_gaps": kept["recall_log_share"] < 1,
    }  # fmt: skip
    return render(request, "review/ranking.html", context, status=status)
