"""/archive/: what would go at a threshold, when the workspace archives, and what was archived."""

import json
import time
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from memory.actions.archive import unarchive
from memory.actions.base import Refused, Stale
from memory.actions.configure import archiving_of, set_archiving
from memory.actor import from_request
from memory.models import Memory
from memory.recall import heat, nightly
from review.access import Seat, seated
from review.archive import MOST, archived, asked_limits, preview
from review.forms import shown_settings
from review.paging import Pages

PAGE = 25
LOOK_SECONDS, RUN_SECONDS = 2, 20
SPARED_NAMES = {
    "pinned": gettext_lazy("Pinned"), "recent": gettext_lazy("Recalled or changed lately"),
    "warm": gettext_lazy("Still warm"), "contested": gettext_lazy("In an open conflict"),
    "seasonal": gettext_lazy("Asked for each year or quarter"),
}  # fmt: skip


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat) -> HttpResponse:
    wanted = {name: request.POST.get(name, "").strip() for name in ("archive_below", "archive_days")}
    wanted["archive_on"] = request.POST.get("archive_on") == "1"
    try:
        changed = set_archiving(
            workspace=seat.workspace,
            shown=shown_settings(request),
            wanted=wanted,
            actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        return _page(request, seat, problem=_moved(), status=409)
    except ValueError:
        return _page(request, seat, problem=_ranges(), typed=wanted, status=422)
    if changed:
        messages.success(request, _("Saved. It counts from the next night on."))
    return redirect("archive")


@require_POST
@seated("manage_workspace")
def run(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The night's run at once, at the saved limits, if they are those whose preview the person saw."""
    if request.POST.get("shown") != json.dumps(archiving_of(seat.workspace)):
        return _page(request, seat, problem=_moved(), status=409)
    until = time.monotonic() + RUN_SECONDS
    gone, all_seen = 0, False
    if _counted(until):
        gone, all_seen = nightly.sweep(seat.workspace, actor=from_request(request), now=timezone.now(), until=until)
    said = ngettext("%(n)d memory archived.", "%(n)d memories archived.", gone) % {"n": gone}
    if all_seen:
        messages.success(request, said)
    else:
        messages.warning(request, f"{said} " + _("There was no time to see all: run it again for the rest."))
    return redirect("archive")


@require_POST
@seated("change_memory_text")
def restore(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.select_related("user"), workspace=seat.workspace, pk=pk)
    version = request.POST.get("version", "")
    expected = int(version) if version.isdecimal() and len(version) < 10 else 0
    try:
        unarchive(memory=memory, actor=from_request(request), now=timezone.now(), expected_version=expected)
    except Refused as refusal:
        return _page(request, seat, problem=str(refusal), status=409)
    except Stale:
        changed = _("Somebody changed this memory meanwhile. Nothing was written; look at it again.")
        return _page(request, seat, problem=changed, status=409)
    messages.success(request, _("Restored. Agents can be told it again."))
    return redirect("archive")


def _counted(until: float) -> bool:
    """Whether all waiting recalls are counted: nothing goes that was just asked for."""
    while heat.fold(timezone.now()):
        if time.monotonic() >= until:
            return False
    return True


def _moved() -> str:
    return _("Somebody else changed the archive's settings meanwhile. Here is how they stand now.")


def _ranges() -> str:
    return _("The threshold is a number above 0 and at most 1000; the days are a whole number from 1 to 3650.")


def _page(
    request: HttpRequest, seat: Seat, *, problem: str = "", typed: dict | None = None, status: int = 200
) -> HttpResponse:
    limits, bad = asked_limits(request.GET, seat.workspace)
    if bad:
        problem, status = _ranges(), 422
    now, saved = timezone.now(), archiving_of(seat.workspace)
    found = preview(seat.workspace, limits=limits, now=now, until=time.monotonic() + LOOK_SECONDS)
    wanted = request.GET.get("q", "").replace("\0", "").strip()[:200]
    asked = {"archive_below": limits.below, "archive_days": limits.days}
    context = {
        "preview": found, "most": MOST, "asked": asked | request.GET.dict(), "bad": bad, "problem": problem,
        "spared": [(SPARED_NAMES[reason], count) for reason, count in found.spared],
        "as_saved": asked == {name: saved[name] for name in asked},
        "saved": saved, "shown": json.dumps(saved), "typed": saved | (typed or {}), "q": wanted, "now": now,
        "page": Pages(archived(seat.workspace, wanted), PAGE).get_page(request.GET.get("page")),
    }  # fmt: skip
    return render(request, "review/archive.html", context, status=status)
