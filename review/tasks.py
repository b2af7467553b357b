"""Every function of reviewing that django-q calls: safe to run twice."""

from django.utils import timezone

from memory.models import Workspace
from memory.upkeep.jobs import kept
from review import quality


@kept
def count_backlog() -> int:
    """Stores what waited at the end of each day that is over; answers how many days."""
    now = timezone.now()
    return sum(quality.count_backlog(workspace, now=now) for workspace in Workspace.objects.all())
