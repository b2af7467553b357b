"""Every function of reviewing that django-q calls: safe to run twice."""

from django.utils import timezone

from memory.models import Workspace
from memory.upkeep.jobs import kept
from review import quality
from review.models import Webhook
from review.notices import delivering, digest, filing
from review.rules import applying


@kept
def count_backlog() -> int:
    """Stores what waited at the end of each day that is over; answers how many days."""
    now = timezone.now()
    return sum(quality.count_backlog(workspace, now=now) for workspace in Workspace.objects.all())


@kept
def notify() -> int:
    """Files what webhooks are owed and sends what is due; answers how much was received."""
    now = timezone.now()
    for webhook in Webhook.objects.filter(off="").order_by("pk"):
        filing.file_new(webhook, now=now)
    filing.drop_old(now=now)
    return delivering.run()


@kept
def apply_rules() -> int:
    """Lets rules decide what people always decided alike; answers how many decisions."""
    return applying.run(now=timezone.now())


@kept
def mail_overdue() -> int:
    """Mails what is overdue to those whose morning it is; answers how many mails."""
    return digest.run(now=timezone.now())
