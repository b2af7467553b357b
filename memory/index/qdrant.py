"""The index in Qdrant. The only module that knows its client; what it promises is memory/index/base.py."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import groupby
from json import JSONDecodeError
from typing import Any
from uuid import UUID

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from memory.index import qdrant_schema as schema
from memory.index.base import FollowerAway, FollowerEmpty, FollowerRefused, Held, Point, PointsRejected
from memory.index.qdrant_schema import DENSE, WORDS
from memory.recall.dates import Period

PAGE = 1_000
# Updates that take only newer versions came with this one; an older server would silently take any.
OLDEST_SERVER = (1, 16)


def connect(url: str, api_key: str, timeout: int) -> QdrantClient:
    # The version is asked for in _check_server, where the answer is not a warning.
    return QdrantClient(url=url, api_key=api_key or None, timeout=timeout, check_compatibility=False)


def _guarded(method: Callable) -> Callable:
    """Turns what the client may raise into the errors of base.py; a collection that is gone is looked up anew."""

    @wraps(method)
    def guarded(self: "Qdrant", *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return method(self, *args, **kwargs)
            except (UnexpectedResponse, ValueError) as error:
                if not _is_missing(error):
                    raise
                # a rebuild has put another collection in its place
                self._live = None
                return method(self, *args, **kwargs)
        except UnexpectedResponse as error:
            raise _refusal(error) from error
        except (ApiException, QdrantException, ValueError, OSError) as error:
            raise FollowerAway(f"{type(error).__name__}: {error}"[:500]) from error

    return guarded


class Qdrant:
    """Points of one embedder in one Qdrant. Make one per process: a client does not survive a fork.

    An alias names the collection that is read; a rebuild fills another beside it and then moves the alias. Writes go
    to every collection of this embedder, so one that is being filled misses nothing that happens meanwhile.
    """

    def __init__(self, url: str, *, model_id: str, size: int, api_key: str = "", alias: str, timeout: int) -> None:
        self.model_id, self.size, self.alias = model_id, size, alias
        self._url, self._api_key, self._timeout = url, api_key, timeout
        readable = re.sub(r"[^A-Za-z0-9._-]+", "_", model_id)[:80]
        digest = hashlib.blake2b(model_id.encode(), digest_size=4).hexdigest()
        self._family = f"{alias}-{readable}-{digest}-{size}-"
        self._made: QdrantClient | None = None
        self._live: str | None = None

    @property
    def _client(self) -> QdrantClient:
        if self._made is None:
            client = connect(self._url, self._api_key, self._timeout)
            _check_server(client)
            self._made = client
        return self._made

    # ── collections ──

    @_guarded
    def check(self) -> bool:
        self._live = None
        return self._find_live() is not None

    @_guarded
    def ensure(self) -> None:
        if self._find_live() is None:
            name = f"{self._family}1"
            self._create(name)
            self._point_alias_at(name)

    @_guarded
    def building(self, *, anew: bool = False) -> str:
        """The collection being filled beside the live one, made when there is none. `anew` throws a begun one away."""
        live = self._alias_target()
        names = self._family_names()
        begun = [name for name in names if name != live]
        if anew:
            for name in begun:
                self._client.delete_collection(name)
            begun = []
        if begun:
            return begun[-1]
        name = f"{self._family}{1 + max((_generation(name) for name in names), default=0)}"
        self._create(name)
        return name

    @_guarded
    def swap(self, name: str) -> None:
        """Makes `name` the collection that is read, in one step, and removes every other of this alias."""
        self._point_alias_at(name)
        self._live = name
        for other in self._all_names():
            if other != name:
                self._client.delete_collection(other)

    def _find_live(self) -> str | None:
        """The collection to read, by its own name: the alias may move to another model's vectors."""
        if self._live is None and (name := self._alias_target()):
            if not name.startswith(self._family):
                raise FollowerRefused(self._mismatch(name))
            self._live = name
        return self._live

    def _alias_target(self) -> str | None:
        aliases = self._client.get_aliases().aliases
        return next((entry.collection_name for entry in aliases if entry.alias_name == self.alias), None)

    def _mismatch(self, name: str) -> str:
        config = self._client.get_collection(name).config
        size = config.params.vectors[DENSE].size
        model_id = (config.metadata or {}).get("model_id", "another model")
        return (
            f"The vector database holds vectors of {size} numbers by {model_id}, this embedder makes {self.size} "
            f"({self.model_id}). Run: manage.py reindex"
        )

    def _create(self, name: str) -> None:
        try:
            self._client.create_collection(name, **schema.collection(model_id=self.model_id, size=self.size))
        except (UnexpectedResponse, ValueError):
            # another process was quicker; whatever else was wrong shows in the next line
            self._client.get_collection(name)
        for field, index in schema.payload_indexes().items():
            self._client.create_payload_index(name, field, index, wait=True)

    def _point_alias_at(self, name: str) -> None:
        create = models.CreateAlias(collection_name=name, alias_name=self.alias)
        self._client.update_collection_aliases([models.CreateAliasOperation(create_alias=create)])

    def _all_names(self) -> list[str]:
        names = [entry.name for entry in self._client.get_collections().collections]
        return sorted(name for name in names if name.startswith(f"{self.alias}-"))

    def _family_names(self) -> list[str]:
        names = [name for name in self._all_names() if name.startswith(self._family)]
        return sorted(names, key=_generation)

    # ── writing ──

    @_guarded
    def upsert(self, points: Sequence[Point], *, into: str = "") -> None:
        """Writes to every collection of this embedder, or only `into` one."""
        for point in points:
            if point.vector is not None and len(point.vector) != self.size:
                raise FollowerRefused(
                    f"A vector of {len(point.vector)} numbers for an index of {self.size}. Run: manage.py reindex"
                )
        ordered = sorted(points, key=lambda point: point.version)
        operations = [
            models.UpsertOperation(
                upsert=models.PointsList(
                    points=[schema.point(point) for point in group],
                    # a request that was given up on may still arrive after its successor
                    update_filter=schema.at_most(version),
                )
            )
            for version, group in groupby(ordered, key=lambda point: point.version)
        ]
        self._write(operations, into)

    @_guarded
    def delete(self, versions: Mapping[UUID, int]) -> None:
        ordered = sorted(versions.items(), key=lambda item: item[1])
        operations = []
        for version, group in groupby(ordered, key=lambda item: item[1]):
            held = models.HasIdCondition(has_id=[str(id) for id, _ in group])
            doomed = models.Filter(must=[held, *schema.at_most(version).must])
            operations.append(models.DeleteOperation(delete=models.FilterSelector(filter=doomed)))
        self._write(operations, "")

    @_guarded
    def erase(self, *, workspace_id: int, user_id: int) -> None:
        doomed = schema.all_of_user(workspace_id, user_id)
        self._write([models.DeleteOperation(delete=models.FilterSelector(filter=doomed))], "")

    def _write(self, operations: list, into: str) -> None:
        if not operations:
            return
        names = [into] if into else self._family_names()
        if not names:
            self._find_live()
            raise FollowerEmpty("There is no collection yet.")
        for name in names:
            # wait: the outbox forgets a row once this returns, so the points must be findable by then.
            # The weakest ordering will do: versions order writes of one memory, and others need no order.
            try:
                self._client.batch_update_points(name, operations, wait=True, ordering=models.WriteOrdering.WEAK)
            except (UnexpectedResponse, ValueError) as error:
                if _is_missing(error) or not _blames_points(error):
                    raise
                raise PointsRejected(str(error)[:500]) from error

    # ── reading ──

    @_guarded
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
        mine = schema.of_user(workspace_id, user_id, categories)
        # a large user's memories of the asked time may all lie behind the first `limit`, so they get arms of their own
        arms = [mine, *(schema.of_period(mine, period) for period in periods)]
        prefetch = []
        if vector is not None:
            dense = np.asarray(vector, dtype=np.float32).tolist()
            prefetch += [
                models.Prefetch(query=dense, using=DENSE, filter=arm, limit=limit, params=schema.SEARCH) for arm in arms
            ]
        if (words := schema.sparse_query(terms)).indices:
            prefetch += [models.Prefetch(query=words, using=WORDS, filter=arm, limit=limit) for arm in arms]
        if not prefetch:
            return []
        answer = self._client.query_points(
            self._readable(),
            prefetch=prefetch,
            query=models.FusionQuery(fusion=models.Fusion.RRF),
            # the arms' filters hold already; said again, because one forgotten arm would tell secrets
            query_filter=mine,
            limit=limit * len(prefetch),
            with_payload=False,
        )
        return [UUID(str(point.id)) for point in answer.points]

    @_guarded
    def count(self) -> int:
        return self._client.count(self._readable(), exact=True).count

    def ids(self) -> Iterator[tuple[UUID, int]]:
        page: Any = None
        while True:
            records, page = self._scroll(page)
            yield from ((UUID(str(record.id)), record.payload["version"]) for record in records)
            if page is None:
                return

    @_guarded
    def _scroll(self, page: Any) -> tuple[list, Any]:
        return self._client.scroll(
            self._readable(), offset=page, limit=PAGE, with_payload=["version"], with_vectors=False
        )

    @_guarded
    def sample(self, ids: Sequence[UUID], *, vectors: bool = True, of: str = "") -> dict[UUID, Held]:
        records = self._client.retrieve(
            of or self._readable(),
            [str(id) for id in ids],
            with_payload=True,
            with_vectors=[DENSE] if vectors else False,
        )
        return {UUID(str(record.id)): schema.held(record) for record in records}

    def _readable(self) -> str:
        name = self._find_live()
        if name is None:
            raise FollowerEmpty("There is no collection yet.")
        return name


def _generation(name: str) -> int:
    return int(name.rsplit("-", 1)[1])


def _is_missing(error: Exception) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code == 404
    return "not found" in str(error)


def _blames_points(error: UnexpectedResponse | ValueError) -> bool:
    if isinstance(error, UnexpectedResponse):
        return error.status_code in (400, 422)
    # the client's own checks and the in-memory engine's; an answer that is not JSON is nobody's fault here
    return not isinstance(error, JSONDecodeError)


def _refusal(error: UnexpectedResponse) -> FollowerAway:
    said = f"{error.status_code} {error.reason_phrase}: {error.content.decode('utf-8', 'replace')[:300]}"
    if error.status_code in (401, 403):
        return FollowerRefused(f"The vector database does not accept VECTOR_DB_API_KEY ({said})")
    return FollowerAway(said)


def _check_server(client: QdrantClient) -> None:
    version = client.info().version
    found = re.match(r"(\d+)\.(\d+)", version)
    if found and (int(found[1]), int(found[2])) < OLDEST_SERVER:
        least = ".".join(map(str, OLDEST_SERVER))
        raise FollowerRefused(f"The vector database is Qdrant {version}; {least} or newer is needed.")
