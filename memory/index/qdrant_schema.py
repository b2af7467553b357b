"""How memories lie in Qdrant: settings for very many small users in one collection, points, filters, sparse vectors."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from qdrant_client import models

from memory.index.base import Held, Point
from memory.index.bm25 import K1
from memory.recall.dates import Period

DENSE = "meaning"
WORDS = "words"

# The database ranks with whole vectors anyway, so fetching them from Qdrant's disk to rank there too is wasted.
SEARCH = models.SearchParams(quantization=models.QuantizationSearchParams(rescore=False))


def collection(*, model_id: str, size: int) -> dict[str, Any]:
    """What create_collection takes, besides the name, for vectors of `size` numbers."""
    return {
        "vectors_config": {
            # unit vectors: the dot product is the cosine, without dividing again
            DENSE: models.VectorParams(size=size, distance=models.Distance.DOT, on_disk=True)
        },
        # rarity is counted by the server, over the whole collection
        "sparse_vectors_config": {WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        # Nobody asks across users, so no graph over all points is built (m=0), only one inside each user
        # (payload_m). Users below the server's full-scan threshold (10 MB, some 6,500 memories of 384 numbers) are
        # searched exactly.
        "hnsw_config": models.HnswConfigDiff(m=0, payload_m=16),
        # 1 byte a number in memory instead of 4 on disk: it only picks candidates, the ranking is done elsewhere
        "quantization_config": models.ScalarQuantization(
            scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        ),
        "on_disk_payload": True,
        "metadata": {"model_id": model_id, "size": size},
    }


def payload_indexes() -> dict[str, Any]:
    """Every filtered field with its index. `is_tenant` keeps a user's points together on disk."""
    keyword = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD)
    return {
        "user": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
        "workspace": models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=True, range=False),
        "status": keyword,
        "category": keyword,
        "event_time": models.FloatIndexParams(type=models.FloatIndexType.FLOAT),
        "version": models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=False, range=True),
    }


def point(memory: Point) -> models.PointStruct:
    vectors: dict[str, Any] = {}
    if memory.vector is not None:
        vectors[DENSE] = np.asarray(memory.vector, dtype=np.float32).tolist()
    if (words := sparse_document(memory.terms)).indices:
        vectors[WORDS] = words
    payload = {
        "workspace": memory.workspace_id,
        # a tenant index takes keywords only
        "user": str(memory.user_id),
        "status": "active",
        "category": memory.category,
        "event_time": memory.event_time.timestamp(),
        "version": memory.version,
    }
    return models.PointStruct(id=str(memory.id), vector=vectors, payload=payload)


def held(record: models.Record) -> Held:
    payload, vectors = record.payload, record.vector or {}
    vector = np.asarray(vectors[DENSE], dtype=np.float32) if DENSE in vectors else None
    return Held(int(payload["user"]), payload["workspace"], payload["version"], vector)


def all_of_user(workspace_id: int, user_id: int) -> models.Filter:
    return models.Filter(
        must=[
            models.FieldCondition(key="user", match=models.MatchValue(value=str(user_id))),
            models.FieldCondition(key="workspace", match=models.MatchValue(value=workspace_id)),
        ]
    )


def of_user(workspace_id: int, user_id: int, categories: Collection[str]) -> models.Filter:
    must = [
        *all_of_user(workspace_id, user_id).must,
        models.FieldCondition(key="status", match=models.MatchValue(value="active")),
    ]
    if categories:
        must.append(models.FieldCondition(key="category", match=models.MatchAny(any=sorted(categories))))
    return models.Filter(must=must)


def of_period(mine: models.Filter, period: Period) -> models.Filter:
    during = models.FieldCondition(key="event_time", range=models.Range(gte=period.start, lt=period.end))
    return models.Filter(must=[*mine.must, during])


def at_most(version: int) -> models.Filter:
    return models.Filter(must=[models.FieldCondition(key="version", range=models.Range(lte=version))])


def sparse_document(terms: Mapping[str, int]) -> models.SparseVector:
    """Term counts as a sparse vector, weighed as BM25 weighs them in a text of mean length."""
    return _sparse((term, count * (K1 + 1) / (count + K1)) for term, count in terms.items())


def sparse_query(terms: Iterable[str]) -> models.SparseVector:
    return _sparse((term, 1.0) for term in set(terms))


def dimension(term: str) -> int:
    """The term's place in the sparse vector: 32 bits, the same in every process and version."""
    # a search term may hold a lone surrogate
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def _sparse(weighed: Iterable[tuple[str, float]]) -> models.SparseVector:
    weights: defaultdict[int, float] = defaultdict(float)
    for term, weight in weighed:
        weights[dimension(term)] += weight  # two terms of one place are one term there
    return models.SparseVector(indices=list(weights), values=list(weights.values()))
