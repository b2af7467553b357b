"""What was said around a memory in its session: told beside the memory when asked for, and no answer itself."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import numpy as np
from django.db.models import Q

from memory.models import EndUser, Memory
from memory.models.memory import MemoryStatus
from memory.recall.ranking import UserIndex

Places = dict[UUID, list[tuple[int, UUID]]]  # by memory: (place, id), places -2, -1 before it and 1, 2 after it


def in_index(index: UserIndex, ids: Iterable[UUID], count: int) -> Places:
    """What is around each of `ids` in an index that holds all of the user's active memories and no others."""
    wanted, sessions, found = set(ids), {}, {}
    for row, id in enumerate(index.ids):
        if id not in wanted or (session := int(index.sessions[row])) < 0:
            continue
        if session not in sessions:
            sessions[session] = np.flatnonzero(index.sessions == session)
        said = sessions[session]
        at = int(np.searchsorted(said, row))
        before = [index.ids[other] for other in said[max(at - count, 0) : at]]
        after = [index.ids[other] for other in said[at + 1 : at + 1 + count]]
        found[id] = [*enumerate(before, -len(before)), *enumerate(after, 1)]
    return found


def in_database(user: EndUser, memories: Sequence[Memory], count: int) -> Places:
    """The user's active memories around each of `memories`, `count` on either side; one query."""
    sessions = {memory.session_id for memory in memories if memory.session_id is not None}
    if not sessions or not count:
        return {}
    told = Q(status=MemoryStatus.ACTIVE) | Q(pk__in=[memory.pk for memory in memories])
    own = Memory.objects.filter(told, workspace_id=user.workspace_id, user_id=user.pk, session_id__in=sessions)
    order = own.order_by("event_time", "created_at", "pk").values_list("pk", "session_id", "status")
    return around([memory.pk for memory in memories], order, count)


def among(memories: Sequence[Memory], states: Iterable[Memory], count: int) -> Places:
    """The same of a past moment: `states` are all memories of then, oldest event first."""
    if not count:
        return {}
    order = ((memory.pk, memory.session_id, memory.status) for memory in states)
    return around([memory.pk for memory in memories], order, count)


def around(ids: Sequence[UUID], order: Iterable[tuple[UUID, int | None, str]], count: int) -> Places:
    """Of (id, session, status) in the order of events, what is active around each of `ids` in its session."""
    wanted = set(ids)
    sessions: dict[int, list[UUID]] = {}  # what is active, by session
    stands: dict[UUID, tuple[int, int, int]] = {}  # session, how many are before it, and where those after it begin
    for id, session, status in order:
        if session is None:
            continue
        said, is_active = sessions.setdefault(session, []), status == MemoryStatus.ACTIVE
        if id in wanted:
            stands[id] = (session, len(said), len(said) + is_active)
        if is_active:
            said.append(id)
    found: Places = {}
    for id, (session, here, later) in stands.items():
        before, after = sessions[session][max(here - count, 0) : here], sessions[session][later : later + count]
        found[id] = [*enumerate(before, -len(before)), *enumerate(after, 1)]
    return found
