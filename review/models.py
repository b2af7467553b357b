"""What reviewers did, each decision and each undoing of one, never changed afterwards; and how they share the work."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.models import Change, Conflict, Workspace


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


class Claim(models.Model):
    """A reviewer's lease on one conflict. One whose `until` has passed counts for nothing, as if there were no row."""

    conflict = models.OneToOneField(Conflict, primary_key=True, on_delete=models.CASCADE, related_name="claim")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.person_id} until {self.until:%H:%M:%S}"


class Viewing(models.Model):
    """That a person has a conflict's page open, as of its last ping."""

    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conflict", "person"], name="viewing_once")]

    def __str__(self) -> str:
        return f"{self.person_id} at {self.at:%H:%M:%S}"


class Skip(models.Model):
    """A conflict that one reviewer leaves to others; it says nothing about the conflict."""

    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="skips")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "conflict"], name="skip_once")]

    def __str__(self) -> str:
        return f"{self.person_id} skips {self.conflict_id}"


class Assignment(models.Model):
    """Whom a conflict is given to. Others may decide it all the same."""

    conflict = models.OneToOneField(Conflict, primary_key=True, on_delete=models.CASCADE, related_name="assignment")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.conflict_id} for {self.person_id}"


class Deferral(models.Model):
    """That a conflict stays out of the queue until a moment; once it has passed the row counts for nothing."""

    conflict = models.OneToOneField(Conflict, primary_key=True, on_delete=models.CASCADE, related_name="deferral")
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["until"], name="deferral_until")]

    def __str__(self) -> str:
        return f"{self.conflict_id} until {self.until:%Y-%m-%d}"


class SavedView(models.Model):
    """Filters of the queue that a reviewer has given a name; at most one opens by default."""

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=2000, blank=True)
    is_default = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["workspace", "person", "name"], name="view_named_once"),
            models.UniqueConstraint(
                fields=["workspace", "person"], condition=models.Q(is_default=True), name="view_default_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name
