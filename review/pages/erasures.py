"""/erasures/ and the way there: what would go of a person or a memory, the typed confirmation, and the reports."""

import tempfile
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory.actions import forget
from memory.actions.base import Refused, Stale
from memory.actor import from_request
from memory.audit import log
from memory.erasure import export, rows
from memory.erasure.places import Scope
from memory.models import EndUser, Erasure, Memory
from review import erasure_words as words
from review.access import Seat, seated
from review.paging import Pages

PAGE = 50
IN_MEMORY = 8_000_000  # bytes of an export before it goes to a file


@require_safe
@seated("export_data")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    found = Erasure.objects.filter(workspace=seat.workspace).order_by("-asked_at", "-pk")
    q = request.GET.get("q", "").strip()[:200]
    if q:
        found = found.filter(name_digest=forget.digest_of(seat.workspace, q))
    page = Pages(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "review/erasures.html", {"page": page, "q": q})


@require_safe
@seated("export_data")
def show(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    erasure = get_object_or_404(Erasure, workspace=seat.workspace, pk=pk)
    return render(request, "review/erasure.html", {"erasure": erasure, "counts": words.grouped(erasure.counts or {})})


@require_safe
@seated("manage_workspace")
def preview_person(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    return _preview(request, seat, _person(seat, pk))


@require_POST
@seated("manage_workspace")
def erase_person(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Begins, when the typed id is this person's."""
    person = _person(seat, pk)
    if error := _mistyped(request, person.external_id):
        return _preview(request, seat, person, status=422, error=error)
    try:
        erasure = forget.forget_user(
            user=person, actor=from_request(request), reason_code=request.POST["reason"], now=timezone.now()
        )
    except Stale as stale:
        return _preview(request, seat, person, status=409, error=str(stale))
    return _begun(request, erasure)


@require_safe
@seated("manage_workspace")
def preview_memory(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    memory = _memory(seat, pk)
    return _preview(request, seat, memory.user, memory)


@require_POST
@seated("manage_workspace")
def erase_memory(request: HttpRequest, seat: Seat, pk: UUID) -> HttpResponse:
    memory = _memory(seat, pk)
    if error := _mistyped(request, memory.user.external_id):
        return _preview(request, seat, memory.user, memory, status=422, error=error)
    try:
        erasure = forget.forget_memory(
            memory=memory, actor=from_request(request), reason_code=request.POST["reason"], now=timezone.now()
        )
    except (Refused, Stale) as refusal:
        return _preview(request, seat, memory.user, memory, status=409, error=str(refusal))
    return _begun(request, erasure)


@require_safe
@seated("export_data")
def everything(request: HttpRequest, seat: Seat, pk: int) -> FileResponse:
    """All that is held of the person, as a zip."""
    person, now = _person(seat, pk), timezone.now()
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (the answer closes it)
    manifest = export.write(person, file, now=now)
    file.seek(0)
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="user.export", now=now, object_type="end_user",
        object_id=person.pk, after={"rows": sum(each["rows"] for each in manifest["files"])},
    )  # fmt: skip
    answer = FileResponse(file, as_attachment=True, filename=f"person-{person.pk}.zip", content_type="application/zip")
    answer["Cache-Control"] = "no-store"
    return answer


def _person(seat: Seat, pk: int) -> EndUser:
    return get_object_or_404(EndUser.objects.select_related("workspace"), workspace=seat.workspace, pk=pk)


def _memory(seat: Seat, pk: UUID) -> Memory:
    return get_object_or_404(Memory.objects.select_related("user__workspace"), workspace=seat.workspace, pk=pk)


def _mistyped(request: HttpRequest, name: str) -> str:
    if request.POST.get("reason") not in Erasure.Reason.values:
        return _("Say why.")
    if request.POST.get("typed", "").strip() != name.strip():
        return _("This is not the id of this person. Nothing was erased.")
    return ""


def _preview(
    request: HttpRequest, seat: Seat, person: EndUser, memory: Memory | None = None, *, status: int = 200,
    error: str = "",
) -> HttpResponse:  # fmt: skip
    counts = rows.count(Scope(seat.workspace.pk, person.pk, memory and memory.pk))
    context = {
        "person": person, "memory": memory, "counts": words.grouped(counts), "reasons": Erasure.Reason.choices,
        "typed": request.POST, "error": error,
    }  # fmt: skip
    return render(request, "review/erase.html", context, status=status)


def _begun(request: HttpRequest, erasure: Erasure) -> HttpResponse:
    messages.success(request, _("The erasure has begun. From now on nobody is told anything of it."))
    return redirect("erasure", erasure.pk)
