"""What a question asks for, ready for both arms of retrieval."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.index.text import terms
from memory.recall.dates import Period


@dataclass(frozen=True, slots=True)
class QueryPlan:
    text: str  # what to embed
    terms: Sequence[str]
    periods: Sequence[Period]


def plan_query(text: str, *, now: datetime) -> QueryPlan:
    """Plan the search for a question asked at `now` (timezone-aware; dates in the question are read in its zone)."""
    return QueryPlan(text=text, terms=terms(text), periods=())
