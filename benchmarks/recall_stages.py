"""Where a search spends its time, stage by stage, in this process and without HTTP: for benchmarks.recall.

The stages' functions are wrapped while it measures; what one stage asks of another (candidates need the question's
vector) is taken off, so that the stages add up.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

# in the order in which a search takes them; "rest" is all that is in none of them
STAGES = ("embed", "candidates", "rank", "consensus", "read", "log", "rest")


def measure(questions: list[tuple[str, str]]) -> dict[str, list[float]]:
    """Milliseconds of each stage and of the "whole" of a search, one for each (user_id, question) in the workspace
    "default". A user's first question, which reads the user's index from the database, is the "first" whole."""
    from django.utils import timezone

    from memory.models import EndUser
    from memory.recall.search import search

    taken: dict[str, list[float]] = {name: [] for name in (*STAGES, "whole", "first")}
    users = EndUser.objects.select_related("workspace").filter(workspace__slug="default")
    seen = set()
    for user_id, question in questions:
        user = users.get(external_id=user_id)
        with _wrapped() as spent:
            started = time.perf_counter()
            search(user=user, query=question, asked_by="bench", now=timezone.now())
            whole = (time.perf_counter() - started) * 1000
        if user_id not in seen:
            seen.add(user_id)
            taken["first"].append(whole)
            continue
        taken["whole"].append(whole)
        for name in STAGES[:-1]:
            taken[name].append(spent.get(name, 0.0))
        taken["rest"].append(whole - sum(spent.values()))
    return taken


def line(taken: dict[str, list[float]]) -> str:
    """Medians of the stages, and of the first question of a user."""
    told = "  ".join(f"{name} {statistics.median(taken[name]):.1f}" for name in (*STAGES, "whole") if taken[name])
    first = statistics.median(taken["first"])
    return f"{told} ms; the first of a user in a process, which reads the index, {first:.0f} ms"


@contextmanager
def _wrapped() -> Iterator[dict[str, float]]:
    from memory.index import lookup, serving
    from memory.recall import ranking, rivals, search

    spent: dict[str, float] = {}

    def timed(name: str, function: Callable) -> Callable:
        def call(*args, **kwargs):
            started, before = time.perf_counter(), sum(spent.values())
            try:
                return function(*args, **kwargs)
            finally:
                inner = sum(spent.values()) - before
                spent[name] = spent.get(name, 0.0) + (time.perf_counter() - started) * 1000 - inner

        return call

    with ExitStack() as stack:
        for name, module, function in (
            ("embed", serving, "query_vector"), ("candidates", lookup, "for_question"), ("rank", ranking, "rank"),
            ("consensus", rivals, "among"), ("read", search, "_hits"), ("log", search, "store"),
        ):  # fmt: skip
            stack.enter_context(mock.patch.object(module, function, timed(name, getattr(module, function))))
        yield spent
