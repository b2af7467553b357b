"""How the console speaks to one person: their language, and the zone of all dates, wherever they sign in."""

from collections.abc import Callable
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from review.models import ReviewerSettings

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def settings_of(request: HttpRequest) -> ReviewerSettings:
    """The signed-in person's settings, read once a request; unsaved ones where nothing was set."""
    if not hasattr(request, "_personal"):
        found = ReviewerSettings.objects.filter(person_id=request.user.pk).first()
        request._personal = found or ReviewerSettings(person_id=request.user.pk)
    return request._personal


def set_of(request: HttpRequest, **values) -> None:
    """Stores some of the person's settings."""
    ReviewerSettings.objects.update_or_create(person_id=request.user.pk, defaults=values)


def personal(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: pages in the person's language, and dates in their zone. Agents have neither."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(("/api/", "/health/", "/metrics", settings.STATIC_URL)):
            return get_response(request)
        if not request.user.is_authenticated:
            return get_response(request)
        wanted = settings_of(request)
        if wanted.language in LANGUAGES:
            translation.activate(wanted.language)
            request.LANGUAGE_CODE = wanted.language
        if zone := zone_named(wanted.time_zone):
            timezone.activate(zone)
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return middleware


def zone_named(name: str) -> ZoneInfo | None:
    """None for what is no zone of the tz database."""
    try:
        return ZoneInfo(name) if name in zones() else None
    except ZoneInfoNotFoundError:
        return None


@cache
def zones() -> tuple[str, ...]:
    """The names people know, Area/City; what has neither is there for programs."""
    areas = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
    return ("UTC", *sorted(name for name in available_timezones() if name.split("/")[0] in areas and "/" in name))
