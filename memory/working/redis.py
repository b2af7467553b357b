"""Working memory in Redis: one list per session. It may be lost at any moment; the episodes are the truth.

The database says which turns a session's context has, by their ids alone; Redis holds what is in them. So a list that
was lost, was filled by two processes at once, missed a push, or is of another database that was here before, is
noticed at the next reading and written anew: a turn can never be doubled, be out of order, be missing or be foreign.
"""

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import redis
from django.db import transaction
from redis.backoff import NoBackoff
from redis.retry import Retry

from memory.index.breaker import Breaker, Resting
from memory.models import Episode, Session
from memory.policy import Policy
from memory.working.base import WorkingAway, turn_of

LIMIT_SECONDS = 0.5  # for a connection, and for an answer
# while Redis does not answer it is left alone this long, so that not every request waits out the limit
PAUSE_SECONDS = 5.0

log = logging.getLogger(__name__)
T = TypeVar("T")


class RedisWorkingMemory:
    """`prefix` keeps installations that share a Redis apart. Safe to share between threads and forked processes."""

    def __init__(self, url: str, *, prefix: str) -> None:
        self._redis = redis.Redis.from_url(
            url,
            socket_connect_timeout=LIMIT_SECONDS,
            socket_timeout=LIMIT_SECONDS,
            # A connection kept since before a restart fails once, so one try more; what hangs is not tried again.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
        )
        self._prefix = prefix
        self._breaker = Breaker(redis.RedisError, first=PAUSE_SECONDS, longest=PAUSE_SECONDS)

    def push(self, session: Session, turns: Sequence[dict[str, Any]], *, policy: Policy, now: datetime) -> None:
        """Appends the turns once the transaction has committed. A Redis that is away costs the caller nothing."""
        entries = [_entry(now, turn) for turn in turns[-policy.working_turns :]]
        if entries:
            push = partial(self._write, session, entries, policy, anew=False)
            transaction.on_commit(lambda: self._ask(push), robust=True)

    def context(self, session: Session, *, policy: Policy, now: datetime) -> list[dict[str, Any]]:
        wanted = _wanted(session, policy, now)
        if not wanted:
            return []
        stored = self._ask(lambda: self._redis.lrange(self._key(session), 0, -1))
        held = {(entry["at"], entry["turn"]["episode_id"]): entry["turn"] for entry in map(json.loads, stored or ())}
        if all(place in held for place in wanted):
            return [held[place] for place in wanted]
        episodes = Episode.objects.filter(session=session, id__in=[id for _, id in wanted]).order_by("id")
        entries = [_entry(episode.recorded_at, turn_of(episode)) for episode in episodes]
        if entries and stored is not None:
            self._ask(partial(self._write, session, entries, policy, anew=True))
        return [entry["turn"] for entry in entries]

    def forget(self, sessions: Iterable[Session]) -> None:
        for session in sessions:
            try:
                # one by one: the keys of two sessions may lie on two nodes
                self._breaker.call(partial(self._redis.delete, self._key(session)))
            except (Resting, redis.RedisError) as error:
                raise WorkingAway(type(error).__name__) from error

    def is_away(self) -> bool:
        """Asks Redis, unless it is being left alone."""
        return not self._ask(self._redis.ping)

    def _write(self, session: Session, entries: Sequence[dict[str, Any]], policy: Policy, *, anew: bool) -> bool:
        key = self._key(session)
        with self._redis.pipeline(transaction=True) as pipe:
            if anew:
                pipe.delete(key)
            pipe.lpush(key, *(json.dumps(entry, ensure_ascii=False) for entry in entries))
            pipe.ltrim(key, 0, policy.working_turns - 1)
            pipe.expire(key, timedelta(hours=policy.working_ttl_hours))
            pipe.execute()
        return True

    def _ask(self, call: Callable[[], T]) -> T | None:
        """The call's answer, or None when Redis is away."""
        try:
            return self._breaker.call(call)
        except Resting:
            return None
        except redis.RedisError as error:
            log.warning("Redis is away, working memory is answered from the episodes: %s", error)
            return None

    def _key(self, session: Session) -> str:
        # the part in braces decides the node of a Redis Cluster: what belongs to a session stays together
        return f"{self._prefix}:working:{{{session.workspace_id}:{session.pk}}}"


def _entry(recorded_at: datetime, turn: dict[str, Any]) -> dict[str, Any]:
    # ids begin anew in a database that was restored or replaced; a moment to the microsecond does not
    return {"at": recorded_at.astimezone(UTC).isoformat(), "turn": turn}


def _wanted(session: Session, policy: Policy, now: datetime) -> list[tuple[str, int]]:
    """When and as what the context's episodes were recorded, oldest first: the last N that have not expired."""
    fresh = now - timedelta(hours=policy.working_ttl_hours)
    latest = Episode.objects.filter(session=session).order_by("-id").values_list("recorded_at", "id")
    return [(at.astimezone(UTC).isoformat(), id) for at, id in latest[: policy.working_turns] if at > fresh][::-1]
