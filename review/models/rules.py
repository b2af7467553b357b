"""Rules that decide what people always decided alike, and what each of them did."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models import Conflict, Workspace
from memory.models.episode import SourceClass
from memory.models.memory import Category
from review.models.work import Decision


class AutoRule(models.Model):
    """One class of conflicts (kind, why it was held, category, source class) that is decided without a person.

    `check_share` of them are left to people all the same: the rule goes off when one of those is decided otherwise.
    """

    class Off(models.TextChoices):
        ADMIN = "admin", _("Switched off")
        DIFFERS = "differs", _("A person decided one of its class otherwise")
        UNDONE = "undone", _("One of its decisions was undone")
        DISAGREED = "disagreed", _("A second look disagreed with one of its decisions")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=14, choices=Conflict.Kind.choices)
    why = models.CharField(max_length=60)  # Conflict.reason_code
    category = models.CharField(max_length=20, choices=Category.choices)
    source_class = models.CharField(max_length=20, choices=SourceClass.choices)
    choice = models.CharField(max_length=12, choices=Conflict.Choice.choices)
    reason_code = models.CharField(max_length=20, choices=Decision.ReasonCode.choices)
    check_share = models.FloatField()
    per_hour = models.PositiveIntegerField()
    # how many decisions of people it was made from
    rests_on = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    off = models.CharField(max_length=10, choices=Off.choices, blank=True)
    off_at = models.DateTimeField(null=True)
    off_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["workspace", "kind", "why", "category", "source_class"], condition=Q(off=""),
                name="rule_on_once_a_class",
            ),
            models.CheckConstraint(condition=Q(check_share__gte=0.05, check_share__lte=1), name="rule_leaves_some"),
            models.CheckConstraint(
                condition=Q(off="", off_at=None) | (~Q(off="") & Q(off_at__isnull=False)), name="rule_off_has_time"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.why}: {self.choice}"


class RuleAct(models.Model):
    """What a rule did with a conflict: its decision, or none where deciding was refused. It tries each one once."""

    rule = models.ForeignKey(AutoRule, on_delete=models.CASCADE, related_name="acts")
    conflict = models.ForeignKey(Conflict, on_delete=models.CASCADE, related_name="+")
    decision = models.OneToOneField(Decision, null=True, on_delete=models.CASCADE, related_name="rule_act")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at"]
        constraints = [models.UniqueConstraint(fields=["rule", "conflict"], name="rule_acts_once")]
        indexes = [models.Index(fields=["rule", "-at"], name="rule_act_recent")]

    def __str__(self) -> str:
        return f"{self.rule_id} on {self.conflict_id}"
