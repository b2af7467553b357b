"""Which changes are meant: one, all of one operation, or all that came from one session, agent, source or key."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from memory.models import Change, Workspace

KINDS = ("change", "session", "agent", "source", "actor", "operation")
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
