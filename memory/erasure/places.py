"""Every table that may hold a person's words, and how its rows lead to the person.

A test fails for a table with a column of text that is named neither here nor, with the reason, in WITHOUT_WORDS. Apps
that memory knows nothing of name theirs by `register`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from uuid import UUID

from django.apps import apps
from django.db import transaction
from django.db.models import Q, QuerySet

from memory.models import Conflict


@dataclass(frozen=True, slots=True)
class Scope:
    """All of one user, or one memory of theirs and the conflicts about it."""

    workspace_id: int
    user_pk: int
    memory_pk: UUID | None = None

    def conflicts(self) -> QuerySet[Conflict]:
        """The conflicts that go: all of the user's, or those that contest the memory or had become it."""
        mine = Conflict.objects.filter(user=self.user_pk)
        if self.memory_pk is None:
            return mine
        about = Q(memory=self.memory_pk) | Q(change__versions__memory=self.memory_pk)
        return mine.filter(pk__in=mine.filter(about).order_by().values("pk"))


@dataclass(frozen=True, slots=True)
class Place:
    """A table whose rows of a scope are deleted. `user`, `memory` and `conflict` lead to those keys; a place without
    the latter two is not part of erasing one memory. `derived` is left out of exports: it is made from the others."""

    model: str
    user: str
    memory: tuple[str, ...] = ()
    conflict: str = ""
    derived: bool = False

    def rows(self, scope: Scope) -> QuerySet:
        table = apps.get_model(self.model)._base_manager
        if scope.memory_pk is None:
            return table.filter(**{self.user: scope.user_pk})
        wanted = Q(pk__in=())
        for path in self.memory:
            wanted |= Q(**{path: scope.memory_pk})
        if self.conflict:
            wanted |= Q(**{f"{self.conflict}__in": scope.conflicts().order_by().values("pk")})
        return table.filter(wanted)


@dataclass(frozen=True, slots=True)
class Extension:
    """What another app adds: its tables, which go before the conflicts; tables of its own that keep their rows and
    lose the words (`scrub`, inside a transaction); whose events of the audit lose theirs (`audited`: object_type and
    keys); and what lets its append-only rows go (`gate`)."""

    places: tuple[Place, ...]
    scrub: Callable[[Scope, str], None]
    audited: Callable[[Scope], list[tuple[str, list]]]
    gate: Callable[[], AbstractContextManager]
    without_words: dict[str, str]


# in the order in which they go: what points at others first
_PLACES = (
    Place("memory.WorkingTurn", "session__user", derived=True),
    Place("memory.OutboxEntry", "user", ("memory",), derived=True),
    Place("memory.NextVector", "user", ("memory",), derived=True),
    Place("memory.IndexEntry", "user", ("memory",), derived=True),
    Place("memory.IndexGone", "user", ("memory",), derived=True),
    Place("memory.RecallHit", "recall__user", ("memory",)),
    Place("memory.Recall", "user"),
    Place("memory.HitDay", "memory__user", ("memory",), derived=True),
    Place("memory.StaleMark", "user", ("memory", "source")),
    Place("memory.Derivation", "memory__user", ("memory", "source")),
    Place("memory.EntityMention", "user", ("memory",), derived=True),
    Place("memory.Relation", "user", ("memory",)),
    Place("memory.IdentityDoubt", "user", (), "conflict"),
    Place("memory.Entity", "user"),
    Place("memory.GraphReading", "user", ("memory",), derived=True),
    Place("memory.GraphState", "user", derived=True),
    Place("memory.Lesson", "user", (), "conflict"),
    Place("memory.Verdict", "user", ("memory",), "conflict"),
    Place("memory.Evidence", "episode__user", ("memory",), "conflict"),
)
_LAST = (
    Place("memory.Conflict", "user", (), "pk"),
    Place("memory.MemoryVersion", "memory__user", ("memory",)),
    Place("memory.Memory", "user", ("pk",)),
    Place("memory.Change", "user"),
    Place("memory.ToolResult", "user"),
    Place("memory.Episode", "user"),
    Place("memory.Session", "user"),
    Place("memory.EndUser", "pk"),
)

# tables with columns of text, and why none of it is a remembered person's or where it is emptied
WITHOUT_WORDS = {
    "memory.Workspace": "the team's settings",
    "memory.AgentKey": "a user's id in `only_users` is taken out when the erasure is asked for",
    "memory.AuditEvent": "erasure/audit.py takes the words out and keeps the chain",
    "memory.AuditSeal": "digests",
    "memory.AuditMark": "numbers of transactions",
    "memory.AuditCheck": "codes",
    "memory.IdempotencyKey": "erasure/answers.py deletes the answers that name the user's events",
    "memory.ServedEmbedder": "a model's name",
    "memory.JobRun": "names of functions and exceptions",
    "memory.EpisodeFile": "names and digests; files.personal takes a user's events out of the files",
    "memory.SourceFigure": "names of tools, agents and sites, counted anew by the day",
    "memory.DayFigure": "names of figures",
    "memory.Erasure": "the user's id goes when it is finished",
    "django_q.Task": "erasure/answers.py deletes the jobs of the user",
    "django_q.OrmQ": "erasure/answers.py deletes the jobs of the user",
    "django_q.Schedule": "names of functions",
    "admin.LogEntry": "accounts, workspaces and memberships alone are in the stock admin",
    "auth.User": "the team's accounts",
    "auth.Group": "names of roles",
    "auth.Permission": "names of permissions",
    "contenttypes.ContentType": "names of tables",
    "sessions.Session": "who of the team is signed in",
}

_extensions: list[Extension] = []


def register(extension: Extension) -> None:
    """Adds another app's tables; called once, when that app is ready."""
    _extensions.append(extension)


def places() -> tuple[Place, ...]:
    """Every place, in the order in which rows go."""
    return (*_PLACES, *(place for extension in _extensions for place in extension.places), *_LAST)


def without_words() -> dict[str, str]:
    named = dict(WITHOUT_WORDS)
    for extension in _extensions:
        named |= extension.without_words
    return named


def scrub(scope: Scope, name: str) -> None:
    """Takes the words out of what other apps keep. Needs the transaction of its caller."""
    for extension in _extensions:
        extension.scrub(scope, name)


def audited(scope: Scope) -> list[tuple[str, list]]:
    """(object_type, keys) of other apps' objects whose events tell of the scope."""
    return [each for extension in _extensions for each in extension.audited(scope)]


@contextmanager
def gate() -> Iterator[None]:
    """A transaction in which append-only rows may go."""
    with transaction.atomic(), ExitStack() as stack:
        for extension in _extensions:
            stack.enter_context(extension.gate())
        yield
