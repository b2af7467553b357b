"""/settings/notices/: the workspace's webhooks, each with its page and the log of what it was sent."""

import json

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused, Stale
from memory.actor import from_request
from review.access import Seat, seated
from review.forms import shown_settings
from review.models import Delivery, Webhook
from review.notices import webhooks
from review.paging import Pages

PAGE = 50


@require_safe
@seated("manage_workspace")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _list(request, seat)


@require_POST
@seated("manage_workspace")
def add(request: HttpRequest, seat: Seat) -> HttpResponse:
    url, events = request.POST.get("url", ""), request.POST.getlist("events")
    try:
        webhook = webhooks.add(
            workspace=seat.workspace, url=url, events=events, person=request.user, actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except (ValueError, Refused) as error:
        return _list(request, seat, typed={"url": url, "events": events}, problem=str(error), status=422)
    # Rendered, not redirected: the secret may be in no session, message or address.
    return _show(request, webhook, secret=webhook.secret)


@require_safe
@seated("manage_workspace")
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    return _show(request, _webhook(seat, pk))


@require_POST
@seated("manage_workspace")
def save(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    webhook = _webhook(seat, pk)
    url, events = request.POST.get("url", ""), request.POST.getlist("events")
    on = request.POST.get("on") == "on"
    try:
        shown = shown_settings(request)
        changed = webhooks.change(
            webhook=webhook, shown=shown, url=url, events=events, on=on, actor=from_request(request),
            now=timezone.now(),
        )  # fmt: skip
    except Stale:
        problem = _("Somebody else changed these settings meanwhile. Here is how they stand now.")
        webhook.refresh_from_db()
        return _show(request, webhook, problem=problem, status=409)
    except json.JSONDecodeError:
        return _show(request, webhook, problem=_("The form was not whole. Try once more."), status=422)
    except ValueError as error:
        typed = {"url": url, "events": events, "off": "" if on else Webhook.Off.ADMIN}
        return _show(request, webhook, typed=typed, problem=str(error), status=422)
    if changed:
        messages.success(request, _("Saved."))
    return redirect("webhook", webhook.pk)


@require_POST
@seated("manage_workspace")
def renew(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    webhook = _webhook(seat, pk)
    secret = webhooks.renew_secret(webhook=webhook, actor=from_request(request), now=timezone.now())
    return _show(request, webhook, secret=secret)


@require_POST
@seated("manage_workspace")
def test(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    webhook = _webhook(seat, pk)
    webhooks.send_test(webhook=webhook, actor=from_request(request), now=timezone.now())
    messages.success(request, _("A test is on its way. Within a minute the log says what became of it."))
    return redirect("webhook", pk)


@require_POST
@seated("manage_workspace")
def again(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    delivery = get_object_or_404(
        Delivery.objects.select_related("webhook__workspace"), webhook__workspace=seat.workspace, pk=pk
    )
    if webhooks.send_again(delivery=delivery, actor=from_request(request), now=timezone.now()):
        messages.success(request, _("It is in line again."))
    return redirect("webhook", delivery.webhook_id)


@require_POST
@seated("manage_workspace")
def remove(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    webhook = _webhook(seat, pk)
    if webhooks.remove(webhook=webhook, actor=from_request(request), now=timezone.now()):
        messages.success(request, _("The webhook is removed. Nothing is sent there any more."))
    return redirect("notices")


def _webhook(seat: Seat, pk: int) -> Webhook:
    return get_object_or_404(Webhook.objects.select_related("workspace"), workspace=seat.workspace, pk=pk)


def _list(request: HttpRequest, seat: Seat, *, typed=None, problem: str = "", status: int = 200) -> HttpResponse:
    found = Webhook.objects.filter(workspace=seat.workspace)
    context = {
        "webhooks": found, "events": webhooks.EVENTS, "typed": typed or {"events": list(webhooks.EVENTS)},
        "problem": problem, "mail": bool(settings.EMAIL_URL), "base": settings.BASE_URL,
    }  # fmt: skip
    return render(request, "review/notices.html", context, status=status)


def _show(
    request: HttpRequest, webhook: Webhook, *, secret: str = "", typed=None, problem: str = "", status: int = 200
) -> HttpResponse:
    state = webhooks.state_of(webhook)
    log = webhook.deliveries.all()
    context = {
        "webhook": webhook, "secret": secret, "typed": state | (typed or {}), "shown": json.dumps(state),
        "problem": problem, "events": webhooks.EVENTS, "waiting": log.filter(state=Delivery.State.PENDING).count(),
        "page": Pages(log, PAGE).get_page(request.GET.get("page")), "now": timezone.now(),
    }  # fmt: skip
    return render(request, "review/webhook.html", context, status=status)
