"""What a person sets for themselves: the workspace they look at, the theme, whether single keys act. Plain POSTs, no
script needed."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from memory.actor import from_request
from memory.audit.denied import deny
from memory.models import Workspace
from review.access import SESSION_KEY, workspaces_of
from review.context import THEME_COOKIE, THEMES
from review.models import ReviewerSettings

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
    ReviewerSettings.objects.update_or_create(person=request.user, defaults={"single_keys": single})
    return HttpResponse(status=204) if request.htmx else redirect(_back(request))


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
