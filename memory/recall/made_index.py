"""An index made for one question and thrown away: for what the kept one does not hold."""

from collections.abc import Sequence
from operator import attrgetter
from uuid import UUID

from memory.embedding import Embedder
from memory.index import embedded, serving, text
from memory.models import EndUser, IndexEntry, Memory
from memory.models.memory import MemoryStatus
from memory.recall.ranking import IndexRow, UserIndex

# Wordings that one question may have embedded anew; older ones beyond it are found by words alone.
EMBEDDED_AT_ONCE = 500
# Archived memories that one question looks among, the last archived first.
ARCHIVED_AT_ONCE = 2000
# Of these, embedded anew, the latest said first: the bundled model takes 27 ms for each, and others wait meanwhile.
ARCHIVED_EMBEDDED = 40
PAST_WORDS_ONLY = "past_words_only"  # some wordings of then were too many to embed
ARCHIVED_WORDS_ONLY = "archived_words_only"  # some archived memories were too many to embed
ARCHIVED_CUT = "archived_cut"  # some archived memories were not looked at


def of_states(user: EndUser, memories: Sequence[Memory], embedder: Embedder | None) -> tuple[UserIndex, list[str]]:
    """Memories in the state they are given in, oldest event first, as an index; and what it had to do without."""
    rows, whole = _rows(memories, embedder, _stored(user, memories, embedder), EMBEDDED_AT_ONCE)
    return UserIndex.build(rows), [] if whole else [PAST_WORDS_ONLY]


def with_archived(user: EndUser, embedder: Embedder | None) -> tuple[UserIndex, list[str]]:
    """All that is active and what is archived, as an index; and what it had to do without."""
    own = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ARCHIVED)
    archived = list(own.order_by("-updated_at", "-pk")[: ARCHIVED_AT_ONCE + 1])
    degraded = [ARCHIVED_CUT] if len(archived) > ARCHIVED_AT_ONCE else []
    # what is archived has no stored vector
    rows, whole = _rows(archived[:ARCHIVED_AT_ONCE], embedder, {}, ARCHIVED_EMBEDDED)
    if not whole:
        degraded.append(ARCHIVED_WORDS_ONLY)
    active = embedded.rows(user, model_id=embedder.model_id if embedder else None)
    return UserIndex.build(sorted([*active, *rows], key=attrgetter("event_time"))), degraded


def _rows(
    memories: Sequence[Memory], embedder: Embedder | None, stored: dict[UUID, bytes], at_once: int
) -> tuple[list[IndexRow], bool]:
    """The memories as rows, and whether each has a vector that could have one: the stored one, else made,
    `at_once` at most, the newest first."""
    missing = [memory for memory in memories if embedder is not None and memory.pk not in stored]
    newest = sorted(missing, key=lambda memory: memory.event_time)[::-1][:at_once]
    fresh = serving.text_vectors(embedder, [memory.text for memory in newest]) if newest else []
    vectors = stored | {memory.pk: each for memory, each in zip(newest, fresh, strict=True) if each is not None}
    rows = [
        IndexRow(
            id=memory.pk, terms=text.terms(memory.text), vector=vectors.get(memory.pk), category=memory.category,
            event_time=memory.event_time.timestamp(), credibility=memory.credibility, session_id=memory.session_id,
            slot=(memory.subject, memory.attribute),
        )
        for memory in memories
    ]  # fmt: skip
    return rows, embedder is None or len(vectors) == len(memories)


def _stored(user: EndUser, memories: Sequence[Memory], embedder: Embedder | None) -> dict[UUID, bytes]:
    """The vectors of those whose wording is still the memory's today."""
    if embedder is None:
        return {}
    entries = IndexEntry.objects.filter(
        workspace_id=user.workspace_id, user_id=user.pk, model_id=embedder.model_id, vector__isnull=False
    ).values_list("memory_id", "vector", "memory__text")
    today = {id: (bytes(vector), wording) for id, vector, wording in entries}
    return {
        memory.pk: today[memory.pk][0]
        for memory in memories
        if memory.pk in today and today[memory.pk][1] == memory.text
    }
