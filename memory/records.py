"""What reviewers have decided on each source, and the credibility that follows for a piece of text."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet

from memory.actor import RULE
from memory.credibility import Credibility, Record, Support, credibility
from memory.models import Conflict, Evidence, Workspace
from memory.models.episode import SourceClass
from memory.policy import policy_of

_TAKEN = (Conflict.Choice.ACCEPT, Conflict.Choice.KEEP_BOTH)
# the origin of all that was said for a wording which an agent has changed
REWORDED = "reworded"
# "edit" speaks neither for a source nor against it: the reviewer said it in words of their own
_TURNED_AWAY = (Conflict.Choice.KEEP, Conflict.Choice.REJECT_BOTH)


def records_of(workspace_id: int, sources: Iterable[str]) -> dict[str, Record]:
    """The decisions in force by source, in one query; an undone decision is none. Sources without any are left out.

    Every source that spoke for a candidate has its outcome.
    """
    named = set(sources) - {""}
    return _records(workspace_id, source__in=named) if named else {}


def decisions_by_source(workspace_id: int) -> dict[str, Record]:
    """`records_of` every source there is. It reads all decisions of the workspace: for jobs."""
    found = _records(workspace_id)
    found.pop("", None)
    return found


def _records(workspace_id: int, **wanted) -> dict[str, Record]:
    rows = (
        Evidence.objects.filter(workspace_id=workspace_id, against=False, conflict__isnull=False, **wanted)
        .filter(conflict__status=Conflict.Status.DECIDED)
        # a rule only repeats what people have said of the source
        .exclude(conflict__change__actor_kind="system", conflict__change__actor_id__startswith=RULE)
        .values_list("source", "conflict__choice")
        .annotate(n=Count("conflict_id", distinct=True))
        .order_by()
    )
    found: dict[str, Record] = {}
    for source, choice, n in rows:
        so_far = found.get(source, Record())
        found[source] = Record(so_far.accepted + n * (choice in _TAKEN), so_far.rejected + n * (choice in _TURNED_AWAY))
    return {source: record for source, record in found.items() if any(record)}


def support_by(field: str, rows: QuerySet[Evidence]) -> dict[Any, list[Support]]:
    """What speaks for each value of `field` ("memory_id") among pieces of evidence, in one query.

    What an agent has reworded since is one origin, REWORDED, and was also made by that agent: the weaker counts.
    """
    found: dict[Any, list[Support]] = {}
    read = rows.filter(against=False, withdrawn=False).values_list(
        field, "origin", "source_class", "source", "reworded"
    )
    for key, origin, source_class, source, reworded in read:
        mine = found.setdefault(key, [])
        mine.append(Support(REWORDED if reworded else origin, source_class, source))
        if reworded:
            mine.append(Support(REWORDED, SourceClass.LLM_REASONING))
    return found


def score(workspace: Workspace, support: Iterable[Support], *, confirmed: bool = False) -> Credibility:
    """Credibility by the workspace's table and the decisions in force on these sources; one query."""
    support = list(support)
    records = records_of(workspace.pk, (each.source for each in support))
    weights = policy_of(workspace).source_weights
    return credibility(support, weights=weights, records=records, confirmed=confirmed)
