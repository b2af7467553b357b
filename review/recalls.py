"""The log of recalls: what its filters name, how much each told, and one of them in full."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import QueryDict

from memory.history import blast
from memory.history.diff import Segment, word_diff
from memory.models import EndUser, Memory, Recall, RecallHit, Session, Workspace
from review.changes import moment_of

LOOKED = 20_000  # of the latest recalls are searched for what no index orders: an agent, words, something withheld


@dataclass(frozen=True, slots=True)
class Filters:
    """What the address bar says. Unknown values are dropped, so that an old bookmark still opens."""

    user: str = ""
    agent: str = ""
    session: str = ""  # the caller's name of the run
    since: str = ""
    q: str = ""
    withheld: str = ""  # "1": only where something was withheld

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        given = {each.name: query.get(each.name, "").replace("\0", "").strip()[:220] for each in fields(cls)}
        if moment_of(given["since"]) is None:
            given["since"] = ""
        if given["withheld"] != "1":
            given["withheld"] = ""
        return cls(**given)

    @property
    def active(self) -> bool:
        return self != Filters()

    @property
    def looks_back(self) -> bool:
        """Whether only the LOOKED latest are searched."""
        return bool(self.agent or self.q or self.withheld)


@dataclass(frozen=True, slots=True)
class Told:
    """One hit of a recall. `since` is how the wording told differs from today's, empty when it does not; `others` are
    the memories that outvoted it."""

    hit: RecallHit
    since: list[Segment]
    others: list[Memory]


def recalls(workspace: Workspace, filters: Filters) -> QuerySet[Recall]:
    """The recalls the filters name, newest first."""
    found = Recall.objects.filter(workspace=workspace)
    if filters.user:
        # by its key: the planner then reads the index of that user and not the whole log
        user = EndUser.objects.filter(workspace=workspace, external_id=filters.user).values_list("pk", flat=True)
        found = found.filter(user=user.first() or 0)
    if filters.session:
        runs = Session.objects.filter(workspace=workspace, run_id=filters.session)
        found = found.filter(session__in=list(runs.values_list("pk", flat=True)[:500]))
    if filters.since:
        found = found.filter(created_at__gte=moment_of(filters.since))
    found = found.select_related("user", "session").order_by("-created_at", "-pk")
    return _picked(found, filters) if filters.looks_back else found


def counts(page: Sequence[Recall]) -> dict[UUID, tuple[int, int]]:
    """Of each recall, how many memories it told and how many it withheld; one query."""
    told = RecallHit.objects.filter(recall__in=[recall.pk for recall in page]).order_by()
    found: dict[UUID, list[int]] = {}
    for recall_id, withheld, n in told.values_list("recall", "withheld").annotate(n=Count("pk")):
        found.setdefault(recall_id, [0, 0])[withheld] = n
    return {id: (told, withheld) for id, (told, withheld) in found.items()}


def told_by(recall: Recall) -> list[Told]:
    """Every memory that a recall told, and then every one that it withheld; two queries."""
    hits = list(blast.of_recall(recall))
    wanted = {id for hit in hits for id in _outvoters(hit)}
    others = Memory.objects.filter(workspace_id=recall.workspace_id, user_id=recall.user_id).in_bulk(list(wanted))
    return [
        Told(
            hit,
            word_diff(hit.wording, hit.memory.text) if hit.wording and hit.wording != hit.memory.text else [],
            [others[id] for id in _outvoters(hit) if id in others],
        )
        for hit in hits
    ]


def _picked(found: QuerySet[Recall], filters: Filters) -> QuerySet[Recall]:
    oldest = found.values_list("created_at", flat=True)[LOOKED : LOOKED + 1].first()
    if oldest is not None:
        found = found.filter(created_at__gt=oldest)
    if filters.agent:
        found = found.filter(agent_id=filters.agent)
    if filters.q:
        found = found.filter(query__icontains=filters.q)
    if filters.withheld:
        found = found.filter(Exists(RecallHit.objects.filter(recall=OuterRef("pk"), withheld=True)))
    return found


def _outvoters(hit: RecallHit) -> list[UUID]:
    """Recalls of earlier versions of this product did not keep them."""
    return [UUID(id) for id in hit.reason_params.get("outvoted_by", [])]
