"""A moment that a person types into a form."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as it was typed. `error` says why it is none; `moment` is the usual one then."""

    moment: datetime | None
    error: str = ""


def read_moment(typed: str, *, usual: datetime | None, now: datetime) -> Moment:
    """A date or time of the console's zone, not later than `now`; a date alone means its end, as far as it has come."""
    typed = typed.strip()
    if not typed:
        return Moment(usual)
    try:
        moment = parse_datetime(typed) if "T" in typed or " " in typed else None
        day = parse_date(typed) if moment is None else None
        if day is not None:
            moment = min(timezone.make_aware(datetime(day.year, day.month, day.day, 23, 59, 59)), now)
            if timezone.localdate(now) < day:
                return Moment(usual, _("This moment has not come yet."))
        elif moment is not None and timezone.is_naive(moment):
            moment = timezone.make_aware(moment)
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        return Moment(usual, _("This is no date or time."))
    return Moment(usual, _("This moment has not come yet.")) if moment > now else Moment(moment)
