"""All that the page of one conflict shows, gathered in one place."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from memory.actions.apart import SCOPE
from memory.history import evidence
from memory.history.diff import Segment, word_diff
from memory.models import Conflict
from review import bulk, claims, decisions, notes, queue, timeline
from review.access import Seat
from review.choices import needs_second, options
from review.filters import Filters
from review.models import Decision

RIVALS = 20  # shown
# reasons of memory/reasons.py by which the newer claim says that something changed; the others deny it
_UPDATES = frozenset({"value_changed", "gives_it_up", "has_ended", "opposite_feeling"})


def of(conflict: Conflict, *, seat: Seat, person: AbstractBaseUser, filters: Filters, now: datetime) -> dict[str, Any]:
    """The context of templates/review/conflict.html, but for what the reviewer had typed."""
    held = conflict.memory
    diff = word_diff(held.text, conflict.text) if held else []
    decision = decisions.last_decision(conflict)
    is_open = conflict.status == Conflict.Status.OPEN
    held_credibility, incoming_credibility = evidence.credibility_of_sides(conflict)
    rivals = list(conflict.rivals.order_by("-credibility", "-event_time")[:RIVALS])
    proposal = decisions.open_proposal(conflict) if is_open else None
    return {
        "conflict": conflict,
        "filters": filters,
        "around": queue.around(conflict, seat.workspace, filters, now=now, person=person),
        "work": claims.work_of(conflict, seat, person, now),
        "diff": diff,
        "alike": _alike(diff),
        "is_update": conflict.reason_code in _UPDATES,
        "held_evidence": evidence.of_memory(held) if held else [],
        "incoming_evidence": evidence.of_conflict(conflict),
        "held_credibility": held_credibility,
        "incoming_credibility": incoming_credibility,
        "rivals": [rival for rival in rivals if rival.fingerprint != conflict.fingerprint],
        "already_told": decisions.already_told(conflict),
        "options": [] if proposal else options(conflict, seat, among_rivals=bool(rivals)),
        "may_decide": seat.may("decide_conflict"),
        "reason_codes": Decision.ReasonCode,
        "scope_limit": SCOPE,
        "proposal": proposal,
        "needs_second": is_open and needs_second(conflict),
        "flood": bulk.flood_of(conflict),
        "decision": decision,
        "may_undo": decisions.may_undo(decision, seat, person, now=now),
        "timeline": timeline.of(conflict),
        "members": [each for each in notes.members(seat.workspace) if each.pk != person.pk],
        "now": now,
    }


def _alike(diff: list[Segment]) -> int:
    """How much of the longer text both have in common, in percent."""
    size = {kind: sum(len(each.text) for each in diff if each.kind == kind) for kind in ("same", "added", "removed")}
    longer = size["same"] + max(size["added"], size["removed"])
    return round(100 * size["same"] / longer) if longer else 0
