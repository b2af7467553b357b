"""What every test may ask for: people, a workspace, agents' keys, and the services of this machine.

The suite's database is SQLite, or PostgreSQL when POSTGRES_URL is set; `make test` runs it on SQLite, and again on
PostgreSQL what uses a database. A test whose service is missing is skipped by name, and fails under REQUIRE_SERVICES=1.
"""

import os
import socket
import uuid
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.backends.base.operations import BaseDatabaseOperations

CHROMIUM = "/usr/bin/chromium"
PEOPLE = {"ada": "Reviewer", "ben": "Reviewer", "cara": "Admin", "eve": "Auditor", "dan": None}


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_collection_modifyitems(items):
    """Marks what reads or writes a database: only that is worth a second run on PostgreSQL. Long ones begin first."""
    for item in items:
        if {"db", "transactional_db"} & set(item.fixturenames) or item.get_closest_marker("django_db"):
            item.add_marker("database")
    yield
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_runtest_setup(item):
    for service, missing in MISSING.items():
        if item.get_closest_marker(service) and (why := missing()):
            if os.environ.get("REQUIRE_SERVICES") == "1":
                pytest.fail(f"REQUIRE_SERVICES=1, but {why}")
            pytest.skip(why)


def pytest_terminal_summary(terminalreporter):
    """Names every test that was skipped: the built-in summary would only name the line above that skips."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("skipped tests")
    for report in skipped:
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"SKIPPED {report.nodeid} - {str(why).removeprefix('Skipped: ')}")


def _no_postgres() -> str:
    if not settings.POSTGRES_URL:
        return "the suite does not run on PostgreSQL (POSTGRES_URL is not set or nothing answers there)"
    try:
        psycopg.connect(settings.POSTGRES_URL, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        return f"PostgreSQL is not reachable: {error}"
    return ""


def _no_redis() -> str:
    url = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
    try:
        redis.Redis.from_url(url, socket_connect_timeout=2).ping()
    except redis.RedisError as error:
        return f"Redis is not reachable at {url}: {error}"
    return ""


def _no_qdrant() -> str:
    url = os.environ.get("TEST_QDRANT_URL", "")
    if not url:
        return "no Qdrant server was named (VECTOR_DB_URL=http://… make test-qdrant)"
    try:
        socket.create_connection((urlsplit(url).hostname, urlsplit(url).port or 6333), timeout=3).close()
    except OSError as error:
        return f"Qdrant is not reachable at {url}: {error}"
    return ""


def _no_llm() -> str:
    return "" if os.environ.get("TEST_LLM_API_BASE") else "no language model was named (make test-llm)"


def _no_chromium() -> str:
    return "" if Path(CHROMIUM).exists() else f"{CHROMIUM} is not installed"


MISSING = {"postgres": _no_postgres, "redis": _no_redis, "qdrant": _no_qdrant, "llm": _no_llm, "chromium": _no_chromium}


@pytest.fixture(autouse=True)
def _no_memory_of_earlier_tests(settings):
    """Primary keys and revisions begin anew with each test, so the process's index cache must too, and what found a
    service away asks it again.

    And no test may reach a vector database or a language model that happens to be set up where the suite runs.
    """
    settings.VECTOR_DB_URL = settings.LLM_API_BASE = settings.LLM_MODEL = settings.LLM_API_KEY = ""
    settings.EMBED_API_BASE = settings.EMBED_MODEL = settings.EMBED_API_KEY = ""
    settings.EMBED_QUERY_PREFIX = settings.EMBED_TEXT_PREFIX = ""
    settings.EMBED_PREVIOUS = dict.fromkeys(settings.EMBED_PREVIOUS, "")
    from memory import embedding
    from memory.counter import counter
    from memory.graph import lead
    from memory.index import embedded, serving
    from memory.llm import client

    embedding.forget()
    serving.forget()
    embedded.forget()
    lead.forget()
    client.forget()
    counter.forget()


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_emptied():
    """After a test with transactions of its own all tables are emptied: the one flush that the audit lets be."""
    plain = BaseDatabaseOperations.execute_sql_flush

    def flush(self, sql_list):
        with transaction.atomic(using=self.connection.alias), self.connection.cursor() as cursor:
            if self.connection.vendor == "postgresql":
                cursor.execute("SELECT set_config('hindsight.audit_gate', pg_current_xact_id()::text, true)")
                plain(self, sql_list)
            else:
                cursor.execute("INSERT INTO memory_auditgate VALUES (0)")
                plain(self, sql_list)
                cursor.execute("DELETE FROM memory_auditgate")

    BaseDatabaseOperations.execute_sql_flush = flush
    yield
    BaseDatabaseOperations.execute_sql_flush = plain


@pytest.fixture(autouse=True)
def _decisions_can_be_flushed(request):
    """The database refuses to delete decisions; after a test with transactions of its own SQLite would try to."""
    marker = request.node.get_closest_marker("django_db")
    if marker is None or not marker.kwargs.get("transaction") or settings.POSTGRES_URL:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from review.models import Decision, Note
    from review.redaction import erasing

    with erasing():
        Decision.objects.filter(undone_by=None).delete()
        Decision.objects.all().delete()
        Note.objects.all().delete()


@pytest.fixture(autouse=True)
def _own_keys(settings):
    """Counts and working memory of this test alone, whatever another test or an earlier run left in the cache."""
    settings.REDIS_PREFIX = f"test-{uuid.uuid4().hex[:12]}"
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": settings.REDIS_PREFIX}}


@pytest.fixture
def nothing_changes_hands(monkeypatch):
    """No process looks again which embedder is served or whether a graph was built: for tests that count queries."""
    monkeypatch.setattr("memory.index.serving.NOTICED_WITHIN", 3600)
    monkeypatch.setattr("memory.graph.lead.LOOK_AGAIN", 3600)


@pytest.fixture
def now() -> datetime:
    """A moment that does not move while the test runs."""
    return datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def roles(db):
    """The groups that a migration made, again after a test with transactions of its own has emptied the tables."""
    if not Group.objects.exists():
        import_module("memory.migrations.0002_roles").make_roles(apps, None)


@pytest.fixture
def workspace(roles):
    """The workspace that Ada, Ben (reviewers), Cara (admin) and Eve (auditor) belong to; Dan belongs to none."""
    from memory.models import Workspace

    return Workspace.objects.create(slug="shop", name="Shop assistant")


@pytest.fixture
def other_workspace(db):
    from memory.models import Workspace

    return Workspace.objects.create(slug="other", name="Somebody else's")


@pytest.fixture
def people(workspace):
    """{name: user} of PEOPLE, each with the password "correct horse battery"."""
    from memory.models import Membership

    made = {}
    for name, role in PEOPLE.items():
        made[name] = get_user_model().objects.create_user(name, password="correct horse battery")
        if role:
            Membership.objects.create(workspace=workspace, person=made[name], role=Group.objects.get(name=role))
    return made


@pytest.fixture
def user(workspace):
    """The person that memories of most tests are about."""
    from memory.models import EndUser

    return EndUser.objects.create(workspace=workspace, external_id="u1")


@pytest.fixture
def tell(workspace):
    """tell("text", user_id="u1", role="user", at=…) records one event and judges it; answers the episode."""
    from django.utils import timezone

    from memory.intake import run
    from memory.intake.record import NewEvent, record

    def tell_(text: str, *, user_id: str = "u1", run_id: str = "r1", role: str = "user", at=None, now=None, **fields):
        event = NewEvent(user_id=user_id, run_id=run_id, role=role, content=text, event_time=at, **fields)
        [episode] = record(workspace=workspace, events=[event], now=now or timezone.now())
        run.drain(episode.user_id)
        episode.refresh_from_db()
        return episode

    return tell_


@pytest.fixture
def make_episode(workspace, user, now):
    """make_episode("text", user=…, run_id=…, role=…, at=…) stores one episode without judging it."""
    from memory.models import Episode, Session

    def make(text: str, *, user=user, run_id: str = "r1", role: str = "user", at=None, **fields):
        at = at or now
        session, _ = Session.objects.get_or_create(
            user=user, run_id=run_id, defaults={"workspace": user.workspace, "started_at": at, "last_event_at": at}
        )
        defaults = {"source_class": "user_input", "judging": "judged", "event_time": at, "recorded_at": at}
        return Episode.objects.create(
            workspace=user.workspace, user=user, session=session, role=role, content=text, **(defaults | fields)
        )

    return make


@pytest.fixture
def make_memory(make_episode, now):
    """make_memory("text", subject=…, attribute=…, at=…) remembers one claim of the user."""
    from memory.actions.remember import remember
    from memory.actions.source import Source
    from memory.actor import SYSTEM
    from memory.intake.types import Category, Claim

    def make(
        text: str, *, category: str = "profile", at=None, user=None, run_id: str = "r1", source="user_input", **slot
    ):
        place = {"user": user} if user else {}
        episode = make_episode(text, at=at, run_id=run_id, source_class=source, **place)
        claim = Claim(text=text, quote=text, category=Category(category), **slot)
        return remember(
            user=episode.user, claim=claim, source=Source(episode, text, source), actor=SYSTEM, now=at or now
        )

    return make


@pytest.fixture
def make_conflict(make_episode, make_memory, now):
    """make_conflict("held text", "incoming text", kind=…) opens one conflict; without held text it has no memory."""
    from memory.actions.hold import hold
    from memory.actions.source import Source
    from memory.actor import SYSTEM
    from memory.intake.types import Category, Claim, Reason

    def make(held: str | None, incoming: str, *, kind: str = "contradiction", memory=None, at=None, **slot):
        memory = memory or (make_memory(held) if held else None)
        place = {"user": memory.user} if memory else {}
        episode = make_episode(incoming, run_id="r2", at=at, **place)
        claim = Claim(text=incoming, quote=incoming, category=Category.PROFILE, **slot)
        return hold(
            user=episode.user, kind=kind, claim=claim, memory=memory, actor=SYSTEM,
            source=Source(episode, incoming, episode.source_class), reason=Reason("value_changed", {}), now=now,
        )  # fmt: skip

    return make
