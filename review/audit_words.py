"""The audit's codes in words for people: actions, objects, and what a verification found."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import Change

ACTIONS = {
    "conflict.open": gettext_lazy("Conflict opened"), "conflict.settle": gettext_lazy("Conflict decided"),
    "conflict.undo": gettext_lazy("Decision undone"), "conflict.defer": gettext_lazy("Conflict put off"),
    "change.rollback": gettext_lazy("Changes rolled back"), "episode.retry": gettext_lazy("Event put back in line"),
    "episodes.detach": gettext_lazy("Month of events taken out"),
    "episodes.drop": gettext_lazy("Month of events deleted"),
    "memory.rescore": gettext_lazy("Credibility counted anew"),
    "workspace.screens": gettext_lazy("Defence changed"),
    "workspace.archiving": gettext_lazy("Archive settings changed"),
    "workspace.audit": gettext_lazy("Audit retention changed"),
    "membership.change": gettext_lazy("Seat changed"),
    "key.issue": gettext_lazy("Key made"), "key.revoke": gettext_lazy("Key revoked"),
    "key.unknown": gettext_lazy("Unknown key refused"), "key.revoked": gettext_lazy("Revoked key refused"),
    "key.expired": gettext_lazy("Expired key refused"),
    "recalls.export": gettext_lazy("Recalls exported"), "audit.export": gettext_lazy("Audit exported"),
    "audit.heads": gettext_lazy("Audit head exported"), "audit.verify": gettext_lazy("Verification asked for"),
    "audit.erase": gettext_lazy("Text erased from the audit"), "audit.retire": gettext_lazy("Old events removed"),
    "signin": gettext_lazy("Signed in"), "signout": gettext_lazy("Signed out"),
    "signin.failed": gettext_lazy("Sign-in failed"), "signin.throttled": gettext_lazy("Sign-in refused for a while"),
    "api.get": gettext_lazy("Reading by API refused"), "api.post": gettext_lazy("Writing by API refused"),
    "api.patch": gettext_lazy("Editing by API refused"), "api.delete": gettext_lazy("Retracting by API refused"),
    "denied.view_console": gettext_lazy("Page refused"), "denied.decide_conflict": gettext_lazy("Deciding refused"),
    "denied.change_memory_text": gettext_lazy("Editing refused"),
    "denied.export_data": gettext_lazy("Audit or export refused"),
    "denied.manage_workspace": gettext_lazy("Administration refused"), "denied.admin": gettext_lazy("Accounts refused"),
    "admin.user.add": gettext_lazy("Account made"), "admin.user.change": gettext_lazy("Account changed"),
    "admin.user.delete": gettext_lazy("Account deleted"), "admin.workspace.add": gettext_lazy("Workspace made"),
    "admin.workspace.change": gettext_lazy("Workspace changed"),
}  # fmt: skip

OBJECTS = {
    "memory": gettext_lazy("Memory"), "conflict": gettext_lazy("Conflict"), "episode": gettext_lazy("Event"),
    "agent_key": gettext_lazy("Key"), "user": gettext_lazy("User"), "workspace": gettext_lazy("Workspace"),
    "page": gettext_lazy("Page"), "account": gettext_lazy("Account"), "scope": gettext_lazy("Scope"),
    "source": gettext_lazy("Source"), "import": gettext_lazy("Import"), "month": gettext_lazy("Month"),
    "audit": gettext_lazy("Audit"), "change": gettext_lazy("Change"), "operation": gettext_lazy("Operation"),
}  # fmt: skip


def action_label(action: str) -> str:
    """An action as people say it; one that is not known here stays as it is stored."""
    group, _dot, verb = action.partition(".")
    if action not in ACTIONS and group == "memory" and verb in Change.Kind.values:
        return _("Memory: %(what)s") % {"what": Change.Kind(verb).label}
    return str(ACTIONS.get(action, action))


def known_actions() -> list[tuple[str, str]]:
    """(action, label) of what a filter offers, by label."""
    names = [*ACTIONS, *(f"memory.{kind}" for kind in Change.Kind.values)]
    return sorted(((name, action_label(name)) for name in names), key=lambda pair: pair[1])


def object_label(object_type: str) -> str:
    return str(OBJECTS.get(object_type, object_type))


def fault_label(code: str, id: int | None) -> str:
    """What a verification found first."""
    sentence = {
        "edited": _("Event %(id)s was edited after it was sealed."),
        "deleted": _("Event %(id)s was deleted."),
        "inserted": _("Event %(id)s was put among sealed ones afterwards."),
        "erased": _("The text of event %(id)s was erased without a record of it."),
        "seal_changed": _("Seal %(id)s was changed."),
        "seal_missing": _("Seal %(id)s is missing."),
        "seal_other": _("Seal %(id)s is not the one that was kept elsewhere."),
    }.get(code, "")
    return sentence % {"id": id} if sentence else ""
