"""What happened to a conflict, oldest first: filed, seen again, written on, proposed, decided, undone, rolled back."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.models import AuditEvent, Change, Conflict
from review.choices import label_of
from review.models import Decision, Note, Proposal

# evidence and audit rows that one page reads; a flood may have thousands
MOST = 200
_TOGETHER = timedelta(seconds=1)
# what a person did on purpose; leases that come and go by themselves are no history
_BY_HAND = {"conflict.take": gettext_lazy("Taken"), "conflict.take_over": gettext_lazy("Taken over")}


@dataclass(frozen=True, slots=True)
class Entry:
    """`state`: "now" for the decision in force, "undone" for one that no longer counts, else ""."""

    at: datetime
    title: str
    who: str = ""
    detail: str = ""
    said: str = ""
    state: str = ""


def of(conflict: Conflict) -> list[Entry]:
    """Every entry, in five queries."""
    decisions = list(
        conflict.decisions.select_related("decider", "proposer", "change", "undoes", "undone_by", "rule_act")
    )
    entries = [
        Entry(conflict.opened_at, _("Filed: %(kind)s") % {"kind": conflict.get_kind_display()}),
        *_seen_again(conflict),
        *(_note(note) for note in conflict.notes.select_related("author")),
        *_proposals(conflict),
        *(_decision(each, conflict) for each in decisions),
        *_audited(conflict, decisions),
    ]
    return sorted(entries, key=lambda entry: entry.at)


def _seen_again(conflict: Conflict) -> Iterator[Entry]:
    rows = conflict.evidence.filter(against=False, created_at__gt=conflict.opened_at).select_related("episode__session")
    for row in rows.order_by("id")[:MOST]:
        yield Entry(row.created_at, _("Said again"), who=row.episode.agent_id, detail=str(row.episode.session))


def _note(note: Note) -> Entry:
    return Entry(note.written_at, _("Note"), who=_name(note.author), said=note.text)


def _proposals(conflict: Conflict) -> Iterator[Entry]:
    for each in conflict.proposals.select_related("proposer", "answered_by"):
        choice = label_of(each.choice, conflict)
        yield Entry(
            each.proposed_at, _("Proposed: %(choice)s") % {"choice": choice}, who=_name(each.proposer),
            detail=each.get_reason_code_display(), said=each.note,
        )  # fmt: skip
        if each.status in (Proposal.Status.SENT_BACK, Proposal.Status.WITHDRAWN):
            yield Entry(
                each.answered_at, each.get_status_display(), who=_name(each.answered_by), said=each.answer,
                state="undone",
            )  # fmt: skip


def _decision(each: Decision, conflict: Conflict) -> Entry:
    choice = label_of(each.choice, conflict)
    rolled_back = each.change is not None and each.change.kind == Change.Kind.ROLLBACK
    if each.undoes_id:
        title = _("Rolled back: %(choice)s") if rolled_back else _("Undone: %(choice)s")
        return Entry(each.decided_at, title % {"choice": choice}, who=_name(each.decider), state="undone")
    who = _("Rule") if hasattr(each, "rule_act") else _name(each.decider)
    if each.proposer_id:
        who = _("%(second)s, proposed by %(first)s") % {"second": who, "first": each.proposer}
    undone = hasattr(each, "undone_by")
    in_force = not undone and conflict.status == Conflict.Status.DECIDED
    said = "\n".join(part for part in (each.note, _apart(each.apart), each.edited_text) if part)
    return Entry(
        each.decided_at, choice, who=who, detail=each.get_reason_code_display(), said=said,
        state="undone" if undone else "now" if in_force else "",
    )  # fmt: skip


def _apart(stored: dict[str, str]) -> str:
    """What set the two apart, in words: "held: at home · incoming: from May 1, 2026"."""
    sides = {"held": _("held"), "new": _("incoming")}
    parts = []
    for side, name in sides.items():
        words = [stored[f"{side}_scope"]] if stored.get(f"{side}_scope") else []
        for end, text in (("from", _("from %(day)s")), ("to", _("until %(day)s"))):
            if moment := parse_datetime(stored.get(f"{side}_{end}", "")):
                words.append(text % {"day": date_format(localtime(moment))})
        parts += [f"{name}: {', '.join(words)}"] if words else []
    return " · ".join(parts)


def _audited(conflict: Conflict, decisions: list[Decision]) -> Iterator[Entry]:
    """What only the audit tells: put off, handed over, and a decision that no page took or took back."""
    rows = AuditEvent.objects.filter(object_type="conflict", object_id=str(conflict.pk), denied=False)
    by_hand = [each.decided_at for each in decisions]
    for event in rows.order_by("at", "id")[:MOST]:
        known = any(abs(event.at - at) < _TOGETHER for at in by_hand)
        if title := _title(event, conflict, known):
            yield Entry(event.at, title, who=event.actor_label, said=event.reason if not known else "")


def _title(event: AuditEvent, conflict: Conflict, known: bool) -> str:
    after: dict[str, Any] = event.after or {}
    if event.action == "conflict.defer" and (until := parse_datetime(after.get("due_at", ""))):
        return _("Put off, due %(time)s") % {"time": date_format(localtime(until), "SHORT_DATETIME_FORMAT")}
    if event.action == "conflict.assign":
        return _("Assigned") if after.get("person") else _("No longer assigned")
    if event.action in _BY_HAND:
        return str(_BY_HAND[event.action])
    if known:
        return ""
    if event.action == "conflict.undo":
        return _("The decision was taken back")
    if event.action == "conflict.settle" and after.get("choice"):
        return label_of(after["choice"], conflict)
    return _("The decision counts again") if event.action == "conflict.settle" else ""


def _name(person: Any) -> str:
    return str(person) if person else ""
