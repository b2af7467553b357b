"""The audit's codes in words for people: actions, objects, and what a verification found."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import Change
from review.labels import FIELDS

ACTIONS = {
    "conflict.open": gettext_lazy("Conflict opened"), "conflict.settle": gettext_lazy("Conflict decided"),
    "decision.second_look": gettext_lazy("Decision looked at again"),
    "conflict.undo": gettext_lazy("Decision undone"), "conflict.defer": gettext_lazy("Conflict put off"),
    "change.rollback": gettext_lazy("Changes rolled back"), "episode.retry": gettext_lazy("Event put back in line"),
    "episode.retry_all": gettext_lazy("Parked events put back in line"),
    "episodes.detach": gettext_lazy("Month of events taken out"),
    "episodes.drop": gettext_lazy("Month of events deleted"),
    "user.forget": gettext_lazy("Erasure of a person begun"),
    "memory.forget": gettext_lazy("Erasure of a memory begun"),
    "erasure.finish": gettext_lazy("Erasure finished"), "user.export": gettext_lazy("Person exported"),
    "events.record": gettext_lazy("Events recorded"),
    "memory.ask": gettext_lazy("Memories handed in"), "memory.rescore": gettext_lazy("Credibility counted anew"),
    "workspace.screens": gettext_lazy("Defence changed"),
    "workspace.archiving": gettext_lazy("Archive settings changed"),
    "workspace.weights": gettext_lazy("Weights of sources changed"),
    "workspace.audit": gettext_lazy("Audit retention changed"),
    "membership.change": gettext_lazy("Seat changed"),
    "workspace.retention": gettext_lazy("Retention changed"),
    "episodes.file": gettext_lazy("Events moved to a file"),
    "episodes.bring_back": gettext_lazy("Events brought back from a file"),
    "episodes.ask_back": gettext_lazy("Events asked back from a file"),
    "episodes.check": gettext_lazy("File of events checked"),
    "rule.make": gettext_lazy("Rule made"), "rule.off": gettext_lazy("Rule switched off"),
    "webhook.add": gettext_lazy("Webhook made"), "webhook.change": gettext_lazy("Webhook changed"),
    "webhook.secret": gettext_lazy("Webhook's secret renewed"), "webhook.remove": gettext_lazy("Webhook removed"),
    "webhook.test": gettext_lazy("Webhook tested"), "webhook.again": gettext_lazy("Notice sent again"),
    "webhook.off": gettext_lazy("Webhook switched off"),
    "key.issue": gettext_lazy("Key made"), "key.revoke": gettext_lazy("Key revoked"),
    "key.unknown": gettext_lazy("Unknown key"), "key.revoked": gettext_lazy("Revoked key"),
    "key.expired": gettext_lazy("Expired key"),
    "recalls.export": gettext_lazy("Recalls exported"), "audit.export": gettext_lazy("Audit exported"),
    "audit.heads": gettext_lazy("Audit head exported"), "audit.verify": gettext_lazy("Verification asked for"),
    "audit.erase": gettext_lazy("Text erased from the audit"), "audit.retire": gettext_lazy("Old events removed"),
    "signin": gettext_lazy("Signed in"), "signout": gettext_lazy("Signed out"),
    "signin.failed": gettext_lazy("Sign-in failed"), "signin.throttled": gettext_lazy("Sign-in, too many attempts"),
    "api.get": gettext_lazy("Reading by API"), "api.post": gettext_lazy("Writing by API"),
    "api.patch": gettext_lazy("Editing by API"), "api.delete": gettext_lazy("Retracting by API"),
    "denied.view_console": gettext_lazy("Reading the console"),
    "denied.decide_conflict": gettext_lazy("Deciding a conflict"),
    "denied.change_memory_text": gettext_lazy("Changing a memory"),
    "denied.export_data": gettext_lazy("Reading or exporting the audit"),
    "denied.manage_workspace": gettext_lazy("Administration"),
    "denied.admin": gettext_lazy("Administration of accounts"),
    "denied.unknown_object": gettext_lazy("Opening what the workspace does not have"),
    "admin.user.add": gettext_lazy("Account made"), "admin.user.change": gettext_lazy("Account changed"),
    "admin.user.delete": gettext_lazy("Account deleted"), "admin.workspace.add": gettext_lazy("Workspace made"),
    "admin.workspace.change": gettext_lazy("Workspace changed"),
}  # fmt: skip

# how the actions of what was refused begin
REFUSED = ("denied.", "api.", "signin.", "key.unknown", "key.revoked", "key.expired")

# of an event's values, what is no field of a memory (review/labels.py)
NAMES = {
    "text": gettext_lazy("Text"), "attribute": gettext_lazy("Attribute"), "subject": gettext_lazy("About"),
    "source_class": gettext_lazy("Source class"), "event_time": gettext_lazy("Said"), "kind": gettext_lazy("Kind"),
    "negated": gettext_lazy("Negated"), "past": gettext_lazy("Past"), "superseded_by_id": gettext_lazy("Superseded by"),
    "due_at": gettext_lazy("Due"), "choice": gettext_lazy("Choice"), "reason": gettext_lazy("Reason"),
    "agrees": gettext_lazy("Agrees"),
    "name": gettext_lazy("Name"), "prefix": gettext_lazy("Prefix"), "scopes": gettext_lazy("Scope"),
    "only_users": gettext_lazy("Only these users"), "expires_at": gettext_lazy("Expires"),
    "revoked_at": gettext_lazy("Revoked"), "person": gettext_lazy("Person"), "role": gettext_lazy("Role"),
    "episodes": gettext_lazy("Events"),
    "attempts": gettext_lazy("Attempts in this hour so far"),
    "audit_days": gettext_lazy("Days that events are kept"),
    "memories": gettext_lazy("Memories"), "users": gettext_lazy("Users"), "format": gettext_lazy("Format"),
    "filters": gettext_lazy("Filters"), "events": gettext_lazy("Events"), "before": gettext_lazy("Older than"),
    "rows": gettext_lazy("Rows"), "url": gettext_lazy("Address"), "off": gettext_lazy("Switched off"),
    "delivery": gettext_lazy("Notice"), "why": gettext_lazy("Why it was held"),
    "check_share": gettext_lazy("Share left to people"), "per_hour": gettext_lazy("At most in an hour"),
    "file": gettext_lazy("File"), "fault": gettext_lazy("Fault"),
    "episode_days": gettext_lazy("Days that events stay in the database"),
}  # fmt: skip

OBJECTS = {
    "memory": gettext_lazy("Memory"), "conflict": gettext_lazy("Conflict"), "episode": gettext_lazy("Event"),
    "agent_key": gettext_lazy("Key"), "user": gettext_lazy("User"), "workspace": gettext_lazy("Workspace"),
    "page": gettext_lazy("Page"), "account": gettext_lazy("Account"), "scope": gettext_lazy("Scope"),
    "source": gettext_lazy("Source"), "import": gettext_lazy("Import"), "month": gettext_lazy("Month"),
    "audit": gettext_lazy("Audit"), "change": gettext_lazy("Change"), "operation": gettext_lazy("Operation"),
    "erasure": gettext_lazy("Erasure"), "webhook": gettext_lazy("Webhook"),
    "rule": gettext_lazy("Rule"), "end_user": gettext_lazy("Person"),
}  # fmt: skip


def action_label(action: str) -> str:
    """An action as people say it; one that is not known here stays as it is stored."""
    group, _dot, verb = action.partition(".")
    if action not in ACTIONS and group == "memory" and verb in Change.Kind.values:
        return _("Memory: %(what)s") % {"what": Change.Kind(verb).label}
    return str(ACTIONS.get(action, action))


def known_actions(chosen: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """What a filter offers: the groups' labels, each with (action, label) by label. `chosen` is always among them."""
    names = {*ACTIONS, *(f"memory.{kind}" for kind in Change.Kind.values), *([chosen] if chosen else [])}
    refused = {name for name in names if name.startswith(REFUSED)}
    return [
        (label, sorted(((name, action_label(name)) for name in group), key=lambda pair: pair[1]))
        for label, group in ((_("Done"), names - refused), (_("Refused"), refused))
    ]


def object_label(object_type: str) -> str:
    return str(OBJECTS.get(object_type, object_type))


def value_label(name: str) -> str:
    """What people call a value of an event."""
    return str(NAMES.get(name) or FIELDS.get(name, name))


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
