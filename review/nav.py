"""The console's menu: every page, whom it is for, and which other pages belong to it."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from review.access import Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """`modules` of review/pages hold the page and those that are reached from it."""

    url: str
    label: Promise
    icon: str
    modules: tuple[str, ...]
    permission: str = ""


MENU: tuple[tuple[Promise | str, tuple[Entry, ...]], ...] = (
    ("", (
        Entry("dashboard", _("Dashboard"), "dashboard", ("dashboard",)),
        Entry(
            "queue", _("Review"), "review",
            ("queue", "conflict", "claims", "saved_views", "bulk", "second", "notes", "decision_log"),
        ),
        Entry("quality", _("Quality"), "check", ("quality",)),
        Entry("rules", _("Rules"), "done", ("rules",)),
    )),
    (_("Memory"), (
        Entry("people", _("People"), "people", ("people", "asof", "graph", "memory")),
        Entry("lab", _("Recall"), "lab", ("lab", "recalls")),
        Entry("stale", _("To confirm"), "clock", ("stale",)),
        Entry("archive", _("Archive"), "archive", ("archive",)),
        Entry("credibility", _("Credibility"), "audit", ("credibility",)),
        Entry("health", _("Health"), "info", ("health",)),
    )),
    (_("Record"), (
        Entry("intake", _("Intake"), "intake", ("intake",)),
        Entry("changes", _("Changes"), "history", ("changes",)),
        Entry("audit", _("Audit"), "audit", ("audit",), "export_data"),
        Entry("erasures", _("Erasures"), "minus", ("erasures",), "export_data"),
    )),
    (_("Settings"), (
        Entry("defence", _("Defence"), "shield", ("defence",)),
        Entry("ranking", _("Ranking"), "sliders", ("ranking",)),
        Entry("reviewing", _("Reviewing"), "people", ("reviewing",), "manage_workspace"),
        Entry("retention", _("Retention"), "archive", ("retention",), "manage_workspace"),
        Entry("notices", _("Notices"), "bell", ("notices",), "manage_workspace"),
        Entry("keys", _("Keys"), "key", ("keys",), "manage_workspace"),
    )),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """An entry as one page shows it; `current` is "page" on it, "true" on what belongs to it, else ""."""

    entry: Entry
    current: str


def menu(request: HttpRequest, seat: Seat) -> list[tuple[Promise | str, list[Link]]]:
    """The groups with the links that this person may follow; a group with none is left out."""
    match = request.resolver_match
    module = match.func.__module__.rpartition(".")[2] if match else ""
    groups = []
    for heading, entries in MENU:
        links = [
            Link(entry, _current(entry, match and match.url_name, module))
            for entry in entries
            if not entry.permission or seat.may(entry.permission)
        ]
        if links:
            groups.append((heading, links))
    return groups


def _current(entry: Entry, url_name: str | None, module: str) -> str:
    if entry.url == url_name:
        return "page"
    return "true" if module in entry.modules else ""
