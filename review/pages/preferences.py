"""What a person sets for themselves: the workspace they look at, language, zone, theme, whether single keys act. Plain
POSTs, no script needed."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language

from memory.actor import from_request
from memory.audit.denied import deny
from memory.models import Workspace
from review.access import SESSION_KEY, workspaces_of
from review.context import THEME_COOKIE, THEMES
from review.personal import LANGUAGES, set_of, settings_of, zone_named, zones

YEAR = 365 * 24 * 3600


@require_POST
@login_required
def workspace(request: HttpRequest) -> HttpResponse:
    wanted = request.POST.get("workspace", "")
    if wanted not in {str(each.pk) for each in workspaces_of(request.user)}:
        foreign = Workspace.objects.filter(pk=wanted).first() if wanted.isdecimal() and len(wanted) < 10 else None
        deny(
            workspace=foreign, actor=from_request(request), action="denied.view_console", now=timezone.now(),
            object_type="workspace", object_id=wanted,
        )  # fmt: skip
        raise Http404
    request.session[SESSION_KEY] = int(wanted)
    # An object of the other workspace would be a 404: begin at its dashboard.
    return redirect("dashboard")


@require_POST
@login_required
def keys(request: HttpRequest) -> HttpResponse:
    """Whether single keys act, for this person on every machine; a script sends it without leaving the page."""
    single = request.POST.get("single_keys") == "on"
    set_of(request, single_keys=single)
    return HttpResponse(status=204) if request.htmx else redirect(_back(request))


@require_safe
@login_required
def show(request: HttpRequest) -> HttpResponse:
    return _page(request, settings_of(request).time_zone)


@require_POST
@login_required
def zone(request: HttpRequest) -> HttpResponse:
    """In which zone dates are shown; empty leaves it to the installation."""
    wanted = request.POST.get("time_zone", "").strip()[:64]
    if wanted and zone_named(wanted) is None:
        return _page(request, wanted, error=_("This is no time zone. Choose one of the list."), status=422)
    set_of(request, time_zone=wanted)
    messages.success(request, _("Dates are shown in your zone from now on."))
    return redirect("preferences")


@require_POST
@login_required
def digest(request: HttpRequest) -> HttpResponse:
    """Whether the person is mailed what is overdue."""
    set_of(request, digest=request.POST.get("digest") == "on")
    messages.success(request, _("Saved."))
    return redirect("preferences")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """By a cookie, so that the sign-in page speaks it too; and for a signed-in person on every machine."""
    answer = set_language(request)
    if request.user.is_authenticated and request.POST.get("language") in LANGUAGES:
        set_of(request, language=request.POST["language"])
    return answer


def _page(request: HttpRequest, wanted: str, *, error: str = "", status: int = 200) -> HttpResponse:
    context = {
        "wanted": wanted, "zones": zones(), "usual": settings.TIME_ZONE, "error": error, "now": timezone.now(),
        "current": timezone.get_current_timezone_name(),
        "mail": bool(settings.EMAIL_URL), "digest": settings_of(request).digest,
    }  # fmt: skip
    return render(request, "review/preferences.html", context, status=status)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    response = redirect(_back(request))
    wanted = request.POST.get("theme", "")
    if wanted in THEMES:
        response.set_cookie(
            THEME_COOKIE, wanted, max_age=YEAR, samesite="Lax", httponly=True, secure=settings.SESSION_COOKIE_SECURE
        )
    return response


def _back(request: HttpRequest) -> str:
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if safe else "/"
