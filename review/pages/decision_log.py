"""/review/decisions.csv and .jsonl: every decision on the conflicts that the queue's filters name."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.actor import from_request
from memory.audit import log
from review import decision_log
from review.access import Seat, seated
from review.exports import download
from review.filters import Filters


@require_safe
@seated("export_data")
def export(request: HttpRequest, seat: Seat, kind: str) -> HttpResponse:
    now = timezone.now()
    filters = Filters.read(request.GET)
    log.record(
        workspace=seat.workspace, actor=from_request(request), action="decisions.export", now=now,
        object_type="workspace", object_id=seat.workspace.pk, after={"kind": kind, "filters": filters.query},
    )  # fmt: skip
    found = decision_log.decisions(seat.workspace, filters, now=now)
    return download(decision_log.records(found), columns=decision_log.COLUMNS, kind=kind, name="decisions")
