"""Who and what a user's memories speak of. Derived from active memories: it can be lost and is built again."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from memory.models.conflict import Conflict
from memory.models.memory import Memory
from memory.models.workspace import EndUser, Workspace


class EntityKind(models.TextChoices):
    PERSON = "person", _("Person")
    PLACE = "place", _("Place")
    ORGANISATION = "organisation", _("Organisation")
    TOOL = "tool", _("Tool")
    PROJECT = "project", _("Project")


class GraphState(models.Model):
    """How far a user's graph has come: `revision` is the user's when it was last built, `rules` the version of the
    reading rules. Its row is the lock of whoever builds."""

    user = models.OneToOneField(EndUser, on_delete=models.CASCADE, primary_key=True, related_name="graph_state")
    revision = models.BigIntegerField(default=-1)
    rules = models.PositiveIntegerField(default=0)
    built_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"graph of {self.user_id} at {self.revision}"


class GraphReading(models.Model):
    """What one version of a memory says of entities, kept so that a change reads one memory and not all."""

    memory = models.OneToOneField(Memory, on_delete=models.CASCADE, primary_key=True, related_name="graph_reading")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    rules = models.PositiveIntegerField()
    reading = models.JSONField(default=dict)  # as memory/graph/reading.py writes it; empty for most

    def __str__(self) -> str:
        return f"{self.memory_id} v{self.version}"


class Entity(models.Model):
    """One person, place, organisation, tool or project of a user's world; `id` follows from user, kind and key."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="entities")
    kind = models.CharField(max_length=12, choices=EntityKind.choices)
    key = models.CharField(max_length=200)  # normalised; "self" for the user
    name = models.CharField(max_length=200)  # as written
    aliases = models.JSONField(default=list, blank=True)
    memories = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "entities"
        constraints = [models.UniqueConstraint(fields=["user", "kind", "key"], name="entity_once")]

    def __str__(self) -> str:
        return self.name


class EntityMention(models.Model):
    """One memory speaks of one entity; `user` is theirs, so that one index holds a user's rows together."""

    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entity", "memory"], name="entity_mention_once")]

    def __str__(self) -> str:
        return f"{self.memory_id} of {self.entity_id}"


class Relation(models.Model):
    """One memory says how two entities stand to each other; rows lie in the order in which memories were read."""

    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="+")
    source = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="relations")
    target = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="+")
    predicate = models.CharField(max_length=80)  # an attribute of memory/intake/fact.py, or a role such as "sister"
    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "target", "predicate", "memory"], name="relation_once")
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.predicate} {self.target_id}"


class IdentityDoubt(models.Model):
    """Two entities that go by one name: a person says whether they are one. Kept apart until then."""

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        DECIDED = "decided", _("Decided")

    class Ruling(models.TextChoices):
        SAME = "same", _("The same")
        DIFFERENT = "different", _("Different")

    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(EndUser, on_delete=models.CASCADE, related_name="identity_doubts")
    kind = models.CharField(max_length=12, choices=EntityKind.choices)
    # the smaller key first
    first_key = models.CharField(max_length=200)
    second_key = models.CharField(max_length=200)
    first_name = models.CharField(max_length=200)
    second_name = models.CharField(max_length=200)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OPEN)
    ruling = models.CharField(max_length=9, choices=Ruling.choices, blank=True)
    conflict = models.OneToOneField(Conflict, null=True, on_delete=models.CASCADE, related_name="identity_doubt")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "first_key", "second_key"], name="identity_doubt_once"),
            models.CheckConstraint(
                condition=Q(status="open", ruling="") | (Q(status="decided") & ~Q(ruling="")),
                name="identity_doubt_decided_has_ruling",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_name} = {self.second_name}?"
