"""What the user's other memories say of the same things as those found: read for the vote, and voted on."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import F, Max, Q

from memory.credibility import Record, Support, track_record
from memory.models import Conflict, EndUser, Evidence, Memory
from memory.models.memory import MemoryStatus
from memory.policy import policy_of
from memory.recall import consensus
from memory.recall.consensus import Dispute, Member, Voice
from memory.records import REWORDED, records_of, support_by

Slot = tuple[str, str]  # subject, attribute
# Read of one thing while an agent waits, the confirmed and the most credible first: more only repeat.
AT_RECALL = 50
# Read for a person, who is to be asked once for all of them.
FOR_A_PERSON = 1000
_FIELDS = ("pk", "subject", "attribute", "value", "event_time", "confirmed_at", "source_class")


def among(
    user: EndUser,
    memories: Sequence[Memory],
    *,
    now: datetime,
    shared: Collection[Slot] | None = None,
    most: int = AT_RECALL,
) -> list[Dispute]:
    """Where the user's active memories of the same things as `memories` differ, these included; `most` are read of a
    thing. `shared` are the slots that more than one memory fills (UserIndex.shared_slots), where that is known: no
    query when it is none of theirs, one when the memories there agree, three when they differ."""
    known = [
        memory
        for memory in memories
        if _votes(memory, now) and (shared is None or (memory.subject, memory.attribute) in shared)
    ]
    slots = {(memory.subject, memory.attribute) for memory in known}
    if not slots:
        return []
    rows = {row[0]: row for row in _rows(user, slots, now, most * len(slots))}
    rows |= {memory.pk: tuple(getattr(memory, name) for name in _FIELDS) for memory in known}
    return _disputes(user, rows.values())


def among_these(user: EndUser, memories: Iterable[Memory], *, now: datetime) -> list[Dispute]:
    """Where these differ among themselves at `now`, by the evidence there was then; nothing else is read for the vote.

    For the memories of a past moment, which the database holds in another state by now.
    """
    voting = [memory for memory in memories if _votes(memory, now)]
    return _disputes(user, [tuple(getattr(memory, name) for name in _FIELDS) for memory in voting], until=now)


def voted(memories: Collection[Memory], vote: Callable[[list[Memory]], list[Dispute]]) -> list[Dispute]:
    """The disputes that `vote` finds among the active of `memories`; and what a vote among all says of the archived.

    What is archived may be outvoted like anything else, and outvotes nothing that is active.
    """
    found = vote([memory for memory in memories if memory.status != MemoryStatus.ARCHIVED])
    archived = {memory.pk for memory in memories if memory.status == MemoryStatus.ARCHIVED}
    if archived:
        found += [
            replace(
                dispute,
                withheld=tuple(each for each in dispute.withheld if each.id in archived),
                contested=dispute.contested & archived,
            )
            for dispute in vote(list(memories))
        ]
    return found


def of_slot(user: EndUser, slot: Slot, *, now: datetime) -> list[Dispute]:
    """The dispute about one thing, or none."""
    return _disputes(user, _rows(user, [slot], now, FOR_A_PERSON))


def _disputes(user: EndUser, rows: Iterable[tuple], *, until: datetime | None = None) -> list[Dispute]:
    rows = [row for row in rows if row[3].strip()]
    differing = consensus.groups(Member(*row[:5], confirmed=row[5] is not None) for row in rows)
    if not differing:
        return []
    ids = {member.id for group in differing for side in group for member in side}
    voices = _voices(user, {row[0]: row[6] for row in rows if row[0] in ids}, until)
    return [
        consensus.vote([[replace(member, voices=voices[member.id]) for member in side] for side in group])
        for group in differing
    ]


def is_raised(user: EndUser, dispute: Dispute) -> bool:
    """True when a person is asked already, or was and nothing has changed since."""
    ids = [member.id for side in (dispute.leader, *dispute.others) for member in side.members]
    asked = Conflict.objects.filter(user=user, rivals__in=ids)
    if asked.filter(status=Conflict.Status.OPEN).exists():
        return True
    decided = asked.aggregate(last=Max("decided_at"))["last"]
    if decided is None:
        return False
    return not Memory.objects.filter(pk__in=ids, updated_at__gt=decided).exists()


def open_conflicts(ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """The open conflicts among memories, by each memory that is a side of one."""
    links = Conflict.rivals.through.objects.filter(memory_id__in=ids, conflict__status=Conflict.Status.OPEN)
    found: dict[UUID, list[UUID]] = {}
    for memory_id, conflict_id in links.values_list("memory_id", "conflict_id"):
        found.setdefault(memory_id, []).append(conflict_id)
    return found


def _votes(memory: Memory, now: datetime) -> bool:
    """Whether it gives the present value of a thing that is voted on, and holds now as far as that was said."""
    if memory.valid_to and memory.valid_to <= now or memory.valid_from and memory.valid_from > now:
        return False
    return consensus.may_vote(memory.subject, memory.attribute, memory.value, negated=memory.negated, past=memory.past)


def _rows(user: EndUser, slots: Iterable[Slot], now: datetime, most: int) -> list[tuple]:
    same = reduce(or_, (Q(subject=subject, attribute=attribute) for subject, attribute in slots))
    memories = Memory.objects.filter(
        same, workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE, negated=False, past=False
    )
    holding = memories.exclude(valid_to__lte=now).exclude(valid_from__gt=now)
    order = (F("confirmed_at").desc(nulls_last=True), "-credibility", "-event_time")
    return list(holding.order_by(*order).values_list(*_FIELDS)[:most])


def _voices(user: EndUser, classes: dict[UUID, str], until: datetime | None) -> dict[UUID, tuple[Voice, ...]]:
    """Who speaks for each memory, weighed by the workspace's table and the decisions on them; two queries."""
    evidence = Evidence.objects.filter(memory_id__in=list(classes))
    found = support_by("memory_id", evidence if until is None else evidence.filter(created_at__lte=until))
    support = {id: found.get(id) or [Support(str(id), classes[id])] for id in classes}
    weights = policy_of(user.workspace).source_weights
    records = records_of(user.workspace_id, (each.source for known in support.values() for each in known))

    def voice(each: Support) -> Voice:
        prior = weights.get(each.source_class, weights["unknown"])
        return Voice(consensus.voice_of(each), track_record(prior, records.get(each.source, Record())))

    def voices(known: list[Support]) -> tuple[Voice, ...]:
        changed = [voice(each) for each in known if each.origin == REWORDED]
        weakest = [min(changed, key=lambda each: each.weight)] if changed else []
        return (*weakest, *(voice(each) for each in known if each.origin != REWORDED))

    return {id: voices(known) for id, known in support.items()}
