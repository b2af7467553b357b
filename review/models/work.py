"""What reviewers did, each decision and each undoing of one, never changed afterwards; what waits for a second person;
how they share the work, and what they write to each other."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models import Change, Conflict, Workspace


class Decision(models.Model):
    """One decision on a conflict as it was shown, or (with `undoes`) the taking back of one.

    The database refuses to change or delete a row (migration 0004); review/redaction.py is the one way around.
    """

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
    # what sets two claims apart that are both kept (memory/actions/keeping.py)
    apart = models.JSONField(default=dict, blank=True)
    # one act of a person on many conflicts
    bulk = models.ForeignKey("review.BulkRun", null=True, on_delete=models.SET_NULL, related_name="decisions")
    # who proposed it, where a second person decided
    proposer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["decided_at", "id"]
        indexes = [
            models.Index(fields=["decider", "-decided_at"], name="decision_by_person"),
            models.Index(fields=["-decided_at"], name="decision_recent"),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.conflict_id}"


class Proposal(models.Model):
    """A decision that a first reviewer proposes; a second one confirms it or sends it back. The conflict stays open."""

    class Status(models.TextChoices):
        OPEN = "open", _("Waits for a second person")
        CONFIRMED = "confirmed", _("Confirmed")
        SENT_BACK = "sent_back", _("Sent back")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="proposals")
    # what the proposer saw; confirmed only while it is this
    conflict_version = models.PositiveIntegerField()
    choice = models.CharField(max_length=12, choices=Conflict.Choice.choices)
    reason_code = models.CharField(max_length=20, choices=Decision.ReasonCode.choices)
    note = models.CharField(max_length=500, blank=True)
    text = models.TextField(blank=True)
    apart = models.JSONField(default=dict, blank=True)
    proposer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    proposed_at = models.DateTimeField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["proposed_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["conflict"], condition=Q(status="open"), name="proposal_open_once"),
            models.CheckConstraint(
                condition=Q(status="open", answered_at=None) | (~Q(status="open") & Q(answered_at__isnull=False)),
                name="proposal_answered_has_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} proposed for {self.conflict_id}"


class BulkRun(models.Model):
    """One act of a person on many conflicts of one kind: each has a decision of its own and its outcome here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=14, choices=Conflict.Kind.choices)
    choice = models.CharField(max_length=12, choices=Conflict.Choice.choices)
    reason_code = models.CharField(max_length=20, choices=Decision.ReasonCode.choices)
    note = models.CharField(max_length=500, blank=True)
    # [{conflict, outcome, who, why}] in the order of the preview (review/bulk.py)
    outcomes = models.JSONField(default=list)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.choice} on {len(self.outcomes)} conflicts"


class Note(models.Model):
    """What a colleague wrote on a conflict; never changed, like a decision."""

    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=1000)
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["written_at", "id"]

    def __str__(self) -> str:
        return self.text[:80]


class Mention(models.Model):
    """A member of the workspace whom a note names, and when they read it."""

    note = models.ForeignKey(Note, on_delete=models.CASCADE, related_name="mentions")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["note", "person"], name="mention_once")]
        indexes = [
            models.Index(fields=["workspace", "person", "-id"], condition=Q(read_at=None), name="mention_unread")
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in note {self.note_id}"


class ReviewerSettings(models.Model):
    """What a person sets for their own reviewing."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    single_keys = models.BooleanField(default=True)
    # "" leaves it to the browser, and to the installation
    language = models.CharField(max_length=10, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    # the mail of what is overdue: whether they want it, and the day of theirs that had its turn last
    digest = models.BooleanField(default=True)
    digest_on = models.DateField(null=True)

    def __str__(self) -> str:
        return f"settings of {self.person_id}"


class Erasing(models.Model):
    """Empty but inside the transaction of review/redaction.py: while it has a row, decisions and notes may change."""

    def __str__(self) -> str:
        return "open"


class Claim(models.Model):
    """A reviewer's lease on one conflict. One whose `until` has passed counts for nothing, as if there were no row."""

    conflict = models.OneToOneField(Conflict, primary_key=True, on_delete=models.CASCADE, related_name="claim")
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()
    since = models.DateTimeField(null=True)

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
