"""A verification whose result is kept, so that the page can say what the last one found."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django_q.tasks import async_task

from memory.audit import verify
from memory.audit.verify import Heads, Report
from memory.models import AuditCheck

SUMS = ("rows", "seals", "broken")


def check(chain: int | None, *, now: datetime, heads: Heads | None = None) -> Report:
    """Verifies a whole chain, however long it takes."""
    report = verify.verify(chain, heads=heads)
    _keep(chain, _added({}, report), now)
    return report


def go_on(chain: int | None, *, after: int, found: dict[str, Any], now: datetime, until: float) -> None:
    """One step of a verification by jobs: `found` is what the steps up to the seal `after` have found."""
    report = verify.verify(chain, after=after, until=until)
    found = _added(found, report)
    if report.stopped_at is None:
        _keep(chain, found, now)
    elif report.stopped_at > after:
        async_task("memory.tasks.verify_chain", chain, report.stopped_at, found, group="audit")


def _added(found: dict[str, Any], report: Report) -> dict[str, Any]:
    sums = {name: found.get(name, 0) + getattr(report, name) for name in SUMS}
    if found.get("first_code") or report.first is None:
        return {"first_code": "", "first_id": None} | found | sums
    return sums | {"first_code": report.first.code, "first_id": report.first.id}


@transaction.atomic
def _keep(chain: int | None, found: dict[str, Any], now: datetime) -> None:
    if found["seals"] or found["broken"]:
        AuditCheck.objects.filter(workspace=chain).delete()
        AuditCheck.objects.create(workspace_id=chain, at=now, **found)
