"""The memories among which a question is ranked: all of the user's, or those a vector database picked out."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from memory.embedding import Embedder
from memory.index import embedded, follower, serving
from memory.index.base import FollowerAway, FollowerEmpty
from memory.models import EndUser, Memory, OutboxEntry
from memory.models.memory import MemoryStatus
from memory.recall.query import plan_query
from memory.recall.ranking import UserIndex

AWAY = "vector_db_away"  # it did not answer, or refused; the database answered alone
BEHIND = "vector_db_behind"  # too much of this user has yet to reach it; the database answered alone

# By meaning, and as many by words. For a user of 2,339 memories the first answer was that of an exact search for 97 %
# of 250 questions (200: 93 %, 100: 82 %), and reading 800 rows takes 20 ms.
CANDIDATES = 400
# So many changed memories are simply candidates too; with more the vector database helps little.
PENDING = 200
# Of what the graph leads to; a name that stands in more memories tells them apart badly.
LED_TO = 200


def for_question(
    user: EndUser,
    query: str,
    *,
    embedder: Embedder | None,
    now: datetime,
    categories: Collection[str] = (),
    also: Mapping[UUID, float] | None = None,
) -> tuple[UserIndex, list[str]]:
    """An index, with the vectors of `embedder`, in which to rank the question asked at `now`; and what is degraded.
    `also` are memories that the graph leads to, with their weights: the surest are candidates wherever others are.

    Always right: the vector database only narrows down, what is told comes from the database as it stands, and when
    there is no vector database to ask, everything the user has is ranked.
    """
    model_id = embedder.model_id if embedder else None
    if embedder is None or not follower.is_set_up():
        return embedded.load(user, model_id), []
    # Read before the vector database is asked: what changes after this counts as changed after the question.
    pending = list(OutboxEntry.objects.filter(user_id=user.pk).values_list("memory_id", flat=True)[: PENDING + 1])
    if len(pending) > PENDING:
        return embedded.load(user, model_id), [BEHIND]
    active = Memory.objects.filter(workspace_id=user.workspace_id, user_id=user.pk, status=MemoryStatus.ACTIVE)
    total = active.count()
    plan = plan_query(query, now=now)
    vector = serving.query_vector(embedder, plan.text)
    if vector is None:
        return embedded.load(user, model_id), []
    try:
        found = follower.ask(
            lambda there: there.candidates(
                workspace_id=user.workspace_id, user_id=user.pk, vector=vector, terms=plan.terms,
                # all of a small user's memories are candidates, which makes the ranking exactly the embedded one
                categories=categories if total > CANDIDATES else (),
                periods=plan.periods, limit=CANDIDATES,
            )
        )  # fmt: skip
    except (FollowerAway, FollowerEmpty):
        return embedded.load(user, model_id), [AWAY]
    wanted = {*found, *pending, *embedded.holding(user, plan.phrase), *_surest(also or {})}
    return UserIndex.build(embedded.rows(user, wanted, model_id=model_id), total=total), []


def _surest(reached: Mapping[UUID, float]) -> list[UUID]:
    return sorted(reached, key=reached.__getitem__, reverse=True)[:LED_TO]
