"""Reading retrieval sets (`NAME.docs.jsonl` beside `NAME.queries.jsonl`) and counting what was found."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

NOT_PEOPLE = frozenset({"", "user", "assistant", "memory", "system"})


@dataclass(frozen=True, slots=True)
class Doc:
    id: str
    text: str
    session: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Query:
    id: str
    text: str
    user: str
    time: datetime
    evidence: frozenset[str]
    category: str


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    name: str
    docs: dict[str, list[Doc]]  # by user, in file order
    queries: list[Query]


def load_sets(folder: Path, *, speakers: bool) -> list[RetrievalSet]:
    """Every set in the folder. With `speakers`, a text said by a named person begins with "Name: "."""
    names = sorted(path.name.removesuffix(".docs.jsonl") for path in folder.glob("*.docs.jsonl"))
    if not names:
        raise SystemExit(f"No *.docs.jsonl in {folder}")
    return [_load(folder, name, speakers) for name in names]


def half_of(data: RetrievalSet, half: int) -> RetrievalSet:
    """The set with one half (0 or 1) of its queries, always the same: what is tuned on one is proved on the other."""
    queries = [query for query in data.queries if hashlib.sha256(query.id.encode()).digest()[-1] % 2 == half]
    return RetrievalSet(data.name, data.docs, queries)


def groups_of(data: RetrievalSet) -> dict[str, list[Query]]:
    """All queries, those that have an answer, and each category where there are several."""
    groups = {"all": data.queries} if data.queries else {}
    categories: dict[str, list[Query]] = defaultdict(list)
    for query in data.queries:
        categories[query.category].append(query)
    answered = [query for query in data.queries if query.category != "adversarial"]
    if answered and "adversarial" in categories:
        groups["without adversarial"] = answered
    return groups | (dict(sorted(categories.items())) if len(categories) > 1 else {})


def _load(folder: Path, name: str, speakers: bool) -> RetrievalSet:
    docs: dict[str, list[Doc]] = defaultdict(list)
    for row in _rows(folder / f"{name}.docs.jsonl"):
        speaker = row.get("speaker") or ""
        named = speakers and speaker not in NOT_PEOPLE
        text = f"{speaker}: {row['text']}" if named else row["text"]
        docs[row["user"]].append(Doc(row["doc_id"], text, row["session"], _time(row["timestamp"])))
    queries = [
        Query(
            row["query_id"], row["query"], row["user"], _time(row["timestamp"]), frozenset(row["evidence_doc_ids"]),
            row.get("category", ""),
        )
        for row in _rows(folder / f"{name}.queries.jsonl")
        if row["query"].strip()  # the product refuses a blank one
    ]  # fmt: skip
    return RetrievalSet(name, dict(docs), queries)


def _rows(path: Path) -> Iterable[dict]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def recall_at(found: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """The share of the evidence among the first k found."""
    return len(evidence.intersection(found[:k])) / len(evidence)


def mean_recall(found: Mapping[str, Sequence[str]], queries: Sequence[Query], k: int) -> float:
    """The mean of recall_at over the queries; `found` are the documents of each by its id."""
    return sum(recall_at(found[query.id], query.evidence, k) for query in queries) / len(queries)
