"""How far what is remembered may be trusted: spread over source classes, and by source. Counted by the hour."""

from datetime import datetime

from django.db import transaction
from django.db.models import Avg, Count, F, FloatField, Q
from django.db.models.functions import Cast, Floor, Least

from memory.models import Evidence, Memory, SourceFigure, Workspace
from memory.models.memory import MemoryStatus
from memory.records import decisions_by_source

BINS = 10
# a source of this kind is a remembered person, of whom no figure is kept
PERSON = "user:"
MOST = 1000  # sources of a workspace that are kept: those with the most memories, and every one that was decided on


def spread(workspace: Workspace) -> dict[tuple[str, int], int]:
    """{(source class, tenth of credibility from 0 to 9): active memories}."""
    tenth = Least(Floor(Cast(F("credibility"), FloatField()) * BINS + 1e-9), BINS - 1.0, output_field=FloatField())
    rows = Memory.objects.filter(workspace=workspace, status=MemoryStatus.ACTIVE).annotate(tenth=tenth)
    counted = rows.values_list("source_class", "tenth").annotate(n=Count("pk")).order_by()
    return {(source_class, int(tenth)): n for source_class, tenth, n in counted}


def count_sources(workspace: Workspace, *, now: datetime) -> int:
    """Counts every source anew; answers how many there are. What is no source any more goes."""
    rests = Evidence.objects.filter(
        workspace=workspace, memory__status=MemoryStatus.ACTIVE, against=False, withdrawn=False
    )
    counted = (
        rests.exclude(Q(source="") | Q(source__startswith=PERSON))
        .values_list("source")
        .annotate(memories=Count("memory", distinct=True), mean=Avg("memory__credibility"))
        .order_by("-memories", "source")
    )
    found = {source: (memories, mean) for source, memories, mean in counted[:MOST]}
    decided = {
        source: record for source, record in decisions_by_source(workspace.pk).items() if not source.startswith(PERSON)
    }
    rows = [
        SourceFigure(
            workspace=workspace, source=source, memories=memories, mean=mean, counted_at=now,
            **dict(zip(("accepted", "rejected"), decided.get(source, (0, 0)), strict=True)),
        )
        for source in {*found, *decided}
        for memories, mean in [found.get(source, (0, 0.0))]
    ]  # fmt: skip
    with transaction.atomic():
        SourceFigure.objects.bulk_create(
            rows, batch_size=500, update_conflicts=True, unique_fields=["workspace", "source"],
            update_fields=["memories", "mean", "accepted", "rejected", "counted_at"],
        )  # fmt: skip
        SourceFigure.objects.filter(workspace=workspace, counted_at__lt=now).delete()
    return len(rows)
