"""What the forms of a decision carry, read and checked: everything in them is the sender's word."""

import json
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from memory.actions.apart import Apart
from memory.actions.base import Refused
from memory.models import Conflict
from review.decisions import Draft

_DAYS = ("held_from", "held_to", "new_from", "new_to")
TYPED = ("note", "text", "reason_code", "choice", "held_scope", "new_scope", *_DAYS, "whole")


def draft_of(request: HttpRequest, conflict: Conflict | None = None) -> Draft:
    """The decision a reviewer filled in. Of what belongs to another choice than theirs, nothing is taken.

    Raises Refused for a date that is none.
    """
    given = request.POST
    choice = given.get("choice", "")
    text, apart = "", Apart()
    if choice == Conflict.Choice.EDIT:
        text = given.get("text", "")
    elif choice == Conflict.Choice.KEEP_BOTH and conflict is not None and conflict.memory_id:
        wording = given.get("both_text", "").strip()
        text = wording if wording != conflict.text.strip() else ""
        days = {name: _day(given.get(name, "")) for name in _DAYS}
        apart = Apart(given.get("held_scope", "").strip(), given.get("new_scope", "").strip(), **days)
    return Draft(
        choice=choice, reason_code=given.get("reason_code", ""), note=given.get("note", ""), text=text, apart=apart
    )


def typed(request: HttpRequest) -> dict[str, Any]:
    """What the reviewer had typed: it survives a refusal and a lost race."""
    return {name: request.POST.get(name, "") for name in (*TYPED, "both_text")}


def shown_items(request: HttpRequest) -> list[tuple[str, int]]:
    """The (conflict, version) pairs that a page sent with its form, as "id:version"; others are passed over."""
    found = {}
    for item in request.POST.getlist("item"):
        id, _colon, version = item.partition(":")
        if version.isdecimal() and len(version) < 10:
            found[id] = int(version)
    return list(found.items())


def shown_settings(request: HttpRequest) -> dict[str, Any]:
    """The settings as the page had shown them, which its form sends along. Raises ValueError for anything else."""
    given = json.loads(request.POST.get("shown", ""))
    if not isinstance(given, dict):
        raise ValueError("not a form of this page")
    return given


def whole(request: HttpRequest, name: str) -> int:
    """A number the form carries; 0, which nothing has, for anything else."""
    number = request.POST.get(name, "")
    return int(number) if number.isdecimal() and number.isascii() and len(number) < 10 else 0


def _day(given: str) -> datetime | None:
    """The beginning of a day in the reviewer's zone."""
    given = given.strip()
    if not given:
        return None
    try:
        day = parse_date(given) if given.isascii() else None
    except ValueError:
        day = None
    if day is None or day.year < 1900:
        raise Refused(_("“%(given)s” is no date.") % {"given": given[:40]})
    return timezone.make_aware(datetime(day.year, day.month, day.day))
