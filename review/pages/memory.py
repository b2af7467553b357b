"""/memories/<id>/: one memory, what it rests on, every state it had, who was told it, and the acts on it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import reasons
from memory.actions import revise
from memory.actions.base import Refused, Stale
from memory.actor import from_request
from memory.audit import log
from memory.history import blast, evidence
from memory.history.diff import Segment, word_diff
from memory.models import Conflict, Memory, MemoryVersion, RecallHit
from memory.policy import policy_of
from memory.recall.heat import cooled
from review.access import Seat, seated
from review.changes import Touched, difference
from review.exports import download

TOLD = 25
SEEN = 0.005  # a difference that two decimals show


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    return _page(request, seat, _memory(seat, pk))


@require_POST
@seated("change_memory_text")
def act(request: HttpRequest, seat: Seat, pk: UUID, verb: str) -> HttpResponse:
    """edit, retract, restore, confirm, pin or unpin, at the version the page showed."""
    memory = _memory(seat, pk)
    version = request.POST.get("version", "")
    step = {
        "memory": memory, "actor": from_request(request), "now": timezone.now(),
        "expected_version": int(version) if version.isdecimal() and len(version) < 10 else 0,
        "reason": request.POST.get("reason", "").strip()[:500],
    }  # fmt: skip
    try:
        _carry_out(verb, request, step)
    except Refused as refusal:
        return _page(request, seat, _memory(seat, pk), status=422, error=str(refusal))
    except Stale:
        changed = _("Somebody changed this memory meanwhile. Nothing was written; look at it again.")
        return _page(request, seat, _memory(seat, pk), status=409, error=changed)
    messages.success(request, _("Done. The new state is a version of its own."))
    return redirect("memory", pk)


@require_safe
@seated("export_data")
def recalls(request: HttpRequest, seat: Seat, pk: UUID, kind: str) -> StreamingHttpResponse:
    """Every recall that told the memory, as a file."""
    memory = _memory(seat, pk)
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="recalls.export", now=timezone.now(),
        object_type="memory", object_id=memory.pk,
    )  # fmt: skip
    return download(blast.lines(memory), columns=blast.COLUMNS, kind=kind, name=f"recalls-{memory.pk}")


def _carry_out(verb: str, request: HttpRequest, step: dict) -> None:
    if verb == "edit":
        revise.revise(**step, text=request.POST.get("text", ""))
    elif verb == "restore":
        number = request.POST.get("number", "")
        revise.restore(**step, number=int(number) if number.isdecimal() and len(number) < 10 else 0)
    elif verb == "retract":
        revise.retract(**step)
    elif verb == "confirm":
        revise.confirm(**step)
    else:
        revise.pin(**step, pinned=verb == "pin")


def _memory(seat: Seat, pk: UUID) -> Memory:
    found = Memory.objects.filter(workspace=seat.workspace).select_related("user", "session", "superseded_by")
    return get_object_or_404(found, pk=pk)


def _conflicts(memory: Memory):
    """Those in which it is the held one or one of its rivals."""
    ids = [*memory.conflicts.values_list("pk", flat=True), *memory.rival_conflicts.values_list("pk", flat=True)]
    return Conflict.objects.filter(pk__in=ids).select_related("memory").order_by("status", "-opened_at")


def _compared(request: HttpRequest, versions: list[MemoryVersion]) -> Touched | None:
    """The difference between the two versions that the address names."""
    known = {str(version.number): version for version in versions}
    one, other = known.get(request.GET.get("from", "")), known.get(request.GET.get("to", ""))
    return difference(one, other) if one and other else None


def _page(request: HttpRequest, seat: Seat, memory: Memory, *, status: int = 200, error: str = "") -> HttpResponse:
    versions = list(memory.versions.select_related("change").order_by("number"))
    earlier = [None, *versions[:-1]]
    half_life = policy_of(seat.workspace).heat_half_life_days
    credibility = evidence.credibility_of_memory(memory)
    told = list(blast.told(memory)[:TOLD])
    context = {
        "memory": memory,
        "history": [
            (version, word_diff(before.text, version.text) if before and before.text != version.text else [])
            for before, version in zip(earlier, versions, strict=True)
        ][::-1],
        "exhibits": evidence.of_memory(memory),
        "labels": [reasons.render(f"about_{id}") for id in memory.labels],
        "credibility": credibility,
        "counted": memory.credibility if abs(memory.credibility - credibility.value) >= SEEN else None,
        "heat": cooled(memory.heat, since=memory.heat_at, now=timezone.now(), half_life_days=half_life),
        "conflicts": _conflicts(memory),
        "open_status": Conflict.Status.OPEN,
        "compared": _compared(request, versions),
        "stale": [(mark, reasons.render(mark.reason_code)) for mark in memory.stale_marks.select_related("source")],
        "sources": memory.derived_from.select_related("source"),
        "made_from_it": memory.derivations.select_related("memory")[:TOLD],
        "told": [(hit, _since(hit, memory)) for hit in told],
        "reach": blast.reach(memory),
        "gaps": blast.gaps(seat.workspace, now=timezone.now()),
        "typed": request.POST,
        "error": error,
    }
    return render(request, "review/memory.html", context, status=status)


def _since(hit: RecallHit, memory: Memory) -> list[Segment]:
    """How the wording that was told differs from today's; empty when it does not."""
    return word_diff(hit.wording, memory.text) if hit.wording and hit.wording != memory.text else []
