"""What a memory or a waiting claim rests on, with the turns around it and the sum of its credibility."""

from dataclasses import dataclass

from memory.actions.base import scored
from memory.credibility import Credibility, credibility
from memory.models import Conflict, Episode, Evidence, Memory
from memory.policy import policy_of

TURNS_AROUND = 2
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One piece of evidence in its conversation: a few turns before and after, in order of time."""

    evidence: Evidence
    before: list[Episode]
    after: list[Episode]


def of_memory(memory: Memory) -> list[Exhibit]:
    return _exhibits(Evidence.objects.filter(memory=memory))


def of_conflict(conflict: Conflict) -> list[Exhibit]:
    return _exhibits(Evidence.objects.filter(conflict=conflict))


def credibility_of_memory(memory: Memory) -> Credibility:
    return scored(memory)


def credibility_of_conflict(conflict: Conflict) -> Credibility:
    """What the candidate's evidence gives it today, before any decision."""
    support = Evidence.objects.filter(conflict=conflict, against=False).values_list("origin", "source_class")
    weights = policy_of(conflict.workspace).source_weights
    return credibility(list(support) or [("", conflict.source_class)], weights=weights)


def _exhibits(rows) -> list[Exhibit]:
    exhibits = []
    for row in rows.select_related("episode__session").order_by("-against", "id")[:SHOWN]:
        episode = row.episode
        session = Episode.objects.filter(session_id=episode.session_id, user_id=episode.user_id)
        before = session.filter(event_time__lte=episode.event_time).exclude(pk__gte=episode.pk)
        after = session.filter(event_time__gte=episode.event_time).exclude(pk__lte=episode.pk)
        exhibits.append(
            Exhibit(
                evidence=row,
                before=list(before.order_by("-event_time", "-id")[:TURNS_AROUND])[::-1],
                after=list(after.order_by("event_time", "id")[:TURNS_AROUND]),
            )
        )
    return exhibits
