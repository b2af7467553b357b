"""What templates say in words and colours: a stored reason as its sentence, a value as its tone."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django import template
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory.models import Conflict
from memory.models.episode import SourceClass
from memory.models.graph import EntityKind
from memory.models.memory import Category
from memory.reasons import render
from review import bulk
from review.audit_words import action_label, object_label, value_label
from review.choices import label_of
from review.labels import FIELDS, SOURCE_KINDS, attribute_label, role_label
from review.models import Decision, Proposal, SecondLook

register = template.Library()

MINUTE = timedelta(minutes=1)

# The tones are classes of static/css/components.css; a value that is not here is neutral.
TONES = {
    "contradiction": "info", "misreport": "warn", "injection": "danger", "repeat": "warn", "identity": "accent",
    "flood": "danger", "active": "ok", "rejected": "danger", "retracted": "warn", "open": "warn", "ADD": "ok",
    "QUEUED": "warn", "DUPLICATE": "info", "external_content": "warn", "unknown": "warn", 1: "danger", 2: "warn",
}  # fmt: skip


@register.simple_tag
def reason(code: str, params: Mapping[str, Any] | None = None) -> str:
    """The sentence of a reason in the reader's language, source classes by their labels."""
    given = dict(params or {})
    if given.get("source_class") in SourceClass.values:
        given["source_class"] = SourceClass(given["source_class"]).label
    return render(code, given)


@register.filter
def why(stored: str) -> str:
    """The reason kept with a version: a reviewer's code becomes its label, the note after it stays as written."""
    code, separator, note = stored.partition(": ")
    if code not in Decision.ReasonCode.values:
        return stored
    return f"{Decision.ReasonCode(code).label}{separator}{note}"


@register.filter
def chosen(decided: Conflict | Decision | Proposal | SecondLook) -> str:
    """The choice of a decided conflict, or of a decision or proposal on one, in the words its button had."""
    return label_of(decided.choice, decided if isinstance(decided, Conflict) else decided.conflict)


@register.simple_tag
def advised(conflict: Conflict) -> str:
    """The choice that the rules advise, in the words its button has."""
    return label_of(conflict.suggestion, conflict)


@register.simple_tag
def proposed(conflicts: Iterable[Conflict]) -> set[UUID]:
    """Which conflicts of a page wait for a second person; one query."""
    return bulk.proposed(conflicts)


@register.filter
def tone(value: Any) -> str:
    """The badge class of a kind, band, status, outcome or source class; "" for what is neutral."""
    return TONES.get(value, "")


register.filter("attribute", attribute_label)
register.filter("action", action_label)
register.filter("object_kind", object_label)
register.filter("audit_field", value_label)
register.filter("role", role_label)


@register.filter
def since(value: datetime, now: datetime) -> str:
    """How long ago in the largest unit only: "3 weeks"."""
    return timesince(value, now, depth=1) if now - value >= MINUTE else _("less than a minute")


@register.filter
def until(value: datetime, now: datetime) -> str:
    """How long from now in the largest unit only."""
    return timeuntil(value, now, depth=1) if value - now >= MINUTE else _("less than a minute")


@register.filter
def percent(share: float | None) -> str:
    """A share of 0 to 1; a dash for one of nothing."""
    return "–" if share is None else f"{share:.0%}"


@register.filter
def duration(seconds: float) -> str:
    """In the largest unit only, seconds below a minute."""
    if seconds < MINUTE.total_seconds():
        return ngettext("%(n)d second", "%(n)d seconds", round(seconds)) % {"n": round(seconds)}
    start = datetime(2000, 1, 1)
    return timesince(start, start + timedelta(seconds=seconds), depth=1)


@register.filter
def pairs(members: dict) -> list[tuple]:
    """Names and values of somebody else's object: in a template `.items` would be its own member of that name."""
    return list(members.items())


@register.filter
def field_label(name: str) -> str:
    """What people call a field of a memory."""
    return str(FIELDS.get(name, name))


@register.filter
def choice_label(value: str) -> str:
    """A choice's own name, where it is of no one conflict."""
    return str(Conflict.Choice(value).label)


@register.filter
def source_class(value: str) -> str:
    return str(SourceClass(value).label)


@register.filter
def category_label(value: str) -> str:
    return str(Category(value).label)


@register.filter
def source_kind(value: str) -> str:
    """What people call the kind of a source: "tool" of "tool:crm"."""
    return str(SOURCE_KINDS.get(value, value))


@register.filter
def entity_kind(value: str) -> str:
    """What people call a kind of entity."""
    return str(EntityKind(value).label)
