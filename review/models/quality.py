"""Whether reviewing is right: decisions that a second person looked at unseen, how long each took, and what waited."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from memory.models import Conflict, Workspace
from review.models.work import Decision


class Handling(models.Model):
    """When the decider had taken the conflict; of decisions without a lease there is no row."""

    decision = models.OneToOneField(Decision, primary_key=True, on_delete=models.CASCADE, related_name="handling")
    taken_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.decision_id} taken at {self.taken_at:%H:%M:%S}"


class SecondLook(models.Model):
    """A decision drawn to be looked at by a second reviewer, who does not see it. The opinion changes no memory.

    It is written once, on a condition (review/second_look.py).
    """

    decision = models.OneToOneField(Decision, primary_key=True, on_delete=models.CASCADE, related_name="second_look")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    drawn_at = models.DateTimeField()
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    choice = models.CharField(max_length=12, choices=Conflict.Choice.choices, blank=True)
    note = models.CharField(max_length=500, blank=True)
    agrees = models.BooleanField(null=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(answered_at=None, agrees=None, choice="")
                | Q(answered_at__isnull=False, agrees__isnull=False) & ~Q(choice=""),
                name="second_look_whole",
            )
        ]
        indexes = [
            models.Index(fields=["workspace", "drawn_at"], condition=Q(answered_at=None), name="second_look_waiting"),
            models.Index(fields=["workspace", "-answered_at"], name="second_look_answered"),
        ]

    def __str__(self) -> str:
        return f"second look at {self.decision_id}"

    @property
    def conflict(self) -> Conflict:
        return self.decision.conflict


class BacklogDay(models.Model):
    """How many conflicts were open, and of them overdue, when a day of UTC ended."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    open = models.PositiveIntegerField()
    overdue = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "day"], name="backlog_day_once")]

    def __str__(self) -> str:
        return f"{self.day}: {self.open}"
