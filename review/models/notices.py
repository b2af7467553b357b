"""Where a workspace's notices go, and each one's way there."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models import Conflict, Workspace


class Webhook(models.Model):
    """An address that is told what happens to conflicts, and the secret that what it is told is signed with.

    Events are looked for from `filed_to` on, and none from before `watched_since`.
    """

    class Off(models.TextChoices):
        ADMIN = "admin", _("Switched off")
        GONE = "gone", _("The receiver answered that it is gone (410)")
        FAILING = "failing", _("Nothing was received for days")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=100)
    # names of Delivery.Event
    events = models.JSONField(default=list)
    off = models.CharField(max_length=10, choices=Off.choices, blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    watched_since = models.DateTimeField()
    filed_to = models.DateTimeField()
    tried_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)

    class Meta:
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One event for one webhook. It holds no text: what is sent is read when it is sent.

    `about` is the moment of the event: when the conflict was filed or came back, was decided, or fell due.
    """

    class Event(models.TextChoices):
        QUEUED = "conflict.queued", _("A conflict waits")
        DECIDED = "conflict.decided", _("A conflict is decided")
        OVERDUE = "conflict.overdue", _("A conflict is overdue")
        TEST = "test", _("Test")

    class State(models.TextChoices):
        PENDING = "pending", _("To be sent")
        DELIVERED = "delivered", _("Received")
        GIVEN_UP = "given_up", _("Given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=20, choices=Event.choices)
    conflict = models.ForeignKey(Conflict, null=True, on_delete=models.CASCADE, related_name="+")
    about = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    # of the last attempt: the HTTP status, 0 where there was none, and what went wrong
    status = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event", "conflict", "about"], name="delivery_once"),
            models.CheckConstraint(
                condition=Q(state="pending", ended_at=None) | (~Q(state="pending") & Q(ended_at__isnull=False)),
                name="delivery_ended_has_time",
            ),
        ]
        indexes = [
            models.Index(fields=["webhook", "next_at"], condition=Q(state="pending"), name="delivery_due"),
            models.Index(fields=["webhook", "-created_at", "-id"], name="delivery_recent"),
            models.Index(fields=["created_at"], name="delivery_old"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.conflict_id}"
