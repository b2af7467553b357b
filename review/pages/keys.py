"""/settings/keys/: the agents' keys of the workspace; a secret is shown once, when it is made."""

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory.actor import from_request
from memory.api import keys
from memory.models import AgentKey
from review.access import Seat, seated


class KeyForm(forms.Form):
    name = forms.CharField(max_length=120, label=gettext_lazy("Name"))
    write = forms.BooleanField(required=False, initial=True, label=gettext_lazy("May write"))
    days = forms.IntegerField(
        required=False, min_value=1, max_value=3650, label=gettext_lazy("Expires after days"),
        help_text=gettext_lazy("Empty: never."),
    )  # fmt: skip
    only_users = forms.CharField(
        required=False, max_length=2000, label=gettext_lazy("Only these users"),
        help_text=gettext_lazy("User ids, separated by commas. Empty: every user of the workspace, one at a time."),
    )  # fmt: skip


@require_safe
@seated("manage_workspace")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat, KeyForm())


@require_POST
@seated("manage_workspace")
def create(request: HttpRequest, seat: Seat) -> HttpResponse:
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _page(request, seat, form, status=422)
    now = timezone.now()
    days, users = form.cleaned_data["days"], form.cleaned_data["only_users"]
    key, secret = keys.issue(
        workspace=seat.workspace, name=form.cleaned_data["name"], actor=from_request(request), now=now,
        scopes=[AgentKey.READ, AgentKey.WRITE] if form.cleaned_data["write"] else [AgentKey.READ],
        created_by=request.user, expires_at=now + timedelta(days=days) if days else None,
        only_users=[part.strip() for part in users.split(",") if part.strip()],
    )  # fmt: skip
    # Rendered, not redirected: the secret may be in no session, message or address.
    return _page(request, seat, KeyForm(), secret=secret, made=key)


@require_POST
@seated("manage_workspace")
def revoke(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    key = get_object_or_404(AgentKey, workspace=seat.workspace, pk=pk)
    if keys.revoke(key=key, actor=from_request(request), now=timezone.now()):
        messages.success(request, _("The key %(name)s no longer works.") % {"name": key.name})
    return redirect("keys")


def _page(request: HttpRequest, seat: Seat, form: KeyForm, *, status: int = 200, secret: str = "", made=None):
    found = AgentKey.objects.filter(workspace=seat.workspace).select_related("created_by")
    context = {"form": form, "keys": found, "secret": secret, "made": made, "now": timezone.now()}
    return render(request, "review/keys.html", context, status=status)
