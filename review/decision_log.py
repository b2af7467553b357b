"""Every decision as a record to export: what was on the screen, what was chosen and why, by whom, when."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from memory.models import Evidence, MemoryVersion, Workspace
from review import queue
from review.filters import Filters
from review.models import Decision

CHUNK = 500
COLUMNS = [
    "decision_id", "conflict_id", "kind", "band", "user_id", "category", "attribute", "held", "incoming", "edited",
    "apart", "choice", "reason_code", "note", "decided_by", "rule_id", "proposed_by", "opened_at", "taken_at",
    "decided_at", "conflict_version", "versions", "evidence", "change_id", "bulk_id", "undoes", "undone_by",
]  # fmt: skip


def decisions(workspace: Workspace, filters: Filters, *, now: datetime) -> QuerySet[Decision]:
    """The decisions on the conflicts that the filters name, oldest first, undoings among them."""
    desk = queue.Desk(workspace, None, now)
    conflicts = queue.narrowed(desk, filters.showing("all") if filters.is_open else filters).values("pk")
    found = Decision.objects.filter(conflict__workspace=workspace, conflict__in=conflicts)
    return found.order_by("decided_at", "id")


def records(found: QuerySet[Decision]) -> Iterator[dict[str, Any]]:
    """One record a decision, read CHUNK at a time."""
    rows = found.select_related(
        "conflict__user", "decider", "proposer", "undone_by", "handling", "rule_act"
    ).prefetch_related(
        Prefetch("conflict__evidence", queryset=Evidence.objects.only("conflict_id", "episode_id").order_by("id")),
        Prefetch("change__versions", queryset=MemoryVersion.objects.only("memory_id", "number", "change_id")),
    )
    for decision in rows.iterator(chunk_size=CHUNK):
        yield _record(decision)


def _record(decision: Decision) -> dict[str, Any]:
    conflict = decision.conflict
    versions = decision.change.versions.all() if decision.change else ()
    undone, handling = getattr(decision, "undone_by", None), getattr(decision, "handling", None)
    return {
        "decision_id": decision.pk,
        "conflict_id": str(conflict.pk),
        "kind": conflict.kind,
        "band": conflict.band,
        "user_id": conflict.user.external_id,
        "category": conflict.category,
        "attribute": conflict.attribute,
        "held": decision.held_text,
        "incoming": decision.incoming_text,
        "edited": decision.edited_text,
        "apart": "; ".join(f"{name}={value}" for name, value in decision.apart.items()),
        "choice": decision.choice,
        "reason_code": decision.reason_code,
        "note": decision.note,
        "decided_by": str(decision.decider or ""),
        "rule_id": str(decision.rule_act.rule_id) if hasattr(decision, "rule_act") else "",
        "proposed_by": str(decision.proposer or ""),
        "opened_at": conflict.opened_at.isoformat(),
        "taken_at": handling.taken_at.isoformat() if handling else "",
        "decided_at": decision.decided_at.isoformat(),
        "conflict_version": decision.conflict_version,
        # every memory the decision moved, from which version to which
        "versions": " ".join(f"{each.memory_id}:{each.number - 1}>{each.number}" for each in versions),
        "evidence": " ".join(str(row.episode_id) for row in conflict.evidence.all()),
        "change_id": decision.change_id or "",
        "bulk_id": str(decision.bulk_id or ""),
        "undoes": decision.undoes_id or "",
        "undone_by": undone.pk if undone else "",
    }
