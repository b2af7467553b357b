"""What lies outside of the database's own tables: vectors, working memory in Redis, months that were taken out.

Each is emptied before the rows go, and again after: a job that had read them may have been on its way there.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db import connection
from django.db.models import Q
from django.utils import timezone
from psycopg import sql

from memory import llm
from memory.erasure.places import Scope
from memory.files import personal
from memory.index import follower
from memory.index.base import FollowerEmpty
from memory.intake import surroundings
from memory.llm import judge, known
from memory.llm.prompts import Asked
from memory.models import Episode, MemoryVersion, Session
from memory.partitions import months
from memory.working import get_working

# {name: empties it for a scope}; raises when it cannot be reached, and the erasure is tried again.
# Each is called outside of a transaction.
OUTSIDE: dict[str, Callable[[Scope], None]] = {}


def outside(act: Callable[[Scope], None]) -> Callable[[Scope], None]:
    OUTSIDE[act.__name__] = act
    return act


def erase(scope: Scope) -> None:
    for act in OUTSIDE.values():
        act(scope)


@outside
def vectors(scope: Scope) -> None:
    """The vector database's points. Raises FollowerAway."""
    if follower.get_follower() is None:
        return
    try:
        if scope.memory_pk is None:
            follower.ask(lambda there: there.erase(workspace_id=scope.workspace_id, user_id=scope.user_pk))
        else:
            newest = MemoryVersion.objects.filter(memory=scope.memory_pk).order_by("-number").first()
            version = newest.number if newest else 2**31
            follower.ask(lambda there: there.delete({scope.memory_pk: version}))
    except FollowerEmpty:
        return


@outside
def working_memory(scope: Scope) -> None:
    """The last turns of the user's sessions; they are the episodes' words, so one memory takes none along."""
    if scope.memory_pk is None:
        get_working().forget(Session.objects.filter(user=scope.user_pk))


@outside
def model_answers(scope: Scope) -> None:
    """What a language model said of the user's events, kept in the cache for an hour. Raises when that is away."""
    if scope.memory_pk is not None or not llm.is_set_up():
        return
    lately = timezone.now() - timedelta(seconds=known.SECONDS)
    events = Episode.objects.filter(user=scope.user_pk).filter(Q(judged_at=None) | Q(judged_at__gte=lately))
    for episode in events.select_related("user__workspace", "session").iterator(chunk_size=500):
        event = surroundings.event_of(episode)
        judge.forget(episode.user.workspace, event.lang, Asked(1, event.role, event.name, event.text))


@outside
def episode_files(scope: Scope) -> None:
    """Files of old events, written anew without the user's. Raises shelf.Faulty for one that was altered."""
    if scope.memory_pk is None:
        personal.erase(scope.workspace_id, scope.user_pk)


@outside
def detached_months(scope: Scope) -> None:
    """Tables that `partition_episodes --detach` left beside the episodes' own."""
    if scope.memory_pk is not None or connection.vendor != "postgresql":
        return
    for table in months.detached():
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DELETE FROM {} WHERE user_id = %s").format(sql.Identifier(table)), [scope.user_pk])
