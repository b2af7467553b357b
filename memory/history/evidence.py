"""What a memory or a waiting claim rests on, with the turns around it and the sum of its credibility."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.actions.base import scored, support_of
from memory.credibility import Credibility, Support, credibility
from memory.models import Conflict, Episode, Evidence, Memory, Workspace
from memory.policy import policy_of
from memory.records import records_of, support_by

TURNS_AROUND = 2
# more of the conversation, folded, for the first exhibits: a page stays one that can be read
FURTHER = 6
UNFOLDED = 5
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One piece of evidence in its conversation, in order of time: a few turns before and after it, and further ones.

    `against`: which of all these turns speak against the claim."""

    evidence: Evidence
    before: list[Episode]
    after: list[Episode]
    earlier: Sequence[Episode] = ()
    later: Sequence[Episode] = ()
    against: frozenset[int] = frozenset()


def of_memory(memory: Memory) -> list[Exhibit]:
    return _exhibits(Evidence.objects.filter(memory=memory))


def of_conflict(conflict: Conflict) -> list[Exhibit]:
    return _exhibits(Evidence.objects.filter(conflict=conflict))


def credibility_of_memory(memory: Memory) -> Credibility:
    return scored(memory)


def credibility_of_sides(conflict: Conflict) -> tuple[Credibility | None, Credibility]:
    """The held memory's (None without one) and the candidate's, as evidence and decisions are today; three queries."""
    held, support = conflict.memory, support_of(conflict=conflict) or [Support("", conflict.source_class)]
    held_support = (support_of(memory=held) or [Support("", held.source_class)]) if held else []
    records = records_of(conflict.workspace_id, (each.source for each in [*support, *held_support]))
    given = {"weights": policy_of(conflict.workspace).source_weights, "records": records}
    mine = credibility(held_support, confirmed=held.confirmed_at is not None, **given) if held else None
    return mine, credibility(support, **given)


def support_of_many(memories: Sequence[Memory], *, until: datetime | None = None) -> dict[UUID, list[Support]]:
    """What speaks for each of the memories, or spoke at a past moment, in one query; never an empty list."""
    evidence = Evidence.objects.filter(memory__in=memories)
    found = support_by("memory_id", evidence if until is None else evidence.filter(created_at__lte=until))
    return {memory.pk: found.get(memory.pk) or [Support("", memory.source_class)] for memory in memories}


def credibility_of_memories(
    workspace: Workspace, memories: Sequence[Memory], *, until: datetime | None = None
) -> dict[UUID, Credibility]:
    """The addends of each memory's credibility as the decisions are now, by the evidence there is or was at a past
    moment; two queries."""
    support = support_of_many(memories, until=until)
    records = records_of(workspace.pk, (each.source for known in support.values() for each in known))
    weights = policy_of(workspace).source_weights
    return {
        memory.pk: credibility(
            support[memory.pk], weights=weights, records=records, confirmed=memory.confirmed_at is not None
        )
        for memory in memories
    }


def _exhibits(rows) -> list[Exhibit]:
    found = list(rows.select_related("episode__session").order_by("-against", "id")[:SHOWN])
    against = frozenset(row.episode_id for row in found if row.against)
    exhibits = [_in_conversation(row, against, FURTHER if place < UNFOLDED else 0) for place, row in enumerate(found)]
    # what speaks against a claim within sight of it is marked there, not shown twice
    near = {turn.pk for exhibit in exhibits if not exhibit.evidence.against for turn in _nearby(exhibit)}
    return [each for each in exhibits if not (each.evidence.against and each.evidence.episode_id in near)]


def _in_conversation(row: Evidence, against: frozenset[int], further: int) -> Exhibit:
    episode = row.episode
    session = Episode.objects.filter(session_id=episode.session_id, user_id=episode.user_id)
    before = session.filter(event_time__lte=episode.event_time).exclude(pk__gte=episode.pk)
    after = session.filter(event_time__gte=episode.event_time).exclude(pk__lte=episode.pk)
    most = TURNS_AROUND + further
    earlier = list(before.order_by("-event_time", "-id")[:most])[::-1]
    later = list(after.order_by("event_time", "id")[:most])
    cut = max(len(earlier) - TURNS_AROUND, 0)
    return Exhibit(
        evidence=row, before=earlier[cut:], after=later[:TURNS_AROUND], earlier=earlier[:cut],
        later=later[TURNS_AROUND:], against=against,
    )  # fmt: skip


def _nearby(exhibit: Exhibit) -> list[Episode]:
    return [*exhibit.before, *exhibit.after]
