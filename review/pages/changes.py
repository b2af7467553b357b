"""/changes/: every operation on memories, what one of them touched, and the rolling back of one or of all of a kind."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused, Stale
from memory.actions.rollback import plan
from memory.actor import from_request
from memory.history.scope import Scope
from memory.models import Change, Session
from review import changes
from review.access import Seat, seated
from review.paging import Pages

PAGE = 50
SHOWN = 200  # of a preview, those that need a look first


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    filters = changes.Filters.read(request.GET)
    page = Pages(changes.changes(seat.workspace, filters), PAGE).get_page(request.GET.get("page"))
    words = changes.first_words(page.object_list)
    rows = [(change, *words.get(change.pk, ("", False))) for change in page]
    context = {"page": page, "rows": rows, "filters": filters, "kinds": Change.Kind, "actors": Change.ActorKind}
    return render(request, "review/changes.html", context)


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    found = Change.objects.filter(workspace=seat.workspace).select_related("user", "session", "undoes")
    change = get_object_or_404(found, pk=pk)
    context = {
        "change": change, "touched": changes.touched(change), "count": change.versions.count(),
        "undone_by": Change.objects.filter(undoes=change).first(),
    }  # fmt: skip
    return render(request, "review/change.html", context)


@require_safe
@seated("manage_workspace")
def preview(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _preview(request, seat, _scope(seat, request.GET))


@require_POST
@seated("manage_workspace")
def roll_back(request: HttpRequest, seat: Seat) -> HttpResponse:
    """What the preview showed, as long as it is still so."""
    scope = _scope(seat, request.POST)
    try:
        done = changes.roll_back(
            scope=scope, token=request.POST.get("token", ""), person=request.user, actor=from_request(request),
            now=timezone.now(), reason=request.POST.get("reason", "").strip()[:500],
            force=request.POST.get("force") == "1",
        )  # fmt: skip
    except Refused as refusal:
        return _preview(request, seat, scope, status=422, error=str(refusal))
    except Stale:
        moved = _("Memories changed since this was shown. Nothing was written; here is what it would do now.")
        return _preview(request, seat, scope, status=409, error=moved)
    messages.success(request, _("Rolled back: %(n)d memories.") % {"n": len(done.effects)})
    if done.closed:
        messages.success(request, _("Turned away: %(n)d waiting claims.") % {"n": len(done.closed)})
    return redirect("change", done.changes[0].pk)


def _scope(seat: Seat, query) -> Scope:
    scope = changes.scope_of(seat.workspace, query)
    if scope is None:
        raise Http404
    return scope


def _preview(request: HttpRequest, seat: Seat, scope: Scope, *, status: int = 200, error: str = "") -> HttpResponse:
    found, refused = None, ""
    try:
        found = plan(scope)
    except Refused as refusal:
        refused = str(refusal)
    effects = sorted(found.effects, key=lambda each: (each.is_ready, each.memory.text)) if found else []
    claims = found.claims if found else []
    context = {
        "scope": scope, "plan": found, "effects": effects[:SHOWN], "shown": SHOWN, "error": error or refused,
        "typed": request.POST, "session": scope.kind == "session" and Session.objects.get(pk=scope.value),
        "users": len({each.memory.user_id for each in effects} | {claim.user_id for claim in claims}),
        "claims": claims[:SHOWN],
        "ready": sum(each.is_ready for each in effects),
    }  # fmt: skip
    return render(request, "review/rollback.html", context, status=status)
