"""What every page shows around its content: the workspace, the role, the queue's size, the theme."""

from functools import cache
from typing import Any

from django.http import HttpRequest

from memory.models import Conflict
from review import nav
from review.access import seat_of, workspaces_of
from review.personal import settings_of

THEME_COOKIE = "theme"
THEMES = ("auto", "light", "dark")


def console(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get(THEME_COOKIE, "auto")
    context: dict[str, Any] = {"theme": theme if theme in THEMES else "auto", "themes": THEMES}
    if getattr(request, "user", None) is None or not request.user.is_authenticated:
        return context
    seat = seat_of(request)
    single_keys = settings_of(request).single_keys
    context |= {"seat": seat, "workspaces": workspaces_of(request.user), "single_keys": single_keys}
    if seat:
        open_conflicts = Conflict.objects.filter(workspace=seat.workspace, status=Conflict.Status.OPEN)
        # counted when the menu is drawn, and not where the page has counted them itself
        context |= {"open_count": cache(open_conflicts.count), "menu": nav.menu(request, seat)}
    return context
