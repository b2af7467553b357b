"""One choice on many conflicts of a kind: told before it is done, done one by one, undone as a whole.

Every item is a decision and a transaction of its own: what cannot be decided is named and keeps nothing else back.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.actions.apart import must_be_told_apart
from memory.actions.base import Refused, Stale
from memory.actions.settle import AlreadyDecided, choices_for
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict, Evidence, Workspace
from review import claims, decisions
from review.access import Seat
from review.choices import needs_second, preview
from review.decisions import Draft
from review.models import BulkRun, Decision, Proposal

MOST = 50
Choice = Conflict.Choice
# what needs a wording of its own is decided alone
CHOICES = (Choice.KEEP, Choice.ACCEPT, Choice.KEEP_BOTH, Choice.REJECT_BOTH)

OUTCOMES = {
    "done": gettext_lazy("Done"),
    "proposed": gettext_lazy("Waits for a second person"),
    "decided": gettext_lazy("Decided by somebody else"),
    "changed": gettext_lazy("Changed since"),
    "held": gettext_lazy("Held by somebody else"),
    "refused": gettext_lazy("Not done"),
    "undone": gettext_lazy("Undone"),
    "kept": gettext_lazy("Not undone"),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One conflict of a preview: what the choice would do to it, or why it would be passed over."""

    conflict: Conflict
    effect: str
    obstacle: str = ""


def picked(workspace: Workspace, ids: Iterable[str]) -> list[Conflict]:
    """The open conflicts of these ids, in the order of the queue; ids of anything else are passed over.

    Raises Refused when there is none, when they are of several kinds, or more than MOST.
    """
    wanted = {found for id in ids if (found := _uuid(id))}
    if len(wanted) > MOST:
        raise Refused(_("At most %(most)d at once.") % {"most": MOST})
    found = Conflict.objects.filter(workspace=workspace, pk__in=wanted, status=Conflict.Status.OPEN)
    conflicts = list(found.select_related("user", "memory", "workspace").order_by("due_at", "band", "id"))
    if not conflicts:
        raise Refused(_("Mark the conflicts that you want to decide together."))
    if len({conflict.kind for conflict in conflicts}) > 1:
        raise Refused(_("Only conflicts of one kind can be decided together. Filter by a kind first."))
    return conflicts


def choices_of(conflicts: Sequence[Conflict]) -> list[str]:
    """What may be chosen for at least one of them."""
    offered = {choice for conflict in conflicts for choice in choices_for(conflict)}
    return [str(choice) for choice in CHOICES if choice in offered]


def plan(conflicts: Sequence[Conflict], choice: str) -> list[Item]:
    """What the choice would do to each, from the same effects that deciding carries out; those passed over first."""
    waiting = proposed(conflicts)
    among_rivals = set(
        Conflict.rivals.through.objects.filter(conflict__in=conflicts).values_list("conflict_id", flat=True)
    )
    items = [
        Item(
            conflict=conflict,
            effect=preview(conflict, choice, among_rivals=conflict.pk in among_rivals),
            obstacle=_obstacle(conflict, choice, conflict.pk in waiting, conflict.pk in among_rivals),
        )
        if choice in choices_for(conflict)
        else Item(conflict, "", _("This choice does not fit this conflict."))
        for conflict in conflicts
    ]
    return sorted(items, key=lambda item: not item.obstacle)


def _obstacle(conflict: Conflict, choice: str, waits: bool, among_rivals: bool) -> str:
    if waits:
        return _("A decision is proposed already. Confirm it or send it back.")
    if choice == Choice.KEEP_BOTH and not among_rivals and must_be_told_apart(conflict):
        return _("Only one of the two can hold at a time: decide it alone.")
    return ""


def proposed(conflicts: Iterable[Conflict]) -> set[UUID]:
    """Which of the conflicts wait for a second person."""
    waiting = Proposal.objects.filter(conflict__in=list(conflicts), status=Proposal.Status.OPEN)
    return set(waiting.values_list("conflict_id", flat=True))


def decide_many(
    *, workspace: Workspace, shown: Sequence[tuple[str, int]], person: AbstractBaseUser, actor: Actor, now: datetime,
    draft: Draft,
) -> BulkRun:  # fmt: skip
    """Decides every (conflict, version) that was shown, each on its own; the run tells what became of each.

    Raises Refused as `picked` does, and for a choice or reason that no bulk may have.
    """
    if draft.choice not in CHOICES:
        raise Refused(_("Choose what to do."))
    if draft.reason_code not in Decision.ReasonCode.values:
        raise Refused(_("Choose a reason."))
    ids = [id for id, _version in shown]
    found = Conflict.objects.filter(workspace=workspace, pk__in=[pk for id in ids if (pk := _uuid(id))])
    if len(ids) > MOST or not found or len({conflict.kind for conflict in found}) > 1:
        raise Refused(_("Only conflicts of one kind, at most %(most)d.") % {"most": MOST})
    run = BulkRun.objects.create(
        workspace=workspace, person=person, kind=found[0].kind, choice=draft.choice, reason_code=draft.reason_code,
        note=draft.note[: decisions.NOTE], at=now,
    )  # fmt: skip
    log.record(
        workspace=workspace, actor=actor, action="conflict.bulk", now=now, object_type="bulk", object_id=run.pk,
        reason=draft.reason, after={"choice": draft.choice, "items": len(ids)},
    )  # fmt: skip
    for id, version in shown:
        conflict = found.filter(pk=id).select_related("user", "memory", "workspace").first() if _uuid(id) else None
        if conflict is not None:
            _keep(run, _decide_one(conflict, version, run, person, actor, now, draft))
    return run


def _decide_one(conflict, version, run, person, actor, now, draft) -> dict[str, str]:
    outcome = {"conflict": str(conflict.pk), "outcome": "done", "who": "", "why": ""}
    try:
        made = decisions.decide(
            conflict=conflict, person=person, actor=actor, now=now, draft=draft, expected_version=version, bulk=run
        )
        return outcome | ({"outcome": "proposed"} if isinstance(made, Proposal) else {})
    except claims.Held as held:
        return outcome | {"outcome": "held", "who": str(held.claim.person)}
    except AlreadyDecided as lost:
        if lost.conflict.status == Conflict.Status.DECIDED:
            return outcome | {"outcome": "decided", "who": str(lost.conflict.decided_by or "")}
        return outcome | {"outcome": "changed"}
    except Stale:
        return outcome | {"outcome": "changed"}
    except Refused as refusal:
        return outcome | {"outcome": "refused", "why": str(refusal)}


def undo_all(run: BulkRun, *, seat: Seat, person: AbstractBaseUser, actor: Actor, now: datetime) -> list[dict]:
    """Takes back every decision of the run that is in force, the last first; answers what could not be."""
    in_force = run.decisions.filter(undoes=None, undone_by=None)
    left = []
    for decision in in_force.select_related("conflict__user", "conflict__workspace").order_by("-pk"):
        outcome = {"conflict": str(decision.conflict_id), "outcome": "undone", "who": "", "why": ""}
        outcome |= _undo_one(
            lambda decision=decision: decisions.take_back(
                conflict=decision.conflict, shown=decision.pk, seat=seat, person=person, actor=actor, now=now
            )
        )
        _keep(run, outcome)
        left += [outcome] if outcome["outcome"] == "kept" else []
    BulkRun.objects.filter(pk=run.pk).update(undone_at=now)
    log.record(
        workspace=run.workspace, actor=actor, action="conflict.bulk_undo", now=now, object_type="bulk",
        object_id=run.pk, after={"left": len(left)},
    )  # fmt: skip
    return left


def _undo_one(take_back: Callable[[], Decision]) -> dict[str, str]:
    try:
        take_back()
        return {}
    except Refused as refusal:
        return {"outcome": "kept", "why": str(refusal)}
    except (Stale, AlreadyDecided):
        return {"outcome": "kept", "why": _("What this decision changed has changed again since.")}


def _keep(run: BulkRun, outcome: dict[str, str]) -> None:
    """Written item by item, so that a run that breaks off tells how far it came."""
    others = [each for each in run.outcomes if each["conflict"] != outcome["conflict"]]
    place = next((n for n, each in enumerate(run.outcomes) if each["conflict"] == outcome["conflict"]), len(others))
    run.outcomes = [*others[:place], outcome, *others[place:]]
    BulkRun.objects.filter(pk=run.pk).update(outcomes=run.outcomes)


def results(run: BulkRun) -> list[tuple[Conflict | None, str, dict[str, str]]]:
    """Each item of the run: the conflict, the outcome in words, and the outcome; one query."""
    found = Conflict.objects.select_related("user").in_bulk([each["conflict"] for each in run.outcomes])
    by_id = {str(pk): conflict for pk, conflict in found.items()}
    return [(by_id.get(each["conflict"]), str(OUTCOMES[each["outcome"]]), each) for each in run.outcomes]


def flood_of(conflict: Conflict) -> list[Conflict]:
    """The other open conflicts of the same flood: of the same user, from the same origin; MOST - 1 at most."""
    if conflict.kind != Conflict.Kind.FLOOD or conflict.status != Conflict.Status.OPEN:
        return []
    origins = Evidence.objects.filter(conflict=conflict, against=False).values("origin")
    others = Conflict.objects.filter(
        workspace_id=conflict.workspace_id, user_id=conflict.user_id, kind=Conflict.Kind.FLOOD,
        status=Conflict.Status.OPEN, evidence__origin__in=origins,
    ).exclude(pk=conflict.pk)  # fmt: skip
    return list(others.distinct().order_by("opened_at", "id")[: MOST - 1])


def waits_for_second(conflicts: Sequence[Conflict]) -> int:
    """How many of them would be proposed only."""
    return sum(needs_second(conflict) for conflict in conflicts)


def _uuid(value: str) -> UUID | None:
    try:
        return UUID(value)
    except ValueError:
        return None
