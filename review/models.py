"""What reviewers did: every decision and every undoing of one, never changed afterwards."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models import Change, Conflict


class Decision(models.Model):
    """One decision on a conflict as it was shown, or (with `undoes`) the taking back of one."""

    class ReasonCode(models.TextChoices):
        NEWER = "newer", _("The newer statement is right")
        MISTAKEN = "mistaken", _("The incoming claim is wrong")
        BOTH_TRUE = "both_true", _("Both are true")
        WRONG_PERSON = "wrong_person", _("It is about somebody else")
        UNTRUSTED = "untrusted", _("The source cannot be trusted")
        OTHER = "other", _("Another reason")

    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="decisions")
    choice = models.CharField(max_length=12, choices=Conflict.Choice.choices)
    reason_code = models.CharField(max_length=20, choices=ReasonCode.choices)
    note = models.CharField(max_length=500, blank=True)
    decider = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField()
    # what the decider had on the screen
    conflict_version = models.PositiveIntegerField()
    held_text = models.TextField(blank=True)
    incoming_text = models.TextField()
    # the wording that entered, when it was edited
    edited_text = models.TextField(blank=True)
    change = models.ForeignKey(Change, null=True, on_delete=models.SET_NULL, related_name="+")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undone_by")

    class Meta:
        ordering = ["decided_at", "id"]
        indexes = [models.Index(fields=["decider", "-decided_at"], name="decision_by_person")]

    def __str__(self) -> str:
        return f"{self.choice} on {self.conflict_id}"
