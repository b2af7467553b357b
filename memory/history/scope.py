"""Which changes are meant: one, all of one operation, or all that came from one session, agent, source or key."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from memory.models import Change, Conflict, Evidence, Workspace

KINDS = ("change", "session", "agent", "source", "actor", "operation")
# where a waiting claim's evidence says what it came from
_PLACES = {"session": "episode__session", "agent": "episode__agent_id", "source": "source"}
# what is taken back by itself, not as part of what a session or an agent brought
_ANSWERS = (Change.Kind.ROLLBACK, Change.Kind.UNDO)


@dataclass(frozen=True, slots=True)
class Scope:
    """`value`: a key of a change or session, an agent's id, a source ("tool:crm"), an agent key's prefix, an
    operation's UUID; checked by whoever makes it. `since` holds for all but one change and one operation."""

    workspace: Workspace
    kind: str
    value: str
    since: datetime | None = None

    def changes(self) -> QuerySet[Change]:
        found = Change.objects.filter(workspace=self.workspace)
        if self.kind == "change":
            return found.filter(pk=self.value)
        if self.kind == "operation":
            return found.filter(operation=self.value)
        if self.kind == "session":
            found = found.filter(session=self.value)
        elif self.kind == "actor":
            found = found.filter(actor_kind=Change.ActorKind.AGENT, actor_id=self.value)
        else:
            found = found.filter(**{"agent_id" if self.kind == "agent" else "source": self.value})
        if self.since:
            found = found.filter(created_at__gte=self.since)
        return found.exclude(kind__in=_ANSWERS)

    def claims(self) -> QuerySet[Conflict]:
        """The claims that wait for a person and came from there, and from nowhere else since. A doubt about who is who
        is no claim of anybody's."""
        if self.kind not in _PLACES:
            return Conflict.objects.none()
        theirs = Evidence.objects.filter(conflict=OuterRef("pk"), against=False)
        from_there = Q(**{_PLACES[self.kind]: self.value})
        if self.since:
            from_there &= Q(created_at__gte=self.since)
        waiting = Conflict.objects.filter(workspace=self.workspace, status=Conflict.Status.OPEN, identity_doubt=None)
        return waiting.filter(Exists(theirs.filter(from_there)), ~Exists(theirs.exclude(from_there))).order_by("pk")
