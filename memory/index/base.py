"""What an index beside the database promises, in values that know no client library."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

import numpy as np

from memory.recall.dates import Period


class FollowerAway(Exception):
    """The vector database did not answer, or not in time. What was asked may or may not have happened."""


class FollowerRefused(FollowerAway):
    """It answered, and will answer the same again: the message says what an operator has to do."""


class FollowerResting(FollowerAway):
    """It failed a moment ago and was therefore not asked."""


class FollowerEmpty(Exception):
    """It answers, and nothing was ever put there. The feed does that; until then it is of no use, but not ill."""


class PointsRejected(Exception):
    """It takes others, but not these points. The message is its own."""


@dataclass(frozen=True, slots=True)
class Point:
    """One active memory as the follower holds it."""

    id: UUID
    workspace_id: int
    user_id: int
    version: int
    category: str
    event_time: datetime  # aware
    terms: Mapping[str, int]  # memory/index/text.py counts of its text
    vector: np.ndarray | None  # (size,) float32 unit vector; None: not embedded yet


@dataclass(frozen=True, slots=True)
class Held:
    """What the follower says it holds of one memory."""

    user_id: int
    workspace_id: int
    version: int
    vector: np.ndarray | None = None


class Follower(Protocol):
    """An index fed from the outbox. It finds candidates; the database says what is true and ranks them.

    Every method raises FollowerAway when the other side does not answer within the time limit, and all but `check`,
    `ensure` and `building` raise FollowerEmpty when there is nothing yet to read or write.
    """

    def check(self) -> bool:
        """Whether there is something to read, asked afresh. Raises FollowerRefused when another model's vectors are."""
        ...

    def ensure(self) -> None:
        """Makes an empty one where `check` says there is none, however many processes do so at once."""
        ...

    def building(self, *, anew: bool = False) -> str:
        """Names a collection to fill beside the one that is read; one begun earlier is gone on with, unless `anew`."""
        ...

    def swap(self, name: str) -> None:
        """From now on `name` is read, and nothing else is kept."""
        ...

    def upsert(self, points: Sequence[Point], *, into: str = "") -> None:
        """Takes the points over, and returns when they can be found. A version older than the one held is dropped.

        Raises PointsRejected when the fault is in the points.
        """
        ...

    def delete(self, versions: Mapping[UUID, int]) -> None:
        """Removes the memories held at this version or an older one; unknown ids are fine."""
        ...

    def erase(self, *, workspace_id: int, user_id: int) -> None:
        """Removes everything of one user, at whatever version."""
        ...

    def candidates(
        self,
        *,
        workspace_id: int,
        user_id: int,
        vector: np.ndarray | None,
        terms: Iterable[str],
        categories: Collection[str] = (),
        periods: Sequence[Period] = (),
        limit: int,
    ) -> list[UUID]:
        """Memories of this one user that may answer: up to `limit` by meaning, as many by words, each id once."""
        ...

    def count(self) -> int: ...

    def ids(self) -> Iterator[tuple[UUID, int]]:
        """Every id held, with its version."""
        ...

    def sample(self, ids: Sequence[UUID], *, vectors: bool = True, of: str = "") -> dict[UUID, Held]:
        """What is held of these ids; ids that are not held are left out."""
        ...
