"""The rows of `benchmarks.sizes` and their bytes, in the database that the environment names."""

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from benchmarks.ingest import SAID, _event, _memory

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
HITS = 5  # memories told by one recall
DIMENSIONS = 384


def measure(rows: int) -> dict:
    """Fills the database; answers {"tables": {name: [rows, bytes of table, bytes of indexes]}, "file": SQLite's bytes}.

    On SQLite the bytes of tables are 0: there the file is measured, by how much it grew.
    """
    import django

    django.setup()
    from django.apps import apps
    from django.core.management import call_command
    from django.db import connection

    with open(os.devnull, "w") as quiet:
        call_command("migrate", stdout=quiet, verbosity=0)
    before = _file()
    _fill(rows)
    names = [model._meta.db_table for model in apps.get_app_config("memory").get_models()]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("VACUUM ANALYZE")
        return {"tables": {name: _table(cursor, name) for name in names}, "file": _file() - before}


def _fill(rows: int) -> None:
    from memory.actor import SYSTEM
    from memory.bulk import import_episodes, import_memories
    from memory.models import Workspace

    workspace = Workspace.objects.create(slug="bench", name="Bench")
    shape = _real(workspace)
    import_episodes(workspace, [_event(n) for n in range(rows)], NOW)
    import_memories(workspace, [_memory(n) for n in range(rows)], SYSTEM, NOW)
    _vectors()
    _more(workspace, rows, shape)


def _real(workspace) -> dict:
    """One event judged and one search made by the product: rows that no import writes are made in their likeness."""
    from memory.intake import run
    from memory.intake.record import NewEvent, record
    from memory.models import AuditEvent, Change, EndUser, RecallHit, Verdict
    from memory.recall.search import search

    said = "I live in Leipzig and work as a nurse at the university hospital."
    [episode] = record(workspace=workspace, events=[NewEvent("user-0000", "run-0", "user", said)], now=NOW)
    run.drain(episode.user_id)
    search(user=EndUser.objects.get(), query="Leipzig nurse hospital", asked_by="bench", now=NOW)
    return {
        "hit": RecallHit.objects.select_related("recall").first(), "change": Change.objects.first(),
        "verdict": Verdict.objects.first(), "audit": AuditEvent.objects.filter(object_type="memory").first(),
    }  # fmt: skip


def _vectors() -> None:
    """Numbers as long as an embedder's: how much room a vector takes does not depend on what it says."""
    from memory.models import IndexEntry
    from memory.store import store

    numbers = random.Random(7)
    entries = list(IndexEntry.objects.all())
    IndexEntry.objects.all().delete()
    _reclaim(IndexEntry)  # a judged memory is inserted with its vector
    for entry in entries:
        entry.model_id, entry.vector = "multilingual-e5-small-q4/query-centred-1", numbers.randbytes(4 * DIMENSIONS)
    store(entries)


def _more(workspace, rows: int, shape: dict) -> None:
    """A change, a verdict and an audit row for each memory, and a recall with its hits for every fifth."""
    from memory.models import Episode, Memory, Recall, RecallHit
    from memory.store import store

    memories = list(Memory.objects.order_by("created_at", "id")[:rows])
    events = Episode.objects.filter(verdicts=None).order_by("id").values_list("id", "user_id", "content")[:rows]
    store([_like(shape["change"], user_id=one.user_id, session_id=one.session_id) for one in memories])
    judged = zip(events, memories, strict=False)
    store(
        [
            _like(shape["verdict"], user_id=user_id, episode_id=id, text=content, memory_id=one.id)
            for (id, user_id, content), one in judged
        ]
    )
    store([_like(shape["audit"], object_id=str(one.id)) for one in memories])
    asked = [
        Recall(
            workspace=workspace, user_id=one.user_id, session_id=one.session_id, asked_by="agent of the shop",
            query=SAID[n % len(SAID)][:60], params=shape["hit"].recall.params, candidates=40, took_ms=6.5,
            created_at=NOW + timedelta(seconds=n), folded=True,
        )
        for n, one in enumerate(memories[::5])
    ]  # fmt: skip
    store(asked)
    fixed = {"score": shape["hit"].score, "scores": shape["hit"].scores, "version": 1}
    told = (
        (recall, rank, (5 * n + rank * 97) % len(memories)) for n, recall in enumerate(asked) for rank in range(HITS)
    )
    store([RecallHit(recall=recall, memory=memories[place], rank=rank + 1, **fixed) for recall, rank, place in told])


def _like(thing, **other):
    """An unsaved copy of a row with other values."""
    fields = [field for field in thing._meta.concrete_fields if not field.primary_key]
    return type(thing)(**{field.attname: getattr(thing, field.attname) for field in fields} | other)


def _reclaim(model) -> None:
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"VACUUM FULL {model._meta.db_table}")


def _table(cursor, name: str) -> list[int]:
    cursor.execute(f"SELECT count(*) FROM {name}")
    [count] = cursor.fetchone()
    if cursor.db.vendor != "postgresql":
        return [count, 0, 0]
    cursor.execute("SELECT pg_table_size(%s::regclass), pg_indexes_size(%s::regclass)", [name, name])
    return [count, *cursor.fetchone()]


def _file() -> int:
    """Bytes of the SQLite file with all that was written; 0 elsewhere."""
    from django.db import connection

    if connection.vendor == "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return os.path.getsize(connection.settings_dict["NAME"])


def working_memory(url: str) -> tuple[int, int]:
    """MEMORY USAGE of a full session's list: with turns as written here, and with turns as long as may be."""
    from memory.models import Session
    from memory.policy import Policy
    from memory.working.base import TURN_CHARACTERS
    from memory.working.redis import RedisWorkingMemory, _entry

    engine, policy, found = RedisWorkingMemory(url, prefix="hindsight"), Policy(), []
    for pk, texts in enumerate((SAID, ["x" * TURN_CHARACTERS]), start=10**8):
        session = Session(pk=pk, workspace_id=1)
        turns = list(_turns(texts, policy.working_turns))
        engine._write(session, [_entry(NOW, turn) for turn in turns], policy, anew=True)
        found.append(engine._redis.memory_usage(engine._key(session), samples=0))
    return found[0], found[1]


def _turns(texts, count: int) -> Iterator[dict]:
    from memory.models import Episode
    from memory.working.base import turn_of

    for n in range(count):
        said = {"role": "user", "kind": "message", "status": "ok", "content": texts[n % len(texts)]}
        yield turn_of(Episode(pk=10**9 + n, event_time=NOW, **said))


def words_of_a_memory() -> float:
    """Different terms of a memory's text, the mean of the texts written here."""
    from memory.index import text

    return sum(len(text.counts(said)) for said in SAID) / len(SAID)
