"""/rules/: classes that people always decided alike, the rules made of them, and what each rule did."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memory.actions.base import Refused, Stale
from memory.actor import from_request
from review.access import Seat, seated
from review.models import AutoRule
from review.paging import Pages
from review.rules import switching
from review.rules.applying import undo_all
from review.rules.classes import Class
from review.rules.proposing import ALIKE, BACK, proposals

PAGE = 50
SHOWN = 100


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    return _page(request, seat)


@require_POST
@seated("manage_workspace")
def make(request: HttpRequest, seat: Seat) -> HttpResponse:
    given = request.POST
    about = Class(*(given.get(name, "") for name in Class._fields))
    try:
        rule = switching.make(
            workspace=seat.workspace, about=about, choice=given.get("choice", ""),
            check_share=_number(given.get("check_share", ""), float), per_hour=_number(given.get("per_hour", ""), int),
            person=request.user, actor=from_request(request), now=timezone.now(),
        )  # fmt: skip
    except Refused as error:
        return _page(request, seat, problem=str(error), status=422)
    except Stale:
        problem = _("This class is not proposed any more: somebody was faster, or decided otherwise meanwhile.")
        return _page(request, seat, problem=problem, status=409)
    messages.success(request, _("The rule is on. It begins with the next minute."))
    return redirect("rule", rule.pk)


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk) -> HttpResponse:
    rule = get_object_or_404(_rules(seat), pk=pk)
    acts = rule.acts.select_related("conflict__user", "decision__undone_by__decider")
    context = {
        "rule": rule, "page": Pages(acts, PAGE).get_page(request.GET.get("page")), "now": timezone.now(),
        "may_manage": seat.may("manage_workspace"),
    }  # fmt: skip
    return render(request, "review/rule.html", context)


@require_POST
@seated("manage_workspace")
def off(request: HttpRequest, seat: Seat, pk) -> HttpResponse:
    rule = get_object_or_404(AutoRule, workspace=seat.workspace, pk=pk)
    ended = switching.switch_off(
        rule=rule, why=AutoRule.Off.ADMIN, person=request.user, actor=from_request(request), now=timezone.now()
    )
    if ended:
        messages.success(request, _("The rule is off. What it decided stays."))
    return redirect("rule", pk)


@require_POST
@seated("manage_workspace")
def undo(request: HttpRequest, seat: Seat, pk) -> HttpResponse:
    rule = get_object_or_404(AutoRule, workspace=seat.workspace, pk=pk)
    undone = undo_all(rule=rule, seat=seat, person=request.user, actor=from_request(request), now=timezone.now())
    said = ngettext("%(n)d decision is undone.", "%(n)d decisions are undone.", undone.done) % {"n": undone.done}
    if undone.kept:
        kept = ngettext(
            "%(n)d stays, for its memory has changed since.", "%(n)d stay, for their memories have changed since.",
            undone.kept,
        )  # fmt: skip
        said += " " + kept % {"n": undone.kept}
    if undone.left:
        left = ngettext("%(n)d is left: press once more.", "%(n)d are left: press once more.", undone.left)
        said += " " + left % {"n": undone.left}
    messages.info(request, said)
    return redirect("rule", pk)


def _number(given: str, kind: type) -> float:
    """The number of a field; 0, which no rule takes, for anything else."""
    try:
        return kind(given)
    except ValueError:
        return 0


def _rules(seat: Seat):
    decided = Count("acts", filter=Q(acts__decision__isnull=False))
    undone = Count("acts", filter=Q(acts__decision__undone_by__isnull=False))
    found = AutoRule.objects.filter(workspace=seat.workspace).select_related("made_by", "off_by", "workspace")
    return found.annotate(decided=decided, undone=undone)


def _page(request: HttpRequest, seat: Seat, *, problem: str = "", status: int = 200) -> HttpResponse:
    now = timezone.now()
    context = {
        "rules": _rules(seat).order_by("off", "-made_at")[:SHOWN], "proposals": proposals(seat.workspace, now=now),
        "may_manage": seat.may("manage_workspace"), "problem": problem, "alike": ALIKE, "days": BACK.days,
        "usual_left": switching.USUAL_LEFT, "usual_per_hour": switching.USUAL_PER_HOUR, "now": now,
    }  # fmt: skip
    return render(request, "review/rules.html", context, status=status)
