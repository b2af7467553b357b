"""Does the index hold what the memories say? Read-only, in pages, and never in anybody's way."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from uuid import UUID

import numpy as np
from django.db.models import F

from memory.embedding import embed_each
from memory.index import embedded, serving
from memory.index.base import Follower, Held, Point
from memory.models import IndexEntry, Memory, OutboxEntry
from memory.models.memory import MemoryStatus

PAGE = 500
ALIKE = 0.999  # cosine of two vectors of one text: float rounding is far above, another text far below


@dataclass(slots=True)
class Report:
    """Counts, and the differences: {what: ids}. Memories in the outbox are waiting, not different."""

    active: int = 0
    entries: int = 0
    held: int | None = None  # None: no vector database
    waiting: int = 0
    sampled: int = 0
    differences: dict[str, list[UUID]] = field(default_factory=dict)

    def found(self, what: str, ids: list[UUID]) -> None:
        if ids:
            self.differences.setdefault(what, []).extend(ids)


def verify(there: Follower | None, *, sample: int) -> Report:
    """Compares memories with entries, entries with the vector database, both ways, and `sample` vectors with texts.

    Raises FollowerAway.
    """
    report = Report(active=_active().count(), entries=IndexEntry.objects.count())
    _entries(report)
    _vectors(report, _some(sample))
    if there is not None:
        report.held = there.count()
        report.waiting = OutboxEntry.objects.count()
        _missing_there(report, there)
        report.found("orphan in the vector database", list(orphans(there)))
        _vectors_there(report, there, _some(sample))
    return report


def orphans(there: Follower) -> dict[UUID, int]:
    """What the vector database holds, with its version, of memories that are not active. Raises FollowerAway."""
    found = {}
    for page in _in_pages(there.ids()):
        active = set(_active().filter(pk__in=page).values_list("pk", flat=True))
        known = active | _waiting(list(page))
        found |= {id: version for id, version in page.items() if id not in known}
    return found


def _active():
    return Memory.objects.filter(status=MemoryStatus.ACTIVE)


def _entries(report: Report) -> None:
    entries = IndexEntry.objects.filter(memory__status=MemoryStatus.ACTIVE)
    report.found("active memory without an entry", _ids(_active().filter(index_entry=None).values_list("pk")))
    orphans = IndexEntry.objects.exclude(memory__status=MemoryStatus.ACTIVE)
    report.found("entry of a memory that is not active", _ids(orphans.values_list("pk")))
    report.found("entry of another version", _ids(entries.exclude(version=F("memory__version")).values_list("pk")))
    strangers = entries.exclude(user_id=F("memory__user_id")) | entries.exclude(workspace_id=F("memory__workspace_id"))
    report.found("entry under another user or workspace", _ids(strangers.values_list("pk")))
    embedder = serving.get_embedder()
    if embedder:
        report.found("entry without a vector", _ids(entries.filter(vector=None).values_list("pk")))
        other = entries.exclude(vector=None).exclude(model_id=embedder.model_id)
        report.found("vector of another embedder", _ids(other.values_list("pk")))


def _vectors(report: Report, points: list[Point]) -> None:
    """Of some memories, whether the stored vector is the one their text has."""
    embedder = serving.get_embedder()
    if embedder is None:
        return
    stored = {point.id: point.vector for point in points if point.vector is not None}
    texts = dict(Memory.objects.filter(pk__in=stored).values_list("pk", "text"))
    made = dict(zip(texts, embed_each(embedder, list(texts.values())), strict=True))
    wrong = [id for id in texts if not _alike(stored[id], made[id])]
    report.sampled = len(texts)
    report.found("vector that is not the text's", wrong)


def _missing_there(report: Report, there: Follower) -> None:
    rows = _active().order_by("pk").values_list("pk", "version", "user_id", "workspace_id")
    page = list(rows[:PAGE])
    while page:
        held = there.sample([row[0] for row in page], vectors=False)
        waiting = _waiting([row[0] for row in page])
        for id, version, user_id, workspace_id in page:
            if id in waiting:
                continue
            if id not in held:
                report.found("active memory missing in the vector database", [id])
            elif held[id] != Held(user_id, workspace_id, version):
                report.found("another version or owner in the vector database", [id])
        page = list(rows.filter(pk__gt=page[-1][0])[:PAGE])


def _vectors_there(report: Report, there: Follower, points: list[Point]) -> None:
    held = there.sample([point.id for point in points])
    waiting = _waiting([point.id for point in points])
    wrong = [
        point.id
        for point in points
        if point.id in held and point.id not in waiting and not _alike(point.vector, held[point.id].vector)
    ]  # fmt: skip
    report.found("other vector in the vector database", wrong)


def _some(count: int) -> list[Point]:
    """Memories from a random place on: ids are random, so neighbours are a fair sample."""
    rows = _active().order_by("pk").values_list("pk", flat=True)
    ids = list(rows.filter(pk__gte=uuid.uuid4())[:count])
    return embedded.points(ids + list(rows[: count - len(ids)]))


def _alike(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and float(one @ other) >= ALIKE


def _waiting(ids: list[UUID]) -> set[UUID]:
    return set(OutboxEntry.objects.filter(pk__in=ids).values_list("pk", flat=True))


def _ids(rows) -> list[UUID]:
    return [row[0] for row in rows]


def _in_pages(held: Iterator[tuple[UUID, int]]) -> Iterator[dict[UUID, int]]:
    while page := dict(islice(held, PAGE)):
        yield page
